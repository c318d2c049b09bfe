//! Quantities with their units: what people type is parsed here, what people read is printed here.
//!
//! The main types are [`Bytes`] (a size or an offset), [`Nanos`] (a span of time),
//! [`ByteRate`] and [`OpRate`] (bytes and operations per second) and [`Percent`] (a share), each of which gives a [`Figure`]. Everything else in the workspace
//! holds these types or an integer whose name ends in its unit. [`visible`] and its kin print text
//! that came from outside, so that no terminal obeys it; [`quoted_name`] prints it as a shell reads
//! it back. This crate depends on nothing of the
//! workspace.

mod bytes;
mod figure;
mod nanos;
mod percent;
mod quote;
mod rate;
mod visible;

pub use bytes::{Bytes, ParseBytesError};
pub use figure::Figure;
pub use nanos::{Nanos, ParseNanosError};
pub use percent::{ParsePercentError, Percent};
pub use quote::{quoted, quoted_name, shell_line, shell_word};
pub use rate::{ByteRate, OpRate, per_second};
pub use visible::{Visible, visible, visible_lines, visible_name};
