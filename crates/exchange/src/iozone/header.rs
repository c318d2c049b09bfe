//! The lines before the first figure.

use std::ffi::OsString;
use std::io::{self, Write};

use etalon_model::SyncMode;
use etalon_workload::file_ops::WriteBack;

use super::columns::columns_for;
use super::{Options, Unit};

/// Everything up to the table or the first group.
pub(crate) fn write(out: &mut dyn Write, options: &Options, args: &[OsString]) -> io::Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    writeln!(
        out,
        "\tIozone: the file operations of iozone, carried out by etalon"
    )?;
    writeln!(out, "\t        Version {version} of etalon")?;
    writeln!(out, "\t\tCompiled for {} bit mode.", usize::BITS)?;
    writeln!(
        out,
        "\t\tBuild: {}-{} ",
        std::env::consts::OS,
        std::env::consts::ARCH
    )?;
    let now = jiff::Zoned::now().strftime("%a %b %e %H:%M:%S %Y");
    writeln!(out, "\n\tRun began: {now}\n")?;
    for line in modes(options) {
        writeln!(out, "\t{line}")?;
    }
    if options.machine {
        writeln!(out, "\n\tMachine = {}", machine())?;
    }
    writeln!(out, "\tCommand line used: {}", command_line(args))?;
    if options.unit == Unit::KiloBytes {
        writeln!(out, "\tOutput is in kBytes/sec")?;
    }
    for line in pauses(options) {
        writeln!(out, "\t{line}")?;
    }
    writeln!(out, "\tTime Resolution = 0.000000001 seconds.")?;
    writeln!(
        out,
        "\tProcessor cache size set to {} kBytes.",
        options.cache.get() >> 10
    )?;
    writeln!(
        out,
        "\tProcessor cache line size set to {} bytes.",
        options.cache_line
    )?;
    writeln!(
        out,
        "\tFile stride size set to {} * record size.",
        options.settings.stride
    )
}

/// The command line as it could be typed again, quotes apart.
pub(crate) fn command_line(args: &[OsString]) -> String {
    let words = args.iter().map(|word| word.to_string_lossy());
    std::iter::once("iozone".into())
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

/// One line for each option that changes what is measured.
fn modes(options: &Options) -> Vec<String> {
    let settings = &options.settings;
    let kilobytes = |size: etalon_units::Bytes| size.get() >> 10;
    let mut lines = Vec::new();
    let mut say = |wanted: bool, line: String| {
        if wanted {
            lines.push(line);
        }
    };
    say(options.auto, "Auto Mode".to_owned());
    for (list, direction) in [(&options.write_list, "write"), (&options.read_list, "read")] {
        if let Some(path) = list {
            let name = path.display();
            say(true, format!("Using {direction} telemetry file \"{name}\""));
        }
    }
    say(
        settings.think.counted,
        ">>> Think time is included in throughput cal. <<<".to_owned(),
    );
    for line in fill(options) {
        say(true, line);
    }
    say(
        settings.lock_records && !options.shared,
        ">>> Record locking mode enabled. <<<".to_owned(),
    );
    say(
        options.shared,
        ">>> Record locking, shared file mode enabled. <<<".to_owned(),
    );
    say(
        options.sequential_mix,
        ">>> Sequential Mixed workload. <<<".to_owned(),
    );
    if let Some(depth) = options.queue() {
        let line = match depth.copied {
            true => format!("POSIX async I/O (with bcopy). Depth {}", depth.records),
            false => format!("POSIX Async I/O (no bcopy). Depth {} ", depth.records),
        };
        say(true, line);
        say(true, "The queue is one of io_uring(7)".to_owned());
    }
    for (size, line) in [
        (options.size, "File size set to"),
        (options.record, "Record Size"),
        (options.min_size, "Smallest file"),
        (options.max_size, "Largest file"),
        (options.min_record, "Smallest record"),
        (options.max_record, "Largest record"),
    ] {
        say(
            size.is_some(),
            format!("{line} {} kB", kilobytes(size.unwrap_or_default())),
        );
    }
    say(
        options.unit == Unit::Operations,
        "OPS Mode: figures are operations per second".to_owned(),
    );
    say(
        options.unit == Unit::Microseconds,
        "Figures are microseconds per operation".to_owned(),
    );
    say(
        options.report,
        "A report for spreadsheets follows".to_owned(),
    );
    say(
        settings.flush_in_clock,
        "fsync is inside the clock".to_owned(),
    );
    say(
        settings.close_in_clock,
        "close is inside the clock".to_owned(),
    );
    say(
        settings.direct,
        "O_DIRECT in force, but for fwrite and fread".to_owned(),
    );
    say(
        options.mapped,
        "Files are mapped, but for pwrite, pread, fwrite and fread".to_owned(),
    );
    say(
        options.mapped_mixed,
        "Every other record goes by a call".to_owned(),
    );
    say(
        options.write_back == WriteBack::Asked,
        "msync(MS_ASYNC) is inside the clock".to_owned(),
    );
    say(
        options.write_back == WriteBack::Awaited,
        "msync(MS_SYNC) is inside the clock".to_owned(),
    );
    say(
        settings.sync == SyncMode::Sync,
        "SYNC Mode: writes with O_SYNC".to_owned(),
    );
    say(
        settings.sync == SyncMode::DSync,
        "Writes with O_DSYNC".to_owned(),
    );
    say(settings.sync_reads, "Reads with O_SYNC".to_owned());
    say(settings.jitter, "Reads are disturbed".to_owned());
    say(
        options.purge,
        "The processor's cache is emptied before each test".to_owned(),
    );
    say(options.keep, "Files stay at the end".to_owned());
    say(options.no_retest, "No retests".to_owned());
    say(!options.stonewall, "Stonewall off".to_owned());
    say(options.cpu, "Processor time is told".to_owned());
    if let Some(point) = &options.remount {
        say(
            true,
            format!("{} is remounted before each test", point.display()),
        );
    }
    lines
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
fn pauses(options: &Options) -> Vec<String> {
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

/// What `uname -a` tells.
fn machine() -> String {
    let name = rustix::system::uname();
    let parts = [
        name.sysname(),
        name.nodename(),
        name.release(),
        name.version(),
        name.machine(),
    ];
    parts
        .map(|part| part.to_string_lossy().into_owned())
        .join(" ")
}

/// The two lines above the figures.
pub(crate) fn table_head(out: &mut dyn Write, options: &Options) -> io::Result<()> {
    let columns = columns_for(options);
    let mut lines = (" ".repeat(24), format!("{:>16}{:>8}", "kB", "reclen"));
    for (index, op) in columns.iter().enumerate() {
        let names = super::columns::names_of(*op);
        let width = head_width(index, names.width);
        lines.0.push_str(&format!("{:>width$}", names.head.0));
        lines.1.push_str(&format!("{:>width$}", names.head.1));
    }
    writeln!(out, "{}\n{}", lines.0, lines.1)
}

/// The width of a head by the place of its column; iozone's first head stands one to the left of
/// its figures.
fn head_width(index: usize, width: usize) -> usize {
    match index {
        0 => width - 1,
        1 => width + 1,
        _ => width,
    }
}
