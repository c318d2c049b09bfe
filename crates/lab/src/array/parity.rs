//! Layouts with parity: reads of data, read-modify-write and reconstruct-write.

use std::collections::BTreeMap;

use super::split::{Piece, Pieces, joined};
use super::{Array, Child, Layout, LayoutError, Phases};
use crate::disk::RequestKind;

/// What of a stripe is written.
#[derive(Debug, Default)]
struct Touched {
    /// By the number of the chunk within the stripe.
    pieces: BTreeMap<u64, Piece>,
    from: u64,
    to: u64,
}

impl Array {
    fn data_members(&self) -> u64 {
        (self.members.len() - self.layout.parity()) as u64
    }

    /// The member that holds this chunk of data of a stripe.
    pub(super) fn data_member(&self, stripe: u64, index: u64) -> usize {
        let members = self.members.len() as u64;
        let first = self.parity_members(stripe)[0] as u64;
        let member = match self.layout {
            Layout::Raid4 => index,
            _ => (first + self.layout.parity() as u64 + index) % members,
        };
        usize::try_from(member).unwrap_or(0)
    }

    /// The members that hold the parity of a stripe.
    pub(super) fn parity_members(&self, stripe: u64) -> Vec<usize> {
        let members = self.members.len();
        let turn = usize::try_from(stripe % members as u64).unwrap_or(0);
        match self.layout {
            Layout::Raid4 => vec![members - 1],
            Layout::Raid6 => vec![members - 1 - turn, (2 * members - turn) % members],
            _ => vec![members - 1 - turn],
        }
    }

    pub(super) fn with_parity(
        &self,
        kind: RequestKind,
        pieces: Pieces,
    ) -> Result<Phases, LayoutError> {
        let missing = self.members.iter().filter(|member| member.missing).count();
        if missing > self.layout.parity() {
            return Err(LayoutError::TooManyMissing(self.layout));
        }
        if kind == RequestKind::Read {
            let reads = pieces.flat_map(|piece| self.read_piece(&piece));
            return Ok(vec![joined(reads.collect())]);
        }
        let mut stripes: BTreeMap<u64, Touched> = BTreeMap::new();
        for piece in pieces {
            let stripe = stripes
                .entry(piece.chunk / self.data_members())
                .or_default();
            stripe.add(piece, self.data_members());
        }
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for (stripe, touched) in &stripes {
            reads.extend(self.reads_before(*stripe, touched));
            writes.extend(self.writes_of(*stripe, touched, kind));
        }
        let phases = [joined(reads), joined(writes)];
        Ok(phases
            .into_iter()
            .filter(|phase| !phase.is_empty())
            .collect())
    }

    fn child(&self, member: usize, stripe: u64, from: u64, to: u64, kind: RequestKind) -> Child {
        Child {
            member,
            kind,
            offset_bytes: stripe * self.chunk_bytes + from,
            length_bytes: to - from,
        }
    }

    /// One read; as many as there are other members, where the member is missing.
    fn read_piece(&self, piece: &Piece) -> Vec<Child> {
        let (stripe, index) = (
            piece.chunk / self.data_members(),
            piece.chunk % self.data_members(),
        );
        let wanted = self.data_member(stripe, index);
        let to = piece.from + piece.length;
        let read = |member| self.child(member, stripe, piece.from, to, RequestKind::Read);
        if !self.members[wanted].missing {
            return vec![read(wanted)];
        }
        let present = (0..self.members.len()).filter(|member| !self.members[*member].missing);
        present
            .take(self.members.len() - self.layout.parity())
            .map(read)
            .collect()
    }

    /// What must be read before the parity can be computed: the old data and parity, or the data
    /// that is not written, whichever is less; md takes the second where they are equal.
    fn reads_before(&self, stripe: u64, touched: &Touched) -> Vec<Child> {
        let data = self.data_members();
        let member = |index: u64| self.data_member(stripe, index);
        let written: Vec<usize> = touched.pieces.keys().map(|index| member(*index)).collect();
        let whole =
            |piece: &Piece| piece.from == touched.from && piece.length == touched.to - touched.from;
        let all_whole = touched.pieces.values().all(whole);
        let rest: Vec<usize> = (0..data)
            .map(member)
            .filter(|m| !written.contains(m))
            .collect();
        if rest.is_empty() && all_whole {
            return Vec::new();
        }
        let parity = self.parity_members(stripe);
        let modify: Vec<usize> = written.into_iter().chain(parity).collect();
        let lost = |members: &[usize]| members.iter().any(|m| self.members[*m].missing);
        let reconstruct_is_less = rest.len() <= modify.len() && all_whole;
        let asked = match (reconstruct_is_less && !lost(&rest)) || lost(&modify) {
            true => rest,
            false => modify,
        };
        let present = asked
            .into_iter()
            .filter(|member| !self.members[*member].missing);
        let read = |member| self.child(member, stripe, touched.from, touched.to, RequestKind::Read);
        present.map(read).collect()
    }

    fn writes_of(&self, stripe: u64, touched: &Touched, kind: RequestKind) -> Vec<Child> {
        let mut writes = Vec::new();
        for (index, piece) in &touched.pieces {
            let member = self.data_member(stripe, *index);
            writes.push(self.child(member, stripe, piece.from, piece.from + piece.length, kind));
        }
        for member in self.parity_members(stripe) {
            writes.push(self.child(member, stripe, touched.from, touched.to, kind));
        }
        writes.retain(|write| !self.members[write.member].missing);
        writes
    }
}

impl Touched {
    fn add(&mut self, piece: Piece, data_members: u64) {
        let end = piece.from + piece.length;
        let first = self.pieces.is_empty();
        self.from = if first {
            piece.from
        } else {
            self.from.min(piece.from)
        };
        self.to = self.to.max(end);
        self.pieces.insert(piece.chunk % data_members, piece);
    }
}
