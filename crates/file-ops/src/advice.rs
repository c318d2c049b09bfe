//! What the kernel is told about the accesses to come.

use std::os::fd::AsFd;

use rustix::fs::{Advice as Fadvice, fadvise};
use rustix::io::Errno;
use rustix::mm::Advice as Madvice;
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

    /// What says the same of a mapping (madvise(2)).
    pub(crate) fn for_mapping(self) -> Madvice {
        match self {
            Advice::Normal => Madvice::Normal,
            Advice::Random => Madvice::Random,
            Advice::Sequential => Madvice::Sequential,
            Advice::DontNeed => Madvice::LinuxDontNeed,
            Advice::WillNeed => Madvice::WillNeed,
        }
    }

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
