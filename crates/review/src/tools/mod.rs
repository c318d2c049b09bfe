//! What benchmark programs print, one file a program.

mod bonnie;
mod command;
mod dd;
mod elbencho;
mod fdtree;
mod fio;
mod fio_json;
mod hdparm;
mod iostat;
mod iozone;
mod phoronix;
mod sar;
mod sysbench;

pub(crate) use command::Command;
pub use sar::{Disk, average_disks};

use crate::{Figure, Page};

/// Every reader.
const READERS: [fn(&Page) -> Vec<Figure>; 12] = [
    dd::figures,
    hdparm::figures,
    iozone::figures,
    fio::figures,
    fio_json::figures,
    bonnie::figures,
    sysbench::figures,
    fdtree::figures,
    elbencho::figures,
    phoronix::figures,
    sar::figures,
    iostat::figures,
];

/// Every figure that a program printed, in the order of the page.
pub fn figures(page: &Page) -> Vec<Figure> {
    let mut found: Vec<Figure> = READERS.iter().flat_map(|read| read(page)).collect();
    found.sort_by_key(|figure| figure.line);
    found
}
