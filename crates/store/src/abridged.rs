//! An experiment whose runs' series are too long to be read for a page.

use std::cell::Cell;

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
    zeroblob(min(length(series), ?2)), environment_id, length(series) \
    FROM run WHERE experiment_id = ?1 ORDER BY position, id";

/// The last of them.
const LENGTH: usize = 9;

/// What stands in for an experiment with long series.
#[derive(Debug)]
pub struct Abridged {
    /// All of it, but of the runs' series only so many points, all of which are nothing.
    pub experiment: Sound<Experiment>,
    /// What the series take in the store.
    pub series: Bytes,
}

impl Store {
    /// As [`Store::sound_experiment`] where the series of its runs take more than `few` in the store; of these it is only
    /// told that they have so many points, up to `most`: 10 000 runs of ten minutes have two gigabytes of them. The checksum
    /// of a run covers its series, so that runs are not checked by it, but by whether they can be read. `None` where the series take less, and where there is no
    /// such experiment.
    ///
    /// # Errors
    /// As [`Store::sound_experiment`].
    pub fn abridged_experiment(
        &self,
        id: RunId,
        few: Bytes,
        most: usize,
    ) -> Result<Option<Abridged>, StoreError> {
        if !self.has_more_series(id, few)? {
            return Ok(None);
        }
        let most = most.saturating_mul(POINT_BYTES) as i64;
        let series = Cell::new(0u64);
        let experiment = self.with_runs(
            id,
            SELECT_ABRIDGED,
            params![id, most],
            |row, environments| {
                let length: i64 = row.get(LENGTH).map_err(|e| self.failed(e))?;
                series.set(series.get().saturating_add(length.unsigned_abs()));
                let stored = self.stored_run(id, row)?;
                // No checksum vouches for them: broken ones are found by a walk over their counts.
                self.restored(id, &stored, LatencyHistogram::from_bytes, environments)
            },
        )?;
        Ok(Some(Abridged {
            experiment,
            series: Bytes(series.get()),
        }))
    }

    /// Looks no further than the run that decides it: each run lies on pages of its own.
    fn has_more_series(&self, experiment: RunId, few: Bytes) -> Result<bool, StoreError> {
        if self.size_bytes() <= few.get() {
            return Ok(false);
        }
        let sql = "SELECT length(series) FROM run WHERE experiment_id = ?1";
        let mut statement = self.connection.prepare(sql).map_err(|e| self.failed(e))?;
        let lengths = statement.query_map([experiment], |row| row.get::<_, i64>(0));
        let mut sum = 0u64;
        for length in lengths.map_err(|e| self.failed(e))? {
            let length = length.map_err(|e| self.failed(e))?;
            sum = sum.saturating_add(length.unsigned_abs());
            if sum > few.get() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
