//! Flash: dies that work at once, pages that are programmed once and erased by the block, spare room
//! with garbage collection, a faster part that fills, a buffer with flush, and TRIM.

mod buffer;
mod ftl;

use super::finished::Finished;
use super::{Completion, Disk, Request, RequestKind, SECOND_NS, transfer_ns};

use buffer::Buffer;
pub use ftl::{Ftl, PAGE_BYTES};

/// What flash is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SsdFigures {
    /// What a user sees.
    pub bytes: u64,
    /// What is there besides.
    pub spare_bytes: u64,
    /// Pages of 4 KiB that are erased together.
    pub pages_per_block: u32,
    /// Dies that work at once.
    pub dies: usize,
    /// A page is read from a die.
    pub read_ns: u64,
    /// A die programs one unit.
    pub program_ns: u64,
    /// The same in the faster part, with one bit in a cell.
    pub slc_program_ns: u64,
    /// Bytes of such a unit.
    pub program_bytes: u64,
    /// A block is erased.
    pub erase_ns: u64,
    /// Bytes of the faster part; 0 is none.
    pub slc_bytes: u64,
    /// Bytes per second that leave the faster part while nothing is asked for.
    pub fold_rate: u64,
    /// What the controller takes for a command.
    pub command_ns: u64,
    /// Bytes per second of the interface.
    pub interface_rate: u64,
    /// Writes that are answered before they are programmed.
    pub buffer_bytes: u64,
}

/// The disk.
#[derive(Debug)]
pub struct Ssd {
    figures: SsdFigures,
    ftl: Ftl,
    /// When each die is free.
    dies: Vec<u64>,
    next_die: usize,
    buffer: Buffer,
    slc_used_bytes: u64,
    last_work_ns: u64,
    bus_free_ns: u64,
    finished: Finished,
}

impl Ssd {
    /// A disk fresh out of its box.
    #[must_use]
    pub fn new(figures: SsdFigures) -> Ssd {
        Ssd {
            ftl: Ftl::new(figures.bytes, figures.spare_bytes, figures.pages_per_block),
            dies: vec![0; figures.dies.max(1)],
            next_die: 0,
            buffer: Buffer::new(figures.buffer_bytes),
            slc_used_bytes: 0,
            last_work_ns: 0,
            bus_free_ns: 0,
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

    fn across_ns(&mut self, at_ns: u64, bytes: u64) -> u64 {
        let begin = at_ns.max(self.bus_free_ns);
        self.bus_free_ns = begin + transfer_ns(bytes, self.figures.interface_rate);
        self.bus_free_ns
    }

    /// When all pages are read from their dies; a page that was never written needs none.
    fn read(&mut self, at_ns: u64, request: &Request) -> u64 {
        let mut end = at_ns;
        for page in pages(request) {
            if let Some(die) = self.ftl.die(page, self.dies.len()) {
                let free = &mut self.dies[die];
                *free = at_ns.max(*free) + self.figures.read_ns;
                end = end.max(*free);
            }
        }
        self.across_ns(end, request.length_bytes)
    }

    /// When a write is answered: it is in the buffer, or on flash where that must be.
    fn write(&mut self, at_ns: u64, request: &Request, fua: bool) -> u64 {
        let begin = self.buffer.room_ns(at_ns, request.length_bytes);
        let across = self.across_ns(begin, request.length_bytes);
        let mut programmed = across;
        for page in pages(request) {
            programmed = programmed.max(self.program(across, page));
        }
        self.buffer.add(programmed, request.length_bytes);
        self.last_work_ns = self.last_work_ns.max(programmed);
        if fua { programmed } else { across }
    }

    /// When a page is programmed, with the garbage collection that it caused.
    fn program(&mut self, at_ns: u64, page: u32) -> u64 {
        let figures = &self.figures;
        let cost = self.ftl.write(page);
        let fast = self.slc_used_bytes + PAGE_BYTES <= figures.slc_bytes;
        let unit_ns = match fast {
            true => figures.slc_program_ns,
            false => figures.program_ns,
        };
        self.slc_used_bytes += if fast { PAGE_BYTES } else { 0 };
        let page_ns = |unit_ns: u64| unit_ns * PAGE_BYTES / figures.program_bytes.max(PAGE_BYTES);
        let copied = u64::from(cost.copied) * (figures.read_ns + page_ns(figures.program_ns));
        let work = page_ns(unit_ns) + copied + u64::from(cost.erased) * figures.erase_ns;
        let free = &mut self.dies[self.next_die];
        *free = at_ns.max(*free) + work;
        let end = *free;
        self.next_die = (self.next_die + 1) % self.dies.len();
        end
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
        let begin = at_ns + self.figures.command_ns;
        let end = match request.kind {
            RequestKind::Read => self.read(begin, &request),
            RequestKind::Write { fua } => self.write(begin, &request, fua),
            RequestKind::Flush => self.buffer.empty_ns(begin),
            RequestKind::Trim => {
                pages(&request).for_each(|page| self.ftl.trim(page));
                begin
            }
        };
        self.finished.add(end, request.id);
    }

    fn next_event_ns(&self) -> Option<u64> {
        self.finished.next_ns()
    }

    fn step(&mut self) -> Option<Completion> {
        self.finished.take()
    }
}

#[cfg(test)]
mod tests;
