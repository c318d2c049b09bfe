//! Flash: dies that work at once, pages that are programmed once and erased by the block, spare room
//! with garbage collection, a faster part that fills, a buffer with flush, and TRIM.

mod buffer;
mod die;
mod figures;
mod ftl;
mod stages;

use std::collections::VecDeque;

use super::finished::Finished;
use super::{Completion, Disk, Request, RequestKind, SECOND_NS, transfer_ns};

use buffer::Buffer;
use die::Die;
pub use figures::SsdFigures;
use ftl::PageCost;
pub use ftl::{Ftl, PAGE_BYTES};
use stages::{Stage, Stages};

/// The disk.
#[derive(Debug)]
pub struct Ssd {
    figures: SsdFigures,
    ftl: Ftl,
    dies: Vec<Die>,
    /// Which die has the next collection.
    next_collector: usize,
    buffer: Buffer,
    /// Writes that wait for room in the buffer, and flushes behind them.
    crowded: VecDeque<Request>,
    stages: Stages,
    slc_used_bytes: u64,
    last_work_ns: u64,
    bus_free_ns: u64,
    /// When the last write that the buffer took is across the interface.
    received_ns: u64,
    finished: Finished,
}

impl Ssd {
    /// A disk fresh out of its box.
    #[must_use]
    pub fn new(figures: SsdFigures) -> Ssd {
        let ftl = Ftl::new(figures.bytes, figures.spare_bytes, figures.pages_per_block);
        Ssd::with(ftl, figures)
    }

    /// A disk that was written in order once, and has rested since: each page is on a die, and the faster part is
    /// empty.
    #[must_use]
    pub fn written(figures: SsdFigures) -> Ssd {
        let ftl = Ftl::written(figures.bytes, figures.spare_bytes, figures.pages_per_block);
        Ssd::with(ftl, figures)
    }

    fn with(ftl: Ftl, figures: SsdFigures) -> Ssd {
        Ssd {
            ftl,
            dies: vec![Die::default(); figures.dies.max(1)],
            next_collector: 0,
            buffer: Buffer::new(figures.buffer_bytes),
            crowded: VecDeque::new(),
            stages: Stages::default(),
            slc_used_bytes: 0,
            last_work_ns: 0,
            bus_free_ns: 0,
            received_ns: 0,
            finished: Finished::default(),
            figures,
        }
    }

    /// Where its pages are, and how often they were programmed.
    #[must_use]
    pub fn ftl(&self) -> &Ftl {
        &self.ftl
    }

    /// Counts the programmed pages from here on.
    pub fn forget_counts(&mut self) {
        self.ftl.forget_counts();
    }

    /// When bytes that are there now are across the interface.
    fn across_ns(&mut self, now_ns: u64, bytes: u64) -> u64 {
        let begin = now_ns.max(self.bus_free_ns);
        self.bus_free_ns = begin + transfer_ns(bytes, self.figures.interface_rate);
        self.bus_free_ns
    }

    /// When something happens next within. What leaves the buffer is of no interest where nobody waits for its room.
    fn next_ns(&self) -> Option<u64> {
        let stage = self.stages.next_ns();
        let room = self.crowded.front().and_then(|_| self.buffer.next_ns());
        stage.into_iter().chain(room).min()
    }

    /// Lets happen what happens next at this time.
    fn go_on(&mut self, now_ns: u64) {
        if let Some((stage, request)) = self.stages.take(now_ns) {
            match stage {
                Stage::Decoded => self.decoded(now_ns, request),
                Stage::Read => {
                    let end = self.across_ns(now_ns, request.length_bytes);
                    self.finished.add(end, request.id);
                }
                Stage::Received => self.received(now_ns, &request),
            }
        }
        self.admit_crowded(now_ns);
    }

    fn decoded(&mut self, now_ns: u64, request: Request) {
        match request.kind {
            RequestKind::Read => {
                let read_ns = self.read_ns(now_ns, &request);
                self.stages.add(read_ns, Stage::Read, request);
            }
            RequestKind::Write { .. } | RequestKind::Flush => self.crowded.push_back(request),
            RequestKind::Trim => {
                pages(&request).for_each(|page| self.ftl.trim(page));
                self.finished.add(now_ns, request.id);
            }
        }
    }

    /// When all pages are read from their dies; a page that was trimmed or never written needs none.
    fn read_ns(&mut self, now_ns: u64, request: &Request) -> u64 {
        let mut end = now_ns;
        for page in pages(request) {
            if let Some(die) = self.ftl.die(page, self.dies.len()) {
                end = end.max(self.dies[die].work(now_ns, self.figures.read_ns));
            }
        }
        end
    }

    /// Lets writes into the buffer, in the order in which they came, as long as there is room.
    fn admit_crowded(&mut self, now_ns: u64) {
        while let Some(request) = self.crowded.front().copied() {
            let (bytes, is_flush) = (request.length_bytes, request.kind == RequestKind::Flush);
            if !is_flush {
                if !self.buffer.admit(now_ns, bytes) {
                    return;
                }
                self.received_ns = self.across_ns(now_ns, bytes);
            }
            // A flush knows what it waits for as soon as the writes before it have come across.
            let received_ns = self.received_ns.max(now_ns);
            self.stages.add(received_ns, Stage::Received, request);
            self.crowded.pop_front();
        }
    }

    /// A write is answered from the buffer, or from flash where that must be; a flush when all is there.
    fn received(&mut self, now_ns: u64, request: &Request) {
        let end = match request.kind {
            RequestKind::Write { fua: true } => self.write_ns(now_ns, request),
            RequestKind::Flush => self.buffer.empty_ns(now_ns),
            _ => {
                self.write_ns(now_ns, request);
                now_ns
            }
        };
        self.finished.add(end, request.id);
    }

    /// When all pages of a write are programmed.
    fn write_ns(&mut self, now_ns: u64, request: &Request) -> u64 {
        let mut programmed = now_ns;
        for page in pages(request) {
            programmed = programmed.max(self.program(now_ns, page));
        }
        self.buffer.leaves(programmed, request.length_bytes);
        self.last_work_ns = self.last_work_ns.max(programmed);
        programmed
    }

    /// When a page is programmed. Whatever garbage collection it causes is work of the dies as well.
    fn program(&mut self, now_ns: u64, page: u32) -> u64 {
        let cost = self.ftl.write(page);
        self.collect(now_ns, cost);
        let figures = &self.figures;
        let is_fast = self.slc_used_bytes + PAGE_BYTES <= figures.slc_bytes;
        self.slc_used_bytes += if is_fast { PAGE_BYTES } else { 0 };
        match self.ftl.die(page, self.dies.len()) {
            Some(die) => self.dies[die].program(now_ns, is_fast, figures),
            None => now_ns,
        }
    }

    /// Dies take turns: it is always the same page of a block that fills it, and so always on the same die.
    fn collect(&mut self, now_ns: u64, cost: PageCost) {
        if cost.erased > 0 {
            let work_ns = self.figures.collection_ns(cost);
            self.dies[self.next_collector].work(now_ns, work_ns);
            self.next_collector = (self.next_collector + 1) % self.dies.len();
        }
    }

    /// While nothing was asked for, the faster part was emptied.
    fn fold(&mut self, at_ns: u64) {
        let idle = at_ns.saturating_sub(self.last_work_ns);
        let moved = u128::from(idle) * u128::from(self.figures.fold_rate) / u128::from(SECOND_NS);
        let moved = u64::try_from(moved).unwrap_or(u64::MAX);
        self.slc_used_bytes = self.slc_used_bytes.saturating_sub(moved);
        self.last_work_ns = self.last_work_ns.max(at_ns);
    }
}

/// The pages that a request touches.
fn pages(request: &Request) -> std::ops::Range<u32> {
    let first = request.offset_bytes / PAGE_BYTES;
    let end = request.end_bytes().div_ceil(PAGE_BYTES);
    let page = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    page(first)..page(end)
}

impl Disk for Ssd {
    fn bytes(&self) -> u64 {
        self.figures.bytes
    }

    fn submit(&mut self, at_ns: u64, request: Request) {
        self.fold(at_ns);
        let decoded_ns = at_ns + self.figures.command_ns;
        self.stages.add(decoded_ns, Stage::Decoded, request);
    }

    fn next_event_ns(&self) -> Option<u64> {
        self.finished
            .next_ns()
            .into_iter()
            .chain(self.next_ns())
            .min()
    }

    fn step(&mut self) -> Option<Completion> {
        let finished = self.finished.next_ns().unwrap_or(u64::MAX);
        match self.next_ns() {
            Some(now_ns) if now_ns <= finished => {
                self.go_on(now_ns);
                None
            }
            _ => self.finished.take(),
        }
    }
}

#[cfg(test)]
mod tests;
