//! Where a figure of the quick check lies among storage of its class, by what makers publish.
//!
//! The table is that of `docs/ranges.md`, where every figure has its source; nothing is said beyond it.

use etalon_language::{figure as local, say};
use etalon_model::stack::DeviceKind;
use etalon_model::{Cell, Interval, Verdict};
use etalon_units::OpRate;

use crate::role::{Role, figure, is_direct, role};

/// Which row of the quick check a range is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QuickRow {
    SequentialReads,
    /// Of 4 KiB, one at a time.
    RandomReads,
}

/// From the slowest to the fastest of a class, in bytes or operations per second.
struct ClassRange {
    row: QuickRow,
    low: f64,
    high: f64,
    /// What the range is of.
    class: fn() -> String,
}

const MB: f64 = 1e6;

/// What makers publish of sequential reads, and the SD Association of random ones.
fn range(kind: DeviceKind) -> ClassRange {
    let (low, high, class): (f64, f64, fn() -> String) = match kind {
        DeviceKind::SataSsd => (500.0, 560.0, || say!("class-sata-ssd")),
        DeviceKind::NvmePcie3 => (2000.0, 3500.0, || say!("class-nvme-3")),
        DeviceKind::NvmePcie4 => (3000.0, 7450.0, || say!("class-nvme-4")),
        DeviceKind::HardDisk7200 => (83.0, 270.0, || say!("class-hard-disk")),
        DeviceKind::SdCard => {
            return ClassRange {
                row: QuickRow::RandomReads,
                low: 1500.0,
                high: 4000.0,
                class: String::new,
            };
        }
    };
    ClassRange {
        row: QuickRow::SequentialReads,
        low: low * MB,
        high: high * MB,
        class,
    }
}

/// `Sequential reads of 519 MiB/s (544 MB/s) lie where SATA SSDs lie (500 to 560 MB/s by their data sheets).`; `None`
/// without a valid figure with its interval, past the page cache, or where the interval reaches over an end.
pub(super) fn sentence(kind: DeviceKind, cells: &[Cell]) -> Option<String> {
    let range = range(kind);
    let cell = cells.iter().find(|cell| is_of(cell, range.row))?;
    let estimate = cell.estimate();
    let interval = estimate.interval.as_ref()?;
    if cell.verdict != Verdict::Valid || !is_direct(cell) {
        return None;
    }
    let side = side(interval, &range)?;
    let shown = figure(cell, estimate.value);
    Some(match range.row {
        QuickRow::SequentialReads => of_class(side, shown, estimate.value, &range),
        QuickRow::RandomReads => of_cards(side, shown, &range),
    })
}

/// Sequential reads below, within or above the range of a class.
fn of_class(side: usize, shown: String, value: f64, range: &ClassRange) -> String {
    let mb = |value: f64| local(format!("{:.0} MB/s", value / MB));
    let (decimal, class) = (mb(value), (range.class)());
    let low = local(format!("{:.0}", range.low / MB));
    let high = mb(range.high);
    match side {
        0 => say!(
            "page-class-below",
            figure = shown,
            decimal = decimal,
            class = class,
            low = low,
            high = high,
        ),
        1 => say!(
            "page-class-within",
            figure = shown,
            decimal = decimal,
            class = class,
            low = low,
            high = high,
        ),
        _ => say!(
            "page-class-above",
            figure = shown,
            decimal = decimal,
            class = class,
            low = low,
            high = high,
        ),
    }
}

/// Random reads below, between or above what the classes of SD cards must reach.
fn of_cards(side: usize, shown: String, range: &ClassRange) -> String {
    let [low, high] = [range.low, range.high].map(|rate| local(OpRate(rate).iops()));
    match side {
        0 => say!("page-card-below", figure = shown, low = low, high = high),
        1 => say!("page-card-within", figure = shown, low = low, high = high),
        _ => say!("page-card-above", figure = shown, low = low, high = high),
    }
}

fn is_of(cell: &Cell, row: QuickRow) -> bool {
    match row {
        QuickRow::SequentialReads => role(cell) == Role::Large { reads: true },
        QuickRow::RandomReads => {
            role(cell)
                == Role::Small {
                    reads: true,
                    depth: 1,
                }
        }
    }
}

/// 0 below, 1 within, 2 above.
fn side(interval: &Interval, range: &ClassRange) -> Option<usize> {
    match interval {
        i if i.high < range.low => Some(0),
        i if i.low > range.high => Some(2),
        i if i.low >= range.low && i.high <= range.high => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use etalon_model::{IoWorkload, Operation};
    use etalon_units::Bytes;

    fn cell(operation: Operation, block: Bytes, value: f64) -> Cell {
        let mut cell = samples::cells().remove(0);
        cell.workload = IoWorkload {
            operation,
            block_size: block.into(),
            direct: true,
            ..IoWorkload::default()
        }
        .into();
        cell.unit = match operation {
            Operation::Read => etalon_model::Unit::BytesPerSecond,
            _ => etalon_model::Unit::OperationsPerSecond,
        };
        for estimate in [&mut cell.mean, &mut cell.median] {
            estimate.value = value;
            let interval = estimate.interval.as_mut().unwrap();
            (interval.low, interval.high) = (value * 0.99, value * 1.01);
        }
        cell
    }

    fn told(kind: DeviceKind, mb: f64) -> Option<String> {
        sentence(kind, &[cell(Operation::Read, Bytes::mib(1), mb * MB)])
    }

    #[test]
    fn a_figure_lies_below_within_or_above_its_class_in_the_units_of_both() {
        let told = |mb| told(DeviceKind::SataSsd, mb).unwrap();
        assert_eq!(
            told(544.0),
            "Sequential reads of 519 MiB/s (544 MB/s) lie where SATA SSDs lie (500 to 560 MB/s by their data sheets)."
        );
        assert!(told(250.0).contains("lie below where SATA SSDs lie"));
        assert!(told(700.0).contains("lie above where SATA SSDs lie"));
    }

    #[test]
    fn each_class_has_its_own_range() {
        for (kind, slow, fits, fast) in [
            (DeviceKind::NvmePcie3, 1500.0, 3400.0, 5000.0),
            (DeviceKind::NvmePcie4, 2000.0, 7000.0, 9000.0),
            (DeviceKind::HardDisk7200, 60.0, 180.0, 500.0),
        ] {
            let is = |mb, words| told(kind, mb).unwrap().contains(words);
            assert!(is(slow, "lie below where"), "{kind:?}");
            assert!(is(fits, "lie where"), "{kind:?}");
            assert!(is(fast, "lie above where"), "{kind:?}");
        }
        for (iops, words) in [
            (900.0, "below what A1 asks for"),
            (2500.0, "between what A1 and A2"),
            (6000.0, "above what A2"),
        ] {
            let cells = [cell(Operation::RandRead, Bytes::kib(4), iops)];
            let told = sentence(DeviceKind::SdCard, &cells).unwrap();
            assert!(told.contains(words), "{told}");
        }
    }

    #[test]
    fn nothing_is_said_where_the_interval_reaches_over_an_end_or_the_figure_does_not_count() {
        assert_eq!(told(DeviceKind::SataSsd, 560.0), None);
        let sound = cell(Operation::Read, Bytes::mib(1), 544.0 * MB);
        let spoil: [fn(&mut Cell); 3] = [
            |cell| {
                cell.verdict = Verdict::Invalid {
                    reasons: Vec::new(),
                }
            },
            |cell| (cell.mean.interval, cell.median.interval) = (None, None),
            |cell| {
                if let etalon_model::Workload::Io(io) = &mut cell.workload {
                    io.direct = false;
                }
            },
        ];
        for spoil in spoil {
            let mut cell = sound.clone();
            spoil(&mut cell);
            assert_eq!(sentence(DeviceKind::SataSsd, &[cell]), None);
        }
    }

    /// The table that users read has every end of every range.
    #[test]
    fn the_documented_table_has_these_ranges() {
        let table = include_str!("../../../../docs/ranges.md");
        for (kind, row) in [
            (DeviceKind::SataSsd, "| SATA SSD | 500 to 560 MB/s |"),
            (
                DeviceKind::NvmePcie3,
                "| NVMe SSD, PCIe 3.0 x4 | 2000 to 3500 MB/s |",
            ),
            (
                DeviceKind::NvmePcie4,
                "| NVMe SSD, PCIe 4.0 x4 | 3000 to 7450 MB/s |",
            ),
            (
                DeviceKind::HardDisk7200,
                "| hard disk, 7200 rpm | 83 to 270 MB/s |",
            ),
            (DeviceKind::SdCard, "1500 (A1) to 4000 (A2) IOPS"),
        ] {
            let range = range(kind);
            let unit = if range.row == QuickRow::SequentialReads {
                MB
            } else {
                1.0
            };
            let ends = [range.low, range.high].map(|end| format!("{:.0}", end / unit));
            assert!(table.contains(row), "{row}");
            assert!(
                ends.iter().all(|end| row.contains(end.as_str())),
                "{row}: {ends:?}"
            );
        }
    }
}
