//! Runs in a document: of what another program measured, what its text does not tell is absent.

use etalon_model::{JsonRecord as _, LatencyHistogram, Run};
use serde::Serializer;
use serde::ser::{Error as _, SerializeSeq as _};
use serde_json::Value;

/// Writes each run: as it is stored, or as much of it as was told.
pub(crate) fn runs<S: Serializer>(runs: &[Run], out: S) -> Result<S::Ok, S::Error> {
    let mut list = out.serialize_seq(Some(runs.len()))?;
    for run in runs {
        match run.circumstances.published {
            None => list.serialize_element(run)?,
            Some(_) => list.serialize_element(&told(run).map_err(S::Error::custom)?)?,
        }
    }
    list.end()
}

/// The record of a published run without its zeros.
fn told(run: &Run) -> serde_json::Result<Value> {
    let mut record: Value = serde_json::from_str(&run.to_json()?)?;
    let no_latency = serde_json::to_value(LatencyHistogram::new())?;
    if let Some(measurement) = record.get_mut("measurement") {
        leave_out(measurement, &no_latency);
    }
    if let Value::Object(record) = &mut record {
        record.retain(|key, value| key != "elapsed_ns" || !is_nothing(value, &no_latency));
    }
    Ok(record)
}

fn leave_out(value: &mut Value, no_latency: &Value) {
    if let Value::Object(parts) = value {
        parts
            .values_mut()
            .for_each(|part| leave_out(part, no_latency));
        parts.retain(|_, part| !is_nothing(part, no_latency));
    }
}

fn is_nothing(value: &Value, no_latency: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::Array(list) => list.is_empty(),
        Value::Object(parts) => parts.is_empty(),
        other => other == no_latency,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::read_published;
    use crate::samples::run as measured;
    use serde_json::json;

    fn written(all: &[Run]) -> Value {
        let mut text = Vec::new();
        runs(all, &mut serde_json::Serializer::new(&mut text)).unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    #[test]
    fn what_a_text_does_not_tell_is_absent_and_reads_back() {
        let text = r#"{"fio version": "fio-3.33", "global options": {"rw": "randread", "bs": "4k"}, "jobs": [
            {"jobname": "a", "read": {"io_bytes": 4096000, "bw_bytes": 409600, "iops": 100.5, "runtime": 10000}}]}"#;
        let runs = read_published(text, 1).unwrap();
        let written = written(&runs);
        let measurement = &written[0]["measurement"];
        assert_eq!(measurement["duration_ns"], json!(10_000_000_000u64));
        assert_eq!(measurement["reads"], json!({"bytes": 4_096_000}));
        for key in [
            "writes",
            "metadata",
            "fsyncs",
            "series",
            "final_fsync_ns",
            "jobs",
        ] {
            assert!(measurement.get(key).is_none(), "{key}: {measurement}");
        }
        assert!(written[0].get("elapsed_ns").is_none());
        let back: Vec<Run> = serde_json::from_value(written).unwrap();
        assert_eq!(back, runs);
    }

    #[test]
    fn zeros_that_were_measured_stay() {
        let run = measured(0);
        assert_eq!(
            written(std::slice::from_ref(&run))[0]["measurement"]["fsyncs"],
            0
        );
    }
}
