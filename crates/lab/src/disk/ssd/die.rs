//! One die, which reads, programs and collects one thing after the other.

use super::SsdFigures;

/// When a die is free, and the unit that pages may still be added to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Die {
    free_ns: u64,
    unit: Option<OpenUnit>,
}

/// Pages that are programmed together. Pages are added until the die begins with it: a die that has nothing to do
/// begins at once, with whatever there is, and a busy one finds a full unit when it gets to it.
#[derive(Debug, Clone, Copy)]
struct OpenUnit {
    begins_ns: u64,
    ends_ns: u64,
    free_pages: u64,
    is_fast: bool,
}

impl Die {
    /// When the die has done so much more.
    pub(super) fn work(&mut self, now_ns: u64, work_ns: u64) -> u64 {
        self.free_ns = now_ns.max(self.free_ns) + work_ns;
        self.free_ns
    }

    /// When a page is programmed, alone or with others, in the faster part or not.
    pub(super) fn program(&mut self, now_ns: u64, is_fast: bool, figures: &SsdFigures) -> u64 {
        let open = self.unit.as_mut().filter(|unit| {
            unit.free_pages > 0 && unit.is_fast == is_fast && now_ns <= unit.begins_ns
        });
        if let Some(unit) = open {
            unit.free_pages -= 1;
            return unit.ends_ns;
        }
        let begins_ns = now_ns.max(self.free_ns);
        let ends_ns = self.work(now_ns, figures.unit_ns(is_fast));
        self.unit = Some(OpenUnit {
            begins_ns,
            ends_ns,
            free_pages: figures.unit_pages() - 1,
            is_fast,
        });
        ends_ns
    }
}
