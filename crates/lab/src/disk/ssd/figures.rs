//! What a disk of flash is made of.

use super::PAGE_BYTES;
use super::ftl::PageCost;

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
    /// A die programs one unit, full or not.
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

impl SsdFigures {
    /// Pages that are programmed together.
    pub(super) fn unit_pages(&self) -> u64 {
        (self.program_bytes / PAGE_BYTES).max(1)
    }

    /// How long a unit takes.
    pub(super) fn unit_ns(&self, is_fast: bool) -> u64 {
        match is_fast {
            true => self.slc_program_ns,
            false => self.program_ns,
        }
    }

    /// How long a collection takes, whose copies fill their units.
    pub(super) fn collection_ns(&self, cost: PageCost) -> u64 {
        let program_ns = self.program_ns / self.unit_pages();
        let copied = u64::from(cost.copied) * (self.read_ns + program_ns);
        copied + u64::from(cost.erased) * self.erase_ns
    }
}
