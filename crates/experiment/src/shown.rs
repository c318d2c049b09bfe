//! Errors of the work in a private directory, as people are shown them.

use etalon_factor::shown;

use crate::ExperimentError;

impl ExperimentError {
    /// The same error with a text for people.
    pub(crate) fn shown(self) -> ExperimentError {
        let text = self.to_string();
        let shown = shown(&text);
        if shown == text {
            return self;
        }
        ExperimentError::Shown {
            text: shown,
            cause: Box::new(self),
        }
    }

    /// What went wrong, whatever it is called in the text.
    pub fn cause(&self) -> &ExperimentError {
        match self {
            ExperimentError::Shown { cause, .. } => cause.cause(),
            other => other,
        }
    }
}
