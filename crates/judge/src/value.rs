//! What of a run decides how it is judged.

use etalon_model::{Run, Severity, TaskFigure, Unit};
use etalon_units::{ByteRate, Nanos, OpRate};

/// A figure speaks of the devices only when they moved at least this share of its bytes: up to 1 % may have come from a
/// cache, or still be in one.
pub(crate) const DEVICE_SHARE: f64 = 0.99;

/// The same as a share that is missing.
pub(crate) const TOLERATED: f64 = 1.0 - DEVICE_SHARE;

/// Whether a check calls the run invalid.
pub(crate) fn is_invalid(run: &Run) -> bool {
    run.findings.iter().any(|f| f.severity == Severity::Invalid)
}

/// Whether the run is a part of a task whose figure is a span of time.
pub(crate) fn is_timed(run: &Run) -> bool {
    run.task_figure() == Some(TaskFigure::Time)
}

/// A figure of such runs with its unit, as pages tell it.
pub(crate) fn figure_of(run: &Run, value: f64) -> String {
    let figure = match run.unit() {
        Unit::BytesPerSecond => ByteRate(value).figure(),
        Unit::Seconds => Nanos::from_secs_f64(value).figure(),
        Unit::OperationsPerSecond if run.workload.task().is_none() => OpRate(value).figure("IOPS"),
        Unit::OperationsPerSecond => OpRate(value).figure("/s"),
    };
    figure.to_string()
}
