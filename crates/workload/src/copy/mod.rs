//! Copying as dd(1) does it, byte for byte, with the counts and the messages that dd gives.
//!
//! [`open`] opens the two files of [`CopySettings`], the output through `etalon_factor::guard`; [`copy()`]
//! moves the data from a [`Source`] to a [`Sink`] and tells an [`Observer`] what happens.

mod buffer;
mod charset;
mod convert;
mod counts;
mod early_end;
mod ends;
mod engine;
pub mod human;
mod input_side;
pub(crate) mod notice;
mod observation;
mod observer;
mod open;
mod output_side;
mod records;
mod settings;

pub(crate) use buffer::AlignedBuffer;
pub use counts::Counts;
pub use ends::{Descriptor, Sink, Source};
pub use engine::{Copied, copy};
pub use notice::{Notice, Side, SyncCall};
pub use observation::{CopyCounters, CopyObservation, Dirty, DiskTraffic, Share};
pub use observer::{Go, Observer};
pub use open::{Ends, OpenError, open};
pub use settings::{
    Case, Charset, Conversions, CopySettings, DEFAULT_BLOCK_BYTES, Extent, FileFlags,
    MAX_BLOCK_BYTES, Records, StatusLevel,
};

#[cfg(test)]
mod tests;
