//! What the kernel is told about the accesses to come.

use std::os::fd::AsFd;

use rustix::fs::{Advice as Fadvice, fadvise};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

/// A hint for the page cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advice {
    /// Nothing special.
    Normal,
    /// At random: no readahead.
    Random,
    /// In order: more readahead.
    Sequential,
    /// The cached pages are not needed.
    DontNeed,
    /// The pages will be needed soon.
    WillNeed,
}

impl Advice {
    /// All, in the order of their numbers on iozone's command line.
    pub const ALL: [Advice; 5] = [
        Advice::Normal,
        Advice::Random,
        Advice::Sequential,
        Advice::DontNeed,
        Advice::WillNeed,
    ];

    /// Tells the kernel, for the whole file (posix_fadvise(2)).
    pub(crate) fn apply(self, file: impl AsFd) -> Result<(), Errno> {
        let advice = match self {
            Advice::Normal => Fadvice::Normal,
            Advice::Random => Fadvice::Random,
            Advice::Sequential => Fadvice::Sequential,
            Advice::DontNeed => Fadvice::DontNeed,
            Advice::WillNeed => Fadvice::WillNeed,
        };
        fadvise(file, 0, None, advice)
    }
}
