//! The layouts by their names.

use std::fmt;
use std::str::FromStr;

/// How an array is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Stripes.
    Raid0,
    /// Copies on every member.
    Raid1,
    /// Parity on the last member.
    Raid4,
    /// Parity in turn, left-symmetric.
    Raid5,
    /// Two parities in turn, left-symmetric.
    Raid6,
    /// Copies in neighbouring chunks of one row.
    Near(u64),
    /// Each copy in its own part of the members.
    Far(u64),
    /// Copies of a row in the rows after it, shifted by one member.
    Offset(u64),
}

/// Why there is no such array.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// Not a name.
    #[error("'{0}' is no layout; there are raid0, raid1, raid4, raid5, raid6, n2, n3, o2 and f2")]
    Unknown(String),
    /// Too few members.
    #[error("{layout} needs at least {least} members, and has {members}: give more with --disks")]
    TooFew {
        /// The layout.
        layout: Layout,
        /// Members it needs.
        least: usize,
        /// Members given.
        members: usize,
    },
    /// A chunk that md would not take.
    #[error("a chunk of {0} bytes is no multiple of 4096: give --chunk 512K, for example")]
    Chunk(u64),
    /// A chunk that no member can hold.
    #[error(
        "a chunk of {chunk_bytes} bytes does not fit on a disk of {member_bytes}: give --chunk 512K, for example"
    )]
    LargeChunk {
        /// The chunk.
        chunk_bytes: u64,
        /// Each member.
        member_bytes: u64,
    },
    /// The data is lost.
    #[error("{0} has lost too many members to be read")]
    TooManyMissing(Layout),
}

impl Layout {
    /// The layouts that the simulation shows by itself.
    pub const SHOWN: [Layout; 7] = [
        Layout::Raid0,
        Layout::Raid1,
        Layout::Raid5,
        Layout::Raid6,
        Layout::Near(2),
        Layout::Offset(2),
        Layout::Far(2),
    ];

    /// Chunks of parity in a stripe.
    #[must_use]
    pub fn parity(self) -> usize {
        match self {
            Layout::Raid4 | Layout::Raid5 => 1,
            Layout::Raid6 => 2,
            _ => 0,
        }
    }

    /// How many of how many chunks hold data that is there once.
    pub(super) fn share(self, members: usize) -> (u64, u64) {
        let members = members as u64;
        match self {
            Layout::Raid0 => (1, 1),
            Layout::Raid1 => (1, members),
            Layout::Near(copies) | Layout::Far(copies) | Layout::Offset(copies) => (1, copies),
            _ => (members - self.parity() as u64, members),
        }
    }

    /// Rows of chunks over which the copies of one row lie; what is left of a member beyond whole ones holds nothing.
    pub(super) fn rows_of_copies(self) -> u64 {
        match self {
            Layout::Far(copies) | Layout::Offset(copies) => copies,
            _ => 1,
        }
    }

    pub(super) fn check(self, members: usize, chunk_bytes: u64) -> Result<(), LayoutError> {
        let least = match self {
            Layout::Raid0 => 1,
            Layout::Raid1 => 2,
            Layout::Raid4 | Layout::Raid5 => 3,
            Layout::Raid6 => 4,
            Layout::Near(copies) | Layout::Far(copies) | Layout::Offset(copies) => {
                usize::try_from(copies.max(2)).unwrap_or(usize::MAX)
            }
        };
        if members < least {
            return Err(LayoutError::TooFew {
                layout: self,
                least,
                members,
            });
        }
        match chunk_bytes > 0 && chunk_bytes.is_multiple_of(4096) {
            true => Ok(()),
            false => Err(LayoutError::Chunk(chunk_bytes)),
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Layout::Raid0 => f.pad("raid0"),
            Layout::Raid1 => f.pad("raid1"),
            Layout::Raid4 => f.pad("raid4"),
            Layout::Raid5 => f.pad("raid5"),
            Layout::Raid6 => f.pad("raid6"),
            Layout::Near(copies) => f.pad(&format!("n{copies}")),
            Layout::Far(copies) => f.pad(&format!("f{copies}")),
            Layout::Offset(copies) => f.pad(&format!("o{copies}")),
        }
    }
}

impl FromStr for Layout {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<Layout, LayoutError> {
        let unknown = || LayoutError::Unknown(text.to_owned());
        let copies = |count: &str| count.parse().ok().filter(|n| (2..=8).contains(n));
        Ok(match text {
            "raid0" => Layout::Raid0,
            "raid1" => Layout::Raid1,
            "raid4" => Layout::Raid4,
            "raid5" => Layout::Raid5,
            "raid6" => Layout::Raid6,
            "raid10" => Layout::Near(2),
            _ => match text.split_at_checked(1).ok_or_else(unknown)? {
                ("n", count) => Layout::Near(copies(count).ok_or_else(unknown)?),
                ("f", count) => Layout::Far(copies(count).ok_or_else(unknown)?),
                ("o", count) => Layout::Offset(copies(count).ok_or_else(unknown)?),
                _ => return Err(unknown()),
            },
        })
    }
}
