//! Reads that the devices did not serve.

pub(crate) mod asked;

use etalon_model::{CacheMode, Evidence, Run, Severity};
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::checks::sparse_loop::share_of_holes;
use crate::resolution::{Levels, UNREAD};
use crate::sentence::{Sentence, said};
use crate::value::{DEVICE_SHARE, TOLERATED};

/// What devices leave of the bytes read before it comes from a cache.
const MISSING: Levels<'_> = &[(TOLERATED, Severity::Invalid)];

pub(crate) const CHECK: Check = Check {
    code: "page-cache",
    about: "The devices served less than 99 % of the bytes read; a cache above them served the rest.",
    advice: "Read with O_DIRECT, drop the cache before the run, or use a working set of at least 20 times the memory.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    if run.measurement.is_without_storage() {
        return None;
    }
    if share_of_holes(run).is_some() {
        return None;
    }
    match run.device_read_share() {
        Some(share) => of_devices(run, share),
        None => asked::run(run),
    }
}

fn of_devices(run: &Run, share: f64) -> Option<Outcome> {
    let served = Percent::from_fraction(share);
    // A cache that was asked for is part of the figure, not a fault of it.
    let (severity, message) = match run.workload.cache().unwrap_or_default() {
        CacheMode::Warm => (
            Severity::Info,
            said!(
                "as declared, memory served the reads: {share} came from the devices.",
                share = served,
            ),
        ),
        CacheMode::Limited(limit) => (
            Severity::Warn,
            said!(
                "a page cache of {limit} took part: {share} of the bytes came from the devices.",
                limit = limit,
                share = served,
            ),
        ),
        _ => (Severity::Invalid, of_others(run, served)),
    };
    let own = run.own_read()?.as_f64();
    let found = UNREAD.grade_missing(own * (1.0 - share), own, MISSING)?;
    Some(Outcome {
        severity: found.severity.min(severity),
        message: found.say(message),
        evidence: evidence(run, share),
        advice: None,
    })
}

/// What the devices served, and who served the rest where a server stands in between.
fn of_others(run: &Run, share: Percent) -> Sentence {
    let served = said!(
        "the devices served {share} of the bytes that were read.",
        share = share,
    );
    let mut paths = run.circumstances.served().iter();
    let Some(path) = paths.find(|path| path.may_cache()) else {
        return match array_with_memory(run) {
            Some(array) => served.then(said!(
                "; {array}, which lacks a member, had the rest in its stripe cache.",
                array = array,
            )),
            None => served,
        };
    };
    let has_client = path.files && !run.measurement.is_direct();
    served.then(match (has_client, path.here) {
        (true, true) => said!(
            "; the page cache of this machine, the client, or of the server, which is this machine too, had the rest."
        ),
        (true, false) => said!(
            "; the page cache of this machine, the client, or of the server, had the rest."
        ),
        (false, true) => said!(
            "; the page cache of the server, which is this machine too, had the rest."
        ),
        (false, false) => said!("; the page cache of the server had the rest."),
    })
}

/// The array that lacks a member and was asked for all bytes, of which its members were asked for fewer. Such an array reads
/// by way of its stripe cache (`stripe_cache_size` of the kernel's Documentation/admin-guide/md.rst), in which the blocks lie that
/// were written or computed last.
fn array_with_memory(run: &Run) -> Option<&str> {
    let counters = run.circumstances.counters.as_ref()?;
    let read = |name: &str| Some(counters.layer(name)?.read_bytes.as_f64());
    let own = run.own_read()?.as_f64();
    let layers = &run.circumstances.beneath.as_ref()?.caches;
    let mut arrays = layers.iter().filter(|layer| layer.is_degraded);
    let array = arrays.find(|layer| {
        let members = layer.members.iter().map(|member| read(&member.device));
        let (of_array, of_members) = (read(&layer.device), members.sum::<Option<f64>>());
        of_array >= Some(own * DEVICE_SHARE) && of_members.is_some_and(|sum| Some(sum) < of_array)
    });
    array.map(|array| array.device.as_str())
}

/// The share of all devices, of each layer, and of the process.
fn evidence(run: &Run, share: f64) -> Vec<Evidence> {
    let own = run.own_read().unwrap_or_default().as_f64().max(1.0);
    let mut evidence = vec![Evidence::new("device_read_share", share)];
    let Some(counters) = &run.circumstances.counters else {
        return evidence;
    };
    for layer in &counters.layers {
        if let Some(delta) = &layer.delta {
            let name = format!("read_share_of_{}", layer.name);
            evidence.push(Evidence::new(&name, delta.read_bytes.as_f64() / own));
        }
    }
    // proc_pid_io(5): rchar counts what calls returned, read_bytes what storage was asked for.
    if let Some(io) = counters.process.filter(|io| io.rchar > 0) {
        let hits = 1.0 - io.read_bytes as f64 / io.rchar as f64;
        evidence.push(Evidence::new("page_cache_hit_share", hits.max(0.0)));
    }
    evidence
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, layer, read_run, with_layers};
    use etalon_model::{BeneathFacts, CacheLayer, CacheMember, DeviceTraffic, ServedPath};
    use etalon_units::Bytes;

    #[test]
    fn a_warm_read_is_caught_and_a_device_read_is_not() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        // 15 of 256 MiB, as a warm buffered read of a cached file shows.
        run.device.as_mut().unwrap().read_bytes = Bytes::mib(15);
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.contains("5.9 %"), "{}", outcome.message);
    }

    #[test]
    fn reads_among_writes_are_judged_by_their_own_bytes() {
        let mut run = read_run();
        let half = |read, written| DeviceTraffic {
            read_bytes: Bytes::mib(read),
            written_bytes: Bytes::mib(written),
            ..DeviceTraffic::default()
        };
        run.measurement.reads.bytes = Bytes::mib(128);
        run.measurement.writes = run.measurement.reads.clone();
        run.device = Some(half(128, 128));
        assert_eq!(super::run(&facts(&run)), None);
        run.device = Some(half(64, 128));
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.contains("served 50 %"), "{outcome:?}");
        let codes = |run: &Run| {
            let found = crate::check_run(&facts(run)).into_iter();
            let codes = found.map(|finding| finding.code);
            codes
                .filter(|code| ["page-cache", "not-durable"].contains(&code.as_str()))
                .collect::<Vec<_>>()
        };
        assert_eq!(codes(&run), ["page-cache"]);
        run.device = Some(half(128, 64));
        assert_eq!(codes(&run), ["not-durable"]);
    }

    #[test]
    fn the_caches_of_a_server_and_its_client_are_named() {
        let mut run = read_run();
        run.device.as_mut().unwrap().read_bytes = Bytes::ZERO;
        run.circumstances.beneath = Some(BeneathFacts {
            served: vec![ServedPath {
                files: true,
                here: true,
                buffered: Some(true),
                ..ServedPath::default()
            }],
            ..BeneathFacts::default()
        });
        let mut said = |direct| {
            run.measurement.direct = Some(direct);
            super::run(&facts(&run)).unwrap().message
        };
        let server = "the server, which is this machine too, had the rest.";
        let (cached, direct) = (said(false), said(true));
        assert!(cached.contains("the client, or of") && cached.ends_with(server));
        assert!(!direct.contains("client") && direct.ends_with(server));
    }

    #[test]
    fn the_stripe_cache_of_an_array_that_lacks_a_member_is_named() {
        let mut run = read_run();
        let member = |device: &str| CacheMember {
            device: device.to_owned(),
            write_copies: 1.0,
        };
        run.leaves = Some(DeviceTraffic {
            read_bytes: Bytes::mib(200),
            ..DeviceTraffic::default()
        });
        run.circumstances.beneath = Some(BeneathFacts {
            caches: vec![CacheLayer {
                device: "md0".to_owned(),
                is_degraded: true,
                members: ["vda", "vdb"].map(member).into(),
            }],
            ..BeneathFacts::default()
        });
        let said = |run: &mut Run, of_array| {
            let layers = vec![
                layer("md0", of_array, 0),
                layer("vda", 100, 0),
                layer("vdb", 100, 0),
            ];
            with_layers(run, layers);
            super::run(&facts(run)).unwrap().message
        };
        assert!(said(&mut run, 256).contains("; md0, which lacks a member, had the rest"));
        assert!(
            !said(&mut run, 200).contains("md0"),
            "the page cache above it had it"
        );
        run.circumstances.beneath.as_mut().unwrap().caches[0].is_degraded = false;
        assert!(
            !said(&mut run, 256).contains("md0"),
            "a cache lacks no member"
        );
    }

    #[test]
    fn a_page_of_a_short_run_is_its_resolution_and_all_of_it_is_none() {
        let mut run = read_run();
        run.measurement.bytes_with_warm_up = Bytes::kib(64);
        for (kib, severity) in [
            (64, None),
            (60, Some(Severity::Info)),
            (32, Some(Severity::Invalid)),
            (0, Some(Severity::Invalid)),
        ] {
            run.device.as_mut().unwrap().read_bytes = Bytes::kib(kib);
            let found = super::run(&facts(&run)).map(|outcome| outcome.severity);
            assert_eq!(found, severity, "{kib}");
        }
        run.measurement.bytes_with_warm_up = Bytes::kib(4);
        assert_eq!(
            super::run(&facts(&run)).unwrap().severity,
            Severity::Invalid
        );
    }

    #[test]
    fn a_declared_cache_is_no_fault() {
        let mut run = read_run();
        run.device.as_mut().unwrap().read_bytes = Bytes::mib(128);
        for (cache, severity) in [
            (CacheMode::AsFound, Severity::Invalid),
            (CacheMode::Cold, Severity::Invalid),
            (CacheMode::Limited(Bytes::mib(64)), Severity::Warn),
            (CacheMode::Warm, Severity::Info),
        ] {
            run.workload.io_mut().unwrap().cache = cache;
            assert_eq!(super::run(&facts(&run)).unwrap().severity, severity);
        }
    }

    #[test]
    fn each_layer_has_its_share() {
        let mut run = read_run();
        run.device.as_mut().unwrap().read_bytes = Bytes::ZERO;
        with_layers(&mut run, vec![layer("dm-0", 64, 0)]);
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(
            outcome
                .evidence
                .contains(&Evidence::new("read_share_of_dm-0", 0.25))
        );
    }

    #[test]
    fn a_cache_between_a_loop_device_and_its_disk_is_caught() {
        let mut run = read_run();
        run.leaves = Some(DeviceTraffic::default());
        assert!(super::run(&facts(&run)).is_some());
    }
}
