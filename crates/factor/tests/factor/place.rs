//! A target and a journal of their own for each test.

use std::fs;
use std::path::{Path, PathBuf};

use etalon_factor::{Change, Entry, FilesystemMark, Journal, ProcessStamp, Token};
use tempfile::TempDir;

pub(crate) struct Place {
    _home: TempDir,
    pub(crate) target: PathBuf,
    pub(crate) journal: Journal,
}

impl Place {
    pub(crate) fn new() -> Place {
        let home = TempDir::new().unwrap();
        let root = fs::canonicalize(home.path()).unwrap();
        let target = root.join("target");
        fs::create_dir(&target).unwrap();
        Place {
            _home: home,
            target,
            journal: Journal::at(&root.join("journal")).unwrap(),
        }
    }

    /// Enters a scratch directory of a process that is gone, and gives the path where it would lie.
    pub(crate) fn enter_dead(&self) -> (Token, PathBuf) {
        self.enter(dead(), self.filesystem())
    }

    pub(crate) fn enter(
        &self,
        owner: ProcessStamp,
        filesystem: FilesystemMark,
    ) -> (Token, PathBuf) {
        let token = Token::random().unwrap();
        let path = self.target.join(format!(".etalon-{token}"));
        let parent = self.target.clone();
        let change = Change::ScratchDirectory {
            parent,
            filesystem,
            given_to: None,
        };
        let entry = Entry::new(owner, token.clone(), change);
        self.journal.write(&entry).unwrap();
        (token, path)
    }

    pub(crate) fn filesystem(&self) -> FilesystemMark {
        FilesystemMark {
            id: rustix::fs::statvfs(&self.target).unwrap().f_fsid,
            volatile: false,
        }
    }

    pub(crate) fn entries(&self) -> usize {
        names(self.journal.directory())
            .iter()
            .filter(|name| *name != "lock")
            .count()
    }
}

/// A process that has this one's number and started a tick later: its number was given anew.
pub(crate) fn dead() -> ProcessStamp {
    let own = ProcessStamp::current().unwrap();
    ProcessStamp {
        start_ticks: own.start_ticks + 1,
        ..own
    }
}

pub(crate) fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
