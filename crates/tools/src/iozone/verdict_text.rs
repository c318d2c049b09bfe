//! What etalon adds after iozone's last line: every figure's interval and verdict, and the findings.

use std::io::{self, Write};

use etalon_file_ops::FileOp;
use etalon_model::{Finding, Severity};
use etalon_units::Bytes;

use super::columns::names_of;
use super::{Cell, GridRow, Options, Repeat};

/// A finding with the names of the cells that it holds for.
struct FindingWithCells<'a> {
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
    let is_valid = |cell: &Cell| cell.judged.verdict.is_valid();
    let valid = cells.iter().filter(|cell| is_valid(cell)).count();
    let how = match options.repeat {
        Repeat::Runs(runs) => format!("--runs {runs}"),
        Repeat::TimeOfPasses(passes) => format!("in the time of {passes} passes"),
        Repeat::Precision(percent) => format!("--precision {percent}"),
    };
    let sharing = if cells.iter().any(|cell| cell.uses_common_spread) {
        "; the figures of a file size share what their runs say of the spread"
    } else {
        ""
    };
    writeln!(
        out,
        "\netalon: {valid} of {} figures valid ({how}{sharing})",
        cells.len(),
    )?;
    for cell in cells {
        let name = name(cell);
        let missed = match cell.judged.misses_precision() && is_valid(cell) {
            true => ", wider than --precision asked for",
            false => "",
        };
        writeln!(
            out,
            "etalon: {name:<30} {}: {}{missed}",
            cell.estimate_text(options.unit),
            cell.judged.verdict
        )?;
    }
    for found in gather(cells, general) {
        let mark = match found.finding.severity {
            Severity::Info => "note",
            Severity::Warn => "warning",
            Severity::Invalid => "invalid",
        };
        let Finding {
            code,
            message,
            advice,
            ..
        } = found.finding;
        let place = match found.cells.len() {
            0 => String::new(),
            all if all == cells.len() => "every figure: ".to_owned(),
            1..=3 => format!("{}: ", found.cells.join(", ")),
            many => format!("{} and {} more: ", found.cells[0], many - 1),
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
pub(crate) fn name_of(op: FileOp, row: GridRow, workers: Option<usize>) -> String {
    let record = match row.record {
        Bytes::ZERO => "as listed".to_owned(),
        record => record.to_string(),
    };
    let workers = workers.map_or(String::new(), |workers| format!(" x{workers}"));
    format!("{}{workers} {}/{record}", names_of(op).plain, row.size)
}

/// Each finding once; the gravest first.
fn gather<'a>(cells: &'a [Cell], general: &'a [Finding]) -> Vec<FindingWithCells<'a>> {
    let mut all: Vec<FindingWithCells<'a>> = general
        .iter()
        .map(|finding| FindingWithCells {
            finding,
            cells: Vec::new(),
        })
        .collect();
    for cell in cells {
        for finding in &cell.judged.findings {
            // The same code says the same; its figures differ from cell to cell.
            match all
                .iter_mut()
                .find(|known| known.finding.code == finding.code)
            {
                // Passes that were left out may say the same as those that count.
                Some(known) if known.cells.contains(&name(cell)) => {}
                Some(known) => known.cells.push(name(cell)),
                None => all.push(FindingWithCells {
                    finding,
                    cells: vec![name(cell)],
                }),
            }
        }
    }
    all.sort_by_key(|found| std::cmp::Reverse(found.finding.severity));
    all
}
