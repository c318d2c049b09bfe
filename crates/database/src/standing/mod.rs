//! What servers that stand have in common: nothing is started and nothing set, one schema is made and dropped.

mod address;
mod connect;
mod connection;
mod server;

use etalon_factor::{Change, Entered, Journal, Token};
use etalon_service::ServiceError;
use etalon_work::{Parameter, Values};

use crate::DatabaseError;
pub(crate) use address::{AddressForms, NoAddress};
#[cfg(test)]
pub(crate) use connect::is_not_waited_for;
pub(crate) use connect::{ANSWER_LIMIT, connected};
#[cfg(test)]
pub(crate) use connection::StandingConnection;
pub(crate) use connection::on_standing;
pub(crate) use server::StandingServer;

/// All that is made on the server is in it.
pub(crate) const SCHEMA: &str = "etalon_work";

/// A schema that is about to be made, in the journal until it is dropped.
pub(crate) struct SchemaEntry(Entered);

impl SchemaEntry {
    /// Enters it with the command by which a later etalon drops it, made from the mark that the schema bears. No password
    /// may stand in the command.
    pub(crate) fn new(reset: impl FnOnce(&str) -> String) -> Result<SchemaEntry, DatabaseError> {
        let journal = Journal::open().map_err(ServiceError::Journal)?;
        let entered = Entered::new(&journal, |token| Change::Command {
            reset: reset(&mark(token)),
            at_the_end: false,
        });
        Ok(SchemaEntry(entered.map_err(ServiceError::Journal)?))
    }

    /// By what the schema is known from one of somebody else's with the same name.
    pub(crate) fn mark(&self) -> String {
        mark(self.0.token())
    }

    /// Strikes it out: the schema is dropped, or was not made.
    pub(crate) fn strike(&self) -> Result<(), DatabaseError> {
        Ok(self.0.strike().map_err(ServiceError::Journal)?)
    }
}

fn mark(token: &Token) -> String {
    format!("etalon {token}")
}

/// Why what only a server of etalon's own has is refused.
pub(crate) const NOT_SET: &str =
    "left as it is with url: a server that stands is not set, and its caches are not emptied";

/// Those of `own` that have no effect with the address of a server that stands.
pub(crate) fn idle_beside(
    values: &Values,
    url: &Parameter,
    own: &'static [Parameter],
) -> &'static [Parameter] {
    match values.text(url) {
        "" => &[],
        _ => own,
    }
}

/// What puts back `command` where it fails, with the variable from which its program takes a password: the journal keeps
/// none.
pub(crate) fn naming_password(command: &str, variable: &str) -> String {
    format!(
        "{command} || {{ echo 'where it wants a password: {variable}=... etalon restore' >&2; false; }}"
    )
}

/// A word as every shell of POSIX reads it, `sh` above all, which puts things back.
pub(crate) fn sh_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_names_the_variable_of_the_password_and_what_works_says_nothing() {
        let of = |command: &str| {
            let line = naming_password(command, "PGPASSWORD");
            let mut shell = std::process::Command::new("/bin/sh");
            let done = shell.args(["-c", &line]).output().unwrap();
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            (done.status.success(), said)
        };
        let (is_done, said) = of("false");
        assert!(
            !is_done && said.contains("PGPASSWORD=... etalon restore"),
            "{said}"
        );
        assert_eq!(of("true"), (true, String::new()));
    }

    #[test]
    fn a_word_reaches_a_program_as_it_is() {
        for text in ["", "a b", "it's $HOME `x` \\ \"y\"\n!"] {
            let line = format!("printf %s {}", sh_word(text));
            let mut shell = std::process::Command::new("/bin/sh");
            let said = shell.args(["-c", &line]).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&said.stdout), text);
        }
    }
}
