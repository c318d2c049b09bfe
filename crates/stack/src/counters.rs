//! The kernel's counters of every layer of a stack, and of a process.

use std::path::Path;

use etalon_host::clock;
use etalon_model::stack::{
    BlockCounters, CounterSnapshot, DevNo, DiscardCounters, FlushCounters, Layer, LayerCounters,
    LayerKind, ProcessIo, StackTree, Warning,
};

use crate::error::StackError;
use crate::roots::Roots;
use crate::text::{malformed, read_text};

/// The counters of every layer of `tree` and of this process, now.
///
/// A layer whose counters cannot be read, or stand still whatever it does, stands in the snapshot without them: so do disks
/// of NVMe with several paths before Linux 6.4.
pub fn snapshot(tree: &StackTree, roots: &Roots) -> CounterSnapshot {
    let layers = tree.layers().into_iter().map(|layer| LayerCounters {
        devno: layer.devno,
        name: layer.name.clone(),
        is_leaf: layer.is_leaf(),
        counters: counters(layer, roots),
    });
    CounterSnapshot {
        at: clock::now(),
        layers: layers.collect(),
        process: process_io(None, roots).ok(),
    }
}

fn counters(layer: &Layer, roots: &Roots) -> Option<BlockCounters> {
    let counters = is_counted(layer).then(|| read_block_counters(layer.devno, roots));
    counters?.ok()
}

/// Whether the kernel counts what the layer does: a partition has the queue of its disk, and stands still with it.
pub(crate) fn is_counted(layer: &Layer) -> bool {
    let stands_still = |layer: &Layer| layer.warnings.contains(&Warning::NoCounters);
    let disk = match layer.kind {
        LayerKind::Partition(_) => layer.below.first(),
        _ => None,
    };
    !stands_still(layer) && !disk.is_some_and(stands_still)
}

/// The counters of one device, from `/sys/dev/block/M:m/stat`.
///
/// # Errors
/// When the file cannot be read or is not in the form of the kernel's block/stat.rst.
pub fn read_block_counters(devno: DevNo, roots: &Roots) -> Result<BlockCounters, StackError> {
    let directory = roots.sysfs.join("dev/block").join(devno.to_string());
    let path = directory.join("stat");
    parse_stat(&read_text(&path)?, &path)
}

/// Eleven numbers at first, fifteen since 4.18 (discard), seventeen since 5.5 (flush); more may follow.
pub(crate) fn parse_stat(text: &str, path: &Path) -> Result<BlockCounters, StackError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let field = |index: usize, item: &'static str| {
        let word = words.get(index).copied().unwrap_or("nothing");
        word.parse::<u64>()
            .map_err(|_| malformed(path, 1, item, "a number", word))
    };
    let discard = match words.len() {
        ..15 => None,
        _ => Some(DiscardCounters {
            ios: field(11, "discards")?,
            merges: field(12, "discard merges")?,
            sectors: field(13, "discard sectors")?,
            ticks_ms: field(14, "discard ticks")?,
        }),
    };
    let flush = match words.len() {
        ..17 => None,
        _ => Some(FlushCounters {
            ios: field(15, "flushes")?,
            ticks_ms: field(16, "flush ticks")?,
        }),
    };
    Ok(BlockCounters {
        read_ios: field(0, "reads")?,
        read_merges: field(1, "read merges")?,
        read_sectors: field(2, "read sectors")?,
        read_ticks_ms: field(3, "read ticks")?,
        write_ios: field(4, "writes")?,
        write_merges: field(5, "write merges")?,
        write_sectors: field(6, "write sectors")?,
        write_ticks_ms: field(7, "write ticks")?,
        in_flight: field(8, "requests in flight")?,
        io_ticks_ms: field(9, "busy ticks")?,
        queue_ticks_ms: field(10, "queue ticks")?,
        discard,
        flush,
    })
}

/// `/proc/PID/io` of a process, or of this one.
///
/// # Errors
/// When it cannot be read (another user's process needs root) or lacks a field.
pub fn process_io(pid: Option<u32>, roots: &Roots) -> Result<ProcessIo, StackError> {
    let name = pid.map_or("self".to_owned(), |pid| pid.to_string());
    let path = roots.procfs.join(name).join("io");
    parse_process_io(&read_text(&path)?, &path)
}

pub(crate) fn parse_process_io(text: &str, path: &Path) -> Result<ProcessIo, StackError> {
    let field = |key: &'static str| {
        let mut lines = text.lines().enumerate();
        let found = lines.find_map(|(index, line)| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == key).then(|| (index + 1, value.trim()))
        });
        let (line, value) = found.unwrap_or((1, "nothing"));
        value
            .parse::<u64>()
            .map_err(|_| malformed(path, line, key, "a number", value))
    };
    Ok(ProcessIo {
        rchar: field("rchar")?,
        wchar: field("wchar")?,
        syscr: field("syscr")?,
        syscw: field("syscw")?,
        read_bytes: field("read_bytes")?,
        write_bytes: field("write_bytes")?,
        cancelled_write_bytes: field("cancelled_write_bytes")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SEVENTEEN: &str = "   51674     8319  3191458    15454    40978    18212  4245656    17102        3    11408    33463    10006       31  1048376      661     7074      245\n";

    fn parse(text: &str) -> Result<BlockCounters, StackError> {
        parse_stat(text, Path::new("/sys/dev/block/254:0/stat"))
    }

    #[test]
    fn all_seventeen_fields_have_their_place() {
        let counters = parse(SEVENTEEN).unwrap();
        assert_eq!(counters.read_ios, 51_674);
        assert_eq!(counters.read_sectors, 3_191_458);
        assert_eq!(counters.write_sectors, 4_245_656);
        assert_eq!(counters.in_flight, 3);
        assert_eq!(counters.io_ticks_ms, 11_408);
        assert_eq!(counters.queue_ticks_ms, 33_463);
        assert_eq!(counters.discard.unwrap().sectors, 1_048_376);
        assert_eq!(
            counters.flush.unwrap(),
            FlushCounters {
                ios: 7074,
                ticks_ms: 245
            }
        );
    }

    #[test]
    fn older_kernels_have_fewer() {
        let words: Vec<&str> = SEVENTEEN.split_whitespace().collect();
        let eleven = parse(&words[..11].join(" ")).unwrap();
        assert_eq!((eleven.discard, eleven.flush), (None, None));
        let fifteen = parse(&words[..15].join(" ")).unwrap();
        assert!(fifteen.discard.is_some() && fifteen.flush.is_none());
    }

    #[test]
    fn an_error_names_file_line_and_item() {
        let message = parse("1 2 3 x").unwrap_err().to_string();
        assert!(
            message.contains("254:0/stat' line 1: read ticks should be a number, but is 'x'"),
            "{message}"
        );
        assert!(parse("").unwrap_err().to_string().contains("reads"));
    }

    #[test]
    fn process_io_is_read_by_name() {
        let text = "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 6\ncancelled_write_bytes: 7\n";
        let io = parse_process_io(text, Path::new("/proc/self/io")).unwrap();
        assert_eq!(
            (io.rchar, io.read_bytes, io.cancelled_write_bytes),
            (1, 5, 7)
        );
        let error = parse_process_io("rchar: z", Path::new("/proc/self/io")).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("line 1: rchar should be a number, but is 'z'")
        );
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "[0-9 x\n-]{0,120}") {
            let _ = parse(&text);
            let _ = parse_process_io(&text, Path::new("/p"));
        }

        #[test]
        fn what_the_kernel_prints_is_read_back(numbers in prop::collection::vec(any::<u64>(), 17)) {
            let text: Vec<String> = numbers.iter().map(|n| format!("{n:>8}")).collect();
            let counters = parse(&text.join(" ")).unwrap();
            prop_assert_eq!(counters.write_ticks_ms, numbers[7]);
            prop_assert_eq!(counters.flush.unwrap().ticks_ms, numbers[16]);
        }
    }
}
