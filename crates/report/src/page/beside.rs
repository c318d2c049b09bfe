//! What stands in no row: the latency of an fsync between writes, and what a comparison of the data found.

use etalon_language::say;
use std::collections::BTreeMap;

use etalon_model::{FsyncPolicy, LatencyHistogram, Run, VerifyReport};
use etalon_units::Bytes;

/// The unit in which data are compared, in bytes ([`VerifyReport::sectors`]).
const SECTOR: u64 = 512;

/// A sentence each; none of most runs.
pub(super) fn beside(runs: &[Run]) -> Vec<String> {
    let mut told = fsyncs(runs);
    told.extend(verified(runs));
    told
}

/// One for each number of writes after which an fsync followed.
fn fsyncs(runs: &[Run]) -> Vec<String> {
    let mut all: BTreeMap<u32, LatencyHistogram> = BTreeMap::new();
    for run in runs {
        let every = run.workload.io().map(|io| io.fsync);
        let (Some(FsyncPolicy::Every(writes)), Some(latency)) =
            (every, &run.measurement.fsync_latency)
        else {
            continue;
        };
        all.entry(writes).or_default().merge(latency);
    }
    all.iter().filter_map(|(n, one)| fsync(*n, one)).collect()
}

fn fsync(writes: u32, latency: &LatencyHistogram) -> Option<String> {
    let (half, count) = (latency.quantile(0.5)?, latency.count());
    Some(match (latency.tail_quantile(0.99), writes) {
        (None, 1) => say!("page-fsync-each", half = half, count = count),
        (Some(most), 1) => say!(
            "page-fsync-each-tail",
            half = half,
            most = most,
            count = count
        ),
        (None, _) => say!(
            "page-fsync-every",
            writes = writes,
            half = half,
            count = count
        ),
        (Some(most), _) => say!(
            "page-fsync-every-tail",
            writes = writes,
            half = half,
            most = most,
            count = count,
        ),
    })
}

/// How much was compared; what differed is a finding.
fn verified(runs: &[Run]) -> Option<String> {
    let reports = runs
        .iter()
        .filter_map(|run| run.measurement.verify.as_ref());
    let (mut sectors, mut bad, mut count) = (0u64, 0u64, 0usize);
    for report in reports {
        sectors = sectors.saturating_add(report.sectors);
        bad = bad.saturating_add(VerifyReport::bad(report));
        count += 1;
    }
    let compared = Bytes(sectors.saturating_mul(SECTOR));
    let bad = Bytes(bad.saturating_mul(SECTOR));
    match (count, bad) {
        (0, _) => None,
        (_, Bytes::ZERO) => Some(say!("page-verified", compared = compared, count = count)),
        _ => Some(say!(
            "page-verified-differ",
            compared = compared,
            count = count,
            bad = bad,
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use etalon_model::IoWorkload;

    fn run(every: u32, latency_ns: u64) -> Run {
        let (_, mut run) = samples::step();
        run.workload = IoWorkload {
            fsync: FsyncPolicy::Every(every),
            ..IoWorkload::default()
        }
        .into();
        let mut latency = LatencyHistogram::default();
        latency.record_n(latency_ns, 500);
        run.measurement.fsync_latency = Some(latency);
        run
    }

    #[test]
    fn an_fsync_between_writes_has_a_latency_of_its_own_over_all_runs() {
        let told = beside(&[run(1, 2_000_000), run(1, 2_000_000), run(8, 4_000_000)]);
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(
            told[0].contains("after each write") && told[0].contains("over 1000 calls"),
            "{told:?}"
        );
        assert!(told[0].contains("p50 2.00 ms"), "{told:?}");
        assert!(told[1].contains("after every 8 writes"), "{told:?}");
    }

    #[test]
    fn what_was_compared_is_told_in_bytes_with_what_differs() {
        let (_, mut run) = samples::step();
        assert_eq!(beside(&[run.clone()]), [""; 0]);
        run.measurement.verify = Some(VerifyReport {
            sectors: 4096,
            ..VerifyReport::default()
        });
        let told = beside(&[run.clone(), run.clone()]);
        assert_eq!(
            told,
            ["Verified: 4 MiB compared in 2 runs, all as written."]
        );
        run.measurement.verify.as_mut().unwrap().stale = 2;
        let told = beside(&[run]);
        assert!(told[0].contains("1 KiB differ"), "{told:?}");
    }
}
