//! What the runs of an experiment hold that no cell does.

use std::collections::BTreeMap;

use etalon_model::{FsyncPolicy, LatencyHistogram, Order, Run, VerifyReport};
use etalon_units::Bytes;
use serde::{Deserialize, Serialize};

/// Share of a disk from which on random places are spread over all of it.
const WHOLE: f64 = 0.95;

/// Gathered over all runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct BesideFacts {
    /// One for each number of writes and call.
    pub(crate) fsyncs: Vec<FsyncFacts>,
    /// Of blocks that were trimmed and then written, the trims and the writes.
    pub(crate) pairs: (LatencyHistogram, LatencyHistogram),
    pub(crate) verified: VerifiedFacts,
    /// Working sets of random places, each with the size of the disks that it is a part of.
    pub(crate) reached: Vec<(Bytes, Bytes)>,
}

/// The fsyncs that followed after so many writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FsyncFacts {
    pub(crate) writes: u32,
    /// Whether it was an fdatasync.
    pub(crate) is_data: bool,
    pub(crate) latency: LatencyHistogram,
}

/// What a comparison of the data found, in sectors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct VerifiedFacts {
    pub(crate) sectors: u64,
    pub(crate) bad: u64,
    /// Read and not compared.
    pub(crate) skipped: u64,
    /// Runs whose data were compared.
    pub(crate) runs: usize,
}

impl BesideFacts {
    pub(crate) fn of(runs: &[Run]) -> BesideFacts {
        BesideFacts {
            fsyncs: fsyncs(runs),
            pairs: pairs(runs),
            verified: verified(runs),
            reached: reached(runs),
        }
    }
}

fn fsyncs(runs: &[Run]) -> Vec<FsyncFacts> {
    let mut all: BTreeMap<(u32, bool), LatencyHistogram> = BTreeMap::new();
    for run in runs {
        let every = run.workload.io().map(|io| (io.fsync, io.fdatasync));
        let (Some((FsyncPolicy::Every(writes), data)), Some(latency)) =
            (every, &run.measurement.fsync_latency)
        else {
            continue;
        };
        all.entry((writes, data)).or_default().merge(latency);
    }
    let facts = |((writes, is_data), latency)| FsyncFacts {
        writes,
        is_data,
        latency,
    };
    all.into_iter().map(facts).collect()
}

fn pairs(runs: &[Run]) -> (LatencyHistogram, LatencyHistogram) {
    let is_paired = |run: &&Run| run.workload.io().is_some_and(|io| io.operation.is_paired());
    let (mut trims, mut writes) = (LatencyHistogram::default(), LatencyHistogram::default());
    for run in runs.iter().filter(is_paired) {
        trims.merge(&run.measurement.trims.latency);
        writes.merge(&run.measurement.writes.latency);
    }
    (trims, writes)
}

fn verified(runs: &[Run]) -> VerifiedFacts {
    let mut found = VerifiedFacts::default();
    let reports = runs
        .iter()
        .filter_map(|run| run.measurement.verify.as_ref());
    for report in reports {
        found.sectors = found.sectors.saturating_add(report.sectors);
        found.bad = found.bad.saturating_add(VerifyReport::bad(report));
        found.skipped = found.skipped.saturating_add(report.skipped_sectors);
        found.runs += 1;
    }
    found
}

fn reached(runs: &[Run]) -> Vec<(Bytes, Bytes)> {
    let mut sets: Vec<(Bytes, Bytes)> = runs.iter().filter_map(reach).collect();
    sets.sort_unstable();
    sets.dedup();
    sets
}

/// The working set and the size of the disks, where a seek may take the longer the farther it goes: flash does not mind.
fn reach(run: &Run) -> Option<(Bytes, Bytes)> {
    let disks = run.circumstances.beneath.as_ref()?.disks?;
    let operation = run.workload.io()?.operation;
    let seeks = operation.order() == Order::Random && !operation.trims();
    let set = run.working_set()?;
    let part = set.as_f64() < disks.size.as_f64() * WHOLE;
    (seeks && part && disks.rotational != Some(false)).then_some((set, disks.size))
}
