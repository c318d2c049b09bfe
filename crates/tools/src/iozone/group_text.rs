//! The lines of a group of workers.

use std::io::{self, Write};

use etalon_file_ops::FileOp;

use super::columns::names_of;
use super::series::Measured;
use super::{Cell, GridRow, Options, Unit};

/// What the workers are called, one and several.
fn words(threads: bool) -> (&'static str, &'static str) {
    if threads {
        ("thread", "threads")
    } else {
        ("process", "processes")
    }
}

/// The lines before the first number of workers; `counts` are all of them.
pub(crate) fn first(out: &mut dyn Write, options: &Options, counts: &[usize]) -> io::Result<()> {
    let (one, many) = words(options.threads);
    if let [least, .., most] = counts {
        writeln!(out, "\tMin {one} = {least} \n\tMax {one} = {most} ")?;
    }
    let least = counts.first().copied().unwrap_or(1);
    let words = if least == 1 { one } else { many };
    writeln!(out, "\tThroughput test with {least} {words}")
}

/// The line before each number of workers.
pub(crate) fn head(out: &mut dyn Write, options: &Options, row: GridRow) -> io::Result<()> {
    let (size, record) = (row.size.get() >> 10, row.record.get() >> 10);
    let (one, _) = words(options.threads);
    let records = if row.record.get() == 0 {
        "telemetry controlled records".to_owned()
    } else {
        format!("{record} kByte records")
    };
    writeln!(out, "\tEach {one} writes a {size} kByte file in {records}")
}

/// One operation's block of lines, all of the run in the middle.
pub(crate) fn block(out: &mut dyn Write, cell: &Cell, options: &Options) -> io::Result<()> {
    let Some(run) = &cell.middle else {
        return Ok(());
    };
    let (unit, record) = (options.unit, cell.record());
    let (one, _) = words(options.threads);
    let told = |rate: f64| unit.of(rate, record);
    let name = unit.rate_name();
    let workers = cell.workers.unwrap_or(1);
    let children = counted(workers, names_of(cell.op).workers);
    let parent = counted(workers, &parent_words(cell.op));
    writeln!(
        out,
        "\n\tChildren see throughput for {children}= {:>10.2} {name}",
        cell.figure(unit)
    )?;
    writeln!(
        out,
        "\tParent sees throughput for {parent}= {:>10.2} {name}",
        told(cell.group.parent)
    )?;
    let average = cell.judged.estimate().value / run.passes.len().max(1) as f64;
    writeln!(
        out,
        "\tMin throughput per {one} \t\t\t= {:>10.2} {name} ",
        told(cell.group.least())
    )?;
    writeln!(
        out,
        "\tMax throughput per {one} \t\t\t= {:>10.2} {name}",
        told(cell.group.most())
    )?;
    writeln!(
        out,
        "\tAvg throughput per {one} \t\t\t= {:>10.2} {name}",
        told(average)
    )?;
    let fewest = run
        .passes
        .iter()
        .map(|pass| pass.bytes.get())
        .min()
        .unwrap_or(0);
    let (moved, unit_name) = amount(fewest, cell, options.unit);
    writeln!(out, "\tMin xfer \t\t\t\t\t= {moved:>10.2} {unit_name}")?;
    if options.cpu {
        processor(out, cell, run)?;
    }
    if options.per_worker {
        per_worker(out, cell, run, options.unit)?;
    }
    out.flush()
}

/// `2 readers`; iozone puts a second blank before the number where the name here begins with one.
fn counted(workers: usize, words: &str) -> String {
    match words.strip_prefix(' ') {
        Some(words) => format!(" {workers} {words}"),
        None => format!("{workers} {words}"),
    }
}

/// The parent's line has another tabulator for the streams.
fn parent_words(op: FileOp) -> String {
    let words = names_of(op).workers;
    match op {
        FileOp::Fwrite | FileOp::Fread => format!("{words}\t"),
        _ => words.to_owned(),
    }
}

fn amount(bytes: u64, cell: &Cell, unit: Unit) -> (f64, &'static str) {
    match unit {
        Unit::Operations => (bytes as f64 / cell.record(), "ops"),
        _ => (bytes as f64 / 1024.0, "kB"),
    }
}

fn processor(out: &mut dyn Write, cell: &Cell, run: &Measured) -> io::Result<()> {
    writeln!(
        out,
        "\tCPU Utilization: Wall time {:>8.3}    CPU time {:>8.3}    CPU utilization {:>6.2} %\n",
        run.elapsed.as_secs_f64(),
        run.cpu().as_secs_f64(),
        cell.cpu_percent()
    )
}

fn per_worker(out: &mut dyn Write, cell: &Cell, run: &Measured, unit: Unit) -> io::Result<()> {
    for (index, (pass, rate)) in run.passes.iter().zip(&cell.group.workers).enumerate() {
        let (moved, moved_name) = amount(pass.bytes.get(), cell, unit);
        let (rate, name) = (unit.of(*rate, cell.record()), unit.rate_name());
        writeln!(
            out,
            "\tChild[{index}] xfer count = {moved:>10.2} {moved_name}, Throughput = {rate:>10.2} {name}"
        )?;
    }
    Ok(())
}
