//! Every way in which a command could write to what its user names.
//!
//! `registry` fails when a command, or an option that takes a name, has no line in `table`.

mod registry;
mod table;

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::common::{Ground, Home, Said, run};

pub(crate) use table::WAYS;

/// What stands behind a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A block device that is in use or carries something.
    Device,
    /// A file that is more than its bytes: behind a device, or another's.
    File,
    /// A pipe, a socket or a character device.
    Special,
    /// A directory.
    Directory,
}

/// How a command must answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Refused as dangerous (exit 4), or a plain error where the name cannot be opened at all.
    Refused,
    /// Any error.
    Error,
    /// It may read, and say what it likes; nothing changes.
    Unchanged,
}

/// One way.
pub(crate) struct Way {
    /// The command.
    pub(crate) command: &'static str,
    /// The option, operand or variable that takes the name.
    pub(crate) option: &'static str,
    /// The words: `{}` is the name, `{junk}` a file to read, `{ground}` a directory to measure,
    /// `{new}` a new name in it.
    pub(crate) words: &'static str,
    pub(crate) answer: Answer,
    /// The kinds of danger that it is tried on.
    pub(crate) on: &'static [Kind],
    /// Takes seconds where it reads, so that it is tried on few.
    pub(crate) slow: bool,
}

/// What a command ends with that finds another etalon at work.
const IN_USE: i32 = 6;
/// So often is a way tried again that met another etalon, which is refused within a moment itself.
const MAX_TRIES: usize = 100;

/// Where the ways are tried.
pub(crate) struct Scene {
    pub(crate) home: Home,
    pub(crate) ground: Ground,
}

impl Scene {
    pub(crate) fn new() -> Scene {
        let scene = Scene {
            home: Home::new(),
            ground: Ground::new(),
        };
        // Longer than any way writes, and not what an empty device holds.
        scene.ground.file("junk", &[0xa5; 1 << 20]);
        scene.ground.directory("measured");
        scene
    }

    /// The command of a way, aimed at a name, started in some directory.
    pub(crate) fn command(&self, way: &Way, name: &OsString, from: Option<&Path>) -> Command {
        let line = format!("{} {}", way.command, way.words);
        let mut command = self.words(&line, name);
        if let Some(from) = from {
            command.current_dir(from);
        }
        if way.is_variable() {
            command.env(way.option, name);
        }
        command
    }

    /// A line of words, aimed at a name.
    pub(crate) fn words(&self, line: &str, name: &OsString) -> Command {
        let words = line.split_whitespace().map(|word| self.filled(word, name));
        self.home.etalon(words)
    }

    /// Tries a way, and clears what an honest part of it made. Where somebody else measures on what both stand on, such
    /// as `/dev`, nothing was tried, and it is tried again.
    pub(crate) fn try_way(&self, way: &Way, name: &OsString, from: Option<&Path>) -> Said {
        let once = || {
            let said = run(self.command(way, name, from));
            let _ = std::fs::remove_file(self.ground.path().join("measured/new"));
            said
        };
        let mut said = once();
        for _ in 0..MAX_TRIES {
            if said.code != Some(IN_USE) {
                break;
            }
            said = once();
        }
        said
    }

    fn filled(&self, word: &str, name: &OsString) -> OsString {
        let place = self.ground.name();
        let word = word
            .replace("{junk}", &format!("{place}/junk"))
            .replace("{ground}", &format!("{place}/measured"))
            .replace("{new}", &format!("{place}/measured/new"));
        let Some((before, after)) = word.split_once("{}") else {
            return word.into();
        };
        let mut filled = OsString::from(before);
        filled.push(name);
        filled.push(after);
        filled
    }
}

impl Way {
    /// Whether the name goes into a variable of the environment.
    pub(crate) fn is_variable(&self) -> bool {
        !self.words.contains("{}")
    }

    /// What is wrong with an answer.
    pub(crate) fn fault(&self, said: &Said) -> Option<String> {
        let right = match self.answer {
            Answer::Refused => said.ended(&[4, 1, 2]),
            Answer::Error => said.ended(&[1, 2, 4]),
            Answer::Unchanged => said.is_orderly(),
        };
        (!right).then(|| format!("{said:?}"))
    }
}
