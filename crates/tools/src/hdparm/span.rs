//! From where on and for how long hdparm reads (hdparm(8), `-t`, `-T` and `--offset`).

use etalon_units::{Bytes, Nanos};
use etalon_workload::raw_read::{Part, RawRead};

/// A measurement as long as hdparm makes it. `offset` is where `-t` starts; `-T` reads the beginning of the device.
pub(super) fn timed_read(part: Part, direct: bool, offset: Bytes) -> RawRead {
    let (offset, span) = match part {
        Part::Cache => (Bytes::ZERO, Nanos::secs(2)),
        Part::Disk => (offset, Nanos::secs(3)),
    };
    RawRead {
        part,
        direct,
        offset,
        span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_moves_what_is_read_from_disk_only() {
        let offset = |part| timed_read(part, false, Bytes::gib(3)).offset;
        assert_eq!(offset(Part::Cache), Bytes::ZERO);
        assert_eq!(offset(Part::Disk), Bytes::gib(3));
    }
}
