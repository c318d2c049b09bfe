//! The runs of a cell as records for whoever keeps them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::keeper::part_of;
use etalon_experiment::run::unobserved;
use etalon_file_ops::{Direction, FileOp, Pass, Settings};
use etalon_judge::cell_of;
use etalon_model::{
    self as model, Backend, Finding, JobTotals, Measurement, OpTotals, Run, TaskFigure,
    TaskWorkload,
};
use etalon_units::Bytes;
use etalon_workload::measurable;
use serde_json::{Map, Value};

use super::columns::names_of;
use super::measure::{Measured, Series};
use super::verdict_text::name_of;
use super::{Cell, Options, Row};

/// Settings that say which random numbers were drawn, or what the lists of the options say.
const NOT_TOLD: [&str; 2] = ["seed", "lists"];

/// The records of the runs of `series`, by as many `workers` at this row.
pub(crate) fn runs(
    series: &Series,
    row: Row,
    workers: Option<usize>,
    parameters: &BTreeMap<String, String>,
) -> Vec<Run> {
    let cell = name_of(series.op, row, workers);
    let step = names_of(series.op).plain;
    let figure = TaskFigure::Throughput;
    let workload = TaskWorkload::of_texts("iozone", step, figure, parameters.clone());
    let run = |(block, measured): (usize, &Measured)| {
        let ended = measured.passes.last()?.wall_clock().1;
        let measurement = measurement(series.op, measured);
        let pass = measurable::Pass {
            block: u32::try_from(block).unwrap_or(u32::MAX),
            position: 0,
        };
        let report = part_of((step, &cell), workload.clone(), measurement);
        Some(unobserved(report, pass, ended))
    };
    series.measured.iter().enumerate().filter_map(run).collect()
}

fn measurement(op: FileOp, measured: &Measured) -> Measurement {
    let totals = |direction: Direction| {
        let passes = || {
            let all = measured.passes.iter();
            all.filter(move |pass| direction_of(op, pass) == direction)
        };
        OpTotals {
            operations: passes().map(|pass| pass.operations).sum(),
            bytes: Bytes(passes().map(|pass| pass.bytes.get()).sum()),
            ..OpTotals::default()
        }
    };
    let jobs = measured.passes.iter().map(|pass| JobTotals {
        operations: pass.operations,
        bytes: pass.bytes,
        duration: pass.elapsed(),
    });
    let mut record = Measurement::of_nothing(Backend::Sync, measured.elapsed);
    record.direct = measured.passes.iter().all(|pass| pass.direct);
    record.reads = totals(Direction::Read);
    record.writes = totals(Direction::Write);
    record.bytes_with_warm_up = measured.bytes();
    record.jobs = jobs.collect();
    if let Some(ended) = measured.cut() {
        record.ended = ended;
    }
    record
}

/// The workers of a mixed operation differ.
fn direction_of(op: FileOp, pass: &Pass) -> Direction {
    match op {
        FileOp::Mixed => pass.op.direction(),
        _ => op.direction(),
    }
}

/// Every setting with its value; what is off is empty.
pub(crate) fn parameters(
    settings: &Settings,
    options: &Options,
    workers: Option<usize>,
) -> BTreeMap<String, String> {
    let fields = |settings: &Settings| match serde_json::to_value(settings) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let usual = fields(&Settings::default());
    let mut named = BTreeMap::new();
    for (name, value) in fields(settings) {
        // What has parts of its own is off where nothing of it was asked for.
        let is_off = value.is_object() && usual.get(&name) == Some(&value);
        let text = if is_off { String::new() } else { plain(&value) };
        if !NOT_TOLD.contains(&name.as_str()) {
            named.insert(name, text);
        }
    }
    let path = |path: &Option<PathBuf>| {
        let shown = path.as_ref().map(|path| path.display().to_string());
        shown.unwrap_or_default()
    };
    named.extend(
        [
            ("size", settings.size.to_string()),
            ("record", settings.record.to_string()),
            ("workers", workers.unwrap_or(1).to_string()),
            ("threads", plain(&Value::Bool(options.threads))),
            ("remounted", path(&options.remount)),
            ("write_list", path(&options.write_list)),
            ("read_list", path(&options.read_list)),
            ("read_percent", options.read_percent.to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    named
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(false) => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Cells and runs that go to the keeper together.
pub(crate) struct Records {
    pub(crate) cells: Vec<model::Cell>,
    pub(crate) runs: Vec<Run>,
    /// The findings that hold for all cells.
    general: Vec<Finding>,
}

impl Records {
    pub(crate) fn new(general: Vec<Finding>) -> Records {
        Records {
            cells: Vec::new(),
            runs: Vec::new(),
            general,
        }
    }

    /// Adds a judged cell with its runs; without any figure there is no record of it.
    pub(crate) fn add(&mut self, cell: &Cell, runs: Vec<Run>) {
        let Some(estimate) = &cell.estimate else {
            return;
        };
        let name = name_of(cell.op, cell.row, cell.workers);
        let findings = self.general.iter().chain(&cell.findings).cloned().collect();
        let of_cell: Vec<&Run> = runs.iter().collect();
        let verdict = cell.verdict.clone();
        self.cells
            .extend(cell_of(&name, &of_cell, estimate, findings, verdict));
        self.runs.extend(runs);
    }
}
