//! Disk counters, look after look.

use etalon_model::stack::{BlockCounters, DevNo, DiskActivity, StackTree};
use etalon_units::Nanos;

use super::reread::Reread;
use crate::counters::{is_counted, parse_stat};
use crate::roots::Roots;

struct WatchedDisk {
    devno: DevNo,
    name: String,
    /// None where the counters cannot be read, or stand still whatever the device does.
    stat: Option<Reread>,
    before: Option<BlockCounters>,
}

/// Every layer of a stack with its last counters.
pub(super) struct DiskWatch {
    disks: Vec<WatchedDisk>,
    last: Option<Nanos>,
}

impl DiskWatch {
    pub(super) fn open(tree: &StackTree, roots: &Roots) -> DiskWatch {
        let disks = tree.layers().into_iter().map(|layer| {
            let directory = roots.sysfs.join("dev/block").join(layer.devno.to_string());
            let stat = is_counted(layer).then(|| Reread::open(&directory.join("stat")));
            WatchedDisk {
                devno: layer.devno,
                name: layer.name.clone(),
                stat: stat.flatten(),
                before: None,
            }
        });
        DiskWatch {
            disks: disks.collect(),
            last: None,
        }
    }

    /// The time since the last look, and what each device did in it.
    pub(super) fn look(&mut self, at: Nanos) -> (Nanos, Vec<DiskActivity>) {
        let span = self
            .last
            .map_or(Nanos::ZERO, |last| at.saturating_sub(last));
        self.last = Some(at);
        (span, self.disks.iter_mut().map(WatchedDisk::look).collect())
    }
}

impl WatchedDisk {
    fn look(&mut self) -> DiskActivity {
        let now = self.stat.as_mut().and_then(|stat| {
            let path = stat.path().to_owned();
            parse_stat(stat.text()?, &path).ok()
        });
        let delta = now
            .zip(self.before)
            .and_then(|(now, before)| now.since(&before));
        self.before = now;
        DiskActivity {
            devno: self.devno,
            name: self.name.clone(),
            delta,
        }
    }
}
