//! Programs that ask a private server, which end with the work whatever happens.

use std::fs;
use std::path::PathBuf;

use etalon_factor::{Change, Entered, Journal, kill_within};
use etalon_work::{Job, WorkError};

use crate::ServiceError;

/// Every process that works in the private directory of a work. Dropping it ends them; after a kill,
/// [`etalon_factor::restore`] does: a program whose server is gone may take its time to notice.
#[derive(Debug)]
pub struct Clients {
    place: PathBuf,
    entered: Entered,
}

impl Clients {
    /// Those of `job`, entered into the journal before the first of them is started.
    ///
    /// # Errors
    /// [`ServiceError::Journal`], and the kernel's about the directory.
    pub fn of(job: &Job<'_>) -> Result<Clients, WorkError> {
        let place = job.path(".");
        let place = fs::canonicalize(&place).map_err(WorkError::io("find", &place))?;
        let journal = Journal::open().map_err(ServiceError::Journal)?;
        let entered = Entered::new(&journal, |_| Change::Server {
            directory: place.clone(),
            process: None,
        });
        let entered = entered.map_err(ServiceError::Journal)?;
        Ok(Clients { place, entered })
    }
}

impl Drop for Clients {
    fn drop(&mut self) {
        kill_within(&self.place);
        // Where it cannot be struck out, the next restore finds nobody there and does it.
        let _ = self.entered.strike();
    }
}
