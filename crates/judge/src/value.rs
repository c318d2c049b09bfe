//! What of a run decides how it is judged.

use etalon_model::{Run, Severity, TaskFigure};

/// Whether a check calls the run invalid.
pub(crate) fn is_invalid(run: &Run) -> bool {
    run.findings.iter().any(|f| f.severity == Severity::Invalid)
}

/// Whether the run is a part of a task whose figure is a span of time.
pub(crate) fn is_timed(run: &Run) -> bool {
    run.task_figure() == Some(TaskFigure::Time)
}
