//! What is made of devices, for a time: files, loop devices, zram, mounts, filesystems, arrays.
//!
//! One entry of the journal holds the steps in the order in which they are made; each is entered
//! before it is made, and all are undone from the last to the first. Whatever is made bears the token
//! of its entry, in its name, its backing file or its UUID, so that nothing else is ever undone.

mod arrays;
mod bcache;
mod device;
mod gone;
mod loops;
mod lvm;
mod mounts;
mod place;
mod program;
mod step;
mod wipe;
mod zram;

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::FactorError;
use crate::{Change, Entry, Journal, ProcessStamp, Token};

pub(crate) use arrays::md_of;
pub(crate) use bcache::{REGISTER, bcache_of, register};
pub(crate) use device::{claim_free, size_of};
pub(crate) use loops::attach;
pub(crate) use lvm::run_lvm;
pub(crate) use mounts::{mount, mounted_at};
pub(crate) use place::mark_around;
pub(crate) use program::{run, run_alone, words};
pub(crate) use wipe::{bears, uuid_text};
pub(crate) use zram::add as add_zram;

use crate::steps::{EntryStep, EntrySteps};

/// Things that stand until this is dropped or undone.
#[derive(Debug)]
pub(crate) struct Made {
    journal: Journal,
    token: Token,
    owner: ProcessStamp,
    steps: EntrySteps,
}

impl Made {
    /// With nothing made yet.
    pub(crate) fn begin(journal: &Journal) -> Result<Made, FactorError> {
        let named = FactorError::io("enter into the journal", journal.directory());
        let (token, owner) = Token::random()
            .and_then(|token| Ok((token, ProcessStamp::current()?)))
            .map_err(named)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let begun_ns = now.map_or(0, |since| since.as_nanos() as u64);
        Ok(Made {
            journal: journal.clone(),
            token,
            owner,
            steps: EntrySteps {
                begun_ns,
                steps: Vec::new(),
            },
        })
    }

    /// A name that nobody else has, in `place`.
    pub(crate) fn name_in(&self, place: &Path, what: &str) -> PathBuf {
        place.join(format!("{}{what}", prefix(&self.token)))
    }

    /// The secret in all names.
    pub(crate) fn token(&self) -> &Token {
        &self.token
    }

    /// Writes down what is made next.
    pub(crate) fn enter(&mut self, step: EntryStep) -> Result<(), FactorError> {
        self.steps.steps.push(step);
        self.write()
    }

    /// Writes down more of the last step, once it is known.
    pub(crate) fn amend(&mut self, step: EntryStep) -> Result<(), FactorError> {
        self.steps.steps.pop();
        self.steps.steps.push(step);
        self.write()
    }

    fn write(&self) -> Result<(), FactorError> {
        let change = Change::Made {
            made: self.steps.clone(),
        };
        let entry = Entry::new(self.owner.clone(), self.token.clone(), change);
        Ok(self.journal.write(&entry)?)
    }

    /// Undoes all of it.
    pub(crate) fn undo(&mut self) -> Result<(), FactorError> {
        while let Some(step) = self.steps.steps.last() {
            step.undo(&self.token, true)?;
            self.steps.steps.pop();
        }
        Ok(self.journal.remove(&self.token)?)
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // What fails here stays in the journal, for the next restore.
        let _ = self.undo();
    }
}

/// Undoes what a killed process has made; whether there was anything.
pub(crate) fn undo_all(
    made: &EntrySteps,
    token: &Token,
    is_of_this_boot: bool,
) -> Result<bool, FactorError> {
    let mut has_undone = false;
    for step in made.steps.iter().rev() {
        has_undone |= step.undo(token, is_of_this_boot)?;
    }
    Ok(has_undone)
}

/// What every name begins with.
fn prefix(token: &Token) -> String {
    format!(".etalon-{token}-")
}
