//! Which of the waiting requests the mechanism does next.

use super::geometry::TrackSpan;
use super::{Hdd, Waiting};
use crate::disk::RequestKind;

/// The order of service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discipline {
    /// As they came.
    Fifo,
    /// The one that the head reaches first, among so many (NCQ has 32 tags, SAS more).
    ShortestPosition {
        /// Tags.
        depth: usize,
    },
}

/// A request that has waited for so many turns goes first, so that none starves (assumed).
const PATIENCE_TURNS: u64 = 120;

impl Hdd {
    /// The place in the queue of the request that is served next.
    pub(super) fn pick(&self, at_ns: u64) -> usize {
        let depth = match self.figures.discipline {
            Discipline::Fifo => return 0,
            Discipline::ShortestPosition { depth } => depth,
        };
        let patience = PATIENCE_TURNS * self.figures.turn_ns();
        let oldest = self.waiting.front();
        if oldest.is_none_or(|oldest| at_ns - oldest.at_ns > patience) {
            return 0;
        }
        let tagged = self.waiting.iter().take(depth.max(1)).enumerate();
        let nearest = tagged.min_by_key(|(_, waiting)| self.reached_ns(at_ns, waiting));
        nearest.map_or(0, |(place, _)| place)
    }

    /// When the head would be at the begin of a request.
    fn reached_ns(&self, at_ns: u64, waiting: &Waiting) -> u64 {
        let span = &waiting.span;
        if waiting.request.kind == RequestKind::Read
            && let Some(end) = self.read_on_ns(at_ns, span)
        {
            return at_ns.max(end.saturating_sub(span.to_ns - span.from_ns));
        }
        self.arm.over_place_ns(at_ns, span.cylinder, span.from_ns)
    }

    /// When the head has read all of it, if it only needs to read on.
    pub(super) fn read_on_ns(&self, at_ns: u64, span: &TrackSpan) -> Option<u64> {
        let stream = self.stream.as_ref()?;
        stream.arrives_ns(at_ns, span.from_ns, span.to_ns, self.figures.turn_ns())
    }
}
