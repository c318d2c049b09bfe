//! An exported experiment, read back.

use std::sync::Arc;

use etalon_model::{
    Cell, EnvironmentRecord, Estimate, Experiment, ExperimentHeader, Finding, Headline, Interval,
    LatencyHistogram, Precision, Run, SCHEMA_VERSION, Unit, Verdict, Workload,
};
use etalon_units::Nanos;
use serde::Deserialize;

/// Why a text is no exported experiment.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It is no JSON document of this form.
    #[error("this is no experiment that `etalon export --json` wrote: {0}")]
    Form(#[from] serde_json::Error),
    /// A document of another kind.
    #[error(
        "this document is '{0}' and not 'etalon-experiment'; name one that `etalon export --json` wrote"
    )]
    Format(String),
    /// A newer etalon has written it.
    #[error(
        "the document has schema {found}, and this etalon knows schemas up to {SCHEMA_VERSION}; use the newer etalon that wrote it"
    )]
    Newer {
        /// Its schema.
        found: u32,
    },
}

#[derive(Deserialize)]
struct DocumentMark {
    format: String,
    schema_version: u32,
}

#[derive(Deserialize)]
struct Document {
    #[serde(flatten)]
    header: ExperimentHeader,
    cells: Vec<CellDocument>,
    #[serde(default)]
    environments: Vec<EnvironmentRecord>,
    runs: Vec<Run>,
}

/// What a cell's object holds that its runs do not tell.
#[derive(Deserialize)]
struct CellDocument {
    name: String,
    workload: Workload,
    verdict: String,
    reasons: Vec<String>,
    needed_ns: Option<Nanos>,
    #[serde(default)]
    precision: Option<Precision>,
    unit: Unit,
    runs: u32,
    headline: Headline,
    median: Option<f64>,
    mean: Option<f64>,
    interval: Option<Interval>,
    values: Vec<f64>,
    device_read_share: Option<f64>,
    device_write_share: Option<f64>,
    findings: Vec<Finding>,
}

/// Reads what [`to_json`](crate::to_json) wrote, here or on another machine, now or by an older etalon.
///
/// # Errors
/// [`ImportError`] for any other text.
pub fn from_json(text: &str) -> Result<Experiment, ImportError> {
    let mark: DocumentMark = serde_json::from_str(text)?;
    if mark.format != "etalon-experiment" {
        return Err(ImportError::Format(mark.format));
    }
    if mark.schema_version > SCHEMA_VERSION {
        let found = mark.schema_version;
        return Err(ImportError::Newer { found });
    }
    let mut document: Document = serde_json::from_str(text)?;
    document.header.schema_version = SCHEMA_VERSION;
    let environments = document.environments.into_iter().map(Arc::new).collect();
    let mut runs = document.runs;
    restore_environments(&mut runs, environments);
    let cells = document.cells.into_iter();
    Ok(Experiment {
        header: document.header,
        cells: cells.map(|cell| cell.with(&runs)).collect(),
        runs,
    })
}

/// Gives each run its environment back.
pub(crate) fn restore_environments(runs: &mut [Run], environments: Vec<Arc<EnvironmentRecord>>) {
    for run in runs {
        if let Some(mark) = &mut run.circumstances.environment {
            let mut all = environments.iter();
            let own = all.find(|record| record.manifest.hash == mark.hash);
            mark.record = own.map(Arc::clone);
        }
    }
}

impl CellDocument {
    /// The cell; latencies are those of its runs that count.
    fn with(self, runs: &[Run]) -> Cell {
        let mut cell = self.without_latencies();
        let own: Vec<&Run> = runs.iter().filter(|run| run.cell == cell.name).collect();
        for run in cell.counted(&own) {
            cell.latency.merge(&run.measurement.latency());
        }
        cell
    }

    fn without_latencies(self) -> Cell {
        let estimate = |value: Option<f64>, kind| Estimate {
            value: value.unwrap_or(f64::NAN),
            interval: self.interval.filter(|_| self.headline == kind),
            runs: self.runs,
        };
        Cell {
            median: estimate(self.median, Headline::Median),
            mean: estimate(self.mean, Headline::Mean),
            verdict: verdict(&self.verdict, self.reasons, self.needed_ns),
            precision: self.precision,
            name: self.name,
            workload: self.workload,
            unit: self.unit,
            headline: self.headline,
            values: self.values,
            latency: LatencyHistogram::new(),
            device_share: self.device_read_share.or(self.device_write_share),
            findings: self.findings,
        }
    }
}

fn verdict(word: &str, reasons: Vec<String>, needed: Option<Nanos>) -> Verdict {
    match word {
        "valid" => Verdict::Valid,
        "invalid" => Verdict::Invalid { reasons },
        _ => Verdict::Undecided { needed },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::experiment;

    fn exported() -> String {
        let mut out = Vec::new();
        crate::to_json(&experiment(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn an_export_reads_back() {
        let (back, original) = (from_json(&exported()).unwrap(), experiment());
        assert_eq!(back.header, original.header);
        let (cell, was) = (&back.cells[0], &original.cells[0]);
        assert_eq!((&cell.name, cell.estimate()), (&was.name, was.estimate()));
        assert_eq!((&cell.values, &cell.verdict), (&was.values, &was.verdict));
        assert_eq!(cell.precision, was.precision);
        for (run, was) in back.runs.iter().zip(&original.runs) {
            assert_eq!(run.measurement, was.measurement);
            assert_eq!(run.workload, was.workload);
        }
        let environments = original.environments();
        assert_eq!(environments.len(), 1, "the sample has one");
        assert_eq!(back.environments(), environments);
    }

    #[test]
    fn other_texts_are_refused_with_the_reason() {
        let newer = exported().replacen(
            &format!("\"schema_version\": {SCHEMA_VERSION}"),
            "\"schema_version\": 99",
            1,
        );
        for (text, word) in [
            ("{}", "no experiment"),
            ("[1", "no experiment"),
            (
                r#"{"format": "etalon-list", "schema_version": 1}"#,
                "'etalon-list'",
            ),
            (newer.as_str(), "schema 99"),
        ] {
            let error = from_json(text).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
