//! Where in a plan something stands, and what is wrong there.

/// A line and a column, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextPlace {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

/// Why a text is no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {key}{message}", place.line, place.column, key = key_of(key))]
pub struct PlanError {
    /// Where.
    pub place: TextPlace,
    /// The key, where there is one.
    pub key: String,
    /// What is wrong, with the value and what is accepted.
    pub message: String,
}

impl TextPlace {
    /// The place of a byte of `text`.
    pub(super) fn of(text: &str, byte: usize) -> TextPlace {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        TextPlace {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }

    /// What is wrong here.
    pub fn wrong(self, key: &str, message: impl Into<String>) -> PlanError {
        PlanError {
            place: self,
            key: key.to_owned(),
            message: message.into(),
        }
    }
}

fn key_of(key: &str) -> String {
    match key {
        "" => String::new(),
        key => format!("{key}: "),
    }
}
