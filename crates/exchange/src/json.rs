//! The JSON object of one cell.

use etalon_model::{
    Backend, Cell, CheckCoverage, Finding, Headline, Interval, LatencyHistogram, Measurement,
    Precision, Run, SCHEMA_VERSION, Unit, Verdict, Workload,
};
use etalon_units::Nanos;
use schemars::JsonSchema;
use serde::Serialize;

/// One cell as `etalon measure --json` prints it and as it stands under `cells` elsewhere.
///
/// Sums and medians go over the runs that count, those of `values`. A key whose figure is not known is `null`; one
/// that means nothing of this kind of work is missing. See `docs/schema.md` for units and ranges.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CellJson {
    /// The version of this schema.
    pub schema_version: u32,
    /// The cell's name within its experiment.
    pub name: String,
    /// What was done.
    pub workload: Workload,
    /// The backend that did the work; absent of a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<Backend>,
    /// Whether `O_DIRECT` was in force; absent of work that opens its files as it likes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direct: Option<bool>,
    /// `valid`, `invalid` or `undecided`.
    pub verdict: &'static str,
    /// The codes of the findings that make it invalid.
    pub reasons: Vec<String>,
    /// For `undecided`, the time that the missing runs would take.
    pub needed_ns: Option<u64>,
    /// What became of the precision that was asked for; `null` where none was.
    pub precision: Option<Precision>,
    /// The unit of `median`, `mean`, `interval` and `values`: `B/s`, `op/s` or `s`.
    pub unit: Unit,
    /// Number of runs that count.
    pub runs: u32,
    /// Which of `median` and `mean` the interval and the verdict belong to.
    pub headline: Headline,
    /// Median over the runs.
    pub median: f64,
    /// Mean over the runs.
    pub mean: f64,
    /// The interval of the headline; `null` with too few runs for one.
    pub interval: Option<Interval>,
    /// The figure of every run that counts, in the order in which they ran.
    pub values: Vec<f64>,
    /// Operations per second, median over the runs.
    pub iops: Option<f64>,
    /// Bytes per second, median over the runs.
    pub bytes_per_second: Option<f64>,
    /// Operations, these runs together; `null` where another program measured and did not tell them, as with the next two.
    pub operations: Option<u64>,
    /// Bytes moved, these runs together.
    pub bytes: Option<u64>,
    /// Timed parts, these runs together.
    pub duration_ns: Option<u64>,
    /// Processor time of the tool in user mode, these runs together; absent where none counted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_user_ns: Option<u64>,
    /// Processor time of the tool in the kernel, these runs together; absent likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_system_ns: Option<u64>,
    /// Latencies of these runs together.
    pub latency_ns: LatencyJson,
    /// Share of the bytes read that the devices served, median over the runs.
    pub device_read_share: Option<f64>,
    /// Share of the bytes written that the devices took, median over the runs.
    pub device_write_share: Option<f64>,
    /// What the checks made of it.
    pub findings: Vec<Finding>,
    /// What became of every check; absent unless it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckCoverage>,
}

/// Percentiles of a latency histogram, in nanoseconds; `null` where fewer than ten operations lie
/// beyond the percentile, and everywhere when there were none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LatencyJson {
    /// The median.
    pub p50: Option<u64>,
    /// The 99th percentile.
    pub p99: Option<u64>,
    /// The 99.9th percentile.
    pub p999: Option<u64>,
    /// The longest.
    pub max: Option<u64>,
    /// The mean.
    pub mean: Option<u64>,
}

impl LatencyJson {
    /// The figures of one histogram.
    pub fn of(latency: &LatencyHistogram) -> LatencyJson {
        let tail = |q| latency.tail_quantile(q).map(|span| span.get());
        LatencyJson {
            p50: tail(0.5),
            p99: tail(0.99),
            p999: tail(0.999),
            max: latency.max().map(|span| span.get()),
            mean: latency.mean().map(|span| span.get()),
        }
    }
}

impl CellJson {
    /// The object for `cell`, whose runs are those among `runs` that bear its name.
    pub fn of(cell: &Cell, runs: &[Run]) -> CellJson {
        let own: Vec<&Run> = runs.iter().filter(|run| run.cell == cell.name).collect();
        CellJson::of_own(cell, &own)
    }

    /// The object for `cell`, whose runs are `runs`; those that are left out of its values are in no other figure of it.
    pub fn of_own(cell: &Cell, runs: &[&Run]) -> CellJson {
        CellJson::of_counted(cell, &cell.counted(runs))
    }

    /// The object for `cell`, whose figures are those of all these `runs`.
    pub(crate) fn of_counted(cell: &Cell, runs: &[&Run]) -> CellJson {
        let measured = runs.first().map(|run| &run.measurement);
        // Zero stands for what a published text does not tell.
        let is_published = |run: &&Run| run.circumstances.published.is_some();
        let tells_zero = !runs.iter().any(is_published);
        let sum = |part: fn(&Run) -> u64| {
            let parts = runs.iter().map(|run| part(run));
            let sum = parts.fold(0u64, u64::saturating_add);
            (tells_zero || sum > 0).then_some(sum)
        };
        let median =
            |part: fn(&Run) -> Option<f64>| median(runs.iter().filter_map(|run| part(run)));
        let (reasons, needed_ns) = match &cell.verdict {
            Verdict::Valid => (Vec::new(), None),
            Verdict::Invalid { reasons } => (reasons.clone(), None),
            Verdict::Undecided { needed } => (Vec::new(), needed.map(|span| span.get())),
        };
        CellJson {
            schema_version: SCHEMA_VERSION,
            name: cell.name.clone(),
            workload: cell.workload.clone(),
            backend: measured
                .and_then(|m| m.backend)
                .or_else(|| cell.workload.io().map(|io| io.backend)),
            direct: measured
                .and_then(|m| m.direct)
                .or_else(|| cell.workload.io().map(|io| io.direct)),
            verdict: cell.verdict.word(),
            reasons,
            needed_ns,
            precision: cell.precision,
            unit: cell.unit,
            runs: cell.estimate().runs,
            headline: cell.headline,
            median: cell.median.value,
            mean: cell.mean.value,
            interval: cell.estimate().interval,
            values: cell.values.clone(),
            iops: median(Run::operations_per_second),
            bytes_per_second: median(Run::bytes_per_second),
            operations: sum(|run| run.measurement.operations()),
            bytes: sum(|run| run.measurement.bytes().get()),
            duration_ns: sum(|run| run.measurement.duration.get()),
            cpu_user_ns: counted(runs, |m| m.cpu_user),
            cpu_system_ns: counted(runs, |m| m.cpu_system),
            latency_ns: LatencyJson::of(&cell.latency),
            device_read_share: median(Run::device_read_share),
            device_write_share: median(Run::device_write_share),
            findings: cell.findings.clone(),
            checks: Vec::new(),
        }
    }
}

/// The sum over the runs that counted it; `None` where none did.
fn counted(runs: &[&Run], part: fn(&Measurement) -> Option<Nanos>) -> Option<u64> {
    let spans = runs.iter().filter_map(|run| part(&run.measurement));
    spans.map(Nanos::get).reduce(u64::saturating_add)
}

/// The middle value, or the mean of the two in the middle; `None` of nothing.
fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    Some((sorted[sorted.len() / 2 - 1] + upper) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{cell, run};
    use etalon_model::{DeviceTraffic, Ended, Estimate, Severity};
    use etalon_units::{Bytes, Nanos};
    use serde_json::json;

    #[test]
    fn a_cell_is_one_object_with_the_promised_keys() {
        let mut object =
            serde_json::to_value(CellJson::of(&cell(), &[run(0), run(1), run(2)])).unwrap();
        let workload = object.as_object_mut().unwrap().remove("workload").unwrap();
        assert_eq!(workload["operation"], "randread");
        assert_eq!(
            object,
            json!({
                "schema_version": 3,
                "name": "random read, \"4 KiB\"",
                "backend": "sync",
                "direct": true,
                "verdict": "undecided",
                "reasons": [],
                "needed_ns": 90_000_000_000u64,
                "precision": {"asked": 0.05, "reached": false, "needed_ns": 90_000_000_000u64},
                "unit": "op/s",
                "runs": 3,
                "headline": "median",
                "median": 550.0,
                "mean": 560.0,
                "interval": {"low": 500.0, "high": 600.0, "level": 0.95},
                "values": [500.0, 550.0, 600.0],
                "iops": 550.0,
                "bytes_per_second": 2_252_800.0,
                "operations": 3300,
                "bytes": 13_516_800,
                "duration_ns": 6_000_000_000u64,
                "cpu_user_ns": 30,
                "cpu_system_ns": 60,
                "latency_ns": {"p50": 100, "p99": 100, "p999": null, "max": 5003, "mean": 102},
                "device_read_share": 1.0,
                "device_write_share": null,
                "findings": [{
                    "affected": null,
                    "code": "page-cache",
                    "severity": "warn",
                    "message": "a = b",
                    "advice": "use --direct",
                    "evidence": [{"name": "share", "value": null}],
                }],
            })
        );
    }

    #[test]
    fn runs_of_other_cells_do_not_count() {
        let other = Run {
            cell: "another".into(),
            ..run(9)
        };
        let with = CellJson::of(&cell(), &[run(0), other, run(1)]);
        assert_eq!(with, CellJson::of(&cell(), &[run(0), run(1)]));
        assert_eq!(with.operations, Some(2100));
        assert_eq!(with.iops, Some(525.0));
    }

    #[test]
    fn a_run_that_is_left_out_is_in_no_figure() {
        let mut disturbed = run(9);
        disturbed
            .findings
            .push(Finding::new("foreign-io", Severity::Invalid, "", ""));
        let mut cut = run(8);
        cut.measurement.ended = Ended::Interrupted;
        let whole = [run(0), run(1), run(2)];
        let with = [run(0), disturbed, run(1), cut, run(2)];
        let found = CellJson::of(&cell(), &with);
        assert_eq!(found, CellJson::of(&cell(), &whole));
        assert_eq!((found.runs, found.iops), (3, Some(found.median)));
    }

    #[test]
    fn a_cell_without_runs_has_nulls() {
        let none = Estimate {
            value: f64::NAN,
            interval: None,
            runs: 0,
        };
        let cell = Cell {
            median: none,
            mean: none,
            latency: LatencyHistogram::new(),
            verdict: Verdict::Undecided { needed: None },
            ..cell()
        };
        let object = serde_json::to_value(CellJson::of(&cell, &[])).unwrap();
        for key in [
            "median",
            "mean",
            "interval",
            "iops",
            "needed_ns",
            "device_read_share",
        ] {
            assert!(object[key].is_null(), "{key}");
        }
        assert_eq!(object["latency_ns"]["max"], json!(null));
    }

    #[test]
    fn an_invalid_cell_names_its_reasons() {
        let cell = Cell {
            verdict: Verdict::Invalid {
                reasons: vec!["page-cache".into()],
            },
            ..cell()
        };
        let object = CellJson::of(&cell, &[]);
        assert_eq!((object.verdict, object.reasons.len()), ("invalid", 1));
    }

    #[test]
    fn written_bytes_give_the_write_share() {
        let mut run = run(0);
        std::mem::swap(&mut run.measurement.reads, &mut run.measurement.writes);
        run.measurement.bytes_with_warm_up = Bytes(1000);
        run.measurement.duration = Nanos::secs(1);
        run.device = Some(DeviceTraffic {
            written_bytes: Bytes(1500),
            ..DeviceTraffic::default()
        });
        let object = CellJson::of(&cell(), &[run]);
        assert_eq!(object.device_write_share, Some(1.5));
        assert_eq!(object.device_read_share, None);
    }
}
