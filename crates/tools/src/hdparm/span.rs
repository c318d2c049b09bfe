//! For how long hdparm reads (hdparm(8), `-t` and `-T`).

use etalon_units::{Bytes, Nanos};
use etalon_workload::raw_read::{Part, RawRead};

/// A measurement as long as hdparm makes it.
pub(super) fn timed_read(part: Part, direct: bool, offset: Bytes) -> RawRead {
    RawRead {
        part,
        direct,
        offset,
        span: match part {
            Part::Cache => Nanos::secs(2),
            Part::Disk => Nanos::secs(3),
        },
    }
}
