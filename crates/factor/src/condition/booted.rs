//! What the laboratory tells a machine that it has booted of the part of a plan that is to be made there: words of the kernel's
//! command line. The kernel takes what has a dot for a module's parameter, and heeds none of a module that it does not have.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use etalon_model::LevelFact;
use etalon_stack::Roots;

use super::{Applied, FactorError, Ground, Need};

/// The word that names the block of a plan, from 0, that is all that is to be measured before the guest ends.
const BLOCK: &str = "etalon.block=";

/// The word by which a guest is told that it makes this block of a plan alone.
#[must_use]
pub fn block_mark(block: u32) -> String {
    format!("{BLOCK}{block}")
}

/// The block that is all that is to be measured while this kernel runs; none on a machine that no laboratory booted for one.
#[must_use]
pub fn booted_block(roots: &Roots) -> Option<u32> {
    word(roots, BLOCK)?.strip_prefix(BLOCK)?.parse().ok()
}

/// The word that names the level of a factor, whatever is in its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// How the words of the factor begin.
    begin: &'static str,
    word: String,
}

impl Mark {
    /// That of a level.
    pub(super) fn of(begin: &'static str, level: &str) -> Mark {
        let mut word = begin.to_owned();
        for byte in level.bytes() {
            match byte.is_ascii_alphanumeric() || b"._+-".contains(&byte) {
                true => word.push(char::from(byte)),
                // A text takes whatever is written to it.
                false => drop(write!(word, "%{byte:02x}")),
            }
        }
        Mark { begin, word }
    }

    pub(super) fn into_word(self) -> String {
        self.word
    }

    /// Whether this machine is of the level, or of none that the laboratory has told.
    pub(super) fn is_due(&self, ground: &Ground) -> bool {
        told(ground, self.begin).is_none_or(|word| word == self.word)
    }

    /// What is missing where the laboratory has told of no level.
    pub(super) fn needs(&self, ground: &Ground, text: &str) -> Vec<Need> {
        let is_missing = told(ground, self.begin).is_none();
        Vec::from_iter(is_missing.then(|| Need::Decision(text.to_owned())))
    }

    /// The level as it is in force, with what its runs are to keep of it.
    pub(super) fn read_back(
        self,
        ground: &Ground,
        facts: Vec<LevelFact>,
    ) -> Result<Box<dyn Applied>, FactorError> {
        let booted = Booted {
            mark: self,
            ground: ground.clone(),
            facts,
        };
        booted.verify()?;
        Ok(Box::new(booted))
    }
}

/// A level that the laboratory has set before anything of the plan ran.
#[derive(Debug)]
struct Booted {
    mark: Mark,
    ground: Ground,
    facts: Vec<LevelFact>,
}

impl Applied for Booted {
    fn verify(&self) -> Result<(), FactorError> {
        let found = told(&self.ground, self.mark.begin).unwrap_or_default();
        match found == self.mark.word {
            true => Ok(()),
            false => Err(FactorError::NotSo {
                path: command_line(&self.ground.roots),
                wanted: self.mark.word.clone(),
                found,
            }),
        }
    }

    fn facts(&self) -> Vec<LevelFact> {
        self.facts.clone()
    }

    fn restore(self: Box<Self>) -> Result<(), FactorError> {
        Ok(())
    }
}

/// The word that begins so, as the laboratory has told it: here in its own words, in a guest on the command line.
fn told(ground: &Ground, begin: &str) -> Option<String> {
    let here = ground
        .part
        .as_deref()
        .filter(|part| part.starts_with(begin));
    here.map(str::to_owned)
        .or_else(|| word(&ground.roots, begin))
}

/// The word of the kernel's command line that begins so.
fn word(roots: &Roots, begin: &str) -> Option<String> {
    let line = fs::read_to_string(command_line(roots)).ok()?;
    let mut words = line.split_whitespace();
    words
        .find(|word| word.starts_with(begin))
        .map(str::to_owned)
}

/// Where the kernel shows it (proc_cmdline(5)).
fn command_line(roots: &Roots) -> PathBuf {
    roots.procfs.join("cmdline")
}
