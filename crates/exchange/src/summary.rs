//! What one command found, as one JSON document without the single runs.

use etalon_model::{Comparison, FactorInteraction};
use etalon_units::Nanos;
use schemars::JsonSchema;
use serde::Serialize;

use crate::CellJson;

/// What a measuring command prints beyond the envelope. `R` is what a task says of each run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SummaryBody<'a, R = ()> {
    /// What was chosen and why, a sentence each.
    pub choices: Vec<String>,
    /// The cells that have no row, since their runs took more time than there was.
    pub dropped: Vec<&'a str>,
    /// What the noise of the first blocks promised, in a sentence.
    pub forecast: Option<String>,
    /// Decides every random choice.
    pub seed: u64,
    /// How long it took.
    pub elapsed_ns: u64,
    /// True when it was stopped; the cells then cover what had finished.
    pub interrupted: bool,
    /// What ended it before its end, in a sentence; the cells then cover what had finished.
    pub failure: Option<&'a str>,
    /// The cells, in the order of the table.
    pub cells: Vec<CellJson>,
    /// Cells side by side, of `together` and `run`; absent elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparisons: Option<Vec<Comparison>>,
    /// Of `run`: every interaction of two factors that was tried; missing of all else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactions: Option<Vec<FactorInteraction>>,
    /// Of `metadata` and `work`: the full record of each run; missing of all else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<&'a [R]>,
    /// Of `measure --latency-target`: what its load says; missing of all else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_target: Option<LatencyTargetBody>,
}

/// Up to which load a latency is kept.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LatencyTargetBody {
    /// The latency that was asked for.
    pub limit_ns: Nanos,
    /// The share of the operations that is to keep it.
    pub quantile: f64,
    /// The highest load at which it is kept; `null` where it is kept at none.
    pub met: Option<LatencyStepBody>,
    /// The lowest load above it whose operations are too few to show whether it is kept; `null` where there is none.
    pub not_shown: Option<LatencyStepBody>,
    /// The lowest load at which it is not; `null` where it is kept at all.
    pub missed: Option<LatencyStepBody>,
}

/// One load as it was measured.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LatencyStepBody {
    /// The cell.
    pub cell: String,
    /// The queue depth, where that was raised.
    pub queue_depth: Option<u32>,
    /// The rate, where that was raised.
    pub asked_iops: Option<f64>,
    /// The rate that was reached.
    pub iops: f64,
    /// How many operations ended in its runs.
    pub operations: u64,
    /// The percentile over the runs; `null` where fewer than ten operations lie beyond it.
    pub latency_ns: Option<Nanos>,
    /// Lower end of its 95 % interval; `null` where the runs are too few for one, or have too few operations.
    pub latency_low_ns: Option<Nanos>,
    /// Upper end.
    pub latency_high_ns: Option<Nanos>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{cell, experiment, run};
    use crate::{DocumentFormat, Envelope};

    fn latency_target() -> LatencyTargetBody {
        LatencyTargetBody {
            limit_ns: Nanos::millis(5),
            quantile: 0.99,
            met: Some(LatencyStepBody {
                cell: "randread 4 KiB QD16".to_owned(),
                queue_depth: Some(16),
                asked_iops: None,
                iops: 4000.0,
                operations: 24_000,
                latency_ns: Some(Nanos::millis(4)),
                latency_low_ns: None,
                latency_high_ns: None,
            }),
            not_shown: None,
            missed: None,
        }
    }

    #[test]
    fn every_key_is_described() {
        let body = SummaryBody::<()> {
            choices: vec!["because".to_owned()],
            dropped: vec!["create files"],
            forecast: Some("so".to_owned()),
            seed: 1,
            elapsed_ns: 2,
            interrupted: false,
            failure: Some("a disk"),
            cells: vec![CellJson::of(&cell(), &[run(0)])],
            comparisons: None,
            interactions: None,
            records: None,
            latency_target: Some(latency_target()),
        };
        let experiment = experiment();
        let document = Envelope::new(DocumentFormat::Summary, "quick", body);
        let document = document.on(&experiment.header.begun.target).of(Some(3));
        let document = serde_json::to_value(document).unwrap();
        assert_eq!(document["format"], "etalon-summary");
        assert_eq!(document["cells"][0]["unit"], "op/s");
        let description = include_str!("../../../docs/schema.md");
        let target = &document["latency_target"];
        for object in [&document, target, &target["met"]] {
            for key in object.as_object().unwrap().keys() {
                assert!(description.contains(&format!("`{key}`")), "{key}");
            }
        }
    }
}
