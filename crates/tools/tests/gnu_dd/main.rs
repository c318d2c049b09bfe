//! GNU dd and this crate side by side.
//!
//! `table`: chosen operands, kind by kind. `random_operands`: any operands, by proptest.
//! `published_lines`: command lines that people have published. `signals`: SIGUSR1 and SIGINT.
//! `own_options`: what etalon adds. `parsers`: what scripts make of the lines. `side_by_side` runs both programs and compares what they leave.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of a test fail by panicking, and say what was skipped and counted"
)]

mod own_options;
mod parsers;
mod published_lines;
mod random_operands;
mod side_by_side;
mod signals;
mod table;
