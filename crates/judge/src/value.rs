//! The figure of one run and its unit.

use etalon_model::{Operation, Order, Run, Severity, TaskFigure, Unit, Workload};

/// Whether a check calls the run invalid.
pub(crate) fn is_invalid(run: &Run) -> bool {
    run.findings.iter().any(|f| f.severity == Severity::Invalid)
}

/// Tasks say themselves what is counted of them; streams are told in bytes, everything else in
/// operations.
pub(crate) fn unit(run: &Run) -> Unit {
    match (figure(run), &run.workload) {
        (Some(TaskFigure::Time), _) => Unit::Seconds,
        (Some(TaskFigure::Throughput), _) => Unit::BytesPerSecond,
        (None, Workload::Io(io)) if is_stream(io.operation) => Unit::BytesPerSecond,
        (Some(TaskFigure::Rate) | None, _) => Unit::OperationsPerSecond,
    }
}

/// What is counted of a run that is a part of a task.
fn figure(run: &Run) -> Option<TaskFigure> {
    run.workload.task().map(|task| task.figure)
}

/// Whether the run is a part of a task whose figure is a span of time.
pub(crate) fn is_timed(run: &Run) -> bool {
    figure(run) == Some(TaskFigure::Time)
}

fn is_stream(operation: Operation) -> bool {
    operation.order() != Order::Random
}

/// The figure of a run, in its [`unit`].
pub(crate) fn value(run: &Run) -> f64 {
    let m = &run.measurement;
    match (figure(run), unit(run)) {
        (Some(TaskFigure::Throughput), _) => m.bytes_per_second_of_jobs(),
        (_, Unit::Seconds) => m.duration.as_secs_f64(),
        (_, Unit::BytesPerSecond) => m.bytes_per_second(),
        (_, Unit::OperationsPerSecond) => m.operations_per_second(),
    }
}
