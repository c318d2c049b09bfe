//! The four recursions over a tree, all by paths relative to its root.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{AtFlags, Mode, OFlags, mkdirat, openat, unlinkat};
use rustix::io::Errno;

use super::error::TreeError;
use super::shape::TreeShape;
use crate::close::close;
use crate::file_data::FileData;

/// One pass over the tree.
pub(super) struct Walk<'a> {
    root: BorrowedFd<'a>,
    /// The root's path, for messages.
    place: &'a Path,
    shape: TreeShape,
    stop: &'a AtomicBool,
    /// What files are filled with.
    data: &'a mut FileData,
    path: Vec<u8>,
    /// Directories or files done so far.
    pub(super) count: u64,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        (root, place): (BorrowedFd<'a>, &'a Path),
        shape: TreeShape,
        stop: &'a AtomicBool,
        data: &'a mut FileData,
    ) -> Self {
        Walk {
            root,
            place,
            shape,
            stop,
            data,
            path: Vec::with_capacity(256),
            count: 0,
        }
    }

    /// Creates the directories below the root, level by level within each branch.
    pub(super) fn create_directories(&mut self, level: u32) -> Result<(), TreeError> {
        if level == 0 {
            return Ok(());
        }
        for number in (1..=self.shape.directories).rev() {
            let end = self.push(level, b'D', number);
            self.go_on()?;
            mkdirat(self.root, &self.path[..], Mode::from(0o777))
                .map_err(|e| self.failed("create the directory", e))?;
            self.count += 1;
            self.path.truncate(end);
        }
        self.each_directory(level, |walk| walk.create_directories(level - 1))
    }

    /// Creates and fills the files of this directory and of those below it.
    pub(super) fn create_files(&mut self, level: u32) -> Result<(), TreeError> {
        for number in (1..=self.shape.files).rev() {
            let end = self.push(level, b'F', number);
            self.go_on()?;
            self.create_file()?;
            self.count += 1;
            self.path.truncate(end);
        }
        self.each_directory(level, |walk| walk.create_files(level.saturating_sub(1)))
    }

    /// Removes the files of this directory and of those below it.
    pub(super) fn remove_files(&mut self, level: u32) -> Result<(), TreeError> {
        for number in (1..=self.shape.files).rev() {
            let end = self.push(level, b'F', number);
            self.go_on()?;
            unlinkat(self.root, &self.path[..], AtFlags::empty())
                .map_err(|e| self.failed("remove the file", e))?;
            self.count += 1;
            self.path.truncate(end);
        }
        self.each_directory(level, |walk| walk.remove_files(level.saturating_sub(1)))
    }

    /// Removes the directories below the root, the deepest of each branch first.
    pub(super) fn remove_directories(&mut self, level: u32) -> Result<(), TreeError> {
        self.each_directory(level, |walk| {
            walk.remove_directories(level.saturating_sub(1))?;
            walk.go_on()?;
            unlinkat(walk.root, &walk.path[..], AtFlags::REMOVEDIR)
                .map_err(|e| walk.failed("remove the directory", e))?;
            walk.count += 1;
            Ok(())
        })
    }

    fn each_directory(
        &mut self,
        level: u32,
        mut act: impl FnMut(&mut Self) -> Result<(), TreeError>,
    ) -> Result<(), TreeError> {
        if level == 0 {
            return Ok(());
        }
        for number in (1..=self.shape.directories).rev() {
            let end = self.push(level, b'D', number);
            act(self)?;
            self.path.truncate(end);
        }
        Ok(())
    }

    fn create_file(&mut self) -> Result<(), TreeError> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = openat(self.root, &self.path[..], flags, Mode::from(0o666))
            .map_err(|e| self.failed("create the file", e))?;
        let size = self.shape.file_size().get();
        let mut done = 0;
        while done < size {
            self.go_on()?;
            done += self.write_piece(&file, done, size - done)? as u64;
        }
        close(file).map_err(|e| self.failed("close the file", e))
    }

    fn write_piece(&mut self, file: &OwnedFd, done: u64, left: u64) -> Result<usize, TreeError> {
        match rustix::io::write(file, self.data.next(done, left)) {
            Ok(0) => Err(self.failed("write the file", Errno::NOSPC)),
            Ok(written) => Ok(written),
            Err(Errno::INTR) => Ok(0),
            Err(errno) => Err(self.failed("write the file", errno)),
        }
    }

    /// Appends one name to the path and returns the length to go back to.
    fn push(&mut self, level: u32, kind: u8, number: u32) -> usize {
        let end = self.path.len();
        if end > 0 {
            self.path.push(b'/');
        }
        push_name(&mut self.path, level, kind, number);
        end
    }

    fn go_on(&self) -> Result<(), TreeError> {
        if self.stop.load(Ordering::Relaxed) {
            Err(TreeError::Stopped)
        } else {
            Ok(())
        }
    }

    fn failed(&self, what: &'static str, errno: Errno) -> TreeError {
        let path = self.place.join(OsStr::from_bytes(&self.path));
        TreeError::Operation {
            what,
            path,
            source: io::Error::from(errno),
        }
    }
}

/// A name as fdtree gives it: `L`, the levels still below, `D` or `F`, and a number.
fn push_name(path: &mut Vec<u8>, level: u32, kind: u8, number: u32) {
    path.push(b'L');
    push_number(path, level);
    path.push(kind);
    push_number(path, number);
}

fn push_number(path: &mut Vec<u8>, number: u32) {
    if number < 10 {
        path.push(b'0' + number as u8);
    } else {
        // A Vec takes every byte.
        let _ = write!(path, "{number}");
    }
}
