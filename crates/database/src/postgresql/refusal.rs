//! What a server says where it refuses.

use std::fmt;
use std::io;

use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::ErrorResponseBody;

/// Fields of a message of refusal (PostgreSQL's manual, Error and Notice Message Fields).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerRefusal {
    /// How bad it is, in the server's language.
    pub severity: String,
    /// SQLSTATE: five characters (the manual's appendix of error codes).
    pub code: String,
    /// What it is.
    pub message: String,
    /// More of it, where there is more.
    pub detail: Option<String>,
    /// What to do, where the server knows it.
    pub hint: Option<String>,
}

impl ServerRefusal {
    pub(super) fn of(body: &ErrorResponseBody) -> io::Result<ServerRefusal> {
        let mut refusal = ServerRefusal::default();
        let mut fields = body.fields();
        while let Some(field) = fields.next()? {
            let value = String::from_utf8_lossy(field.value_bytes()).into_owned();
            match field.type_() {
                b'S' => refusal.severity = value,
                b'C' => refusal.code = value,
                b'M' => refusal.message = value,
                b'D' => refusal.detail = Some(value),
                b'H' => refusal.hint = Some(value),
                _ => {}
            }
        }
        Ok(refusal)
    }
}

impl fmt::Display for ServerRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity, self.message)?;
        let more = [("DETAIL", &self.detail), ("HINT", &self.hint)];
        for (name, text) in more {
            if let Some(text) = text {
                write!(f, "\n{name}: {text}")?;
            }
        }
        Ok(())
    }
}
