//! `etalon iozone`: the command line of iozone, its layout, its spreadsheet, and etalon's verdict.
//!
//! [`Iozone`] reads [`Options`] (one table defines every option), lays out a [`IozoneGrid`] of file and record sizes, lets `etalon_file_ops` do the work, and
//! writes as it goes. Each row of the table is measured several times and printed once; after
//! iozone's last line follow the interval of every figure, the findings and the verdict. Lines and
//! labels that programs read are those of iozone 3.
//!
//! What differs from iozone, on purpose:
//! - a random pass visits each record once, and so does a strided one, to its last record;
//! - `-i 9` to `-i 12` work by themselves, without `-E`;
//! - `-b` writes an XLSX workbook under the name that was given;
//! - a file that was there before and was only read is not removed at the end;
//! - with `-B` the tests that are named for a call (`-i 6`, `-i 7`, `-i 9` to `-i 12`) stay calls;
//!   `-D` and `-G` call msync once over the whole file, after its last record; with `-Z` every
//!   other record goes by a call;
//! - with `-H` and `-k` the records go through a ring of `io_uring(7)` and end in any order, where
//!   iozone asks glibc's aio(7), which works on one request of a file at a time;
//! - with `-+d` the data depend on the place in the file and on the file's number in its group, not
//!   on the pass, so that a later command can compare them; a rewrite that was lost is not noticed;
//! - `-W`, `-+l` and `-+L` lock for reading what is read (several may) and for writing what is written,
//!   by locks of the opened file, which keep threads apart too;
//! - the shares of `-+w`, `-+y` and `-+C` are rounded down to sectors of 512 bytes of each record;
//! - the computing of `-J`, `-X` and `-Y` overlaps the I/O of a queue: with `-H` and `-k` it is
//!   allowed with `-+J` only, which counts it;
//! - `-r` beside `-y` or `-q`, `-t` beside `-l` or `-u`, and several names of `-F` without a group, are refused; other
//!   options of sizes and names that have no effect are named on standard error;
//! - `-+T` logs the run in the middle, like `-Q`; a log that is there already is left as it is, and the
//!   command refused.

mod allowance;
mod asked;
mod batch;
mod cell;
mod check;
mod columns;
mod command;
mod error;
mod files;
mod findings;
mod grid;
mod group;
mod group_text;
mod header;
mod ignored;
mod judging;
mod kept;
mod latency_files;
mod logs;
mod measure;
mod modes;
mod options;
mod parameters;
mod parse;
mod repeat;
mod report;
mod row_text;
mod rows;
mod series;
mod session;
mod sheet;
mod single;
mod size;
mod specs;
mod table;
mod telemetry;
mod time_stamps;
mod unit;
mod verdict_text;

pub use cell::Cell;
pub use command::Iozone;
pub use error::{IozoneError, IozoneUsage, ListError};
pub use grid::{GridRow, IozoneGrid};
pub use options::{Ask, Options, Repeat};
pub use telemetry::parse_list;
pub use unit::Unit;

#[cfg(test)]
mod tests;
