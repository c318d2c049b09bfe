//! What is as it was stored, beside what is not.

use crate::StoreError;

/// Records of which some may be damaged: those that can be read, and what is wrong with the others.
#[derive(Debug)]
pub struct Sound<T> {
    /// What is as it was stored.
    pub records: T,
    /// One [`StoreError::Damaged`] for each record that is left out.
    pub damaged: Vec<StoreError>,
}

impl<T> Sound<T> {
    pub(crate) fn of(records: T) -> Sound<T> {
        Sound {
            records,
            damaged: Vec::new(),
        }
    }

    /// Adds a record that was read, or what is wrong with it; another failure is the caller's.
    pub(crate) fn take<R>(
        &mut self,
        read: Result<R, StoreError>,
        keep: impl FnOnce(&mut T, R),
    ) -> Result<(), StoreError> {
        match read {
            Ok(record) => keep(&mut self.records, record),
            Err(error @ StoreError::Damaged { .. }) => self.damaged.push(error),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// The records where all of them are sound.
    ///
    /// # Errors
    /// What is wrong with the first of the others.
    pub fn whole(self) -> Result<T, StoreError> {
        match self.damaged.into_iter().next() {
            None => Ok(self.records),
            Some(damage) => Err(damage),
        }
    }
}
