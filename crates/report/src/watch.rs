//! What the disks of a stack and the machine do at this moment: a page for a screen, lines for a
//! pipe.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, ContentArrangement, Table};
use etalon_model::stack::{BlockDelta, DiskActivity, DiskRates, Sample};
use etalon_units::{Bytes, Nanos, visible};

use crate::figures::ABSENT;
use crate::table::STYLE;

/// Processes shown at most.
const PROCESSES: usize = 8;

/// One sample as a page: each layer of the stack, the machine, and who does I/O.
pub fn watch_page(sample: &Sample) -> String {
    let mut page = disks(sample);
    for line in machine(sample) {
        let _ = write!(page, "\n{line}");
    }
    page.push('\n');
    for process in sample.processes.iter().take(PROCESSES) {
        let rate = |bytes: Bytes| etalon_units::ByteRate::over(bytes, process.span);
        let _ = write!(
            page,
            "\n{:>8} {:16} read {:>12}  dirtied {:>12}",
            process.pid,
            visible(&process.name),
            rate(process.read).to_string(),
            rate(process.written).to_string()
        );
    }
    page.push('\n');
    page
}

/// Rates of one device, as a row of texts.
fn row(name: &str, rates: &DiskRates) -> [String; 11] {
    let span = |wait: Option<Nanos>| wait.map_or_else(|| ABSENT.to_owned(), |w| w.to_string());
    let size = |size: Option<Bytes>| size.map_or_else(|| ABSENT.to_owned(), |s| s.to_string());
    [
        visible(name).into_owned(),
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
    ]
}

fn disks(sample: &Sample) -> String {
    let mut table = Table::new();
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header([
            "layer", "reads/s", "read", "size", "wait", "writes/s", "written", "size", "wait",
            "queue", "busy",
        ]);
    for disk in &sample.disks {
        match &disk.delta {
            Some(delta) => table.add_row(row(&disk.name, &DiskRates::of(delta, sample.span))),
            None => table.add_row([visible(&disk.name).into_owned(), "not counted".to_owned()]),
        };
    }
    for index in 1..11 {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

fn machine(sample: &Sample) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(cpu) = &sample.cpu {
        lines.push(format!(
            "CPU       user {}, system {}, interrupts {}, iowait {}, steal {}, idle {}",
            cpu.user, cpu.system, cpu.interrupts, cpu.iowait, cpu.steal, cpu.idle
        ));
    }
    if let Some(memory) = &sample.memory {
        lines.push(format!(
            "memory    available {}, cached {}, dirty {}, writeback {}, swap used {}",
            memory.available, memory.cached, memory.dirty, memory.writeback, memory.swap_used
        ));
    }
    if let Some(pressure) = &sample.pressure {
        lines.push(format!(
            "pressure  CPU {}, memory {}, I/O {} (all tasks {})",
            pressure.cpu_some, pressure.memory_some, pressure.io_some, pressure.io_full
        ));
    }
    let readings = sample
        .temperatures
        .iter()
        .map(|r| format!("{} {:.0} °C", r.name, r.value));
    let watts = sample
        .power
        .iter()
        .map(|r| format!("{} {:.1} W", r.name, r.value));
    let clock = sample.cpu_mhz.map(|mhz| format!("clock {mhz:.0} MHz"));
    let sensors: Vec<String> = readings.chain(watts).chain(clock).collect();
    if !sensors.is_empty() {
        lines.push(format!("sensors   {}", sensors.join(", ")));
    }
    lines
}

/// The heading of the plain lines, in the order of `sar -d`.
pub const WATCH_HEADING: &str =
    "time      device            tps     rKiB/s     wKiB/s  areq-KiB  aqu-sz  await-ms  util-%";

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
        "{time:9} {name:12} {:8.2} {:10.2} {:10.2} {:9.2} {:7.2} {:9.3} {:7.2}",
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
                "10:00:00", "sda", "100.00", "512.00", "1536.00", "20.48", "0.10", "1.000", "25.00"
            ]
        );
        assert_eq!(WATCH_HEADING.split_whitespace().count(), fields.len());
    }
}
