//! A request cut at the borders of chunks, and neighbours on a member joined again.

use super::Child;

/// A part of a request within one chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    /// Number of the chunk in the array.
    pub(super) chunk: u64,
    /// First byte within it.
    pub(super) from: u64,
    /// How many bytes.
    pub(super) length: u64,
}

/// The parts of a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pieces {
    chunk_bytes: u64,
    offset: u64,
    left: u64,
}

impl Pieces {
    pub(super) fn new(chunk_bytes: u64, offset: u64, left: u64) -> Pieces {
        Pieces {
            chunk_bytes,
            offset,
            left,
        }
    }
}

impl Iterator for Pieces {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        if self.left == 0 {
            return None;
        }
        let from = self.offset % self.chunk_bytes;
        let length = (self.chunk_bytes - from).min(self.left);
        let chunk = self.offset / self.chunk_bytes;
        self.offset += length;
        self.left -= length;
        Some(Piece {
            chunk,
            from,
            length,
        })
    }
}

/// Joins requests of one kind that follow each other on a member, as the block layer does.
pub(super) fn joined(mut children: Vec<Child>) -> Vec<Child> {
    children.sort_by_key(|child| (child.member, child.offset_bytes));
    let mut joined: Vec<Child> = Vec::with_capacity(children.len());
    for child in children {
        match joined.last_mut() {
            Some(last)
                if last.member == child.member
                    && last.kind == child.kind
                    && last.offset_bytes + last.length_bytes == child.offset_bytes =>
            {
                last.length_bytes += child.length_bytes;
            }
            _ => joined.push(child),
        }
    }
    joined
}
