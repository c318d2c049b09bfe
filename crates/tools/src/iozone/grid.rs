//! The file and record sizes that are measured.

use etalon_file_ops::{Lists, extent};
use etalon_units::Bytes;

use super::Options;
use super::error::Conflict;

/// The defaults of the automatic mode (iozone's manual, `-a`).
const SIZES: (Bytes, Bytes) = (Bytes::kib(64), Bytes::mib(512));
const RECORDS: (Bytes, Bytes) = (Bytes::kib(4), Bytes::mib(16));

/// From this file size on, records below [`CROSS_RECORD`] are left out (manual, `-A`).
const CROSS_SIZE: Bytes = Bytes::mib(32);
const CROSS_RECORD: Bytes = Bytes::kib(64);

/// What is measured when no size is given.
const SIZE: Bytes = Bytes::kib(512);
const RECORD: Bytes = Bytes::kib(4);

/// One line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GridRow {
    /// Size of the file.
    pub size: Bytes,
    /// Size of a record.
    pub record: Bytes,
}

/// All lines of the table, and the record sizes that head a report's columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IozoneGrid {
    /// The lines, in the order in which they are measured.
    pub rows: Vec<GridRow>,
    /// Record sizes, ascending.
    pub records: Vec<Bytes>,
}

impl IozoneGrid {
    /// The grid that the options describe.
    ///
    /// # Errors
    /// When a range is empty, or nothing is left of the grid.
    pub fn new(options: &Options) -> Result<IozoneGrid, Conflict> {
        let records = match options.records.as_slice() {
            given @ [_, ..] => given.to_vec(),
            [] => steps(
                options.min_record.unwrap_or(RECORDS.0),
                options
                    .max_record
                    .unwrap_or(RECORDS.1.max(options.min_record.unwrap_or_default())),
                options.multiplier,
                ("record", "-y", "-q"),
            )?,
        };
        if !options.is_grid() {
            let size = options.sizes.first().copied().unwrap_or(SIZE);
            let record = options.records.first().copied().unwrap_or(RECORD);
            return Ok(IozoneGrid {
                rows: vec![GridRow { size, record }],
                records,
            });
        }
        let sizes = match options.sizes.as_slice() {
            given @ [_, ..] => given.to_vec(),
            [] => steps(
                options
                    .min_size
                    .unwrap_or(SIZES.0.min(options.max_size.unwrap_or(SIZES.0))),
                options
                    .max_size
                    .unwrap_or(SIZES.1.max(options.min_size.unwrap_or_default())),
                options.multiplier,
                ("file", "-n", "-g"),
            )?,
        };
        let is_told = options.min_record.is_some() || !options.records.is_empty();
        let dense = options.all_records || is_told || options.has_several_sizes();
        let fits = |row: &GridRow| {
            let small = row.size >= CROSS_SIZE && row.record < CROSS_RECORD;
            row.record <= row.size && (dense || !small)
        };
        let all = sizes
            .iter()
            .flat_map(|&size| records.iter().map(move |&record| GridRow { size, record }));
        let mut rows: Vec<GridRow> = all.filter(fits).collect();
        if rows.is_empty() {
            rows.extend(closest(&sizes, &records)?);
        }
        Ok(IozoneGrid { rows, records })
    }
}

impl IozoneGrid {
    /// The one row of a file that lists describe: its records have no size of their own.
    pub(crate) fn of_lists(lists: &Lists) -> Option<IozoneGrid> {
        let ends = [&lists.writes, &lists.reads].into_iter().flatten();
        let size = Bytes(ends.map(|list| extent(list)).max()?);
        let record = Bytes::ZERO;
        Some(IozoneGrid {
            rows: vec![GridRow { size, record }],
            records: vec![record],
        })
    }
}

impl GridRow {
    /// The row of each of so many workers: with `-+k` they share the size of the file, in whole kilobytes.
    pub(crate) fn of_each(self, workers: usize, options: &Options) -> GridRow {
        if !options.constant_total {
            return self;
        }
        let kilobytes = (self.size.get() >> 10) / workers.max(1) as u64;
        GridRow {
            size: Bytes::kib(kilobytes),
            ..self
        }
    }

    /// The sizes of a file that lists describe, for what goes by records all the same: records of
    /// the usual size, and no more of the file than was written.
    pub(crate) fn by_records(self, lists: &Lists) -> GridRow {
        if self.record > Bytes::ZERO {
            return self;
        }
        let written = lists.writes.as_deref().map(|list| Bytes(extent(list)));
        let record = RECORD.min(written.unwrap_or(RECORD));
        let size = match written {
            Some(written) => written,
            None => Bytes(self.size.get().next_multiple_of(record.get())),
        };
        GridRow { size, record }
    }
}

/// The row that comes closest, of a grid whose records do not fit into its files: it is refused before anything is
/// measured, as the same sizes are without `-a`.
fn closest(sizes: &[Bytes], records: &[Bytes]) -> Result<Option<GridRow>, Conflict> {
    let row = sizes.iter().max().zip(records.iter().min());
    let row = row.map(|(&size, &record)| GridRow { size, record });
    match row {
        Some(GridRow { size, record }) if record <= size => Err(Conflict::NoLargeRecord {
            size: CROSS_SIZE,
            record: CROSS_RECORD,
        }),
        _ => Ok(row),
    }
}

/// `from`, and each the multiple of the one before, up to `to`.
fn steps(
    from: Bytes,
    to: Bytes,
    factor: u64,
    (what, lower, raise): (&'static str, &'static str, &'static str),
) -> Result<Vec<Bytes>, Conflict> {
    if from > to {
        return Err(Conflict::EmptyRange {
            what,
            least: from,
            most: to,
            lower,
            raise,
        });
    }
    let next = |size: &Bytes| size.get().checked_mul(factor).map(Bytes);
    Ok(std::iter::successors(Some(from), next)
        .take_while(|&size| size <= to)
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(words: &str) -> Vec<(u64, u64)> {
        let args: Vec<_> = words.split_whitespace().map(Into::into).collect();
        let grid = IozoneGrid::new(&Options::parse(&args).unwrap()).unwrap();
        grid.rows
            .iter()
            .map(|row| (row.size.get() >> 10, row.record.get() >> 10))
            .collect()
    }

    #[test]
    fn the_full_automatic_grid() {
        let rows = grid("-a");
        // 64 kB to 16 MB: 5 + 6 + ... + 13 record sizes; 32 MB to 512 MB: 9 each from 64 kB on.
        assert_eq!(rows.len(), (5..=13).sum::<usize>() + 5 * 9);
        assert_eq!((rows[0], rows[4], rows[5]), ((64, 4), (64, 64), (128, 4)));
        assert_eq!(rows.last(), Some(&(524_288, 16_384)));
        assert!(
            rows.iter()
                .all(|&(size, record)| size < 32_768 || record >= 64)
        );
    }

    #[test]
    fn small_records_on_large_files_when_asked_for() {
        for words in [
            "-a -n 32m -g 32m -z",
            "-A -n 32m -g 32m",
            "-a -n 32m -g 32m -y 4",
        ] {
            assert_eq!(grid(words)[0], (32_768, 4), "{words}");
        }
        assert_eq!(grid("-a -n 32m -g 32m")[0], (32_768, 64));
        assert_eq!(
            grid("-a -n 32m -g 32m -+x 4"),
            [64, 256, 1024, 4096, 16_384].map(|r| (32_768, r))
        );
    }

    #[test]
    fn a_grid_into_which_no_record_fits_keeps_the_row_that_comes_closest() {
        assert_eq!(grid("-a -s 4k -r 16k"), [(4, 16)]);
        assert_eq!(grid("-a -n 64k -g 64k -y 128k"), [(64, 128)]);
        assert_eq!(grid("-a -g 8k -y 16k"), [(8, 16)]);
        // One that fits is enough.
        assert_eq!(grid("-a -g 16k -n 4k -y 16k"), [(16, 16)]);
    }

    #[test]
    fn a_grid_of_small_records_on_large_files_alone_is_refused() {
        for words in ["-a -s 32m -q 32k", "-a -n 64m -q 8k"] {
            let args: Vec<_> = words.split_whitespace().map(Into::into).collect();
            let text = Options::parse(&args).unwrap_err().to_string();
            let part = "leaves records below 64 KiB out of files of 32 MiB and more";
            assert!(text.contains(part), "{words}: {text}");
            assert!(!grid(&format!("{words} -z")).is_empty(), "{words}");
        }
    }

    /// iozone's own rule: several sizes of either kind turn `-a` on, and no record is left out for its file's size.
    #[test]
    fn several_sizes_of_files_or_records_make_a_grid() {
        assert_eq!(grid("-s 1m -r 64 -r 4"), [(1024, 4), (1024, 64)]);
        let both = [(64, 4), (64, 16), (1024, 4), (1024, 16)];
        assert_eq!(grid("-s 1m -r 4 -r 16 -s 64"), both);
        assert_eq!(grid("-s 64 -s 16 -r 32"), [(64, 32)]);
        assert_eq!(
            grid("-s 8 -s 16"),
            [(8, 4), (8, 8), (16, 4), (16, 8), (16, 16)]
        );
        assert_eq!(grid("-s 64m -s 128m -q 4")[1], (131_072, 4));
        assert_eq!(
            grid("-r 4 -r 8 -g 128"),
            [(64, 4), (64, 8), (128, 4), (128, 8)]
        );
        assert_eq!(grid("-s 1m -s 1024 -r 4 -r 4k"), [(1024, 4)], "one size");
    }

    #[test]
    fn workers_share_a_file_size_where_it_is_the_sum_of_all() {
        let row = GridRow {
            size: Bytes::kib(64),
            record: Bytes::kib(4),
        };
        let of_each = |words: &[&str], workers| {
            let args: Vec<_> = words.iter().map(Into::into).collect();
            row.of_each(workers, &Options::parse(&args).unwrap())
        };
        assert_eq!(of_each(&["-t", "3"], 3), row);
        for (workers, kilobytes) in [(1, 64), (3, 21), (4, 16), (100, 0)] {
            let size = Bytes::kib(kilobytes);
            let expected = GridRow { size, ..row };
            assert_eq!(of_each(&["-t", "3", "-+k"], workers), expected);
        }
    }

    #[test]
    fn single_sizes() {
        assert_eq!(grid(""), [(512, 4)]);
        assert_eq!(grid("-s 16G -r 1M"), [(16 << 20, 1024)]);
        assert_eq!(grid("-a -s 1m -r 64"), [(1024, 64)]);
        assert_eq!(grid("-a -s 1m -q 8"), [(1024, 4), (1024, 8)]);
        assert_eq!(
            grid("-a -n 1g"),
            (0..9).map(|k| (1 << 20, 64 << k)).collect::<Vec<_>>()
        );
        assert_eq!(
            grid("-a -g 32 -i 0"),
            [(32, 4), (32, 8), (32, 16), (32, 32)]
        );
    }
}
