//! Where a program under test keeps what it keeps.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A directory for one test in memory, where a stall of a disk that others use delays nothing; elsewhere where there is
/// no `/dev/shm`.
///
/// # Panics
/// Where none can be made.
#[must_use]
pub fn in_memory() -> TempDir {
    let made = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    made.unwrap_or_else(|why| panic!("{why}"))
}

/// A home of a test's own in memory, in which the program finds neither a store nor a journal of others.
pub struct Home {
    directory: TempDir,
}

impl Home {
    /// A new one.
    ///
    /// # Panics
    /// Where it cannot be made.
    #[must_use]
    pub fn new() -> Home {
        Home {
            directory: in_memory(),
        }
    }

    /// Gives it to another user.
    ///
    /// # Panics
    /// Where this is not root.
    pub fn give_to(&self, user: u32) {
        let given = std::os::unix::fs::chown(self.path(), Some(user), Some(user));
        assert!(given.is_ok(), "{}: {given:?}", self.path().display());
    }

    /// The home directory, which is the current one too.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> PathBuf {
        self.path().join("store.sqlite")
    }

    /// The directory for what outlives a restart of a program (`XDG_STATE_HOME`): the journal.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.path().join("state")
    }

    /// Starts a program as in this home, in one language and one time zone, with nothing to read.
    pub fn surround(&self, command: &mut Command) {
        command
            .env("XDG_STATE_HOME", self.state())
            .env("XDG_DATA_HOME", self.path().join("data"))
            .env("ETALON_STORE", self.store())
            .env("HOME", self.path())
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC")
            .env_remove("RUST_BACKTRACE")
            .current_dir(self.path())
            .stdin(Stdio::null());
    }
}

impl Default for Home {
    fn default() -> Home {
        Home::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_sees_its_own_home_one_language_and_one_time_zone() {
        let home = Home::new();
        let mut shell = Command::new("sh");
        shell.env("TZ", "Asia/Tokyo").env("LC_ALL", "de_DE");
        home.surround(&mut shell);
        let script = "pwd; echo $HOME; echo $ETALON_STORE; echo $XDG_STATE_HOME; echo $LC_ALL; date +%z; cat";
        let said = shell.args(["-c", script]).output().unwrap().stdout;
        let said = String::from_utf8(said).unwrap();
        let (own, store) = (home.path().display(), home.store());
        let (store, state) = (store.display(), home.state());
        let state = state.display();
        assert_eq!(
            said,
            format!("{own}\n{own}\n{store}\n{state}\nC.UTF-8\n+0000\n")
        );
    }
}
