//! Processes that have a device open for writing: a virtual machine, a database on a raw disk.

use std::cell::OnceCell;
use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use etalon_model::stack::{DevNo, User};

use super::Survey;
use crate::roots::Roots;
use crate::{sysfs, text};

/// A block device that another process may write to, by a descriptor that it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Writer {
    devno: DevNo,
    process: String,
}

/// Looks after which a writer counts: losetup, which seeks a free device, opens others for an instant.
const LOOKS: usize = 3;
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Everyone who may write to a device, as far as this user may see: an ordinary user sees his own processes, root all
/// (whether that is so, [`super::unseen`] asks).
pub(super) struct Writers<'a> {
    roots: &'a Roots,
    seen: Vec<Writer>,
    stayed: OnceCell<Vec<Writer>>,
}

impl Writers<'_> {
    /// Looks for the first time.
    pub(super) fn of(roots: &Roots) -> Writers<'_> {
        // A copied machine has no processes.
        let seen = match roots.is_host() {
            true => found(roots),
            false => Vec::new(),
        };
        let stayed = OnceCell::new();
        Writers {
            roots,
            seen,
            stayed,
        }
    }

    /// Those of one device that stay. Nobody waits for who has another device open.
    fn to(&self, devno: DevNo) -> impl Iterator<Item = &Writer> {
        let is_of = move |writer: &&Writer| writer.devno == devno;
        let all = match self.seen.iter().any(|writer| is_of(&writer)) {
            true => self.stayed.get_or_init(|| self.still_there()),
            false => &self.seen,
        };
        all.iter().filter(is_of)
    }

    fn still_there(&self) -> Vec<Writer> {
        let mut stayed = self.seen.clone();
        for _ in 1..LOOKS {
            sleep(POLL_INTERVAL);
            let now = found(self.roots);
            stayed.retain(|writer| now.contains(writer));
        }
        stayed
    }
}

fn found(roots: &Roots) -> Vec<Writer> {
    let own = std::process::id().to_string();
    let all = entries(&roots.procfs);
    let others = all.filter(|pid| *pid != own && pid.bytes().all(|byte| byte.is_ascii_digit()));
    others
        .flat_map(|pid| of_process(&roots.procfs.join(&pid), &pid))
        .collect()
}

fn entries(directory: &Path) -> impl Iterator<Item = String> + use<> {
    let found = fs::read_dir(directory).into_iter().flatten().flatten();
    found.map(|entry| entry.file_name().to_string_lossy().into_owned())
}

/// A process may end at any moment; then it writes no more.
fn of_process(process: &Path, pid: &str) -> Vec<Writer> {
    let held = entries(&process.join("fd")).filter_map(|number| {
        let found = fs::metadata(process.join("fd").join(&number)).ok()?;
        let is_written = found.file_type().is_block_device()
            && may_write(&fs::read_to_string(process.join("fdinfo").join(&number)).ok()?);
        is_written.then(|| sysfs::devno(found.rdev()))
    });
    let mut held: Vec<DevNo> = held.collect();
    // Nearly all processes hold no device: their names are not asked for.
    if held.is_empty() {
        return Vec::new();
    }
    held.sort();
    held.dedup();
    let name = fs::read_to_string(process.join("comm")).unwrap_or_default();
    let process = text::clean(format!("{} ({pid})", name.trim()).as_str());
    held.into_iter()
        .map(|devno| Writer {
            devno,
            process: process.clone(),
        })
        .collect()
}

/// The access mode is in the lowest two bits of the octal flags (proc_pid_fdinfo(5)); a descriptor of
/// `O_PATH` gives no access (open(2)).
fn may_write(fdinfo: &str) -> bool {
    let flags = fdinfo.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| i64::from_str_radix(flags.trim(), 8).ok());
    flags.is_none_or(|flags| {
        flags & i64::from(libc::O_ACCMODE) != 0 && flags & i64::from(libc::O_PATH) == 0
    })
}

impl Survey<'_> {
    pub(super) fn written_by(&mut self, device: &str, devno: DevNo) {
        let writers = self.writers.to(devno);
        self.users.extend(writers.map(|writer| User::Writer {
            device: device.to_owned(),
            process: writer.process.clone(),
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_waits_for_who_has_another_device_open() {
        let roots = Roots::default();
        let devno = |minor| DevNo { major: 7, minor };
        let writers = Writers {
            roots: &roots,
            // Who was there for an instant, and is gone at the next look.
            seen: vec![Writer {
                devno: devno(1),
                process: "losetup (0)".to_owned(),
            }],
            stayed: OnceCell::new(),
        };
        assert_eq!(writers.to(devno(2)).count(), 0);
        assert_eq!(writers.stayed.get(), None);
        assert_eq!(writers.to(devno(1)).count(), 0);
        assert_eq!(writers.stayed.get(), Some(&Vec::new()));
    }

    #[test]
    fn only_descriptors_that_may_write_count() {
        assert!(may_write("pos:\t0\nflags:\t0100001\nmnt_id:\t9\n"));
        assert!(may_write("pos:\t0\nflags:\t02140002\n"));
        assert!(!may_write("pos:\t0\nflags:\t0100000\n"));
        assert!(!may_write("pos:\t0\nflags:\t012000002\n"), "O_PATH");
        assert!(may_write("damaged"), "what is not known counts");
    }
}
