//! Where the pages are: a map by the page, one open block, and greedy garbage collection.

/// What is mapped, programmed and counted.
pub const PAGE_BYTES: u64 = 4096;
/// No page.
const NONE: u32 = u32::MAX;
/// Blocks that are kept free, so that a collection has somewhere to copy to.
const KEPT_FREE: usize = 2;

/// What a written page caused besides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PageCost {
    pub(super) copied: u32,
    pub(super) erased: u32,
}

/// The map and the counters.
#[derive(Debug)]
pub struct Ftl {
    /// Flash page of each page of the user.
    place: Vec<u32>,
    /// Page of the user on each flash page.
    owner: Vec<u32>,
    /// Pages of each block that are still of use.
    valid: Vec<u32>,
    free: Vec<u32>,
    pages_per_block: u32,
    /// The next flash page to program, within the open block.
    next: u32,
    host_pages: u64,
    flash_pages: u64,
}

impl Ftl {
    /// Flash on which nothing was written.
    pub(super) fn new(bytes: u64, spare_bytes: u64, pages_per_block: u32) -> Ftl {
        let per_block = pages_per_block.max(1);
        let count = |bytes: u64| u32::try_from(bytes.div_ceil(PAGE_BYTES)).unwrap_or(NONE - 1);
        let user = count(bytes);
        let kept = u32::try_from(KEPT_FREE).unwrap_or(0) + 1;
        let blocks = count(bytes.saturating_add(spare_bytes)).div_ceil(per_block);
        let blocks = blocks.max(user.div_ceil(per_block) + kept);
        Ftl {
            place: vec![NONE; user as usize],
            owner: vec![NONE; blocks as usize * per_block as usize],
            valid: vec![0; blocks as usize],
            free: (1..blocks).rev().collect(),
            pages_per_block: per_block,
            next: 0,
            host_pages: 0,
            flash_pages: 0,
        }
    }

    /// Flash of which every page of the user was written once, in their order.
    pub(super) fn written(bytes: u64, spare_bytes: u64, pages_per_block: u32) -> Ftl {
        let mut ftl = Ftl::new(bytes, spare_bytes, pages_per_block);
        for ((place, owner), page) in ftl.place.iter_mut().zip(&mut ftl.owner).zip(0..) {
            (*place, *owner) = (page, page);
            ftl.valid[(page / ftl.pages_per_block) as usize] += 1;
            ftl.next = page + 1;
        }
        let open = ftl.next / ftl.pages_per_block;
        ftl.free.retain(|block| *block > open);
        ftl
    }

    /// Programmed pages by written pages since the last call of [`Ftl::forget_counts`].
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "below 2^53 pages")]
    pub fn write_amplification(&self) -> f64 {
        self.flash_pages as f64 / self.host_pages.max(1) as f64
    }

    /// Counts from here on.
    pub fn forget_counts(&mut self) {
        self.host_pages = 0;
        self.flash_pages = 0;
    }

    /// Flash pages that can hold data, without the blocks that are kept free, by pages of the user.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "below 2^53 pages")]
    pub fn overprovision_ratio(&self) -> f64 {
        let usable = self.valid.len() - KEPT_FREE;
        (usable * self.pages_per_block as usize) as f64 / self.place.len() as f64
    }

    /// The die on which a page lies, if it was written.
    pub(super) fn die(&self, page: u32, dies: usize) -> Option<usize> {
        let place = self
            .place
            .get(page as usize)
            .filter(|place| **place != NONE)?;
        Some(*place as usize % dies)
    }

    /// Writes a page of the user.
    pub(super) fn write(&mut self, page: u32) -> PageCost {
        self.host_pages += 1;
        self.trim(page);
        self.program(page);
        let mut cost = PageCost::default();
        while self.free.len() < KEPT_FREE {
            cost.copied += self.collect();
            cost.erased += 1;
        }
        cost
    }

    /// A page is not needed any more.
    pub(super) fn trim(&mut self, page: u32) {
        let Some(place) = self.place.get_mut(page as usize) else {
            return;
        };
        if *place != NONE {
            self.owner[*place as usize] = NONE;
            self.valid[(*place / self.pages_per_block) as usize] -= 1;
            *place = NONE;
        }
    }

    fn program(&mut self, page: u32) {
        self.flash_pages += 1;
        let place = self.next;
        if let Some(of) = self.place.get_mut(page as usize) {
            *of = place;
            self.owner[place as usize] = page;
            self.valid[(place / self.pages_per_block) as usize] += 1;
        }
        self.next += 1;
        if self.next.is_multiple_of(self.pages_per_block) {
            let block = self.free.pop().unwrap_or(0);
            self.next = block * self.pages_per_block;
        }
    }

    /// Empties the block with the fewest pages of use; how many those were.
    fn collect(&mut self) -> u32 {
        let open = self.next / self.pages_per_block;
        let blocks = self.valid.iter().zip(0_u32..);
        let closed = blocks.filter(|(_, block)| *block != open && !self.free.contains(block));
        let Some((_, victim)) = closed.min_by_key(|(valid, _)| **valid) else {
            return 0;
        };
        let first = victim * self.pages_per_block;
        let mut copied = 0;
        for place in first..first + self.pages_per_block {
            let page = self.owner[place as usize];
            if page != NONE {
                self.trim(page);
                self.program(page);
                copied += 1;
            }
        }
        self.free.push(victim);
        copied
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flash_that_was_written_is_that_to_which_each_page_was_written() {
        for pages in [64, 70, 79, 80] {
            let of = (pages * PAGE_BYTES, 40 * PAGE_BYTES, 16);
            let written = Ftl::written(of.0, of.1, of.2);
            let mut twin = Ftl::new(of.0, of.1, of.2);
            (0..twin.place.len()).zip(0..).for_each(|(_, page)| {
                twin.write(page);
            });
            twin.forget_counts();
            assert_eq!(format!("{written:?}"), format!("{twin:?}"), "{pages} pages");
        }
    }
}
