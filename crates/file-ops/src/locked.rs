//! A file whose records are locked one by one while they are read and written.

use std::fs::File;
use std::io;

use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;

use super::record_file::RecordFile;

/// Another file beneath locks of its own. The locks belong to this opening of the file
/// (`F_OFD_SETLKW`, fcntl_locking(2)), so that threads exclude one another as processes do.
pub(crate) struct Locked {
    file: Box<dyn RecordFile>,
    handle: File,
}

impl Locked {
    /// `handle` is the same opening as that of `file`, or another of the same file.
    pub(crate) fn new(file: Box<dyn RecordFile>, handle: File) -> Locked {
        Locked { file, handle }
    }

    fn lock(&self, kind: libc::c_int, offset: u64, length: usize) -> io::Result<()> {
        let beyond = |_| io::Error::from(io::ErrorKind::InvalidInput);
        let range = libc::flock {
            l_type: kind as libc::c_short,
            l_whence: libc::SEEK_SET as libc::c_short,
            l_start: i64::try_from(offset).map_err(beyond)?,
            l_len: i64::try_from(length).map_err(beyond)?,
            l_pid: 0,
        };
        fcntl(&self.handle, FcntlArg::F_OFD_SETLKW(&range))?;
        Ok(())
    }
}

impl RecordFile for Locked {
    fn read(&mut self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let length = buffer.len();
        self.lock(libc::F_RDLCK, offset, length)?;
        let moved = self.file.read(buffer, offset);
        self.lock(libc::F_UNLCK, offset, length)?;
        moved
    }

    fn write(&mut self, data: &[u8], offset: u64) -> io::Result<usize> {
        self.lock(libc::F_WRLCK, offset, data.len())?;
        let moved = self.file.write(data, offset);
        self.lock(libc::F_UNLCK, offset, data.len())?;
        moved
    }

    fn drain(&mut self) -> io::Result<()> {
        self.file.drain()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn close(self: Box<Self>) -> io::Result<()> {
        // The first of the two that is closed has the errors of both.
        self.file.close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record_file::Positioned;

    /// Asks through another opening whether a range could be locked, while a record is moved.
    struct Asks {
        path: std::path::PathBuf,
        free: Vec<(bool, bool)>,
    }

    fn could_lock(path: &std::path::Path, kind: libc::c_int, offset: i64) -> bool {
        let file = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .unwrap();
        let range = libc::flock {
            l_type: kind as libc::c_short,
            l_whence: libc::SEEK_SET as libc::c_short,
            l_start: offset,
            l_len: 1,
            l_pid: 0,
        };
        fcntl(&file, FcntlArg::F_OFD_SETLK(&range)).is_ok()
    }

    impl Asks {
        fn ask(&mut self) {
            let free = [libc::F_RDLCK, libc::F_WRLCK].map(|kind| could_lock(&self.path, kind, 150));
            self.free.push((free[0], free[1]));
            assert!(could_lock(&self.path, libc::F_WRLCK, 200), "behind it");
        }
    }

    impl RecordFile for std::sync::Arc<std::sync::Mutex<Asks>> {
        fn read(&mut self, buffer: &mut [u8], _offset: u64) -> io::Result<usize> {
            self.lock().unwrap().ask();
            Ok(buffer.len())
        }

        fn write(&mut self, data: &[u8], _offset: u64) -> io::Result<usize> {
            self.lock().unwrap().ask();
            Ok(data.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn close(self: Box<Self>) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn readers_share_a_record_and_a_writer_has_it_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        std::fs::write(&path, [0; 300]).unwrap();
        let open = || {
            let mut options = std::fs::OpenOptions::new();
            options.read(true).write(true).open(&path).unwrap()
        };
        let asks = std::sync::Arc::new(std::sync::Mutex::new(Asks {
            path: path.clone(),
            free: Vec::new(),
        }));
        let mut locked = Locked::new(Box::new(asks.clone()), open());
        locked.read(&mut [0; 100], 100).unwrap();
        locked.write(&[0; 100], 100).unwrap();
        assert_eq!(asks.lock().unwrap().free, [(true, false), (false, false)]);
        assert!(could_lock(&path, libc::F_WRLCK, 150), "let go again");
        let mut real = Locked::new(Box::new(Positioned(open())), open());
        assert_eq!(real.write(&[7; 100], 100).unwrap(), 100);
    }
}
