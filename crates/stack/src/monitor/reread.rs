//! A small file of the kernel that is kept open and read again and again.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// `/proc/vmstat` and `/proc/stat` of large machines stay below this.
const LARGEST: usize = 1 << 20;

/// One such file with its buffer; reading it again costs one system call and no allocation.
pub(super) struct Reread {
    path: PathBuf,
    file: File,
    buffer: Vec<u8>,
}

impl Reread {
    /// Opens `path`; none when it cannot be opened. A named pipe does not block.
    pub(super) fn open(path: &Path) -> Option<Reread> {
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
            .open(path)
            .ok()?;
        Some(Reread {
            path: path.to_owned(),
            file,
            buffer: vec![0; 4096],
        })
    }

    /// The file's path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its text now; none when it cannot be read or is not text.
    pub(super) fn text(&mut self) -> Option<&str> {
        let mut length = 0;
        loop {
            match self
                .file
                .read_at(&mut self.buffer[length..], length as u64)
                .ok()?
            {
                0 => break,
                count => length += count,
            }
            if length == self.buffer.len() {
                if length >= LARGEST {
                    return None;
                }
                self.buffer.resize(length * 2, 0);
            }
        }
        std::str::from_utf8(&self.buffer[..length]).ok()
    }

    /// The file's only number.
    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        self.text()?.trim().parse().ok()
    }
}
