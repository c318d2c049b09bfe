//! The lines of the header that tell how the command line changes what is measured.

use etalon_file_ops::WriteBack;
use etalon_model::SyncMode;
use etalon_units::Bytes;

use super::{Options, Unit};

/// One line for each option that changes what is measured.
pub(crate) fn lines(options: &Options) -> Vec<String> {
    let auto = options.is_grid().then(|| "Auto Mode".to_owned());
    let remount = options.remount.as_deref();
    let remount = remount.map(|point| format!("{} is remounted before each test", point.display()));
    auto.into_iter()
        .chain(lists(options))
        .chain(fill(options))
        .chain(records(options))
        .chain(sizes(options))
        .chain(flags(options))
        .chain(remount)
        .collect()
}

/// The lines of what is given.
fn given<const N: usize>(table: [(bool, &'static str); N]) -> impl Iterator<Item = String> {
    let wanted = table.into_iter().filter(|(wanted, _)| *wanted);
    wanted.map(|(_, line)| line.to_owned())
}

fn lists(options: &Options) -> impl Iterator<Item = String> {
    let named = [(&options.write_list, "write"), (&options.read_list, "read")];
    named.into_iter().filter_map(|(list, direction)| {
        let name = list.as_deref()?.display();
        Some(format!("Using {direction} telemetry file \"{name}\""))
    })
}

/// How records follow one another, and what keeps others away from them.
fn records(options: &Options) -> Vec<String> {
    let settings = &options.settings;
    let counted = ">>> Think time is included in throughput cal. <<<";
    let locked = ">>> Record locking mode enabled. <<<";
    let shared = ">>> Record locking, shared file mode enabled. <<<";
    let table = [
        (settings.think.counted, counted),
        (settings.lock_records && !options.shared, locked),
        (options.shared, shared),
        (options.sequential_mix, ">>> Sequential Mixed workload. <<<"),
    ];
    let mut lines: Vec<String> = given(table).collect();
    if let Some(depth) = options.queue() {
        lines.push(match depth.copied {
            true => format!("POSIX async I/O (with bcopy). Depth {}", depth.records),
            false => format!("POSIX Async I/O (no bcopy). Depth {} ", depth.records),
        });
        lines.push("The queue is one of io_uring(7)".to_owned());
    }
    lines
}

fn sizes(options: &Options) -> impl Iterator<Item = String> {
    let one_by_one = [
        (&options.sizes, "File size set to"),
        (&options.records, "Record Size"),
    ];
    let each = |(sizes, line): (&'_ Vec<Bytes>, &'static str)| {
        let told = sizes.iter().map(move |&size| (Some(size), line));
        told.collect::<Vec<_>>()
    };
    let ends = [
        (options.min_size, "Smallest file"),
        (options.max_size, "Largest file"),
        (options.min_record, "Smallest record"),
        (options.max_record, "Largest record"),
    ];
    let one_by_one = one_by_one.into_iter().flat_map(each);
    one_by_one
        .chain(ends)
        .filter_map(|(size, line)| Some(format!("{line} {} kB", size?.get() >> 10)))
}

fn flags(options: &Options) -> impl Iterator<Item = String> {
    let settings = &options.settings;
    let (sync, unit, write_back) = (settings.sync, options.unit, options.write_back);
    let operations = "OPS Mode: figures are operations per second";
    let microseconds = "Figures are microseconds per operation";
    let mapped = "Files are mapped, but for pwrite, pread, fwrite and fread";
    let purged = "The processor's cache is emptied before each test";
    let direct = "O_DIRECT in force, but for fwrite and fread";
    let asked = "msync(MS_ASYNC) is inside the clock";
    let awaited = "msync(MS_SYNC) is inside the clock";
    given([
        (unit == Unit::Operations, operations),
        (unit == Unit::Microseconds, microseconds),
        (options.report, "A report for spreadsheets follows"),
        (settings.flush_in_clock, "fsync is inside the clock"),
        (settings.close_in_clock, "close is inside the clock"),
        (settings.direct, direct),
        (options.mapped, mapped),
        (options.mapped_mixed, "Every other record goes by a call"),
        (write_back == WriteBack::Asked, asked),
        (write_back == WriteBack::Awaited, awaited),
        (sync == SyncMode::Sync, "SYNC Mode: writes with O_SYNC"),
        (sync == SyncMode::DSync, "Writes with O_DSYNC"),
        (settings.sync_reads, "Reads with O_SYNC"),
        (settings.jitter, "Reads are disturbed"),
        (options.purge, purged),
        (options.keep, "Files stay at the end"),
        (options.no_retest, "No retests"),
        (!options.stonewall, "Stonewall off"),
        (options.cpu, "Processor time is told"),
    ])
}

/// What the files hold and what that means for the figures, a line each.
fn fill(options: &Options) -> Vec<String> {
    const INVALID: &str = "Performance measurements are invalid in this mode.";
    let percents = [
        ("Dedup activated", options.shared_data),
        ("Dedup within & across", options.repeated),
        ("Dedup within", options.own_repeated),
    ];
    let told = |(what, percent): (&str, Option<u8>)| Some(format!("{what} {} percent.", percent?));
    let mut lines: Vec<String> = percents.into_iter().filter_map(told).collect();
    if let Some(set) = options.set {
        lines.push(format!("Dedup manual seed {set} ."));
    }
    if options.diagnose {
        lines.push(">>> I/O Diagnostic mode enabled. <<<".to_owned());
    }
    if let Some(byte) = options.verify {
        lines.push(format!(
            "Verify Mode. Pattern {:x}",
            u32::from_ne_bytes([byte; 4])
        ));
    }
    if options.diagnose || options.verify.is_some() {
        lines.push(INVALID.to_owned());
    }
    lines
}

/// What is done between records, a line each.
pub(crate) fn pauses(options: &Options) -> Vec<String> {
    let think = options.settings.think;
    let (write_list, read_list) = (&options.write_list, &options.read_list);
    let mut lines = Vec::new();
    for (list, what) in [(read_list, "reads"), (write_list, "writes")] {
        if list.is_some() {
            lines.push(format!("Compute time from telemetry files for {what}."));
        }
    }
    let others = match (write_list, read_list) {
        (None, None) => Some("reads and writes"),
        (Some(_), None) => Some("reads"),
        (None, Some(_)) => Some("writes"),
        (Some(_), Some(_)) => None,
    };
    if let Some(others) = others.filter(|_| think.compute.0 > 0) {
        let seconds = think.compute.as_secs_f64();
        lines.push(format!("Compute time {seconds:.6} seconds for {others}."));
    }
    if let Some(burst) = think.burst {
        let (size, rest) = (burst.bytes.get() >> 10, burst.rest.0 / 1_000_000);
        lines.push(format!("Burst size set to {size} Kbytes."));
        lines.push(format!("Burst sleep duration set to {rest} msec"));
    }
    lines
}
