//! What of a run decides how it is judged.

use etalon_model::{Run, TaskFigure, Unit};
use etalon_units::{ByteRate, Nanos, OpRate};

/// A figure speaks of the devices only when they moved at least this share of its bytes: up to 1 % may have come from a
/// cache, or still be in one.
pub(crate) const DEVICE_SHARE: f64 = 0.99;

/// The same as a share that is missing.
pub(crate) const TOLERATED: f64 = 1.0 - DEVICE_SHARE;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{read_run, task_run, write_run};

    #[test]
    fn a_figure_of_every_kind_of_run_has_few_digits_and_its_unit() {
        let is = |run: Run, value, wanted: &str| assert_eq!(figure_of(&run, value), wanted);
        is(write_run(), 5.381e8, "513 MiB/s");
        is(task_run(TaskFigure::Throughput), 5.381e8, "513 MiB/s");
        is(read_run(), 7.2e1, "72.0 IOPS");
        is(read_run(), 1.3204e4, "13.2 k IOPS");
        is(task_run(TaskFigure::Rate), 7.2e1, "72.0/s");
        is(task_run(TaskFigure::Rate), 1.3204e4, "13.2 k/s");
        is(task_run(TaskFigure::Time), 9.05e1, "1 min 30 s");
    }
}
