//! Whether the figures that a document states beside its runs are those of its runs.

use etalon_model::Experiment;
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
/// older etalon did not write is not looked for.
///
/// # Errors
/// For a text that is no such document.
pub fn restated(text: &str, experiment: &Experiment) -> serde_json::Result<Vec<MismatchBody>> {
    let stated: Stated = serde_json::from_str(text)?;
    let mut found = Vec::new();
    for (stated, cell) in stated.cells.iter().zip(&experiment.cells) {
        let computed = serde_json::to_value(CellJson::of(cell, &experiment.runs))?;
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
        found.extend(unlike);
    }
    Ok(found)
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

    #[test]
    fn what_an_older_document_lacks_is_not_missed() {
        let mut older = document();
        older["cells"][0].as_object_mut().unwrap().remove("iops");
        assert_eq!(found(&older.to_string()), [""; 0]);
    }
}
