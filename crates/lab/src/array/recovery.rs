//! What is read of the others to write a member anew.

use super::split::{Piece, Pieces, joined};
use super::{Array, Child, Layout, LayoutError};
use crate::disk::RequestKind;

impl Array {
    /// The reads from which so many bytes of a member are computed: all that parity needs, or one copy of each chunk.
    ///
    /// # Errors
    /// [`LayoutError::TooManyMissing`] where the others do not have the data.
    pub fn recovery_reads(
        &self,
        member: usize,
        offset_bytes: u64,
        length_bytes: u64,
    ) -> Result<Vec<Child>, LayoutError> {
        if self.layout.parity() > 0 {
            return self.stripe_reads(member, offset_bytes, length_bytes);
        }
        let mut reads = Vec::new();
        for piece in Pieces::new(self.chunk_bytes, offset_bytes, length_bytes) {
            reads.extend(self.copy_read(member, &piece)?);
        }
        Ok(joined(reads))
    }

    fn stripe_reads(
        &self,
        member: usize,
        offset_bytes: u64,
        length_bytes: u64,
    ) -> Result<Vec<Child>, LayoutError> {
        let enough = self.members.len() - self.layout.parity();
        let others = (0..self.members.len()).filter(|other| self.is_source(*other, member));
        let reads = others.take(enough).map(|member| Child {
            member,
            kind: RequestKind::Read,
            offset_bytes,
            length_bytes,
        });
        let reads: Vec<Child> = reads.collect();
        match reads.len() < enough {
            true => Err(LayoutError::TooManyMissing(self.layout)),
            false => Ok(reads),
        }
    }

    /// The read for a piece of a member, none where the member holds nothing of the array there. The first copy on another
    /// member is taken, as `raid10_sync_request` in `raid10.c` does.
    fn copy_read(&self, member: usize, on_member: &Piece) -> Result<Option<Child>, LayoutError> {
        let piece = Piece {
            chunk: self.chunk_at(member, on_member.chunk),
            ..*on_member
        };
        let copies = self.copies(&piece);
        let place = on_member.chunk * self.chunk_bytes + on_member.from;
        let is_held = piece.chunk < self.bytes() / self.chunk_bytes;
        if !is_held || !copies.contains(&(member, place)) {
            return Ok(None);
        }
        let source = copies
            .iter()
            .find(|(other, _)| self.is_source(*other, member));
        let (member, offset_bytes) = *source.ok_or(LayoutError::TooManyMissing(self.layout))?;
        Ok(Some(Child {
            member,
            kind: RequestKind::Read,
            offset_bytes,
            length_bytes: piece.length,
        }))
    }

    fn is_source(&self, other: usize, member: usize) -> bool {
        other != member && !self.members[other].missing
    }

    /// The chunk of the array that lies on this chunk of a member if any does (`raid10_find_virt` in `raid10.c`).
    fn chunk_at(&self, member: usize, at: u64) -> u64 {
        let (members, member) = (self.members.len() as u64, member as u64);
        // The column of the first copy, from which each next one is shifted by a member.
        let column = |shift: u64| (member + members - shift % members) % members;
        match self.layout {
            Layout::Raid1 => at,
            Layout::Near(copies) => (at * members + member) / copies,
            Layout::Offset(copies) => at / copies * members + column(at % copies),
            Layout::Far(copies) => {
                let stride = self.far_stride(copies).max(1);
                at % stride * members + column(at / stride)
            }
            Layout::Raid0 | Layout::Raid4 | Layout::Raid5 | Layout::Raid6 => at * members + member,
        }
    }
}
