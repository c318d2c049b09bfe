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
    pub(super) bracket: &'a Bracket,
    pub(super) site: &'a Site,
    pub(super) circumstances: Circumstances,
    /// What the whole pass took, with getting ready and looking around.
    pub(super) elapsed: Nanos,
}

/// The record of a part; it is not judged yet.
pub(super) fn build(seen: SeenPart<'_>, pass: Pass) -> Run {
    let delta = &seen.bracket.delta;
    let (device, leaves) = traffic(&seen.site.tree, delta);
    Run {
        cell: seen.report.cell,
        block: pass.block,
        position: pass.position,
        started_unix_ns: unix_ns(seen.bracket.started),
        elapsed: seen.elapsed,
        workload: seen.report.workload,
        measurement: seen.report.measurement,
        device,
        leaves,
        circumstances: Circumstances {
            counters: Some(delta.clone()),
            company: seen.report.company,
            ..seen.circumstances
        },
        findings: Vec::new(),
    }
}

/// The record of a part that nobody looked around and that ended at `ended`: its devices and
/// circumstances are not known.
pub fn unobserved(report: PartReport, pass: Pass, ended: SystemTime) -> Run {
    let elapsed = report.measurement.duration;
    let started = ended.checked_sub(elapsed.into()).unwrap_or(UNIX_EPOCH);
    Run {
        cell: report.cell,
        block: pass.block,
        position: pass.position,
        started_unix_ns: unix_ns(started),
        elapsed,
        workload: report.workload,
        measurement: report.measurement,
        device: None,
        leaves: None,
        circumstances: Circumstances {
            company: report.company,
            ..Circumstances::default()
        },
        findings: Vec::new(),
    }
}

/// Nanoseconds since 1970-01-01 UTC; a clock before that counts as zero.
fn unix_ns(time: SystemTime) -> i64 {
    let span = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(span.as_nanos()).unwrap_or_default()
}
