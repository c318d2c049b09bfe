//! A limit on the I/O of one device, for the programs that are put into its control group.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;

use etalon_testbed::ControlGroup;

/// The hierarchies of version 1 and of version 2.
const V1: &str = "/sys/fs/cgroup/blkio";
const V2: &str = "/sys/fs/cgroup";

/// What one device may do.
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    Iops(u64),
    BytesPerSecond(u64),
}

/// A control group with a limit.
pub(crate) struct Cap(ControlGroup);

impl Cap {
    pub(crate) fn new(device: &Path, limit: Limit) -> Cap {
        let number = fs::metadata(device).unwrap().rdev();
        let (major, minor) = (rustix::fs::major(number), rustix::fs::minor(number));
        let is_v1 = Path::new(V1).is_dir();
        let parent = Path::new(if is_v1 { V1 } else { V2 });
        if !is_v1 {
            fs::write(Path::new(V2).join("cgroup.subtree_control"), "+io").unwrap();
        }
        let group = ControlGroup::within(parent, &format!("{major}-{minor}")).unwrap();
        let (v1, v2, value) = match limit {
            Limit::Iops(value) => ("iops", "iops", value),
            Limit::BytesPerSecond(value) => ("bps", "bps", value),
        };
        if is_v1 {
            for way in ["read", "write"] {
                let file = format!("blkio.throttle.{way}_{v1}_device");
                group
                    .set(&file, &format!("{major}:{minor} {value}"))
                    .unwrap();
            }
        } else {
            let line = format!("{major}:{minor} r{v2}={value} w{v2}={value}");
            group.set("io.max", &line).unwrap();
        }
        Cap(group)
    }

    /// A shell that puts itself into the group and then becomes the program behind it.
    pub(crate) fn around(&self, program: &Path) -> Command {
        self.0.around(program)
    }
}
