//! The limits of control groups on this process and on what it uses.
//!
//! Version 2 limits a group together with all groups within it. Version 1 does so for processor time, and
//! for devices limits the processes of a group alone (admin-guide/cgroup-v1/blkio-controller.rst).

use std::path::Path;

use etalon_model::stack::DevNo;
use etalon_model::{DeviceLimit, LimitedQuantity, Limits};

use crate::context::Context;
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

/// The limits that hold for this process now, with what those on processor time did since `earlier`.
pub fn limits(roots: &Roots, earlier: &ProcessorQuotas) -> Limits {
    let context = Context::new(roots);
    let all = hierarchies(&context);
    Limits {
        devices: all.iter().flat_map(|h| on_devices(&context, h)).collect(),
        processor: quotas::of(&context, &all).since(earlier),
    }
}

fn on_devices(context: &Context<'_>, hierarchy: &Hierarchy) -> Vec<DeviceLimit> {
    match hierarchy.controller.as_deref() {
        None => {
            let levels = hierarchy.levels.iter();
            let lines = levels.flat_map(|level| context.attr_lines(level.join("io.max")));
            lines.flat_map(|line| of_io_max(&line)).collect()
        }
        Some("blkio") => {
            let own = hierarchy.levels.last();
            own.map_or_else(Vec::new, |own| of_version_1(context, own))
        }
        Some(_) => Vec::new(),
    }
}

fn of_version_1(context: &Context<'_>, group: &Path) -> Vec<DeviceLimit> {
    let mut found = Vec::new();
    for (file, quantity) in VERSION_1 {
        for line in context.attr_lines(group.join(file)) {
            let limit = line.split_once(' ').and_then(|(device, value)| {
                Some(DeviceLimit {
                    device: device.parse().ok()?,
                    quantity,
                    per_second: value.trim().parse().ok()?,
                    file: file.to_owned(),
                })
            });
            found.extend(limit);
        }
    }
    found
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
        })
    });
    limits.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_units::Nanos;

    fn limits_of(files: &[(&str, &str)]) -> Limits {
        let directory = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = directory.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        limits(&Roots::under(directory.path()), &ProcessorQuotas::default())
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
