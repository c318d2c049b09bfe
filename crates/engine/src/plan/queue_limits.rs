//! What the kernel tells of a block device that decides which operations it takes.

use std::fs;
use std::path::Path;

use etalon_model::{Backend, IoWorkload, Operation};

/// Of a device's queue (Documentation/ABI/stable/sysfs-block).
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct QueueLimits {
    /// The most that one discard takes, in bytes: 0 where it takes none.
    discard_max: Option<u64>,
    /// Whether each zone must be written from its start to its end.
    pub(super) is_host_managed: bool,
}

const HOST_MANAGED: &str = "its zone model is host-managed (queue/zoned), so that writes must be sequential within a zone: \
    --op write does so, each zone from its start after a reset, with direct I/O, one block size, --jobs 1, --queue-depth 1 \
    and --backend sync; else read it, or measure a filesystem that writes by zones (btrfs, f2fs, xfs) on it";

/// What the zones of a part of such a device lack.
pub(super) const UNFIT_ZONES: &str = "its zone model is host-managed (queue/zoned), and what is written must begin with a zone, \
    in blocks that divide one, and all zones must be written in sequence and take data up to their end; `blkzone report` \
    shows them: see --offset, --range and --block-size";

impl QueueLimits {
    /// Those of the device with this number, below `sys`; what is not told refuses nothing.
    pub(super) fn of(sys: &Path, device: u64) -> QueueLimits {
        let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
        let own = sys.join(format!("dev/block/{major}:{minor}"));
        // A partition has the queue of its disk.
        let told = |name: &str| {
            let places = [
                own.join("queue").join(name),
                own.join("../queue").join(name),
            ];
            let mut all = places.iter().map(fs::read_to_string);
            let found = all.find_map(Result::ok)?;
            Some(found.trim().to_owned())
        };
        QueueLimits {
            discard_max: told("discard_max_bytes").and_then(|told| told.parse().ok()),
            is_host_managed: told("zoned").is_some_and(|model| model == "host-managed"),
        }
    }

    /// Why the device does not take an operation that changes it; none where it does.
    pub(super) fn refusal(&self, w: &IoWorkload) -> Option<&'static str> {
        if w.operation.trims() && self.discard_max == Some(0) {
            return Some(
                "it takes no discards (queue/discard_max_bytes is 0): there is nothing to measure; `etalon stack` \
                 shows which layer drops them",
            );
        }
        (self.is_host_managed && !is_by_zones(w)).then_some(HOST_MANAGED)
    }
}

/// Whether it writes one block after the other, from the start to the end, past the page cache.
fn is_by_zones(w: &IoWorkload) -> bool {
    let is_one_by_one = w.backend == Backend::Sync && w.jobs == 1 && w.queue_depth == 1;
    w.operation == Operation::Write && is_one_by_one && w.direct && !w.block_size.is_mix()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told below a root of a disk 8:0 with a partition 8:1.
    fn told(discard_max: &str, zoned: &str) -> tempfile::TempDir {
        let sys = tempfile::tempdir().unwrap();
        let disk = sys.path().join("devices/sda");
        fs::create_dir_all(disk.join("queue")).unwrap();
        fs::create_dir_all(disk.join("sda1")).unwrap();
        fs::create_dir_all(sys.path().join("dev/block")).unwrap();
        fs::write(disk.join("queue/discard_max_bytes"), discard_max).unwrap();
        fs::write(disk.join("queue/zoned"), zoned).unwrap();
        for (number, place) in [("8:0", "sda"), ("8:1", "sda/sda1")] {
            let link = sys.path().join("dev/block").join(number);
            std::os::unix::fs::symlink(format!("../../devices/{place}"), link).unwrap();
        }
        sys
    }

    #[test]
    fn what_takes_no_discards_and_zones_of_the_host_are_refused_of_disks_and_partitions() {
        for minor in [0, 1] {
            let of = |discard_max, zoned| {
                let sys = told(discard_max, zoned);
                let limits = QueueLimits::of(sys.path(), rustix::fs::makedev(8, minor));
                let refuses = |operation| limits.refusal(&of_operation(operation));
                [Operation::RandTrim, Operation::RandWrite].map(refuses)
            };
            assert_eq!(of("2147450880\n", "none\n"), [None, None]);
            assert_eq!(of("2147450880\n", "host-aware\n"), [None, None]);
            let [trims, writes] = of("0\n", "none\n");
            assert!(trims.is_some_and(|why| why.contains("no discards")) && writes.is_none());
            let [trims, writes] = of("4096\n", "host-managed\n");
            for why in [trims, writes] {
                assert!(why.is_some_and(|why| why.contains("zone model")), "{why:?}");
            }
        }
    }

    #[test]
    fn zones_of_the_host_are_written_one_block_after_the_other_and_in_no_other_way() {
        let sys = told("0\n", "host-managed\n");
        let limits = QueueLimits::of(sys.path(), rustix::fs::makedev(8, 0));
        let by_zones = IoWorkload {
            direct: true,
            ..of_operation(Operation::Write)
        };
        assert_eq!(limits.refusal(&by_zones), None);
        let changes: [fn(&mut IoWorkload); 6] = [
            |w| w.operation = Operation::RandWrite,
            |w| w.operation = Operation::Rw,
            |w| w.jobs = 2,
            |w| w.queue_depth = 2,
            |w| w.backend = Backend::IoUring,
            |w| w.direct = false,
        ];
        for change in changes {
            let mut other = by_zones.clone();
            change(&mut other);
            let why = limits.refusal(&other);
            assert!(
                why.is_some_and(|why| why.contains("sequential within a zone")),
                "{other:?}"
            );
        }
    }

    fn of_operation(operation: Operation) -> IoWorkload {
        IoWorkload {
            operation,
            backend: Backend::Sync,
            jobs: 1,
            queue_depth: 1,
            ..IoWorkload::default()
        }
    }

    #[test]
    fn what_is_not_told_refuses_nothing() {
        let limits = QueueLimits::of(Path::new("/nonexistent"), 0);
        assert_eq!(limits, QueueLimits::default());
        assert_eq!(limits.refusal(&of_operation(Operation::Trim)), None);
    }
}
