//! What the disks of a stack and the machine do at this moment: a page for a screen, lines for a
//! pipe.

use std::fmt::Write as _;

use etalon_model::BackgroundWork;
use etalon_model::stack::{BlockDelta, CpuShares, DiskActivity, DiskRates, MemoryState, Sample};
use etalon_units::{Bytes, Nanos, Percent, visible};

use crate::figures::ABSENT;
use crate::grid::Side;
use crate::width::{beginning, columns, padded};
use crate::wrap::Wrap;

/// Processes shown at most.
const PROCESSES: usize = 8;
/// Columns of a name on a line.
const LINE_NAME: usize = 11;
/// Columns of a name, of the others, and from which width on the sizes are shown too.
const NAME: usize = 10;
const SIZES_FROM: usize = 100;

/// One sample as a page of so many columns: each layer of the stack, the machine, what the kernel does
/// by itself, and who does I/O.
pub fn watch_page(sample: &Sample, background: &[BackgroundWork], width: usize) -> String {
    let mut page = disks(sample, width >= SIZES_FROM);
    page.push('\n');
    let lines = machine(sample)
        .into_iter()
        .chain(kernel(sample, background));
    for (label, figures) in lines {
        let broken = Wrap(Some(width.saturating_sub(NAME))).broken(&figures, "");
        for (at, line) in broken.lines().enumerate() {
            let label = if at == 0 { label } else { "" };
            let _ = writeln!(page, "{label:NAME$}{line}");
        }
    }
    page.push('\n');
    for process in sample.processes.iter().take(PROCESSES) {
        let rate = |bytes: Bytes| etalon_units::ByteRate::over(bytes, process.span);
        let _ = writeln!(
            page,
            "{:>8} {} read {:>12}  dirtied {:>12}",
            process.pid,
            padded(&shortened(&process.name, 20), 20, Side::Left),
            rate(process.read).to_string(),
            rate(process.written).to_string()
        );
    }
    page
}

/// A name fit for the terminal, of at most so many columns.
fn shortened(name: &str, most: usize) -> String {
    let shown = visible(name);
    match columns(&shown) > most {
        true => beginning(&shown, most - 1) + "~",
        false => shown.into_owned(),
    }
}

/// A line of the table; the two sizes stand only where there is room.
fn line(fields: [&str; 11], sizes: bool) -> String {
    let widths = [NAME, 8, 10, 9, 7, 8, 10, 9, 7, 5, 6];
    let is_size = |at: &usize| [3, 7].contains(at);
    let shown = (0..fields.len()).filter(|at| sizes || !is_size(at));
    let texts = shown.map(|at| match at {
        0 => padded(fields[at], widths[at], Side::Left),
        _ => format!("{:>width$}", fields[at], width = widths[at] - 1),
    });
    texts.collect::<Vec<_>>().join(" ") + "\n"
}

/// Rates of one device, as a row of texts.
fn row(name: &str, rates: &DiskRates, sizes: bool) -> String {
    let span = |wait: Option<Nanos>| wait.map_or_else(|| ABSENT.to_owned(), |w| w.to_string());
    let size = |size: Option<Bytes>| size.map_or_else(|| ABSENT.to_owned(), |s| s.to_string());
    let texts = [
        shortened(name, NAME),
        format!("{:.0}", rates.reads_per_s),
        rates.read_rate.to_string(),
        size(rates.read_size),
        span(rates.read_wait),
        format!("{:.0}", rates.writes_per_s),
        rates.write_rate.to_string(),
        size(rates.write_size),
        span(rates.write_wait),
        format!("{:.1}", rates.queue),
        rates.utilisation.to_string(),
    ];
    line(texts.each_ref().map(String::as_str), sizes)
}

fn disks(sample: &Sample, sizes: bool) -> String {
    let heading = [
        "layer", "reads/s", "read", "size", "wait", "writes/s", "written", "size", "wait", "queue",
        "busy",
    ];
    let mut table = line(heading, sizes);
    for disk in &sample.disks {
        table.push_str(&match &disk.delta {
            Some(delta) => row(&disk.name, &DiskRates::of(delta, sample.span), sizes),
            None => format!("{:NAME$} not counted\n", shortened(&disk.name, NAME)),
        });
    }
    table
}

/// A label and its figures.
type LabelledFigures = (&'static str, String);

fn machine(sample: &Sample) -> Vec<LabelledFigures> {
    let mut lines = Vec::new();
    lines.extend(sample.cpu.as_ref().map(processor));
    lines.extend(sample.memory.as_ref().map(memory));
    if let Some(pressure) = &sample.pressure {
        let figures = format!(
            "CPU {}, memory {}, I/O {} (all tasks {})",
            pressure.cpu_some, pressure.memory_some, pressure.io_some, pressure.io_full
        );
        lines.push(("pressure", figures));
    }
    lines.extend(sensors(sample));
    lines
}

fn processor(cpu: &CpuShares) -> LabelledFigures {
    let figures = format!(
        "user {}, system {}, interrupts {}, iowait {}, steal {}, idle {}",
        cpu.user, cpu.system, cpu.interrupts, cpu.iowait, cpu.steal, cpu.idle
    );
    ("CPU", figures)
}

fn memory(memory: &MemoryState) -> LabelledFigures {
    let figures = format!(
        "available {}, cached {}, dirty {}, swap used {}",
        memory.available, memory.cached, memory.dirty, memory.swap_used
    );
    ("memory", figures)
}

/// Temperatures, power and clock, where the machine has the meters.
fn sensors(sample: &Sample) -> Option<LabelledFigures> {
    let degrees = sample.temperatures.iter();
    let degrees = degrees.map(|r| format!("{} {:.0} °C", r.name, r.value));
    let watts = sample.power.iter();
    let watts = watts.map(|r| format!("{} {:.1} W", r.name, r.value));
    let clock = sample.cpu_mhz.map(|mhz| format!("clock {mhz:.0} MHz"));
    let all: Vec<String> = degrees.chain(watts).chain(clock).collect();
    (!all.is_empty()).then(|| ("sensors", all.join(", ")))
}

/// What the kernel does by itself, which no process's account shows.
fn kernel(sample: &Sample, background: &[BackgroundWork]) -> Option<LabelledFigures> {
    let written = sample.memory.map(|memory| memory.writeback);
    let written = written.filter(|bytes| *bytes > Bytes::ZERO);
    let written = written.map(|bytes| format!("writing back {bytes}"));
    let work = background
        .iter()
        .map(|work| format!("{} on {}", work.what, work.device));
    let all: Vec<String> = work.chain(written).collect();
    (!all.is_empty()).then(|| ("kernel", all.join(", ")))
}

/// The machine's lines that go with one sample in a pipe, as `sar -u` and `sar -r` name the figures;
/// `time` stands in front.
pub fn watch_machine(time: &str, sample: &Sample) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(cpu) = &sample.cpu {
        let share = |share: Percent| share.fraction() * 100.0;
        lines.push(format!(
            "{time:8} CPU  %user {:5.1} %system {:5.1} %iowait {:5.1} %steal {:5.1} %idle {:5.1}",
            share(cpu.user),
            share(cpu.system) + share(cpu.interrupts),
            share(cpu.iowait),
            share(cpu.steal),
            share(cpu.idle)
        ));
    }
    if let Some(memory) = &sample.memory {
        let mib = |bytes: Bytes| bytes.as_f64() / Bytes::mib(1).as_f64();
        lines.push(format!(
            "{time:8} memory MiB: available {:.0} cached {:.0} dirty {:.0} writeback {:.0}",
            mib(memory.available),
            mib(memory.cached),
            mib(memory.dirty),
            mib(memory.writeback)
        ));
    }
    lines
}

/// The heading of the plain lines, in the order of `sar -d`.
pub const WATCH_HEADING: &str =
    "time     device            tps   rKiB/s   wKiB/s areq-KiB aqu-sz await-ms  %util";

/// One device's line, as `sar -d` defines its columns; `time` stands in front.
pub fn watch_line(time: &str, name: &str, delta: &BlockDelta, span: Nanos) -> String {
    let rates = DiskRates::of(delta, span);
    let transfers = delta.read_ios + delta.write_ios + delta.discard_ios.unwrap_or(0);
    let bytes = delta.read_bytes.as_f64()
        + delta.write_bytes.as_f64()
        + delta.discard_bytes.unwrap_or_default().as_f64();
    let each = |total: f64| {
        if transfers == 0 {
            0.0
        } else {
            total / transfers as f64
        }
    };
    let ticks = delta.read_ticks_ms + delta.write_ticks_ms;
    format!(
        "{time:8} {:11} {:9.1} {:8.0} {:8.0} {:8.1} {:6.1} {:8.3} {:6.2}",
        shortened(name, LINE_NAME),
        rates.transfers_per_s,
        rates.read_rate.0 / 1024.0,
        rates.write_rate.0 / 1024.0,
        each(bytes) / 1024.0,
        rates.queue,
        each(ticks as f64),
        rates.utilisation.fraction() * 100.0,
    )
}

/// The lines of one sample, one a device that was counted.
pub fn watch_lines(time: &str, disks: &[DiskActivity], span: Nanos) -> Vec<String> {
    let counted = disks
        .iter()
        .filter_map(|disk| Some((&disk.name, disk.delta.as_ref()?)));
    counted
        .map(|(name, delta)| watch_line(time, name, delta, span))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::stack::{DevNo, ProcessActivity, SensorReading};

    fn busy_sample() -> Sample {
        let delta = BlockDelta {
            read_ios: 1_234_567,
            read_bytes: Bytes::mib(9999),
            read_ticks_ms: 99_999,
            write_ios: 1_234_567,
            write_bytes: Bytes::mib(9999),
            write_ticks_ms: 99_999,
            io_ticks_ms: 999,
            queue_ticks_ms: 999_999,
            ..BlockDelta::default()
        };
        let disk = |name: &str, delta| DiskActivity {
            devno: DevNo { major: 8, minor: 0 },
            name: name.to_owned(),
            delta,
        };
        let meter = |number: usize| SensorReading {
            name: format!("coretemp Core {number}"),
            value: 71.0,
        };
        Sample {
            at: Nanos::secs(1),
            span: Nanos::secs(1),
            disks: vec![disk("nvme10n1p10", Some(delta)), disk("dm-0", None)],
            cpu: Some(CpuShares::default()),
            memory: Some(MemoryState {
                writeback: Bytes::mib(34),
                ..MemoryState::default()
            }),
            pressure: None,
            processes: vec![ProcessActivity {
                pid: 4_194_303,
                name: "a-process-with-a-very-long-name".to_owned(),
                read: Bytes::mib(9999),
                written: Bytes::mib(9999),
                span: Nanos::secs(1),
            }],
            cpu_mhz: Some(4800.0),
            throttled: None,
            temperatures: (0..8).map(meter).collect(),
            power: vec![meter(9)],
        }
    }

    #[test]
    fn the_page_fits_80_columns_and_shows_sensors_and_the_kernels_own_work() {
        let resync = BackgroundWork {
            device: "md0".to_owned(),
            what: "resync".to_owned(),
        };
        let page = watch_page(&busy_sample(), &[resync], 80);
        for line in page.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        assert!(
            page.contains("kernel    resync on md0, writing back 34 MiB"),
            "{page}"
        );
        assert!(
            page.contains("Core 7 71 °C") && page.contains("71.0 W"),
            "{page}"
        );
        assert!(page.contains("nvme10n1p~"), "{page}");
        assert!(!page.contains("size"), "{page}");
        assert!(watch_page(&busy_sample(), &[], 120).contains("size"));
    }

    #[test]
    fn processor_and_memory_have_lines_of_their_own_in_a_pipe() {
        let lines = watch_machine("10:00:00", &busy_sample());
        assert!(lines[0].starts_with("10:00:00 CPU  ") && lines[0].contains("%idle"));
        assert!(lines[1].ends_with("writeback 34"), "{}", lines[1]);
    }

    #[test]
    fn a_line_has_the_figures_of_sar() {
        let delta = BlockDelta {
            read_ios: 100,
            read_bytes: Bytes::mib(1),
            read_ticks_ms: 50,
            write_ios: 100,
            write_bytes: Bytes::mib(3),
            write_ticks_ms: 150,
            io_ticks_ms: 500,
            queue_ticks_ms: 200,
            ..BlockDelta::default()
        };
        let line = watch_line("10:00:00", "sda", &delta, Nanos::secs(2));
        let fields: Vec<&str> = line.split_whitespace().collect();
        // 200 transfers in 2 s; 512 and 1536 KiB/s; 20.48 KiB and 1 ms each; 0.1 in the queue.
        assert_eq!(
            fields,
            [
                "10:00:00", "sda", "100.0", "512", "1536", "20.5", "0.1", "1.000", "25.00"
            ]
        );
        assert_eq!(WATCH_HEADING.split_whitespace().count(), fields.len());
    }

    #[test]
    fn plain_lines_fit_80_columns_also_where_much_is_done() {
        let mut sample = busy_sample();
        sample.memory = Some(MemoryState {
            available: Bytes::gib(900),
            cached: Bytes::gib(900),
            dirty: Bytes::gib(90),
            writeback: Bytes::gib(90),
            ..MemoryState::default()
        });
        let mut lines = watch_machine("10:00:00", &sample);
        lines.extend(watch_lines("Average:", &sample.disks, sample.span));
        lines.push(WATCH_HEADING.to_owned());
        assert_eq!(lines.len(), 4);
        for line in lines {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
