//! An experiment whose runs' series are too long to be read for a page.

use etalon_model::{Experiment, LatencyHistogram, RunId};
use etalon_units::Bytes;
use rusqlite::params;

use crate::codec::POINT_BYTES;
use crate::sound::Sound;
use crate::{Store, StoreError};

/// The columns of `SELECT_RUNS` without those that stand behind the first pages of a series: SQLite walks through all of
/// a row to reach its end, and takes a length from the head of the row.
const SELECT_ABRIDGED: &str = "\
    SELECT id, 0, record_json, read_histogram, write_histogram, metadata_histogram, lag_histogram, \
    zeroblob(min(length(series), ?2)), environment_id FROM run WHERE experiment_id = ?1 ORDER BY position, id";

impl Store {
    /// What the series of an experiment's runs take in the store where that may be more than `few`; 0 where it cannot be,
    /// and where there is no such experiment. The sum walks over all runs, so that it is not asked of a small store.
    ///
    /// # Errors
    /// [`StoreError::Locked`] and the like.
    pub fn series_bytes_above(&self, few: Bytes, experiment: RunId) -> Result<Bytes, StoreError> {
        if self.size_bytes() <= few.get() {
            return Ok(Bytes::ZERO);
        }
        let sql = "SELECT coalesce(sum(length(series)), 0) FROM run WHERE experiment_id = ?1";
        let sum = self
            .connection
            .query_row(sql, [experiment], |row| row.get::<_, i64>(0));
        let sum = sum.map_err(|e| self.failed(e))?;
        Ok(Bytes(sum.unsigned_abs()))
    }

    /// As [`Store::sound_experiment`], but of the runs' series it is only told that they have so many points, up to
    /// `most`, all of which are nothing: 10 000 runs of ten minutes have two gigabytes of them. The checksum of a run
    /// covers its series, so that runs are not checked.
    ///
    /// # Errors
    /// As [`Store::sound_experiment`].
    pub fn abridged_experiment(
        &self,
        id: RunId,
        most: usize,
    ) -> Result<Sound<Experiment>, StoreError> {
        let most = most.saturating_mul(POINT_BYTES) as i64;
        self.with_runs(
            id,
            SELECT_ABRIDGED,
            params![id, most],
            |row, environments| {
                let stored = self.stored_run(id, row)?;
                self.restored(id, &stored, LatencyHistogram::from_bytes, environments)
            },
        )
    }
}
