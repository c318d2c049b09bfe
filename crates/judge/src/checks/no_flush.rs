//! Durable writes that flushed nothing.

use etalon_model::{BeneathFacts, Run, Severity, SyncMode};

use crate::check::{Check, Facts, Outcome};
use crate::resolution::FSYNCS;
use crate::sentence::{Sentence, said};

pub(crate) const CHECK: Check = Check {
    code: "no-flush",
    about: "Writes were made durable, yet no device with a volatile cache saw a flush, or a bridge may hide such a cache: a power cut may lose them.",
    advice: "Mount with barriers (without nobarrier or barrier=0), and see whether a layer is set to ignore flushes.",
    ..Check::of_run(run)
};

/// Of a queue that was told what its device is not.
const TELL_THE_QUEUE: &str =
    "Write 'write back' to queue/write_cache of the device (/sys/block), which is what it has.";

/// Of a queue that a plan told so, to learn what flushes cost.
const BY_THE_PLAN: &str = "The plan has set it so and puts it back; until then a power cut may lose what was to be durable.";

/// Of a bridge that tells of no cache.
const WITHOUT_THE_BRIDGE: &str =
    "Connect the disk without the bridge (SATA, NVMe), and rely on no fsync through it until then.";

/// A device that saw less than this share of the flushes that are due lost some.
const FEWEST: f64 = 0.5;

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let m = &run.measurement;
    let sync = run.workload.io().map_or(SyncMode::None, |io| io.sync);
    let asked = m.fsyncs > 0 || sync != SyncMode::None;
    if !asked || m.writes.operations == 0 {
        return None;
    }
    let beneath = run.circumstances.beneath.as_ref()?;
    denied(run, beneath)
        .or_else(|| held_against_fsyncs(run, beneath))
        .or_else(|| unknown(run, beneath))
}

/// A cache of which the queue was told that it is none.
fn denied(run: &Run, beneath: &BeneathFacts) -> Option<Outcome> {
    let message = said!(
        "{device}: a volatile write cache below, and its queue set to 'write through': no flush is sent for fsync.",
        device = beneath.cache_denied.first()?,
    );
    let evidence = [("fsyncs", run.measurement.fsyncs as f64)];
    let (severity, advice) = match is_a_level(run) {
        true => (Severity::Warn, BY_THE_PLAN),
        false => (Severity::Invalid, TELL_THE_QUEUE),
    };
    Some(Outcome::new(severity, message, &evidence).advising(advice))
}

/// A cache that a USB bridge may hide: no flush is sent to it, and none would prove anything.
fn unknown(run: &Run, beneath: &BeneathFacts) -> Option<Outcome> {
    let message = said!(
        "{device}: the kernel knows of no write cache behind a USB bridge, which may hide one: whether fsync reached the medium is not known.",
        device = beneath.cache_unknown.first()?,
    );
    let evidence = [("fsyncs", run.measurement.fsyncs as f64)];
    let outcome = Outcome::new(Severity::Warn, message, &evidence);
    Some(outcome.advising(WITHOUT_THE_BRIDGE))
}

/// Devices that are known to have a cache, and saw fewer flushes than are due.
fn held_against_fsyncs(run: &Run, beneath: &BeneathFacts) -> Option<Outcome> {
    let m = &run.measurement;
    let expected = expected(run, beneath);
    let flushes = flushes(run, &expected)?;
    let due = due(run);
    let is_lacking = flushes == 0 || (flushes as f64) < due * FEWEST;
    is_lacking.then(|| {
        let message = lacking(&expected, flushes, m.fsyncs);
        let evidence = [("fsyncs", m.fsyncs as f64), ("flushes", flushes as f64)];
        let outcome = Outcome::new(Severity::Invalid, message, &evidence);
        match flushes {
            0 => outcome,
            _ => FSYNCS.weigh(outcome, due),
        }
    })
}

fn lacking(devices: &[String], flushes: u64, fsyncs: u64) -> Sentence {
    let devices = devices.join(", ");
    match flushes {
        0 => said!(
            "{devices} has a volatile write cache and saw no flush in a run with {fsyncs} calls of fsync.",
            devices = devices,
            fsyncs = fsyncs,
        ),
        some => said!(
            "{devices} has a volatile write cache and saw {flushes} flushes in a run with {fsyncs} calls of fsync.",
            devices = devices,
            flushes = some,
            fsyncs = fsyncs,
        ),
    }
}

/// Whether a plan varies what the queue says of the cache: what it asks is what becomes of the figure without flushes.
fn is_a_level(run: &Run) -> bool {
    let mut levels = run.circumstances.levels.iter();
    levels.any(|level| level.factor == "write_cache")
}

/// The devices that must have seen a flush. Of direct writes that are durable when they return, and only their data, each may
/// have been forced to the medium by itself, after which nothing is flushed (`iomap_dio_can_use_fua` in the kernel's
/// fs/iomap/direct-io.c).
fn expected(run: &Run, beneath: &BeneathFacts) -> Vec<String> {
    let m = &run.measurement;
    let is_data_alone = run
        .workload
        .io()
        .is_some_and(|io| io.sync == SyncMode::DSync);
    let may_be_forced = is_data_alone && m.fsyncs == 0 && m.is_direct();
    let devices = beneath.flush_expected.iter();
    let due = devices.filter(|device| !may_be_forced || !beneath.takes_fua.contains(device));
    due.cloned().collect()
}

/// Flushes that the devices with a volatile cache saw; `None` without such devices, or where one of them
/// was not counted.
fn flushes(run: &Run, expected: &[String]) -> Option<u64> {
    let counters = run.circumstances.counters.as_ref()?;
    let mut flushes = 0;
    for name in expected {
        let delta = counters.layer(name)?;
        if delta.write_ios > 0 {
            flushes += delta.flush_ios?;
        }
    }
    (!expected.is_empty()).then_some(flushes)
}

/// Flushes that are due at least: one for each fsync that follows a write of its own. Several jobs may
/// share one, and an fsync after which nothing was written needs none.
fn due(run: &Run) -> f64 {
    let m = &run.measurement;
    let Some(io) = run.workload.io() else {
        return 0.0;
    };
    let writes = m.bytes_with_warm_up.as_f64() / io.block_size.largest().as_f64().max(1.0);
    (m.fsyncs as f64).min(writes) / f64::from(io.jobs.max(1))
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, layer, with_layers, write_run};
    use etalon_model::{BeneathFacts, LevelRecord, Run, Severity, SyncMode};
    use etalon_units::Bytes;

    #[test]
    fn an_fsync_without_flush_is_caught_where_one_is_due() {
        let mut run = write_run();
        run.measurement.fsyncs = 1;
        let mut sda = layer("sda", 0, 256);
        with_layers(&mut run, vec![sda.clone()]);
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.beneath = Some(BeneathFacts {
            flush_expected: vec!["sda".to_owned()],
            ..BeneathFacts::default()
        });
        assert!(super::run(&facts(&run)).is_some());
        sda.delta.as_mut().unwrap().flush_ios = Some(1);
        with_layers(&mut run, vec![sda]);
        assert_eq!(super::run(&facts(&run)), None);
    }

    #[test]
    fn writes_that_are_forced_to_the_medium_need_no_flush() {
        let mut run = write_run();
        run.workload.io_mut().unwrap().sync = SyncMode::DSync;
        run.circumstances.beneath = Some(BeneathFacts {
            flush_expected: vec!["sda".to_owned()],
            takes_fua: vec!["sda".to_owned()],
            ..BeneathFacts::default()
        });
        with_layers(&mut run, vec![layer("sda", 0, 256)]);
        let is_told = |run: &Run| super::run(&facts(run)).is_some();
        assert!(!is_told(&run));
        let mut others = [run.clone(), run.clone(), run.clone(), run];
        others[0].measurement.fsyncs = 1;
        others[1].measurement.direct = Some(false);
        others[2].workload.io_mut().unwrap().sync = SyncMode::Sync;
        others[3]
            .circumstances
            .beneath
            .as_mut()
            .unwrap()
            .takes_fua
            .clear();
        assert!(
            others.iter().all(is_told),
            "{:?}",
            others.map(|run| is_told(&run))
        );
    }

    #[test]
    fn flushes_are_held_against_the_calls_of_fsync() {
        let mut run = write_run();
        run.circumstances.beneath = Some(BeneathFacts {
            flush_expected: vec!["sda".to_owned()],
            ..BeneathFacts::default()
        });
        run.workload.io_mut().unwrap().block_size = Bytes::kib(4).into();
        run.measurement.fsyncs = 1000;
        let mut with = |flushes, jobs| {
            let mut sda = layer("sda", 0, 256);
            sda.delta.as_mut().unwrap().flush_ios = Some(flushes);
            with_layers(&mut run, vec![sda]);
            run.workload.io_mut().unwrap().jobs = jobs;
            super::run(&facts(&run)).map(|outcome| outcome.message)
        };
        assert_eq!(with(1000, 1), None);
        let message = with(300, 1).unwrap();
        assert!(message.contains("300 flushes"), "{message}");
        // Four jobs may share a flush.
        assert_eq!(with(300, 4), None);
        run.measurement.fsyncs = 3;
        run.workload.io_mut().unwrap().jobs = 1;
        for (flushes, severity) in [(1, Severity::Info), (0, Severity::Invalid)] {
            let mut sda = layer("sda", 0, 256);
            sda.delta.as_mut().unwrap().flush_ios = Some(flushes);
            with_layers(&mut run, vec![sda]);
            assert_eq!(super::run(&facts(&run)).unwrap().severity, severity);
        }
    }

    #[test]
    fn a_cache_that_was_declared_away_sends_no_flush() {
        let mut run = write_run();
        run.measurement.fsyncs = 1;
        run.circumstances.beneath = Some(BeneathFacts {
            cache_denied: vec!["loop0".to_owned()],
            ..BeneathFacts::default()
        });
        let message = super::run(&facts(&run)).unwrap().message;
        assert!(
            message.starts_with("loop0: a volatile write cache"),
            "{message}"
        );
        run.measurement.fsyncs = 0;
        assert_eq!(super::run(&facts(&run)), None);
    }

    #[test]
    fn durability_behind_a_bridge_that_may_hide_a_cache_is_told_with_a_reservation() {
        let mut run = write_run();
        run.circumstances.beneath = Some(BeneathFacts {
            cache_unknown: vec!["sdh".to_owned()],
            ..BeneathFacts::default()
        });
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.fsyncs = 1;
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Warn);
        assert!(
            outcome
                .message
                .starts_with("sdh: the kernel knows of no write cache"),
            "{}",
            outcome.message
        );
    }

    #[test]
    fn what_a_plan_asks_about_does_not_spoil_its_figures() {
        let mut run = write_run();
        run.measurement.fsyncs = 1;
        run.circumstances.beneath = Some(BeneathFacts {
            cache_denied: vec!["loop0".to_owned()],
            ..BeneathFacts::default()
        });
        let mut of = |factor: &str| {
            run.circumstances.levels = vec![LevelRecord {
                factor: factor.to_owned(),
                level: "write through".to_owned(),
                ..LevelRecord::default()
            }];
            super::run(&facts(&run)).unwrap().severity
        };
        assert_eq!(of("write_cache"), Severity::Warn);
        assert_eq!(of("scheduler"), Severity::Invalid);
    }
}
