//! Which process keeps a file locked.

use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// A process that holds a lock on the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Its number.
    pub pid: u32,
    /// The name of its program; empty when that cannot be read.
    pub program: String,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.program.as_str() {
            "" => write!(f, "process {}", self.pid),
            program => write!(f, "process {} ({program})", self.pid),
        }
    }
}

impl Holder {
    /// Another process that holds a POSIX lock on `path`; `None` when there is none, or when the
    /// kernel does not tell, as for a lock taken on another host.
    ///
    /// The locks are read from `/proc/locks` (`proc_locks(5)`) and not asked for by `fcntl(2)`:
    /// closing any descriptor of the file would drop the locks that SQLite holds in this process.
    pub(crate) fn of(path: &Path) -> Option<Holder> {
        let inode = fs::metadata(path).ok()?.ino();
        let locks = fs::read_to_string("/proc/locks").ok()?;
        let pid = lock_owner(&locks, inode, std::process::id())?;
        let program = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        Some(Holder {
            pid,
            program: program.trim().to_owned(),
        })
    }
}

/// The process other than `own` with a POSIX lock on `inode`, a writing one before a reading one.
///
/// Only the inode is compared: the device number beside it is that of the superblock, which btrfs
/// does not show in `stat(2)`.
fn lock_owner(locks: &str, inode: u64, own: u32) -> Option<u32> {
    let mut reader = None;
    for line in locks.lines() {
        // "1: POSIX  ADVISORY  WRITE 1234 fe:00:5678 1073741824 1073742335"; a process that only
        // waits for a lock has "->" after the number and is not its owner.
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let [_, "POSIX" | "OFDLCK", _, access, pid, file, ..] = fields[..] else {
            continue;
        };
        let same = file.rsplit(':').next().and_then(|n| n.parse().ok()) == Some(inode);
        // Locks of open files and of processes that are not visible here have the number -1 or 0.
        let Some(pid) = pid.parse().ok().filter(|&pid| pid != 0 && pid != own) else {
            continue;
        };
        match access {
            "WRITE" if same => return Some(pid),
            _ if same => reader = Some(pid),
            _ => {}
        }
    }
    reader
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LOCKS: &str = "\
1: FLOCK  ADVISORY  WRITE 11 fe:00:77 0 EOF
2: POSIX  ADVISORY  READ  12 fe:00:77 1073741826 1073742335
3: POSIX  ADVISORY  WRITE 13 fe:00:77 1073741824 1073741824
3: -> POSIX  ADVISORY  WRITE 14 fe:00:77 1073741824 1073741824
4: OFDLCK ADVISORY  WRITE -1 fe:00:78 0 EOF
5: POSIX  ADVISORY  READ  15 fe:00:79 1073741826 1073742335
";

    #[test]
    fn a_writer_is_named_before_a_reader_and_a_waiter_never() {
        assert_eq!(lock_owner(LOCKS, 77, 1), Some(13));
        assert_eq!(lock_owner(LOCKS, 77, 13), Some(12));
        assert_eq!(lock_owner(LOCKS, 78, 1), None);
        assert_eq!(lock_owner(LOCKS, 79, 1), Some(15));
        assert_eq!(lock_owner(LOCKS, 80, 1), None);
    }

    proptest! {
        #[test]
        fn hostile_lines_never_panic(text in ".*", inode: u64) {
            let _ = lock_owner(&text, inode, 1);
        }
    }
}
