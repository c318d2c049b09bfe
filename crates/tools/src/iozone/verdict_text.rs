//! What etalon adds after iozone's last line: every figure's interval and verdict, and the findings.

use std::io::{self, Write};

use etalon_file_ops::FileOp;
use etalon_model::{Finding, Severity};
use etalon_units::Bytes;

use super::columns::names_of;
use super::{Cell, Goal, Options, Row};

/// A finding with the names of the cells that it holds for.
struct Told<'a> {
    finding: &'a Finding,
    cells: Vec<String>,
}

/// All verdicts, then all findings.
pub(crate) fn write(
    out: &mut dyn Write,
    cells: &[Cell],
    general: &[Finding],
    options: &Options,
) -> io::Result<()> {
    if cells.is_empty() {
        return Ok(());
    }
    let valid = cells.iter().filter(|cell| cell.verdict.is_valid()).count();
    let how = match options.goal {
        Goal::Runs(runs) => format!("--runs {runs}"),
        Goal::TimeOfPasses(passes) => format!("in the time of {passes} passes"),
        Goal::Precision(percent) => format!("--precision {percent}"),
    };
    let leaning = if cells.iter().any(|cell| cell.leans) {
        "; the figures of a file size share what their runs say of the spread"
    } else {
        ""
    };
    writeln!(
        out,
        "\netalon: {valid} of {} figures valid ({how}{leaning})",
        cells.len(),
    )?;
    for cell in cells {
        let name = name(cell);
        let missed = match cell.misses_precision && cell.verdict.is_valid() {
            true => ", wider than --precision asked for",
            false => "",
        };
        writeln!(
            out,
            "etalon: {name:<30} {}: {}{missed}",
            cell.estimate_text(),
            cell.verdict
        )?;
    }
    for told in gather(cells, general) {
        let mark = match told.finding.severity {
            Severity::Info => "note",
            Severity::Warn => "warning",
            Severity::Invalid => "invalid",
        };
        let Finding {
            code,
            message,
            advice,
            ..
        } = told.finding;
        let place = match told.cells.len() {
            0 => String::new(),
            all if all == cells.len() => "every figure: ".to_owned(),
            1..=3 => format!("{}: ", told.cells.join(", ")),
            many => format!("{} and {} more: ", told.cells[0], many - 1),
        };
        writeln!(out, "etalon: {mark} [{code}] {place}{message} {advice}")?;
    }
    Ok(())
}

fn name(cell: &Cell) -> String {
    name_of(cell.op, cell.row, cell.workers)
}

/// `random read x2 512 KiB/4 KiB`: what is done, by how many workers, on files of which size in which
/// records.
pub(crate) fn name_of(op: FileOp, row: Row, workers: Option<usize>) -> String {
    let record = match row.record {
        Bytes::ZERO => "as listed".to_owned(),
        record => record.to_string(),
    };
    let workers = workers.map_or(String::new(), |workers| format!(" x{workers}"));
    format!("{}{workers} {}/{record}", names_of(op).plain, row.size)
}

/// Each finding once; the gravest first.
fn gather<'a>(cells: &'a [Cell], general: &'a [Finding]) -> Vec<Told<'a>> {
    let mut all: Vec<Told<'a>> = general
        .iter()
        .map(|finding| Told {
            finding,
            cells: Vec::new(),
        })
        .collect();
    for cell in cells {
        for finding in &cell.findings {
            // The same code says the same; its figures differ from cell to cell.
            match all
                .iter_mut()
                .find(|told| told.finding.code == finding.code)
            {
                Some(told) => told.cells.push(name(cell)),
                None => all.push(Told {
                    finding,
                    cells: vec![name(cell)],
                }),
            }
        }
    }
    all.sort_by_key(|told| std::cmp::Reverse(told.finding.severity));
    all
}
