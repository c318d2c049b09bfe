//! Alternated runs of the engine and its peers, and the ratios between them.
//!
//! A [`Contestant`] runs once and gives a figure; [`alternate`] runs all of them in random order
//! within blocks; [`Table`] prints medians, spreads and the ratio of the first to each other one. A [`Pair`] is
//! etalon and the tool whose command line it takes, with the interval of each figure's ratio, on a
//! [`LoopDisk`] or a [`LoopFilesystem`]. [`clients`] holds clients of databases and web servers against each other.

mod agreement;
mod alternate;
pub mod clients;
mod contestant;
mod loop_disk;
mod made;
mod ratio;
pub mod served;
mod setting;
mod workers;
mod zram;

pub use agreement::{Agreement, Column, Figures, Pair};
pub use alternate::{Table, alternate};
pub use contestant::{Contestant, Pinned, elbencho, engine, engine_field, fio, t_io_uring};
pub use loop_disk::{LoopDisk, LoopFilesystem};
pub use made::{begin_made, made_run};
pub use ratio::{Ratio, difference, median, ratio, spread};
pub use setting::WholeSeconds;
pub use workers::WorkersOn;
pub use zram::Zram;
