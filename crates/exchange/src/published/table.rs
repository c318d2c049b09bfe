//! Our own table of runs, read back.

use std::collections::BTreeSet;

use etalon_model::{PublishedFigure, Run, TaskWorkload, Unit};

use super::error::short;
use super::lines::Lines;
use super::{MOST_FIGURES, PublishedError, run};

/// How the header of our table begins.
const BEGIN: &str = "experiment_id,cell,";

/// Whether a text is such a table.
pub(super) fn is_own(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').starts_with(BEGIN)
}

/// Its runs; of those that did not come to their end, or count in no figure of their cell, there is none to compare.
pub(super) fn runs(text: &str, now_unix_ns: i64) -> Result<Vec<Run>, PublishedError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let head = table.headers().cloned().unwrap_or_default();
    let place = |column| head.iter().position(|name| name == column);
    let (mut found, mut experiments) = (Vec::new(), BTreeSet::new());
    let mut lines = Lines::of(text);
    for record in table.records() {
        let record = record.map_err(|error| broken(&error, &mut lines))?;
        let line = lines.begun_at(record.position());
        if found.len() == MOST_FIGURES {
            return Err(PublishedError::TooMany { line });
        }
        let field = |column| {
            place(column)
                .and_then(|at| record.get(at))
                .unwrap_or_default()
        };
        // A table of an older etalon does not tell which runs count.
        let counts = !field("counted").eq_ignore_ascii_case("false");
        if field("ended") == "complete" && counts {
            found.push(row(&field, line, found.len())?);
            experiments.insert(field("experiment_id").to_owned());
        }
    }
    if experiments.len() > 1 {
        forget_blocks(&mut found);
    }
    match found.is_empty() {
        true => Err(PublishedError::Nothing {
            line: 1,
            text: short(text.lines().next().unwrap_or_default()),
        }),
        false => Ok(run::numbered(found.into_iter(), now_unix_ns)),
    }
}

/// Blocks of two experiments have nothing in common but their numbers.
fn forget_blocks(runs: &mut [Run]) {
    let published = runs
        .iter_mut()
        .filter_map(|run| run.circumstances.published.as_mut());
    published.for_each(|published| published.tells_block = false);
}

fn row<'a>(
    field: &impl Fn(&'static str) -> &'a str,
    line: usize,
    position: usize,
) -> Result<Run, PublishedError> {
    let wrong = |column: &'static str| PublishedError::Row {
        line,
        column,
        text: short(field(column)),
    };
    let value: Option<f64> = field("figure").parse().ok();
    let value = value.filter(|value| value.is_finite() && *value >= 0.0);
    let value = value.ok_or_else(|| wrong("figure"))?;
    let unit = Unit::ALL
        .into_iter()
        .find(|unit| unit.sign() == field("unit"));
    let unit = unit.ok_or_else(|| wrong("unit"))?;
    // A name that a spreadsheet would run has an apostrophe before it.
    let cell = field("cell");
    let cell = cell
        .strip_prefix('\'')
        .filter(|rest| rest.starts_with(['=', '+', '-', '@']))
        .unwrap_or(cell);
    if cell.is_empty() {
        return Err(wrong("cell"));
    }
    // A table of what another program measured tells no block.
    let block = field("block");
    let told = (!block.is_empty()).then(|| block.parse::<u32>());
    let told = told.transpose().map_err(|_| wrong("block"))?;
    let work = TaskWorkload::of_texts("etalon", cell, run::figure_of(unit), [].into());
    let published = PublishedFigure {
        program: "etalon".to_owned(),
        value,
        unit,
        line: line as u64,
        quoted: field("figure").to_owned(),
        command: None,
        place: None,
        tells_block: told.is_some(),
    };
    let mut run = run::bare(cell, work, published, position);
    run.block = told.unwrap_or_default();
    // A table of an older etalon does not tell the verdict.
    if field("cell_verdict") == "invalid" {
        let codes = field("cell_reasons").split(' ').map(str::to_owned);
        let codes: Vec<String> = codes.collect();
        run.findings = run::findings(&codes).ok_or_else(|| wrong("cell_reasons"))?;
    }
    Ok(run)
}

fn broken(error: &csv::Error, lines: &mut Lines<'_>) -> PublishedError {
    let line = lines.begun_at(error.position());
    match *error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => PublishedError::Columns {
            line,
            found: len,
            wanted: expected_len,
        },
        _ => PublishedError::Row {
            line,
            column: "cell",
            text: short(&error.to_string()),
        },
    }
}
