//! The limits of control groups on this process and on what it uses.
//!
//! Version 2 limits a group together with all groups within it. Version 1 does so for processor time, and
//! for devices limits the processes of a group alone (admin-guide/cgroup-v1/blkio-controller.rst).

use std::path::{Path, PathBuf};

use etalon_model::stack::DevNo;
use etalon_model::{DeviceLimit, GroupTraffic, LimitedQuantity, Limits};

use crate::context::Context;
use crate::group_io::GroupIo;
use crate::groups::{Hierarchy, hierarchies};
use crate::quotas::{self, ProcessorQuotas};
use crate::roots::Roots;

/// Files of version 1, each with what it limits.
const VERSION_1: [(&str, LimitedQuantity); 4] = [
    ("blkio.throttle.read_bps_device", LimitedQuantity::ReadBytes),
    (
        "blkio.throttle.write_bps_device",
        LimitedQuantity::WriteBytes,
    ),
    (
        "blkio.throttle.read_iops_device",
        LimitedQuantity::ReadRequests,
    ),
    (
        "blkio.throttle.write_iops_device",
        LimitedQuantity::WriteRequests,
    ),
];
/// Keys of `io.max`.
const VERSION_2: [(&str, LimitedQuantity); 4] = [
    ("rbps", LimitedQuantity::ReadBytes),
    ("wbps", LimitedQuantity::WriteBytes),
    ("riops", LimitedQuantity::ReadRequests),
    ("wiops", LimitedQuantity::WriteRequests),
];

/// The limits that hold for this process, with what they and their groups counted so far.
///
/// A group counts from when it was made: what it has come to says nothing of a run, and only what was added to it does.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LimitCounts {
    devices: Vec<GroupLimit>,
    quotas: ProcessorQuotas,
}

/// A limit on a device, with the directory of the group that has it; what it moved is so of all its time.
#[derive(Debug, Clone, PartialEq)]
struct GroupLimit {
    group: PathBuf,
    limit: DeviceLimit,
}

impl LimitCounts {
    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        self.devices.is_empty() && self.quotas.is_empty()
    }

    /// The limits, with what came of them since `earlier`.
    pub fn since(&self, earlier: &LimitCounts) -> Limits {
        let devices = self.devices.iter().map(|now| now.since(&earlier.devices));
        Limits {
            devices: devices.collect(),
            processor: self.quotas.since(&earlier.quotas),
        }
    }
}

impl GroupLimit {
    /// What was moved is not known where the limit is newer.
    fn since(&self, earlier: &[GroupLimit]) -> DeviceLimit {
        let is_it = |one: &&GroupLimit| one.group == self.group && one.limit.is_same(&self.limit);
        let before = earlier.iter().find(is_it).and_then(|one| one.limit.moved);
        let moved = self.limit.moved.zip(before);
        DeviceLimit {
            moved: moved.map(|(now, before)| now.since(before)),
            ..self.limit.clone()
        }
    }
}

/// The limits that hold for this process now.
pub fn limit_counts(roots: &Roots) -> LimitCounts {
    let context = Context::new(roots);
    let all = hierarchies(&context);
    LimitCounts {
        devices: all.iter().flat_map(|h| on_devices(&context, h)).collect(),
        quotas: quotas::of(&context, &all),
    }
}

fn on_devices(context: &Context<'_>, hierarchy: &Hierarchy) -> Vec<GroupLimit> {
    match hierarchy.controller.as_deref() {
        None => {
            let levels = hierarchy.levels.iter();
            levels
                .flat_map(|level| of_version_2(context, level))
                .collect()
        }
        Some("blkio") => {
            let own = hierarchy.levels.last();
            own.map_or_else(Vec::new, |own| of_version_1(context, own))
        }
        Some(_) => Vec::new(),
    }
}

fn of_version_2(context: &Context<'_>, group: &Path) -> Vec<GroupLimit> {
    let lines = context.attr_lines(group.join("io.max"));
    let found: Vec<DeviceLimit> = lines.iter().flat_map(|line| of_io_max(line)).collect();
    let io = || GroupIo::of_version_2(group);
    counted(group, found, io)
}

fn of_version_1(context: &Context<'_>, group: &Path) -> Vec<GroupLimit> {
    let mut found = Vec::new();
    for (file, quantity) in VERSION_1 {
        for line in context.attr_lines(group.join(file)) {
            let limit = line.split_once(' ').and_then(|(device, value)| {
                Some(DeviceLimit {
                    device: device.parse().ok()?,
                    quantity,
                    per_second: value.trim().parse().ok()?,
                    file: file.to_owned(),
                    moved: None,
                })
            });
            found.extend(limit);
        }
    }
    let io = || GroupIo::of_version_1(context, group);
    counted(group, found, io)
}

/// The limits of a group with what it moved, which is asked for where there is a limit.
fn counted(
    group: &Path,
    limits: Vec<DeviceLimit>,
    io: impl Fn() -> Option<GroupIo>,
) -> Vec<GroupLimit> {
    let io = (!limits.is_empty()).then(io).flatten();
    let moved = |limit: &DeviceLimit| -> Option<GroupTraffic> {
        Some(io.as_ref()?.moved(limit.device, limit.quantity))
    };
    let all = limits.into_iter().map(|limit| GroupLimit {
        group: group.to_owned(),
        limit: DeviceLimit {
            moved: moved(&limit),
            ..limit
        },
    });
    all.collect()
}

/// `8:16 rbps=2097152 wbps=max riops=max wiops=120`.
fn of_io_max(line: &str) -> Vec<DeviceLimit> {
    let mut words = line.split_whitespace();
    let Some(device) = words.next().and_then(|word| word.parse::<DevNo>().ok()) else {
        return Vec::new();
    };
    let limits = words.filter_map(|word| {
        let (key, value) = word.split_once('=')?;
        let (_, quantity) = VERSION_2.into_iter().find(|(known, _)| *known == key)?;
        Some(DeviceLimit {
            device,
            quantity,
            per_second: value.parse().ok()?,
            file: "io.max".to_owned(),
            moved: None,
        })
    });
    limits.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_testbed::put;
    use etalon_units::{Bytes, Nanos};

    fn limits_of(files: &[(&str, &str)]) -> Limits {
        counts_of(files).since(&LimitCounts::default())
    }

    fn counts_of(files: &[(&str, &str)]) -> LimitCounts {
        let directory = tempfile::tempdir().unwrap();
        for (path, text) in files {
            put(directory.path(), path, text);
        }
        let mut counts = limit_counts(&Roots::under(directory.path()));
        for limit in &mut counts.devices {
            // Groups are the same in another copy of the machine.
            let group = limit.group.strip_prefix(directory.path());
            limit.group = group.unwrap().to_owned();
        }
        counts
    }

    const MOUNTS: &str = "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n\
        2 1 0:5 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n\
        3 1 0:6 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio\n\
        4 1 0:7 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n";

    #[test]
    fn limits_of_version_2_hold_for_groups_within_and_those_of_version_1_do_not() {
        let found = limits_of(&[
            ("proc/self/mountinfo", MOUNTS),
            ("proc/self/cgroup", "1:blkio:/outer/inner\n0::/user/job\n"),
            ("sys/fs/cgroup/user/io.max", "8:16 rbps=max riops=3000\n"),
            (
                "sys/fs/cgroup/blkio/outer/blkio.throttle.read_bps_device",
                "8:16 1000\n",
            ),
            (
                "sys/fs/cgroup/blkio/outer/inner/blkio.throttle.write_bps_device",
                "7:0 2000\n",
            ),
        ]);
        let told: Vec<(String, LimitedQuantity, u64)> = found
            .devices
            .iter()
            .map(|l| (l.device.to_string(), l.quantity, l.per_second))
            .collect();
        assert_eq!(
            told,
            [
                ("7:0".to_owned(), LimitedQuantity::WriteBytes, 2000),
                ("8:16".to_owned(), LimitedQuantity::ReadRequests, 3000),
            ]
        );
    }

    /// What the groups moved of each limit between two looks at such files.
    fn moved(files: &[(&str, &str)], stat: &str, texts: [&str; 2]) -> Vec<Option<GroupTraffic>> {
        let look = |text| counts_of(&[files, &[(stat, text)]].concat());
        let limits = look(texts[1]).since(&look(texts[0]));
        limits
            .devices
            .into_iter()
            .map(|limit| limit.moved)
            .collect()
    }

    #[test]
    fn what_the_group_that_has_a_limit_moved_meanwhile_is_counted() {
        let files = [
            ("proc/self/mountinfo", MOUNTS),
            ("proc/self/cgroup", "0::/user/job\n"),
            (
                "sys/fs/cgroup/user/io.max",
                "8:16 rbps=9000 wbps=max riops=max wiops=70\n",
            ),
        ];
        let stat = "sys/fs/cgroup/user/io.stat";
        let traffic = |bytes, requests| {
            let bytes = Bytes(bytes);
            Some(GroupTraffic { bytes, requests })
        };
        // A device that was not used yet has no line.
        let after =
            "7:0 rbytes=5 rios=5\n8:16 rbytes=8192 wbytes=1 rios=2 wios=3 dbytes=0 dios=0\n";
        let found = moved(&files, stat, ["", after]);
        assert_eq!(found, [traffic(8192, 2), traffic(1, 3)]);
        let before = "8:16 rbytes=4096 wbytes=0 rios=1 wios=3\n";
        let found = moved(&files, stat, [before, after]);
        assert_eq!(found, [traffic(4096, 1), traffic(1, 0)]);
        let elsewhere = "sys/fs/cgroup/user/job/io.stat";
        assert_eq!(moved(&files, elsewhere, [before, after]), [None, None]);
    }

    #[test]
    fn version_1_counts_the_group_in_files_of_its_own() {
        let files = [
            ("proc/self/mountinfo", MOUNTS),
            ("proc/self/cgroup", "1:blkio:/job\n"),
            (
                "sys/fs/cgroup/blkio/job/blkio.throttle.write_bps_device",
                "8:16 1000\n",
            ),
            (
                "sys/fs/cgroup/blkio/job/blkio.throttle.io_serviced",
                "8:16 Read 1\n8:16 Write 6\n8:16 Total 7\nTotal 7\n",
            ),
        ];
        let stat = "sys/fs/cgroup/blkio/job/blkio.throttle.io_service_bytes";
        let bytes = |written: u64| format!("8:16 Read 9\n8:16 Write {written}\nTotal 9\n");
        let (before, after) = (bytes(500), bytes(2500));
        let found = moved(&files, stat, [&before, &after]);
        assert_eq!(found[0].map(|moved| moved.bytes), Some(Bytes(2000)));
    }

    /// Docker mounts the container's own group, and the path of the group is that of the host.
    #[test]
    fn a_container_of_version_1_has_its_limits_where_its_group_is_mounted() {
        let mounts = MOUNTS.replace("0:6 / ", "0:6 /docker/7b ");
        let devices = |group: &str, limited: &str| {
            let file = format!("sys/fs/cgroup/blkio{limited}/blkio.throttle.read_bps_device");
            let found = limits_of(&[
                ("proc/self/mountinfo", &mounts),
                ("proc/self/cgroup", &format!("1:blkio:{group}\n")),
                (&file, "8:16 1000\n"),
            ]);
            found.devices.len()
        };
        assert_eq!(devices("/docker/7b", ""), 1);
        assert_eq!(devices("/docker/7b/job", "/job"), 1);
        // The limit of a group above is none on this process.
        assert_eq!(devices("/docker/7b/job", ""), 0);
        // Within a namespace of groups the path begins at the mount.
        assert_eq!(devices("/job", "/job"), 1);
    }

    #[test]
    fn the_tightest_quota_of_all_groups_counts() {
        let found = limits_of(&[
            ("proc/self/mountinfo", MOUNTS),
            ("proc/self/cgroup", "1:cpu:/outer/inner\n"),
            ("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"),
            ("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/cpu/outer/cpu.cfs_quota_us", "20000\n"),
            ("sys/fs/cgroup/cpu/outer/cpu.cfs_period_us", "100000\n"),
            (
                "sys/fs/cgroup/cpu/outer/cpu.stat",
                "nr_periods 42\nnr_throttled 41\nthrottled_time 3300000000\n",
            ),
            ("sys/fs/cgroup/cpu/outer/inner/cpu.cfs_quota_us", "150000\n"),
            (
                "sys/fs/cgroup/cpu/outer/inner/cpu.cfs_period_us",
                "100000\n",
            ),
        ]);
        let quota = found.processor.unwrap();
        assert_eq!(quota.processors, 0.2);
        assert_eq!((quota.periods, quota.throttled_periods), (42, 41));
        assert_eq!(quota.throttled, Nanos::millis(3300));
        let none = limits_of(&[
            ("proc/self/mountinfo", MOUNTS),
            ("proc/self/cgroup", "0::/job\n"),
            ("sys/fs/cgroup/job/cpu.max", "max 100000\n"),
        ]);
        assert_eq!(none, Limits::default());
    }
}
