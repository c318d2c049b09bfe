//! The figure of one run and its unit: decided here for all that tell it.

use crate::{Operation, Order, Run, TaskFigure, Unit, Workload};

impl Run {
    /// Tasks say themselves what is counted of them; streams are told in bytes, everything else in
    /// operations.
    /// What another program measured has the unit in which that told it.
    pub fn unit(&self) -> Unit {
        if let Some(published) = &self.circumstances.published {
            return published.unit;
        }
        match (self.task_figure(), &self.workload) {
            (Some(TaskFigure::Time), _) => Unit::Seconds,
            (Some(TaskFigure::Throughput), _) => Unit::BytesPerSecond,
            (None, Workload::Io(io)) if is_stream(io.operation) => Unit::BytesPerSecond,
            (Some(TaskFigure::Rate) | None, _) => Unit::OperationsPerSecond,
        }
    }

    /// The figure, in its [`unit`](Run::unit): what the values of a cell are.
    pub fn figure(&self) -> f64 {
        if let Some(published) = &self.circumstances.published {
            return published.value;
        }
        let m = &self.measurement;
        match (self.task_figure(), self.unit()) {
            (Some(TaskFigure::Throughput), _) => m.bytes_per_second_of_jobs(),
            (_, Unit::Seconds) => m.duration.as_secs_f64(),
            (_, Unit::BytesPerSecond) => m.bytes_per_second(),
            (_, Unit::OperationsPerSecond) => m.operations_per_second(),
        }
    }

    /// Operations per second over the timed part; `None` where another program measured and did not tell them.
    pub fn operations_per_second(&self) -> Option<f64> {
        let measured = || self.measurement.operations_per_second();
        self.told_in(Unit::OperationsPerSecond, measured)
    }

    /// Bytes per second over the timed part; `None` likewise.
    pub fn bytes_per_second(&self) -> Option<f64> {
        let measured = || self.measurement.bytes_per_second();
        self.told_in(Unit::BytesPerSecond, measured)
    }

    fn told_in(&self, unit: Unit, measured: impl Fn() -> f64) -> Option<f64> {
        match &self.circumstances.published {
            Some(published) => (published.unit == unit).then_some(published.value),
            None => Some(measured()),
        }
    }

    /// What is counted of a run that is a part of a task; `None` for I/O of the engine.
    pub fn task_figure(&self) -> Option<TaskFigure> {
        self.workload.task().map(|task| task.figure)
    }
}

fn is_stream(operation: Operation) -> bool {
    operation.order() != Order::Random
}
