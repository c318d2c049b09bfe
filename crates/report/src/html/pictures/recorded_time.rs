//! When a recording of the machine began and ended, and the seconds since then.

use etalon_model::stack::Recording;
use etalon_units::Nanos;

/// Beginning and end of a recording.
pub(super) fn ends(recording: &Recording) -> (Nanos, Nanos) {
    let ticks = recording.ticks.iter().map(|tick| (tick.at, tick.span));
    let samples = recording
        .samples
        .iter()
        .map(|sample| (sample.at, sample.span));
    let spans: Vec<(Nanos, Nanos)> = ticks.chain(samples).collect();
    let begins = spans
        .iter()
        .map(|(at, span)| Nanos(at.get().saturating_sub(span.get())));
    let ends = spans.iter().map(|(at, _)| *at);
    (
        begins.min().unwrap_or_default(),
        ends.max().unwrap_or_default(),
    )
}

/// Seconds from one moment to another.
pub(super) fn since(first: Nanos, at: Nanos) -> f64 {
    at.get().saturating_sub(first.get()) as f64 / 1e9
}
