//! What a copy has moved so far.

use etalon_units::Bytes;
use schemars::JsonSchema;
use serde::Serialize;

/// Records and bytes of one copy; a record is one read or one write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counts {
    /// Reads that filled an input block.
    pub full_in: u64,
    /// Reads that came short.
    pub partial_in: u64,
    /// Reads that failed, which `conv=noerror` passes over.
    pub failed_in: u64,
    /// Writes of a whole output block.
    pub full_out: u64,
    /// Writes of less.
    pub partial_out: u64,
    /// Lines that `conv=block` cut.
    pub truncated: u64,
    /// Bytes written, or sought over by `conv=sparse`.
    pub bytes: Bytes,
    /// Bytes that reads brought, without padding.
    #[serde(rename = "read_bytes")]
    pub read: Bytes,
    /// Of the blocks of the output, those that `conv=sparse` sought over.
    pub sought_out: u64,
    /// Of `bytes`, those of these blocks.
    #[serde(rename = "sought_bytes")]
    pub sought: Bytes,
    /// Writes that went through the page cache although `oflag=direct` was given: dd turns `O_DIRECT` off at the first
    /// block that is not whole.
    pub buffered_out: u64,
    /// Bytes of them.
    #[serde(rename = "buffered_bytes")]
    pub buffered: Bytes,
}

impl Counts {
    /// Reads of both kinds.
    pub fn records_in(&self) -> u64 {
        self.full_in + self.partial_in
    }

    /// Blocks of the output that were written, without those that were sought over.
    pub fn writes(&self) -> u64 {
        (self.full_out + self.partial_out).saturating_sub(self.sought_out)
    }

    /// Bytes of them.
    pub fn written(&self) -> Bytes {
        Bytes(self.bytes.get().saturating_sub(self.sought.get()))
    }

    /// Whether `oflag=direct` was in force for less than all blocks but the last: the figure is one of the page cache then.
    pub fn left_direct_early(&self) -> bool {
        self.buffered_out > 1 || (self.buffered_out > 0 && self.writes() <= 1)
    }

    pub(crate) fn wrote(&mut self, bytes: usize) {
        self.bytes = Bytes(self.bytes.get() + bytes as u64);
    }

    pub(crate) fn went_through_the_cache(&mut self, bytes: usize) {
        self.buffered_out += 1;
        self.buffered = Bytes(self.buffered.get() + bytes as u64);
    }

    /// What was sought over counts as written, as for dd.
    pub(crate) fn sought_over(&mut self, bytes: usize) {
        self.sought_out += 1;
        self.sought = Bytes(self.sought.get() + bytes as u64);
    }
}
