//! The initial memory filesystem: an archive in the format "newc" of cpio, as the kernel unpacks it
//! (driver-api/early-userspace/buffer-format.rst).

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Component, Path};

/// Mode bits of inode(7).
const DIRECTORY: u32 = 0o040_755;
const REGULAR: u32 = 0o100_000;
const LINK: u32 = 0o120_777;
/// Names end with a zero byte; headers with names, and contents, fill words of this size.
const WORD: usize = 4;
/// What the archive ends with.
const TRAILER: &str = "TRAILER!!!";

/// An archive that grows.
#[derive(Debug, Default)]
pub struct Archive {
    bytes: Vec<u8>,
    /// Every name in it.
    names: BTreeSet<String>,
}

impl Archive {
    /// An archive with nothing in it.
    #[must_use]
    pub fn new() -> Archive {
        Archive::default()
    }

    /// Adds a file with the permissions `mode`, and the directories above it. Of several of one name the first stays.
    pub fn file(&mut self, path: &str, mode: u32, content: &[u8]) {
        self.entry(path, REGULAR | mode, content);
    }

    /// Adds a directory and those above it.
    pub fn directory(&mut self, path: &str) {
        self.entry(path, DIRECTORY, &[]);
    }

    /// Adds a symbolic link.
    pub fn link(&mut self, path: &str, to: &str) {
        self.entry(path, LINK, to.as_bytes());
    }

    /// Whether something of this name is in it.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.names.contains(&plain(path))
    }

    /// Writes it with its end.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_to(mut self, to: &mut impl Write) -> io::Result<()> {
        self.record(TRAILER, 0, &[]);
        to.write_all(&self.bytes)
    }

    fn entry(&mut self, path: &str, mode: u32, content: &[u8]) {
        let name = plain(path);
        if name.is_empty() || !self.names.insert(name.clone()) {
            return;
        }
        if let Some((above, _)) = name.rsplit_once('/') {
            self.directory(above);
        }
        self.record(&name, mode, content);
    }

    fn record(&mut self, name: &str, mode: u32, content: &[u8]) {
        let length = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
        let inode = length(self.names.len());
        let fields = [
            inode,
            mode,
            0,
            0,
            1,
            0,
            length(content.len()),
            0,
            0,
            0,
            0,
            length(name.len() + 1),
            0,
        ];
        self.bytes.extend(b"070701");
        for field in fields {
            self.bytes.extend(format!("{field:08x}").as_bytes());
        }
        self.bytes.extend(name.as_bytes());
        self.bytes.push(0);
        self.fill_word();
        self.bytes.extend(content);
        self.fill_word();
    }

    fn fill_word(&mut self) {
        let filled = self.bytes.len().next_multiple_of(WORD);
        self.bytes.resize(filled, 0);
    }
}

/// Without the slash at its begin, and without `.` and `..`.
fn plain(path: &str) -> String {
    let parts = Path::new(path).components();
    let names = parts.filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    names.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_brings_its_directories_and_everything_fills_words() {
        let mut archive = Archive::new();
        archive.file("/usr/bin/tool", 0o755, b"five5");
        archive.file("usr/bin/tool", 0o644, b"another");
        archive.link("/bin", "usr/bin");
        assert!(archive.has("usr/bin/tool") && !archive.has("/usr/lib"));
        let mut bytes = Vec::new();
        archive.write_to(&mut bytes).unwrap();
        let heads = bytes.chunks(4).enumerate();
        let heads = heads.filter(|(at, _)| bytes[at * 4..].starts_with(b"070701"));
        let heads: Vec<usize> = heads.map(|(at, _)| at * 4).collect();
        // usr, usr/bin, usr/bin/tool, bin, and the end.
        assert_eq!(heads.len(), 5);
        let file = &bytes[heads[2]..heads[3]];
        assert_eq!(&file[14..22], b"000081ed", "mode");
        assert_eq!(&file[54..62], b"00000005", "length");
        assert_eq!(&file[110..], b"usr/bin/tool\0\0five5\0\0\0");
    }
}
