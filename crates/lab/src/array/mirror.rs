//! Layouts without parity: each chunk lies on one member or on several.

use super::split::{Piece, Pieces, joined};
use super::{Array, Child, Layout, LayoutError, Phases};
use crate::disk::RequestKind;

impl Array {
    pub(super) fn mirrored(
        &self,
        kind: RequestKind,
        pieces: Pieces,
    ) -> Result<Phases, LayoutError> {
        let mut children = Vec::new();
        for piece in pieces {
            let copies = self.copies(&piece);
            let present = copies
                .into_iter()
                .filter(|(m, _)| !self.members[*m].missing);
            let present: Vec<(usize, u64)> = present.collect();
            let asked = match kind {
                RequestKind::Read => self.read_from(&present).into_iter().collect(),
                _ => present,
            };
            if asked.is_empty() {
                return Err(LayoutError::TooManyMissing(self.layout));
            }
            children.extend(asked.into_iter().map(|(member, offset_bytes)| Child {
                member,
                kind,
                offset_bytes,
                length_bytes: piece.length,
            }));
        }
        Ok(vec![joined(children)])
    }

    /// The members on which a piece lies, and where.
    pub(super) fn copies(&self, piece: &Piece) -> Vec<(usize, u64)> {
        let count = self.members.len();
        match self.layout {
            Layout::Raid0 => self.spread(piece, 1, 1, 0),
            Layout::Raid1 => {
                let offset = piece.chunk * self.chunk_bytes + piece.from;
                (0..count).map(|member| (member, offset)).collect()
            }
            Layout::Near(copies) => self.spread(piece, copies, 1, 0),
            Layout::Offset(copies) => self.spread(piece, 1, copies, self.chunk_bytes),
            Layout::Far(copies) => {
                let stride = self.far_stride(copies) * self.chunk_bytes;
                self.spread(piece, 1, copies, stride)
            }
            Layout::Raid4 | Layout::Raid5 | Layout::Raid6 => Vec::new(),
        }
    }

    /// Chunks of a member between one far copy and the next.
    pub(super) fn far_stride(&self, copies: u64) -> u64 {
        self.member_bytes / self.chunk_bytes / copies
    }

    /// Near copies in a row, each with its far copies a stride further on the next members.
    fn spread(&self, piece: &Piece, near: u64, far: u64, stride: u64) -> Vec<(usize, u64)> {
        let members = self.members.len() as u64;
        let rows_apart = if stride == self.chunk_bytes { far } else { 1 };
        let mut copies = Vec::new();
        for copy in 0..near {
            let at = piece.chunk * near + copy;
            let (row, column) = (at / members, at % members);
            for shift in 0..far {
                let member = (column + shift * near) % members;
                let offset = row * rows_apart * self.chunk_bytes + shift * stride + piece.from;
                copies.push((usize::try_from(member).unwrap_or(0), offset));
            }
        }
        copies
    }

    /// Which copy md reads. RAID-10 takes the lowest address of far and offset copies, an idle
    /// member first of near ones (`read_balance` in `raid10.c`); RAID-1 the nearest head.
    fn read_from(&self, copies: &[(usize, u64)]) -> Option<(usize, u64)> {
        let far = matches!(self.layout, Layout::Far(_) | Layout::Offset(_));
        let near = matches!(self.layout, Layout::Near(_));
        let distance = |(member, offset): &(usize, u64)| {
            let state = &self.members[*member];
            match far {
                true => *offset,
                false if near && state.pending == 0 => 0,
                false => state.head_bytes.abs_diff(*offset),
            }
        };
        copies.iter().min_by_key(|copy| distance(copy)).copied()
    }
}
