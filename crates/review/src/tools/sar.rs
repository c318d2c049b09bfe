//! What `sar -d` prints of disks: `Average: sde 309,50 213753,60 0,00 ...`.

use super::device_row::device_row;
use crate::{Action, Figure, Line, Page, Tool};

/// One disk's line of averages.
#[derive(Debug, Clone, PartialEq)]
pub struct SarDisk {
    /// Its line, from 1.
    pub line: usize,
    /// Its name.
    pub name: String,
    /// Transfers a second.
    pub transfers: f64,
    /// What it read a second, in sectors or kB, as the version of sar prints it.
    pub read: f64,
    /// What it wrote a second.
    pub written: f64,
}

/// The lines of averages of disks.
pub fn average_disks(page: &Page) -> Vec<SarDisk> {
    page.lines
        .iter()
        .filter_map(|line| disk(page, line))
        .collect()
}

fn disk(page: &Page, line: &Line) -> Option<SarDisk> {
    let rest = line
        .plain
        .trim()
        .strip_prefix("average:")
        .or_else(|| line.plain.trim().strip_prefix("moyenne :"))?;
    let (name, numbers) = device_row(page, rest)?;
    let known = [
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "md", "dm-", "loop", "zram", "dev",
    ]
    .iter()
    .any(|start| name.starts_with(start));
    let [transfers, read, written, ..] = numbers.as_slice() else {
        return None;
    };
    known.then(|| SarDisk {
        line: line.number,
        name: name.to_owned(),
        transfers: transfers.value,
        read: read.value,
        written: written.value,
    })
}

/// Transfers a second of each disk.
pub(super) fn figures(page: &Page) -> Vec<Figure> {
    let disks = average_disks(page).into_iter();
    disks
        .map(|disk| {
            let mut figure = Figure::new(Tool::Sar, disk.line, Action::Other, "transfers");
            figure.operations_per_second = Some(disk.transfers);
            figure.quoted = format!("{} transfers/s", disk.transfers);
            figure.place = Some(disk.name);
            figure
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_of_disks_are_read() {
        let page = Page::read(
            "Average: sde    309,50 213753,60      0,00    690,64\nAverage: all 1,00 2,00 3,00\n",
        );
        let disks = average_disks(&page);
        assert_eq!(disks.len(), 1);
        assert_eq!(
            (disks[0].transfers, disks[0].read, disks[0].written),
            (309.5, 213753.6, 0.0)
        );
    }

    #[test]
    fn the_numbers_of_a_device_are_none_of_its_figures() {
        let page = Page::read(
            "Average: DEV tps rkB/s wkB/s\nAverage: dev8-16 305.10 210000.00 1.00\nAverage: dm-0 1.50 2.50 3.50\n",
        );
        let disks = average_disks(&page);
        let told: Vec<_> = disks
            .iter()
            .map(|disk| (&*disk.name, disk.transfers, disk.read, disk.written))
            .collect();
        assert_eq!(
            told,
            [("dev8-16", 305.1, 210000.0, 1.0), ("dm-0", 1.5, 2.5, 3.5)]
        );
    }
}
