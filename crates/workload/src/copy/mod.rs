//! Copying as dd(1) does it, byte for byte, with the counts and the messages that dd gives.
//!
//! [`parse`] turns operands into [`CopySettings`]; [`open`] opens the two files, the output
//! through `etalon_factor::guard`; [`copy`] moves the data from a [`Source`] to a [`Sink`] and
//! tells an [`Observer`] what happens. [`statistics`] writes dd's three lines.

mod buffer;
mod charset;
mod convert;
mod counts;
mod ends;
mod engine;
mod flags;
mod human;
mod input_side;
pub(crate) mod notice;
mod number;
mod observation;
mod observer;
mod open;
mod operand_error;
mod operands;
mod output_side;
mod records;
mod report;
mod settings;

pub(crate) use buffer::AlignedBuffer;
pub use counts::Counts;
pub use ends::{Descriptor, Sink, Source};
pub use engine::{Copied, copy};
pub use human::rate as human_rate;
pub use notice::{Notice, Side, SyncCall};
pub use observation::{Before, CopyObservation, Dirty, DiskTraffic, Share};
pub use observer::{Go, Observer};
pub use open::{Ends, OpenError, open};
pub use operand_error::{Conflict, OperandError};
pub use operands::parse;
pub use report::{progress, statistics};
pub use settings::{
    Case, Charset, Conversions, CopySettings, DEFAULT_BLOCK_BYTES, Extent, FileFlags, Records,
    StatusLevel,
};

#[cfg(test)]
mod tests;
