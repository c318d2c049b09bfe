//! What a guest tells while it runs: lines, by a port of virtio-serial behind which QEMU writes a file.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::GuestError;

/// A line that is longer is no record of ours; it is not kept in memory.
const LONGEST_LINE: usize = 256 << 20;

/// The lines of a guest, as they come.
#[derive(Debug)]
pub struct PortLines {
    path: PathBuf,
    file: Option<File>,
    /// What has come of a line whose end has not.
    begun: Vec<u8>,
}

impl PortLines {
    /// Those behind the file at `path`, which need not be there yet.
    pub(super) fn at(path: &Path) -> PortLines {
        PortLines {
            path: path.to_owned(),
            file: None,
            begun: Vec::new(),
        }
    }

    /// The lines whose ends have come since the last time. They come from a machine of our own, and what is no text in
    /// them is replaced.
    ///
    /// # Errors
    /// [`GuestError::Io`] where they cannot be read.
    pub fn read(&mut self) -> Result<Vec<String>, GuestError> {
        self.grow()
            .map_err(GuestError::io("read what the guest tells by", &self.path))?;
        let Some(end) = self.begun.iter().rposition(|byte| *byte == b'\n') else {
            if self.begun.len() > LONGEST_LINE {
                self.begun = Vec::new();
            }
            return Ok(Vec::new());
        };
        let rest = self.begun.split_off(end + 1);
        let whole = std::mem::replace(&mut self.begun, rest);
        let text = String::from_utf8_lossy(&whole);
        Ok(text.lines().map(str::to_owned).collect())
    }

    fn grow(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.file = match File::open(&self.path) {
                Ok(file) => Some(file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(error),
            };
        }
        if let Some(file) = &mut self.file {
            file.read_to_end(&mut self.begun)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn lines_come_once_and_whole() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("port");
        let mut lines = PortLines::at(&path);
        assert_eq!(lines.read().unwrap(), [""; 0]);
        let mut file = File::create(&path).unwrap();
        for (written, read) in [
            ("one\ntw", &["one"][..]),
            ("", &[]),
            ("o\nmore\n", &["two", "more"]),
            ("three", &[]),
        ] {
            file.write_all(written.as_bytes()).unwrap();
            assert_eq!(lines.read().unwrap(), read);
        }
        file.write_all(b"\xfe\n").unwrap();
        assert_eq!(lines.read().unwrap(), ["three\u{fffd}"]);
    }
}
