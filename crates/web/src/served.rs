//! Who serves the pages: a server of etalon's own, or one that stands.

use etalon_model::ServiceFacts;
use etalon_service::cold::ColdStart;
use etalon_work::WorkError;

use crate::address::Origin;
use crate::browser::Protocol;
use crate::pages::Pages;

/// A server that stands, with pages to fetch.
pub(crate) trait Served {
    /// The pages, in the order in which they are fetched.
    fn pages(&self) -> Pages;

    /// The server of paths that name none.
    fn home(&self) -> Origin;

    /// How requests stand on its connections.
    fn protocol(&self) -> Protocol;

    /// Whether its caches can be emptied, so that it matters whether they are.
    fn can_be_cold(&self) -> bool;

    /// Empties all caches that etalon can, and tells what of the site stayed in memory.
    ///
    /// # Errors
    /// Those of a server that does not start again.
    fn make_cold(&mut self) -> Result<ColdStart, WorkError>;

    /// Which it is, how it is set, and its counters since it stands.
    fn facts(&self) -> ServiceFacts;

    /// Whether it still stands as a whole: its first process may have ended while others go on answering.
    ///
    /// # Errors
    /// How it ended, with the last lines of its log.
    fn check(&mut self) -> Result<(), WorkError>;

    /// Why it gave no answer, where it knows better than the connection.
    fn explained(&mut self, error: WorkError) -> WorkError;
}
