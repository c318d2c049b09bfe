//! What one operation on one file came to.

use std::time::{Duration, SystemTime};

use etalon_host::clock::now;
use etalon_model::Ended;
use etalon_units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

use super::FileOp;

/// What one operation on one file came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pass {
    /// What was done; a mixed operation is told as what this worker did.
    pub op: FileOp,
    /// Bytes moved within the clock.
    pub bytes: Bytes,
    /// Records moved within the clock.
    pub operations: u64,
    /// When the clock started, on the monotonic clock of the machine.
    pub started: Nanos,
    /// When it stopped.
    pub stopped: Nanos,
    /// Computing and resting between records that is no part of the pass's time.
    pub paused: Nanos,
    /// Processor time of the worker within the clock, user and system together, without pauses.
    pub cpu: Nanos,
    /// Bytes that the kernel fetched from storage for this worker's reads; `None` where it does
    /// not count them.
    pub fetched: Option<Bytes>,
    /// How it ended; a pass that another worker's end cut short counts as complete.
    pub ended: Ended,
    /// Whether `O_DIRECT` was in force.
    pub direct: bool,
    /// The error number with which `O_DIRECT` was refused.
    pub direct_refused: Option<i32>,
    /// Each record's latency, where they were asked for.
    pub latencies: Vec<RecordLatency>,
}

impl Pass {
    /// The span of the clock, without pauses.
    pub fn elapsed(&self) -> Nanos {
        let span = self.stopped.0.saturating_sub(self.started.0);
        Nanos(span.saturating_sub(self.paused.0))
    }

    /// When the clock started and stopped, on the wall's clock as it stands now.
    pub fn wall_clock(&self) -> (SystemTime, SystemTime) {
        let (wall, here) = (SystemTime::now(), now());
        let then = |moment: Nanos| {
            let ago = Duration::from_nanos(here.0.saturating_sub(moment.0));
            wall.checked_sub(ago).unwrap_or(SystemTime::UNIX_EPOCH)
        };
        (then(self.started), then(self.stopped))
    }
}

/// How long one record took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordLatency {
    /// Where the record lies.
    pub offset: u64,
    /// Its bytes.
    pub length: u64,
    /// How long it took.
    pub latency: Nanos,
}
