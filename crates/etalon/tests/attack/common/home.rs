//! The program under attack, with a store and a journal for one test.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::said::{Said, run};

/// The program that is attacked.
pub(crate) fn program() -> PathBuf {
    let named = std::env::var_os("ETALON_ATTACK_BINARY").filter(|name| !name.is_empty());
    named.map_or_else(|| env!("CARGO_BIN_EXE_etalon").into(), PathBuf::from)
}

/// A directory for the store, the journal and the current directory.
pub(crate) struct Home {
    directory: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Home {
        Home {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.path().join("store.sqlite")
    }

    /// The program with these words, in this home.
    pub(crate) fn etalon<W: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = W>) -> Command {
        self.in_home(Command::new(program()), words)
    }

    /// Any program that starts etalon, with the surroundings of this home.
    pub(crate) fn in_home<W: AsRef<OsStr>>(
        &self,
        mut command: Command,
        words: impl IntoIterator<Item = W>,
    ) -> Command {
        command
            .args(words)
            .env("XDG_STATE_HOME", self.path().join("state"))
            .env("XDG_DATA_HOME", self.path().join("data"))
            .env("ETALON_STORE", self.store())
            .env("HOME", self.path())
            .env_remove("RUST_BACKTRACE")
            .current_dir(self.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run<W: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = W>) -> Said {
        run(self.etalon(words))
    }
}
