//! A limit on the I/O of one device, for the programs that are put into its control group.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::HANG;

/// The hierarchies of version 1 and of version 2.
const V1: &str = "/sys/fs/cgroup/blkio";
const V2: &str = "/sys/fs/cgroup";

/// What one device may do.
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    Iops(u64),
    BytesPerSecond(u64),
}

/// A control group that goes away when dropped.
pub(crate) struct Cap {
    group: PathBuf,
}

impl Cap {
    pub(crate) fn new(device: &Path, limit: Limit) -> Cap {
        let number = fs::metadata(device).unwrap().rdev();
        let (major, minor) = (rustix::fs::major(number), rustix::fs::minor(number));
        let is_v1 = Path::new(V1).is_dir();
        let name = format!("etalon-test-{}-{major}-{minor}", std::process::id());
        let group = Path::new(if is_v1 { V1 } else { V2 }).join(name);
        if !is_v1 {
            fs::write(Path::new(V2).join("cgroup.subtree_control"), "+io").unwrap();
        }
        fs::create_dir(&group).unwrap();
        let cap = Cap { group };
        let (v1, v2, value) = match limit {
            Limit::Iops(value) => ("iops", "iops", value),
            Limit::BytesPerSecond(value) => ("bps", "bps", value),
        };
        if is_v1 {
            for way in ["read", "write"] {
                let file = cap.group.join(format!("blkio.throttle.{way}_{v1}_device"));
                fs::write(file, format!("{major}:{minor} {value}")).unwrap();
            }
        } else {
            let line = format!("{major}:{minor} r{v2}={value} w{v2}={value}");
            fs::write(cap.group.join("io.max"), line).unwrap();
        }
        cap
    }

    /// A shell that puts itself into the group and then becomes the program behind it.
    pub(crate) fn around(&self, program: &Path) -> Command {
        let mut command = Command::new("sh");
        let group = self.group.join("cgroup.procs");
        command
            .args(["-c", "echo $$ >\"$0\" && exec \"$@\""])
            .arg(group)
            .arg(program);
        command
    }
}

impl Drop for Cap {
    fn drop(&mut self) {
        // The kernel lets go of a process a little after its end.
        let tries = HANG.as_millis() / 10;
        for _ in 0..tries {
            if fs::remove_dir(&self.group).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
