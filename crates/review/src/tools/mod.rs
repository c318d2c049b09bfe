//! What benchmark programs print, one file a program.

mod bonnie;
mod command;
mod dd;
mod dd_commands;
mod device_row;
mod elbencho;
mod fdtree;
mod fio;
mod fio_clones;
mod fio_documents;
mod fio_files;
mod fio_heads;
mod fio_json;
mod fio_options;
mod fio_sections;
mod hdparm;
mod iostat;
mod iozone;
mod iozone_columns;
mod iozone_context;
mod iozone_options;
mod phoronix;
mod sar;
mod sysbench;
mod sysbench_test;
mod unread;

pub(crate) use command::Command;
pub(crate) use iozone_options::IozoneOptions;
pub use sar::{SarDisk, average_disks};
pub use unread::{UnreadLine, unread};

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
    found.retain(is_told);
    found.sort_by_key(|figure| figure.line);
    found
}

/// Whether there is a number in it: `nan` and the like are none.
fn is_told(figure: &Figure) -> bool {
    let rates = [figure.bytes_per_second, figure.operations_per_second];
    let all = [rates[0], rates[1], figure.seconds, figure.bytes];
    let is_number = |value: &f64| value.is_finite() && *value >= 0.0;
    let has_rate = rates.iter().flatten().next().is_some() || figure.seconds.is_some();
    has_rate && all.iter().flatten().all(is_number)
}
