//! Copied machines: a text per machine, unpacked into a directory that serves as its roots.
//!
//! The form is the one that `examples/capture.rs` writes: `[directory]`, then `name = content`,
//! `name -> target` or `name/`; `name |` is a named pipe, which no kernel shows and no reader may
//! wait for.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use etalon_stack::Roots;
use rustix::fs::{CWD, FileType, Mode, mknodat};

/// A machine unpacked into a directory of its own, which goes away with it.
pub(crate) struct Machine {
    directory: tempfile::TempDir,
}

/// One file, link or directory of a machine.
#[derive(Debug, Clone)]
pub(crate) enum Entry {
    /// A file with its content.
    File(PathBuf, Vec<u8>),
    /// A symbolic link with its target.
    Link(PathBuf, String),
    /// A directory.
    Directory(PathBuf),
    /// A named pipe that nobody writes to.
    Pipe(PathBuf),
}

impl Entry {
    /// Where it stands, below the machine's root.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Entry::File(path, _) | Entry::Link(path, _) => path,
            Entry::Directory(path) | Entry::Pipe(path) => path,
        }
    }
}

impl Machine {
    /// Unpacks the machine that `text` describes.
    pub(crate) fn unpack(text: &str) -> Machine {
        Machine::of(&entries(text))
    }

    /// A machine of these entries; what cannot be made (a file where a directory stands) is left out.
    pub(crate) fn of(entries: &[Entry]) -> Machine {
        // A machine is some hundred tiny files: memory takes them at once, a busy disk does not.
        let memory = tempfile::tempdir_in("/dev/shm");
        let directory = memory.or_else(|_| tempfile::tempdir()).unwrap();
        let machine = Machine { directory };
        entries.iter().for_each(|entry| machine.make(entry));
        machine
    }

    /// Makes one entry; what cannot be made is left out.
    pub(crate) fn make(&self, entry: &Entry) {
        let path = self.directory.path().join(entry.path());
        let _ = fs::create_dir_all(path.parent().unwrap_or(self.directory.path()));
        let _ = match entry {
            Entry::File(_, content) => fs::write(&path, content),
            Entry::Link(_, target) => symlink(target, &path),
            Entry::Directory(_) => fs::create_dir_all(&path),
            Entry::Pipe(_) => {
                let mode = Mode::RUSR | Mode::WUSR;
                mknodat(CWD, &path, FileType::Fifo, mode, 0).map_err(Into::into)
            }
        };
    }

    /// The machine's roots.
    pub(crate) fn roots(&self) -> Roots {
        Roots::under(self.directory.path())
    }
}

/// The entries of a machine's text.
pub(crate) fn entries(text: &str) -> Vec<Entry> {
    let mut section = PathBuf::new();
    let mut found = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            section = PathBuf::from(name);
        } else if let Some((name, content)) = line.split_once(" = ") {
            found.push(Entry::File(section.join(name), unescape(content)));
        } else if let Some(name) = line.strip_suffix(" =") {
            found.push(Entry::File(section.join(name), Vec::new()));
        } else if let Some((name, target)) = line.split_once(" -> ") {
            found.push(Entry::Link(section.join(name), target.to_owned()));
        } else if let Some(name) = line.strip_suffix(" |") {
            found.push(Entry::Pipe(section.join(name)));
        } else if let Some(name) = line.strip_suffix('/') {
            found.push(Entry::Directory(section.join(name)));
        } else {
            panic!("line not understood: {line}");
        }
    }
    found
}

fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.extend(&rest.as_bytes()[..at]);
        let code = &rest[at + 1..];
        rest = match code.as_bytes()[0] {
            b'n' => {
                out.push(b'\n');
                &code[1..]
            }
            b't' => {
                out.push(b'\t');
                &code[1..]
            }
            b'\\' => {
                out.push(b'\\');
                &code[1..]
            }
            b'x' => {
                out.push(u8::from_str_radix(&code[1..3], 16).unwrap());
                &code[3..]
            }
            b'z' => {
                let (count, after) = code[1..].split_once(';').unwrap();
                out.resize(out.len() + count.parse::<usize>().unwrap(), 0);
                after
            }
            other => panic!("unknown code \\{}", other as char),
        };
    }
    out.extend(rest.as_bytes());
    out
}
