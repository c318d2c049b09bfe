//! The locks of single records while they are read and written.

use std::fs::File;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::libc;

use super::Direction;
use super::file_lock::set_range;
use super::halt::Halt;

/// What a record that others have locked is waited for goes by the clock of the pass, so that it is asked for again after a
/// small part of the time that it took so far.
const PART: u32 = 16;

/// A shorter rest is none: sleeping takes about as long (`PR_SET_TIMERSLACK` of prctl(2) says 50 µs).
const SHORTEST: Duration = Duration::from_micros(50);

/// A user who stops must not wait.
const LONGEST: Duration = Duration::from_millis(10);

/// Locks records of an opened file one by one. They belong to this opening (`F_OFD_SETLK`, fcntl_locking(2)), so that
/// threads exclude one another as processes do.
pub(crate) struct RecordLock {
    handle: File,
    kind: libc::c_int,
}

impl RecordLock {
    /// For reading what is read, which several may, and for writing what is written. `handle` is the opening that the records
    /// go through, or another of the same file.
    pub(crate) fn new(handle: File, direction: Direction) -> RecordLock {
        let kind = match direction {
            Direction::Read => libc::F_RDLCK,
            Direction::Write => libc::F_WRLCK,
        };
        RecordLock { handle, kind }
    }

    /// Waits until the record is locked; false where `halt` was reached before. The kernel's own waiting would not look at
    /// `halt`, and whoever has the lock may keep it for ever.
    ///
    /// # Errors
    /// When the filesystem has no locks.
    pub(crate) fn wait(&self, offset: u64, length: usize, halt: Halt<'_>) -> io::Result<bool> {
        let mut begun = None;
        loop {
            match set_range(&self.handle, self.kind, offset, length) {
                Err(Errno::EAGAIN | Errno::EACCES) if halt.reached() => return Ok(false),
                Err(Errno::EAGAIN | Errno::EACCES) => {
                    rest(begun.get_or_insert_with(Instant::now).elapsed() / PART);
                }
                done => return Ok(done.map(|()| true)?),
            }
        }
    }

    /// Lets the record go again.
    ///
    /// # Errors
    /// When the filesystem has no locks.
    pub(crate) fn let_go(&self, offset: u64, length: usize) -> io::Result<()> {
        Ok(set_range(&self.handle, libc::F_UNLCK, offset, length)?)
    }
}

fn rest(pause: Duration) {
    match pause < SHORTEST {
        true => thread::yield_now(),
        false => thread::sleep(pause.min(LONGEST)),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn open(path: &Path) -> File {
        let mut options = OpenOptions::new();
        options.read(true).write(true).open(path).unwrap()
    }

    /// Whether another opening could lock a byte.
    fn could_lock(path: &Path, kind: libc::c_int, offset: u64) -> bool {
        set_range(&open(path), kind, offset, 1).is_ok()
    }

    #[test]
    fn readers_share_a_record_and_a_writer_has_it_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        std::fs::write(&path, [0; 300]).unwrap();
        let idle = AtomicBool::new(false);
        let halt = Halt {
            stop: &idle,
            wall: None,
        };
        let free_while = |direction| {
            let lock = RecordLock::new(open(&path), direction);
            assert!(lock.wait(100, 100, halt).unwrap());
            let free = [libc::F_RDLCK, libc::F_WRLCK].map(|kind| could_lock(&path, kind, 150));
            assert!(could_lock(&path, libc::F_WRLCK, 200), "behind it");
            lock.let_go(100, 100).unwrap();
            assert!(could_lock(&path, libc::F_WRLCK, 150), "let go again");
            free
        };
        assert_eq!(free_while(Direction::Read), [true, false]);
        assert_eq!(free_while(Direction::Write), [false, false]);
    }
}
