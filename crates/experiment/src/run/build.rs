//! The one place where a run is put together.

use std::time::{SystemTime, UNIX_EPOCH};

use etalon_model::{Circumstances, Run};
use etalon_units::Nanos;
use etalon_workload::measurable::{PartReport, Pass};

use super::brackets::Bracket;
use super::traffic::traffic;
use crate::Site;

/// A part that was carried out, with all that was seen around it.
pub(super) struct SeenPart<'a> {
    pub(super) report: PartReport,
    /// None of a part of which nobody was told: it was too short to be counted by itself.
    pub(super) bracket: Option<&'a Bracket>,
    pub(super) site: &'a Site,
    pub(super) circumstances: Circumstances,
    /// When the whole pass began.
    pub(super) begun: SystemTime,
    /// What the whole pass took, with getting ready and looking around.
    pub(super) elapsed: Nanos,
}

/// The record of a part; it is not judged yet.
pub(super) fn build(seen: SeenPart<'_>, pass: Pass) -> Run {
    let delta = seen.bracket.map(|bracket| &bracket.delta);
    let moved = delta.map(|delta| traffic(&seen.site.tree, delta));
    let (device, leaves) = moved.unwrap_or_default();
    let started = seen.bracket.map_or(seen.begun, |bracket| bracket.started);
    let mut circumstances = seen.circumstances;
    let own = seen.bracket.and_then(|bracket| bracket.limits.clone());
    if let (Some(limits), Some(own)) = (&mut circumstances.limits, own) {
        // What came of them in the other parts of the pass is not of this one.
        *limits = own;
    }
    Run {
        cell: seen.report.cell,
        block: pass.block,
        position: pass.position,
        started_unix_ns: unix_ns(started),
        elapsed: seen.elapsed,
        workload: seen.report.workload,
        measurement: seen.report.measurement,
        device,
        leaves,
        circumstances: Circumstances {
            counters: delta.cloned(),
            concurrent: seen.report.concurrent,
            cache_before: seen.report.cache_before.or(circumstances.cache_before),
            ..circumstances
        },
        findings: Vec::new(),
    }
}

/// The record of a part around which nobody looked; it is not judged yet.
pub fn unobserved(part: PartReport, pass: Pass, begun: SystemTime) -> Run {
    Run {
        block: pass.block,
        position: pass.position,
        started_unix_ns: unix_ns(begun),
        ..Run::of(&part.cell, part.workload, part.measurement)
    }
}

/// Nanoseconds since 1970-01-01 UTC; a clock before that counts as zero.
fn unix_ns(time: SystemTime) -> i64 {
    let span = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(span.as_nanos()).unwrap_or_default()
}
