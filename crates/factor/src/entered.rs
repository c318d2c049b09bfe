//! A change that stands in the journal and is nothing but its entry there.

use crate::{Change, Entry, Journal, JournalError, ProcessStamp, Token};

/// A change in the journal; it stays there until it is struck out, and [`crate::restore`] undoes it once this process is
/// gone.
#[derive(Debug)]
#[must_use = "it stays in the journal until it is struck out"]
pub struct Entered {
    journal: Journal,
    token: Token,
}

impl Entered {
    /// Enters a change that this process is about to make, as `change` makes it of the token by which it is known again.
    ///
    /// # Errors
    /// [`JournalError::Unusable`] and [`JournalError::TooLong`], with nothing entered.
    pub fn new(
        journal: &Journal,
        change: impl FnOnce(&Token) -> Change,
    ) -> Result<Entered, JournalError> {
        let unusable = |source| JournalError::Unusable {
            path: journal.directory().to_owned(),
            source,
        };
        let token = Token::random().map_err(unusable)?;
        let owner = ProcessStamp::current().map_err(unusable)?;
        journal.write(&Entry::new(owner, token.clone(), change(&token)))?;
        Ok(Entered {
            journal: journal.clone(),
            token,
        })
    }

    /// The token of the entry.
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// Strikes it out, once it is undone.
    ///
    /// # Errors
    /// [`JournalError::Unusable`]; the entry then stays, and a later restore strikes it out.
    pub fn strike(&self) -> Result<(), JournalError> {
        self.journal.remove(&self.token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restore;
    use tempfile::TempDir;

    #[test]
    fn a_change_is_in_the_journal_until_it_is_struck_out() {
        let notes = TempDir::new().unwrap();
        let journal = Journal::at(&notes.path().join("journal")).unwrap();
        let reset = "exit 7".to_owned();
        let entered = Entered::new(&journal, |_| Change::Command {
            reset,
            at_the_end: false,
        })
        .unwrap();
        // This process lives, so that the change is its own affair.
        assert_eq!(restore(&journal).in_use.len(), 1);
        entered.strike().unwrap();
        assert!(restore(&journal).is_empty());
    }
}
