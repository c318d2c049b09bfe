//! The lock of a whole file while a pass uses it.

use std::fs::File;
use std::io;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;

use super::Direction;
use super::halt::Halt;

/// How long it waits before it tries again to lock a file that others have locked.
const LOOK: Duration = Duration::from_millis(1);

/// A lock of the opened file, from its start to wherever it ends; let go when dropped. It belongs to
/// this opening (`F_OFD_SETLK`, fcntl_locking(2)), so that threads exclude one another as processes
/// do, and the locks of single records, which are of the same opening, go beside it.
pub(crate) struct FileLock {
    handle: File,
    kind: libc::c_int,
}

impl FileLock {
    /// For reading what is read, which several may, and for writing what is written; not taken yet.
    /// `handle` is the opening that the records go through.
    pub(crate) fn new(handle: File, direction: Direction) -> FileLock {
        let kind = match direction {
            Direction::Read => libc::F_RDLCK,
            Direction::Write => libc::F_WRLCK,
        };
        FileLock { handle, kind }
    }

    /// Waits until the file is locked, or `halt` is reached. The kernel's own waiting would not look at
    /// `halt`, and whoever has the lock may keep it for ever.
    ///
    /// # Errors
    /// When the filesystem has no locks.
    pub(crate) fn wait(&self, halt: Halt<'_>) -> io::Result<()> {
        while !halt.reached() {
            match self.set(self.kind) {
                Err(Errno::EAGAIN | Errno::EACCES) => thread::sleep(LOOK),
                done => return Ok(done?),
            }
        }
        Ok(())
    }

    fn set(&self, kind: libc::c_int) -> nix::Result<()> {
        // Zero is all there is and what comes to it.
        set_range(&self.handle, kind, 0, 0)
    }
}

/// Locks so many bytes of the file for this opening, or lets them go; an error, at once, where others have them.
pub(crate) fn set_range(
    handle: &File,
    kind: libc::c_int,
    offset: u64,
    length: usize,
) -> nix::Result<()> {
    let range = libc::flock {
        l_type: kind as libc::c_short,
        l_whence: libc::SEEK_SET as libc::c_short,
        l_start: i64::try_from(offset).map_err(|_| Errno::EINVAL)?,
        l_len: i64::try_from(length).map_err(|_| Errno::EINVAL)?,
        l_pid: 0,
    };
    fcntl(handle, FcntlArg::F_OFD_SETLK(&range)).map(drop)
}

impl Drop for FileLock {
    /// At once: a queue may have the file open for a while after its end.
    fn drop(&mut self) {
        let _ = self.set(libc::F_UNLCK);
    }
}
