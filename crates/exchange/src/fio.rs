//! An experiment as the JSON that fio prints, for what draws from that.
//!
//! The keys are those of `fio --output-format=json` (fio's HOWTO, "Interpreting the output"); a cell is a
//! job. What etalon does not measure is zero there, as fio prints what did not happen. Of a key that fio does not have
//! is the verdict on the cell, `etalon`.

use etalon_model::{Cell, Experiment, LatencyHistogram, OpTotals, Run};
use etalon_units::Nanos;
use serde_json::{Value, json};

use crate::ExportError;
use crate::fio_options::options;

/// The percentiles that fio prints unless told otherwise.
const PERCENTILES: [f64; 17] = [
    1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95,
    99.99,
];

/// The cells that are I/O, as fio's document; tasks have no counterpart there and are left out.
///
/// # Errors
/// [`ExportError::Json`] when it cannot be written.
pub fn to_fio_json(experiment: &Experiment) -> Result<String, ExportError> {
    let cells = experiment.cells.iter();
    document(
        experiment,
        cells.filter(|cell| cell.workload.io().is_some()),
    )
}

/// The document of some cells.
pub(crate) fn document<'a>(
    experiment: &Experiment,
    cells: impl Iterator<Item = &'a Cell>,
) -> Result<String, ExportError> {
    let begun = &experiment.header.begun;
    let document = json!({
        "fio version": format!("etalon-{}", begun.tool_version),
        "timestamp": begun.started_unix_ns / 1_000_000_000,
        "timestamp_ms": begun.started_unix_ns / 1_000_000,
        "time": "",
        "global options": {"directory": begun.target.path},
        "jobs": cells.map(|cell| job(experiment, cell)).collect::<Vec<Value>>(),
        "disk_util": [],
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn job(experiment: &Experiment, cell: &Cell) -> Value {
    let own: Vec<&Run> = experiment.runs_of(&cell.name).collect();
    let runs = cell.counted(&own);
    let nanos: u64 = runs.iter().map(|run| run.measurement.duration.get()).sum();
    let cpu = |of: fn(&Run) -> u64| {
        let used: u64 = runs.iter().map(|run| of(run)).sum();
        used as f64 / (nanos as f64).max(1.0) * 100.0
    };
    let trimmed = runs.iter().filter(|run| !run.measurement.trims.is_none());
    let trimmed: Vec<&Run> = trimmed.copied().collect();
    json!({
        "jobname": cell.name,
        "groupid": 0,
        "error": 0,
        "eta": 0,
        "elapsed": nanos.div_ceil(1_000_000_000),
        "job options": options(cell, &runs),
        "etalon": cell.verdict,
        "read": direction(&runs, nanos, |run| &run.measurement.reads),
        "write": direction(&runs, nanos, |run| &run.measurement.writes),
        "trim": direction(&trimmed, nanos, |run| &run.measurement.trims),
        "job_runtime": nanos / 1_000_000,
        "usr_cpu": cpu(|run| span(run.measurement.cpu_user)),
        "sys_cpu": cpu(|run| span(run.measurement.cpu_system)),
        "ctx": 0,
        "majf": 0,
        "minf": 0,
        "iodepth_level": {"1": 0.0, "2": 0.0, "4": 0.0, "8": 0.0, "16": 0.0, "32": 0.0, ">=64": 0.0},
        "latency_ns": classes(&cell.latency, 1, &[2, 4, 10, 20, 50, 100, 250, 500, 750, 1000]),
        "latency_us": classes(&cell.latency, 1000, &[2, 4, 10, 20, 50, 100, 250, 500, 750, 1000]),
        "latency_ms": last_classes(&cell.latency),
        "latency_depth": 0,
    })
}

/// fio has a figure in every place, so that what was not counted is none.
fn span(counted: Option<Nanos>) -> u64 {
    counted.unwrap_or_default().get()
}

fn direction(runs: &[&Run], nanos: u64, of: fn(&Run) -> &OpTotals) -> Value {
    let mut latency = LatencyHistogram::new();
    let (mut ios, mut bytes) = (0u64, 0u64);
    let mut rates = Vec::new();
    for run in runs {
        let totals = of(run);
        latency.merge(&totals.latency);
        ios += totals.operations;
        bytes += totals.bytes.get();
        rates.push(totals.operations as f64 / run.measurement.duration.as_secs_f64().max(1e-9));
    }
    let seconds = (nanos as f64 / 1e9).max(1e-9);
    let spread = spread(&rates);
    let rate = bytes as f64 / seconds;
    let size = if ios > 0 {
        bytes as f64 / ios as f64 / 1024.0
    } else {
        0.0
    };
    json!({
        "io_bytes": bytes,
        "io_kbytes": bytes / 1024,
        "bw_bytes": rate.round() as u64,
        "bw": (rate / 1024.0).round() as u64,
        "iops": ios as f64 / seconds,
        "runtime": nanos / 1_000_000,
        "total_ios": ios,
        "short_ios": 0,
        "drop_ios": 0,
        "slat_ns": times(&LatencyHistogram::new(), false),
        "clat_ns": times(&latency, true),
        "lat_ns": times(&latency, false),
        "bw_min": (spread.0 * size).round() as u64,
        "bw_max": (spread.1 * size).round() as u64,
        "bw_agg": 100.0,
        "bw_mean": spread.2 * size,
        "bw_dev": spread.3 * size,
        "bw_samples": rates.len(),
        "iops_min": spread.0.round() as u64,
        "iops_max": spread.1.round() as u64,
        "iops_mean": spread.2,
        "iops_stddev": spread.3,
        "iops_samples": rates.len(),
    })
}

/// Least, most, mean and standard deviation of the runs; zeros without any.
fn spread(rates: &[f64]) -> (f64, f64, f64, f64) {
    if rates.is_empty() {
        return (0.0, 0.0, 0.0, 0.0);
    }
    let count = rates.len() as f64;
    let mean = rates.iter().sum::<f64>() / count;
    let squares = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>();
    let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
    let most = rates.iter().copied().fold(0.0, f64::max);
    (least, most, mean, (squares / (count - 1.0).max(1.0)).sqrt())
}

fn times(latency: &LatencyHistogram, percentiles: bool) -> Value {
    let ns = |span: Option<etalon_units::Nanos>| span.map_or(0, |span| span.get());
    let mean = ns(latency.mean());
    let mut times = json!({
        "min": ns(latency.quantile(0.0)),
        "max": ns(latency.max()),
        "mean": mean as f64,
        "stddev": deviation(latency, mean as f64),
        "N": latency.count(),
    });
    if percentiles && latency.count() > 0 {
        let at = |p: &f64| (format!("{p:.6}"), json!(ns(latency.quantile(p / 100.0))));
        times["percentile"] = Value::Object(PERCENTILES.iter().map(at).collect());
    }
    times
}

/// The standard deviation, from a thousand quantiles.
fn deviation(latency: &LatencyHistogram, mean: f64) -> f64 {
    let quantile = |n: i32| latency.quantile((f64::from(n) + 0.5) / 1000.0);
    let squares = (0..1000)
        .filter_map(quantile)
        .map(|ns| (ns.get() as f64 - mean).powi(2));
    (squares.sum::<f64>() / 1000.0).sqrt()
}

/// Per cent of the operations below each bound and above the one before.
fn classes(latency: &LatencyHistogram, unit: u64, bounds: &[u64]) -> Value {
    let mut below = if unit == 1 { 0.0 } else { share(latency, unit) };
    let class = |bound: &u64| {
        let until = share(latency, bound * unit);
        let within = (until - below).max(0.0) * 100.0;
        below = until.max(below);
        (bound.to_string(), json!(within))
    };
    Value::Object(bounds.iter().map(class).collect())
}

fn last_classes(latency: &LatencyHistogram) -> Value {
    let mut classes = classes(
        latency,
        1_000_000,
        &[2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000],
    );
    let above = (1.0 - share(latency, 2_000_000_000)).max(0.0) * 100.0;
    classes[">=2000"] = json!(above);
    classes
}

/// Share of the operations that took no longer, by halving: the histogram tells quantiles only.
fn share(latency: &LatencyHistogram, ns: u64) -> f64 {
    if latency.count() == 0 {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..20 {
        let middle = (low + high) / 2.0;
        match latency
            .quantile(middle)
            .is_some_and(|span| span.get() <= ns)
        {
            true => low = middle,
            false => high = middle,
        }
    }
    if low > 0.999_99 { 1.0 } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::experiment;
    use etalon_model::{Ended, Verdict};

    #[test]
    fn a_cell_is_a_job_with_fios_keys() {
        let document: Value = serde_json::from_str(&to_fio_json(&experiment()).unwrap()).unwrap();
        let job = &document["jobs"][0];
        assert_eq!(job["job options"]["rw"], "randread");
        assert_eq!(job["job options"]["iodepth"], "1");
        let read = &job["read"];
        assert_eq!(read["total_ios"], 3300);
        assert_eq!(read["io_bytes"], 3300 * 4096);
        assert_eq!(read["iops"], 550.0);
        assert_eq!(read["runtime"], 6000);
        assert_eq!(read["clat_ns"]["percentile"]["50.000000"], 100);
        assert_eq!(
            (&read["iops_min"], &read["iops_max"]),
            (&json!(500), &json!(600))
        );
        assert_eq!(job["write"]["total_ios"], 0);
        let hundred = job["latency_ns"]["100"].as_f64().unwrap();
        assert!((hundred - 99.9).abs() < 0.2, "{hundred}");
    }

    #[test]
    fn a_cell_has_its_verdict_beside_fios_keys() {
        let mut experiment = experiment();
        experiment.cells[0].verdict = Verdict::Invalid {
            reasons: vec!["page-cache".to_owned()],
        };
        let text = to_fio_json(&experiment).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        let told = &document["jobs"][0]["etalon"];
        assert_eq!(told["verdict"], "invalid");
        assert_eq!(told["reasons"], json!(["page-cache"]));
    }

    #[test]
    fn a_run_that_is_left_out_is_in_no_figure() {
        let mut with = experiment();
        let mut cut = with.runs[0].clone();
        cut.measurement.ended = Ended::Interrupted;
        with.runs.insert(1, cut);
        assert_eq!(
            to_fio_json(&with).unwrap(),
            to_fio_json(&experiment()).unwrap()
        );
    }
}
