//! The plans that come with etalon.

/// A plan that has a name.
#[derive(Debug)]
pub(crate) struct Preset {
    pub(crate) name: &'static str,
    /// The plan.
    pub(crate) text: &'static str,
    /// How long it takes on an SSD.
    pub(crate) time: &'static str,
    /// How much room it takes, and of what.
    pub(crate) space: &'static str,
    /// Whose rights it needs.
    pub(crate) rights: &'static str,
    /// What can happen.
    pub(crate) risk: &'static str,
}

macro_rules! preset {
    ($name:literal, $time:literal, $space:literal, $rights:literal, $risk:literal) => {
        Preset {
            name: $name,
            text: include_str!(concat!("presets/", $name, ".toml")),
            time: $time,
            space: $space,
            rights: $rights,
            risk: $risk,
        }
    };
}

/// Every preset, those that change nothing first.
pub(crate) const PRESETS: &[Preset] = &[
    preset!(
        "record-sweep",
        "3 min",
        "256 MiB of files",
        "anybody",
        "none: files of its own only"
    ),
    preset!(
        "direct-or-not",
        "4 min",
        "1 GiB of files",
        "anybody",
        "none: files of its own only"
    ),
    preset!(
        "disk-profile",
        "3 min",
        "1 GiB of files",
        "anybody",
        "none: files of its own only"
    ),
    preset!(
        "position-profile",
        "3 min",
        "no files",
        "root",
        "none: reads a block device"
    ),
    preset!(
        "classroom",
        "2 to 9 min",
        "1 GiB of files",
        "anybody",
        "none: files of its own only"
    ),
    preset!(
        "steady-state",
        "20 min",
        "4 GiB of files",
        "anybody",
        "writes for 20 min without a pause; files of its own only"
    ),
    preset!(
        "database-durability",
        "5 min",
        "500 MiB of files",
        "anybody",
        "none: a PostgreSQL server of its own"
    ),
    preset!(
        "database-seeds",
        "8 min",
        "600 MiB of files",
        "anybody",
        "none: a MariaDB server of its own"
    ),
    preset!(
        "web-cache-on-off",
        "6 min",
        "50 MiB of files",
        "anybody",
        "none: an nginx of its own, on the loopback interface"
    ),
    preset!(
        "trim-before-after",
        "3 min",
        "1 GiB of files",
        "root",
        "trims the filesystem, which loses no data"
    ),
    preset!(
        "scheduler-duel",
        "2 min",
        "1 GiB of files",
        "root",
        "changes the disk's scheduler, put back"
    ),
    preset!(
        "readahead",
        "2 min",
        "512 MiB of files",
        "root",
        "changes the disk's read-ahead, put back"
    ),
    preset!(
        "mount-options",
        "2 min",
        "512 MiB of files",
        "root",
        "mounts the filesystem anew, put back"
    ),
    preset!(
        "virtual-disk-cache",
        "2 min",
        "512 MiB of files",
        "root",
        "with write through, a power cut may lose what was to be durable on every filesystem of the disk; put back"
    ),
    preset!(
        "filesystem-duel",
        "4 min",
        "1 GiB of memory",
        "root",
        "none: virtual disks of its own"
    ),
    preset!(
        "raid-layouts",
        "6 min",
        "1 GiB of memory",
        "root",
        "none: virtual disks of its own"
    ),
    preset!(
        "md-layouts",
        "7 min",
        "1 GiB of memory",
        "root",
        "none: virtual disks of its own"
    ),
    preset!(
        "mirror-btrfs-vs-md",
        "3 min",
        "1 GiB of memory",
        "root",
        "none: virtual disks of its own"
    ),
    preset!(
        "snia-throughput",
        "1 to 5 h",
        "the whole device",
        "root",
        "DESTROYS the device, which has to be named by --destroy unless it is empty"
    ),
    preset!(
        "snia-iops",
        "2 to 7 h",
        "the whole device",
        "root",
        "DESTROYS the device, which has to be named by --destroy unless it is empty"
    ),
    preset!(
        "snia-latency",
        "2 to 7 h",
        "the whole device",
        "root",
        "DESTROYS the device, which has to be named by --destroy unless it is empty"
    ),
    preset!(
        "snia-wsat",
        "6 h",
        "the whole device",
        "root",
        "DESTROYS the device, which has to be named by --destroy unless it is empty"
    ),
];

impl Preset {
    /// The preset of this name.
    pub(crate) fn of(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}
