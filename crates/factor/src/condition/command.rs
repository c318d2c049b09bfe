//! The user's own commands: one that sets a level, one that checks it, and one that puts it back.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::{Applied, Description, Factor, FactorError, Ground, Level, LevelError, LevelTable};
use crate::{Change, Entry, Journal, ProcessStamp, Token, run_shell, started};

/// The factor.
pub(super) struct UserCommand;

#[derive(Debug, Clone)]
struct CommandLevel {
    name: String,
    set: Option<String>,
    check: Option<String>,
    reset: Option<String>,
}

#[derive(Debug)]
struct Commanded {
    journal: Journal,
    token: Token,
    level: CommandLevel,
    stop: Arc<AtomicBool>,
    is_restored: bool,
}

impl Factor for UserCommand {
    fn name(&self) -> &'static str {
        "command"
    }

    fn summary(&self) -> &'static str {
        "anything that commands of yours set, check and put back"
    }

    fn accepted(&self) -> &'static str {
        "a table: { value = \"big\", set = \"COMMAND\", check = \"COMMAND\", reset = \"COMMAND\" }; with set there must be reset"
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let mut table = LevelTable::new(self, level);
        if !level.is_object() {
            return Err(table.wrong(None));
        }
        let made = CommandLevel {
            name: table.text()?,
            set: table.take("set")?,
            check: table.take("check")?,
            reset: table.take("reset")?,
        };
        table.end()?;
        if made.set.is_some() && made.reset.is_none() {
            return Err(table.wrong(Some("reset is missing".to_owned())));
        }
        Ok(Box::new(made))
    }
}

impl Level for CommandLevel {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn describe(&self, _ground: &Ground) -> Result<Description, FactorError> {
        let set = self.set.iter().map(|set| format!("command: {set}"));
        let reset = self
            .reset
            .iter()
            .map(|reset| format!("put back by: {reset}"));
        Ok(Description {
            changes: set.chain(reset).collect(),
            ..Description::default()
        })
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        let mut made = Commanded::enter(&ground.journal, self.clone(), false)?;
        made.stop = Arc::clone(&ground.stop);
        run(self.set.as_deref(), &made.stop)?;
        made.verify()?;
        Ok(Box::new(made))
    }
}

/// A command that is due once all else is over: entered into the journal now, so that [`crate::restore`] runs it after a
/// kill, and run by [`Applied::restore`].
///
/// # Errors
/// [`FactorError`] where the journal takes no entry.
pub fn due_at_the_end(journal: &Journal, command: &str) -> Result<Box<dyn Applied>, FactorError> {
    let level = CommandLevel {
        name: command.to_owned(),
        set: None,
        check: None,
        reset: Some(command.to_owned()),
    };
    Ok(Box::new(Commanded::enter(journal, level, true)?))
}

impl Commanded {
    /// Writes down what puts the level back.
    fn enter(
        journal: &Journal,
        level: CommandLevel,
        at_the_end: bool,
    ) -> Result<Commanded, FactorError> {
        let named = FactorError::io("enter into the journal", journal.directory());
        let (token, owner) = Token::random()
            .and_then(|token| Ok((token, ProcessStamp::current()?)))
            .map_err(named)?;
        let change = Change::Command {
            reset: level.reset.clone().unwrap_or_default(),
            at_the_end,
        };
        journal.write(&Entry::new(owner, token.clone(), change))?;
        Ok(Commanded {
            journal: journal.clone(),
            token,
            level,
            stop: Arc::default(),
            is_restored: false,
        })
    }

    fn put_back(&mut self) -> Result<(), FactorError> {
        if !std::mem::replace(&mut self.is_restored, true) {
            put_back(self.level.reset.as_deref().unwrap_or_default())?;
            self.journal.remove(&self.token)?;
        }
        Ok(())
    }
}

impl Applied for Commanded {
    fn verify(&self) -> Result<(), FactorError> {
        run(self.level.check.as_deref(), &self.stop)
    }

    fn restore(mut self: Box<Self>) -> Result<(), FactorError> {
        self.put_back()
    }
}

impl Drop for Commanded {
    fn drop(&mut self) {
        // What fails here stays in the journal, for the next restore.
        let _ = self.put_back();
    }
}

/// Runs what puts a level back, for a killed process too; whether there was anything to run. A stop does not end it: the
/// machine is to be as it was.
pub(crate) fn put_back(reset: &str) -> Result<bool, FactorError> {
    match reset {
        "" => Ok(false),
        reset => run(Some(reset), &AtomicBool::new(false)).map(|()| true),
    }
}

fn run(command: Option<&str>, stop: &AtomicBool) -> Result<(), FactorError> {
    command.map_or(Ok(()), |command| run_shell(command, started::input(), stop))
}
