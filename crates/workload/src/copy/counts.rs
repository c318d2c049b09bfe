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
}

impl Counts {
    /// Reads of both kinds.
    pub fn records_in(&self) -> u64 {
        self.full_in + self.partial_in
    }

    pub(crate) fn wrote(&mut self, bytes: usize) {
        self.bytes = Bytes(self.bytes.get() + bytes as u64);
    }
}
