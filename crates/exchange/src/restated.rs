//! Whether the figures that a document states beside its runs are those of its runs.

use etalon_model::{Cell, Experiment, Run};
use serde::Deserialize;
use serde_json::Value;

use crate::{CellJson, MismatchBody};

/// Figures of a cell that [`from_json`](crate::from_json) does not take from the document, as pointers (RFC 6901).
const FIGURES: [&str; 14] = [
    "/iops",
    "/bytes_per_second",
    "/operations",
    "/bytes",
    "/duration_ns",
    "/cpu_user_ns",
    "/cpu_system_ns",
    "/latency_ns/p50",
    "/latency_ns/p99",
    "/latency_ns/p999",
    "/latency_ns/max",
    "/latency_ns/mean",
    "/device_read_share",
    "/device_write_share",
];

#[derive(Deserialize)]
struct Stated {
    cells: Vec<Value>,
}

/// What the document `text` says of the cells of `experiment`, which was read of it, and their runs do not. What an
/// older etalon did not write is not looked for, and where it summed up the runs that are left out too, its sums are held
/// against all runs.
///
/// # Errors
/// For a text that is no such document.
pub fn restated(text: &str, experiment: &Experiment) -> serde_json::Result<Vec<MismatchBody>> {
    let stated: Stated = serde_json::from_str(text)?;
    let mut found = Vec::new();
    for (stated, cell) in stated.cells.iter().zip(&experiment.cells) {
        let all: Vec<&Run> = experiment.runs_of(&cell.name).collect();
        let of_counted = unlike(stated, cell, &cell.counted(&all))?;
        let of_all = unlike(stated, cell, &all)?;
        found.extend(match of_all.len() < of_counted.len() {
            true => of_all,
            false => of_counted,
        });
    }
    Ok(found)
}

/// The figures of a cell that are not those of these runs.
fn unlike(stated: &Value, cell: &Cell, runs: &[&Run]) -> serde_json::Result<Vec<MismatchBody>> {
    let computed = serde_json::to_value(CellJson::of_counted(cell, runs))?;
    let unlike = FIGURES.iter().filter_map(|figure| {
        let stated = stated.pointer(figure)?;
        let computed = computed.pointer(figure).unwrap_or(&Value::Null);
        (!is_same(stated, computed)).then(|| MismatchBody {
            cell: cell.name.clone(),
            figure: &figure[1..],
            stated: stated.to_string(),
            computed: computed.to_string(),
        })
    });
    Ok(unlike.collect())
}

/// Figures are texts on their way, and lose a digit at most.
fn is_same(stated: &Value, computed: &Value) -> bool {
    match (stated.as_f64(), computed.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
        _ => stated == computed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::experiment;
    use etalon_model::LatencyHistogram;

    /// The sample's document, with the latencies of its runs.
    fn document() -> Value {
        let mut experiment = experiment();
        let mut latency = LatencyHistogram::new();
        let runs = experiment.runs.iter();
        runs.for_each(|run| latency.merge(&run.measurement.latency()));
        experiment.cells[0].latency = latency;
        let mut out = Vec::new();
        crate::to_json(&experiment, &mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    fn found(text: &str) -> Vec<&'static str> {
        let read = crate::from_json(text).unwrap();
        let found = restated(text, &read).unwrap().into_iter();
        found.map(|mismatch| mismatch.figure).collect()
    }

    #[test]
    fn figures_that_are_changed_by_hand_are_named() {
        let mut changed = document();
        assert_eq!(found(&changed.to_string()), [""; 0]);
        let cell = &mut changed["cells"][0];
        cell["latency_ns"]["p99"] = 1.into();
        cell["iops"] = 551.into();
        cell["device_read_share"] = Value::Null;
        let named = ["iops", "latency_ns/p99", "device_read_share"];
        assert_eq!(found(&changed.to_string()), named);
    }

    /// The sample's document with a run that was cut short, whose `cells` are summed up as they are given.
    fn with_a_cut_run(cells: &Value) -> Value {
        let mut document = document();
        let mut cut = document["runs"][0].clone();
        cut["measurement"]["ended"] = "interrupted".into();
        document["runs"].as_array_mut().unwrap().push(cut);
        document["cells"] = cells.clone();
        document
    }

    #[test]
    fn sums_of_an_older_document_over_all_runs_are_no_contradiction() {
        let mut cells = document()["cells"].clone();
        assert_eq!(found(&with_a_cut_run(&cells).to_string()), [""; 0]);
        // 1000 operations in 2 s more, and the median of four.
        for (figure, sum) in [
            ("operations", 4300),
            ("bytes", 4300 * 4096),
            ("duration_ns", 8_000_000_000_u64),
            ("cpu_user_ns", 40),
            ("cpu_system_ns", 80),
            ("iops", 525),
            ("bytes_per_second", 525 * 4096),
        ] {
            cells[0][figure] = sum.into();
        }
        assert_eq!(found(&with_a_cut_run(&cells).to_string()), [""; 0]);
        cells[0]["bytes"] = 1.into();
        assert_eq!(found(&with_a_cut_run(&cells).to_string()), ["bytes"]);
    }

    #[test]
    fn what_an_older_document_lacks_is_not_missed() {
        let mut older = document();
        older["cells"][0].as_object_mut().unwrap().remove("iops");
        assert_eq!(found(&older.to_string()), [""; 0]);
    }
}
