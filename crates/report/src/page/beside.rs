//! What stands in no row: the latency of an fsync between writes, those of blocks that were trimmed and then written, what a
//! comparison of the data found, and over which share of a disk random places were spread.

use etalon_language::{figure, say};
use etalon_model::LatencyHistogram;
use etalon_units::{Bytes, Percent};

use crate::beside_facts::{BesideFacts, FsyncFacts, VerifiedFacts};

/// The unit in which data are compared, in bytes ([`etalon_model::VerifyReport::sectors`]).
const SECTOR: u64 = 512;

/// More working sets than these are a sweep, whose rows name them.
const FEW: usize = 3;

/// A sentence each; none of most runs.
pub(super) fn beside(facts: &BesideFacts) -> Vec<String> {
    let mut told: Vec<String> = facts.fsyncs.iter().filter_map(fsync).collect();
    told.extend(pairs(&facts.pairs));
    told.extend(verified(facts.verified));
    told.extend(reached(&facts.reached));
    told
}

/// Over how much of its disks each working set of random places was spread.
fn reached(sets: &[(Bytes, Bytes)]) -> Vec<String> {
    let few = sets.len() <= FEW;
    let told = sets.iter().filter(|_| few).map(|(set, size)| {
        let share = Percent::from_fraction(set.as_f64() / size.as_f64());
        let share = figure(share.in_needed_digits());
        say!("page-reach", set = set, size = size, share = share)
    });
    told.collect()
}

fn fsync(facts: &FsyncFacts) -> Option<String> {
    let FsyncFacts {
        writes,
        is_data,
        latency,
    } = facts;
    let call = if *is_data { "fdatasync" } else { "fsync" };
    let (half, count) = (latency.quantile(0.5)?, latency.count());
    Some(match (latency.tail_quantile(0.99), writes) {
        (None, 1) => say!("page-fsync-each", call = call, half = half, count = count),
        (Some(most), 1) => say!(
            "page-fsync-each-tail",
            call = call,
            half = half,
            most = most,
            count = count
        ),
        (None, _) => say!(
            "page-fsync-every",
            call = call,
            writes = *writes,
            half = half,
            count = count
        ),
        (Some(most), _) => say!(
            "page-fsync-every-tail",
            call = call,
            writes = *writes,
            half = half,
            most = most,
            count = count,
        ),
    })
}

/// That blocks which were trimmed and then written count twice, and how long either took.
fn pairs((trims, writes): &(LatencyHistogram, LatencyHistogram)) -> Option<String> {
    let (trim, write) = (trims.quantile(0.5)?, writes.quantile(0.5)?);
    Some(say!("page-pairs", trim = trim, write = write))
}

/// How much was compared, and how much could not be; what differed is a finding.
fn verified(facts: VerifiedFacts) -> Vec<String> {
    let bytes = |sectors: u64| Bytes(sectors.saturating_mul(SECTOR));
    let (compared, skipped) = (bytes(facts.sectors), bytes(facts.skipped));
    if facts.runs == 0 {
        return Vec::new();
    }
    // A device's data, of which nothing bears a stamp of this seed.
    if compared == Bytes::ZERO && skipped > Bytes::ZERO {
        return vec![say!("page-verified-nothing", skipped = skipped)];
    }
    let mut lines = vec![match bytes(facts.bad) {
        Bytes::ZERO => say!("page-verified", compared = compared, count = facts.runs),
        bad => say!(
            "page-verified-differ",
            compared = compared,
            count = facts.runs,
            bad = bad,
        ),
    }];
    if skipped > Bytes::ZERO {
        lines.push(say!("page-verified-skipped", skipped = skipped));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use etalon_model::{
        BeneathFacts, DiskFacts, FsyncPolicy, IoWorkload, Operation, Run, VerifyReport,
    };

    fn beside(runs: &[Run]) -> Vec<String> {
        super::beside(&BesideFacts::of(runs))
    }

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
    fn the_call_that_was_asked_for_is_named() {
        let mut data = run(8, 4_000_000);
        data.workload.io_mut().unwrap().fdatasync = true;
        let told = beside(&[data, run(8, 4_000_000)]);
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].starts_with("The fsync after every 8"), "{told:?}");
        assert!(
            told[1].starts_with("The fdatasync after every 8"),
            "{told:?}"
        );
    }

    #[test]
    fn blocks_that_are_trimmed_and_written_count_twice_with_a_latency_of_either() {
        let mut paired = run(1, 0);
        paired.workload.io_mut().unwrap().operation = Operation::RandTrimWrite;
        paired.measurement.fsync_latency = None;
        let latency = |nanos| {
            let mut latency = LatencyHistogram::default();
            latency.record_n(nanos, 500);
            latency
        };
        paired.measurement.trims.latency = latency(2_000_000);
        paired.measurement.writes.latency = latency(3_000_000);
        let told = beside(&[paired.clone(), paired.clone()]);
        assert_eq!(told.len(), 1, "{told:?}");
        for part in ["counts twice", "a trim took 2.00 ms", "a write 3.00 ms"] {
            assert!(told[0].contains(part), "{told:?}");
        }
        paired.workload.io_mut().unwrap().operation = Operation::RandWrite;
        assert_eq!(beside(&[paired]), [""; 0]);
    }

    #[test]
    fn random_places_are_told_with_their_share_of_what_may_turn() {
        let told = |operation, set, rotational| {
            let (_, mut run) = samples::step();
            run.workload = IoWorkload {
                operation,
                file_size: set,
                ..IoWorkload::default()
            }
            .into();
            run.circumstances.beneath = Some(BeneathFacts {
                disks: Some(DiskFacts {
                    size: Bytes::gib(100),
                    rotational,
                    cache: None,
                }),
                ..BeneathFacts::default()
            });
            beside(&[run.clone(), run])
        };
        let (read, random) = (Operation::Read, Operation::RandRead);
        for turns in [Some(true), None] {
            let said = told(random, Bytes::gib(1), turns);
            assert_eq!(said.len(), 1, "{said:?}");
            assert!(said[0].contains("1 GiB of 100 GiB"), "{said:?}");
            assert!(said[0].contains("1.0 %"), "{said:?}");
        }
        assert_eq!(told(random, Bytes::gib(1), Some(false)), [""; 0]);
        assert_eq!(told(random, Bytes::gib(100), Some(true)), [""; 0]);
        assert_eq!(told(read, Bytes::gib(1), Some(true)), [""; 0]);
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
        let told = beside(&[run.clone()]);
        assert!(told[0].contains("1 KiB differ"), "{told:?}");
        assert_eq!(told.len(), 1);
        run.measurement.verify = Some(VerifyReport {
            sectors: 8,
            skipped_sectors: 2,
            ..VerifyReport::default()
        });
        let told = beside(&[run.clone()]);
        assert!(told[1].starts_with("Not verified: 1 KiB "), "{told:?}");
        run.measurement.verify.as_mut().unwrap().sectors = 0;
        let told = beside(&[run]);
        assert!(told[0].contains("nothing. The 1 KiB "), "{told:?}");
        assert_eq!(told.len(), 1);
    }
}
