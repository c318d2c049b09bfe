//! The program under attack, with a store and a journal for one test.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::said::{Said, run};

/// The program that is attacked.
pub(crate) fn program() -> PathBuf {
    let named = std::env::var_os("ETALON_ATTACK_BINARY").filter(|name| !name.is_empty());
    named.map_or_else(|| env!("CARGO_BIN_EXE_etalon").into(), PathBuf::from)
}

/// A directory for the store, the journal and the current directory.
pub(crate) struct Home {
    own: etalon_testbed::Home,
}

impl Home {
    pub(crate) fn new() -> Home {
        Home {
            own: etalon_testbed::Home::new(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.own.path()
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.own.store()
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
        self.own.surround(command.args(words));
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run<W: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = W>) -> Said {
        run(self.etalon(words))
    }
}
