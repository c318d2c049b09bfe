//! What md makes of a request to an array: which of its members is asked for what.
//!
//! Layouts are those of md(4) and of the kernel's `drivers/md/raid{0,1,5,10}.c`: left-symmetric parity
//! for RAID-5 and RAID-6, parity on the last member for RAID-4, near, far and offset copies for
//! RAID-10. Nothing of it is measured here.

mod layout;
mod mirror;
mod parity;
mod recovery;
mod split;

pub use layout::{Layout, LayoutError};

use crate::disk::RequestKind;
use split::Pieces;

/// A request to one member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Child {
    /// Which member.
    pub member: usize,
    /// What is asked.
    pub kind: RequestKind,
    /// First byte on it.
    pub offset_bytes: u64,
    /// How many.
    pub length_bytes: u64,
}

/// Requests to members in phases: the next phase begins when the last request of this one has ended.
pub type Phases = Vec<Vec<Child>>;

/// What the choice of a copy depends on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemberState {
    /// The member is not there.
    pub missing: bool,
    /// Requests that it has not answered.
    pub pending: usize,
    /// The byte after its last request.
    pub head_bytes: u64,
}

/// An array of equal members.
#[derive(Debug, Clone)]
pub struct Array {
    layout: Layout,
    chunk_bytes: u64,
    member_bytes: u64,
    /// The state of each member.
    pub members: Vec<MemberState>,
}

impl Array {
    /// An array of so many members of this size.
    ///
    /// # Errors
    /// [`LayoutError`] for too few members, or a chunk that is no multiple of 4 KiB or larger than they are.
    pub fn new(
        layout: Layout,
        members: usize,
        member_bytes: u64,
        chunk_bytes: u64,
    ) -> Result<Array, LayoutError> {
        layout.check(members, chunk_bytes)?;
        if chunk_bytes > member_bytes {
            return Err(LayoutError::LargeChunk {
                chunk_bytes,
                member_bytes,
            });
        }
        Ok(Array {
            layout,
            chunk_bytes,
            member_bytes: member_bytes / chunk_bytes * chunk_bytes,
            members: vec![MemberState::default(); members],
        })
    }

    /// What it holds.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let (data, of) = self.layout.share(self.members.len());
        let rows = self.member_bytes / self.chunk_bytes;
        let whole_rows = rows - rows % self.layout.rows_of_copies();
        let chunks = whole_rows * self.members.len() as u64;
        chunks * data / of * self.chunk_bytes
    }

    /// How it is laid out.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// What its members are asked for.
    ///
    /// # Errors
    /// [`LayoutError::TooManyMissing`] where the data cannot be had any more.
    pub fn phases(
        &self,
        kind: RequestKind,
        offset_bytes: u64,
        length_bytes: u64,
    ) -> Result<Phases, LayoutError> {
        if kind == RequestKind::Flush {
            return Ok(vec![self.flush()]);
        }
        let pieces = Pieces::new(self.chunk_bytes, offset_bytes, length_bytes);
        match self.layout.parity() {
            0 => self.mirrored(kind, pieces),
            _ => self.with_parity(kind, pieces),
        }
    }

    fn flush(&self) -> Vec<Child> {
        let present = self.members.iter().enumerate().filter(|(_, m)| !m.missing);
        let flush = present.map(|(member, _)| Child {
            member,
            kind: RequestKind::Flush,
            offset_bytes: 0,
            length_bytes: 0,
        });
        flush.collect()
    }
}

#[cfg(test)]
mod tests;
