//! Traffic on the devices that was not the run's own.

use etalon_model::{Run, ServedPath, Severity};
use etalon_units::{Bytes, Percent};

use super::earlier_writes::own_earlier;
use crate::check::{Check, Facts, Outcome};
use crate::disk_traffic::DiskTraffic;
use crate::resolution::{FOREIGN, Levels};
use crate::sentence::{Sentence, said};

/// Above this share of the run's own bytes somebody else's work is part of the figure.
const INVALID: f64 = 0.05;
/// The same as a level, and the share above which the figure carries a reservation.
const DURING: Levels<'_> = &[(INVALID, Severity::Invalid), (0.01, Severity::Warn)];
/// What was there before the run proves less.
const HINTED: Levels<'_> = &[(INVALID, Severity::Warn)];

pub(crate) const CHECK: Check = Check {
    code: "foreign-io",
    about: "The devices moved bytes that the run did not ask for.",
    advice: "Stop what else uses the disk (iotop or pidstat -d shows it) and measure again.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let own = run.measurement.bytes_with_warm_up;
    if own == Bytes::ZERO {
        return None;
    }
    let (during, hinted) = (during(run).unwrap_or_default(), hinted(run));
    let share = |bytes: Bytes| bytes.as_f64() / own.as_f64();
    let certain = FOREIGN.grade(during.as_f64(), own.as_f64(), DURING);
    let by_idle = certain
        .as_ref()
        .is_none_or(|found| found.severity < Severity::Warn)
        && share(hinted) > INVALID;
    let found = match by_idle {
        true => FOREIGN.grade(hinted.as_f64(), own.as_f64(), HINTED)?,
        false => certain?,
    };
    let foreign = if by_idle { hinted } else { during };
    let share = Percent::from_fraction(share(foreign));
    let message = match by_idle {
        true => said!(
            "other I/O: {foreign} (estimated), {share} of the run's own {own}.",
            foreign = foreign,
            share = share,
            own = own,
        ),
        false => said!(
            "other I/O: {foreign}, {share} of the run's own {own}.",
            foreign = foreign,
            share = share,
            own = own,
        ),
    };
    let message = match witnesses(run) {
        Some(witnesses) => message.then(witnesses),
        None => message,
    };
    let evidence = [
        ("own_bytes", own.as_f64()),
        ("foreign_bytes", during.as_f64()),
        ("foreign_bytes_by_idle_rate", hinted.as_f64()),
    ];
    Some(Outcome::new(found.severity, found.say(message), &evidence))
}

/// Bytes that cannot be the run's own: whatever was written during reads, and what was read
/// beyond a direct read's own bytes. Reads that go through the page cache read ahead, and writes
/// bring journal and metadata with them, so that the surplus there proves nothing.
fn during(run: &Run) -> Option<Bytes> {
    let disks = DiskTraffic::of(run)?;
    let m = &run.measurement;
    let (reads, writes) = (m.reads.bytes.get(), m.writes.bytes.get());
    let own = m.bytes_with_warm_up.as_f64();
    let written = disks.written - own_earlier(run, disks.written).as_f64();
    let foreign = match (reads > 0, writes > 0) {
        (true, false) if m.is_direct() && !reads_ahead(run) => {
            (disks.read - own).max(0.0) + written
        }
        (true, false) => written,
        _ => return None,
    };
    Some(Bytes(foreign as u64))
}

/// Whether a server on the way reads ahead through its page cache, whatever its client asks for.
fn reads_ahead(run: &Run) -> bool {
    let served = run.circumstances.served();
    served.iter().any(ServedPath::may_cache)
}

/// What the disks did before the first run is a hint, not a proof that they went on during the run:
/// at most what they moved beyond the run's own can be of the same kind.
fn hinted(run: &Run) -> Bytes {
    let before = before(run).unwrap_or_default();
    beyond_own(run).map_or(before, |beyond| before.min(beyond))
}

/// What this check reports of a run that writes, so that no other check reports the same bytes again.
pub(super) fn reported_write_bytes(run: &Run) -> Bytes {
    let hinted = hinted(run);
    let share = hinted.as_f64() / run.measurement.bytes_with_warm_up.as_f64();
    if share > INVALID { hinted } else { Bytes::ZERO }
}

/// What the disks moved beyond the run's own bytes and their copies.
fn beyond_own(run: &Run) -> Option<Bytes> {
    let disks = DiskTraffic::of(run)?;
    let m = &run.measurement;
    let (reads, writes) = (m.reads.bytes.as_f64(), m.writes.bytes.as_f64());
    let per_byte = (reads + writes * run.expected_write_copies()) / (reads + writes);
    let own = m.bytes_with_warm_up.as_f64() * per_byte.max(1.0);
    let own = own + own_earlier(run, disks.written).as_f64();
    Some(Bytes((disks.read + disks.written - own).max(0.0) as u64))
}

/// What the disks would have moved had they gone on as before the first run.
fn before(run: &Run) -> Option<Bytes> {
    let idle = run.circumstances.idle?;
    let moved = idle.read_bytes.as_f64() + idle.written_bytes.as_f64();
    let factor = run.measurement.duration.as_secs_f64() / idle.span.as_secs_f64();
    factor.is_finite().then_some(Bytes((moved * factor) as u64))
}

/// The busiest other processes, which may have been busy elsewhere.
fn witnesses(run: &Run) -> Option<Sentence> {
    let others = run.circumstances.machine.iter().flat_map(|m| &m.others);
    let busy = others
        .filter(|p| p.read.get() + p.written.get() > 0)
        .take(3);
    let names: Vec<String> = busy.map(|p| format!("{} ({})", p.name, p.pid)).collect();
    (!names.is_empty()).then(|| {
        said!(
            "; doing I/O meanwhile: {programs}.",
            programs = names.join(", "),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, layer, read_run, with_layers, write_run};
    use etalon_model::stack::ProcessActivity;
    use etalon_model::{
        BeneathFacts, CacheLayer, CacheMember, DeviceTraffic, IdleTraffic, MachineActivity,
    };
    use etalon_units::Nanos;

    #[test]
    fn what_a_server_reads_ahead_is_nobody_elses() {
        let mut run = read_run();
        run.device.as_mut().unwrap().read_bytes = Bytes::mib(300);
        assert!(super::run(&facts(&run)).is_some());
        let path = |buffered| ServedPath {
            buffered: Some(buffered),
            ..ServedPath::default()
        };
        let beneath = |served| BeneathFacts {
            served: vec![served],
            ..BeneathFacts::default()
        };
        run.circumstances.beneath = Some(beneath(path(true)));
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.beneath = Some(beneath(path(false)));
        assert!(super::run(&facts(&run)).is_some());
    }

    #[test]
    fn three_percent_warns_and_ten_percent_invalidates() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        for (mib, severity) in [(8, Severity::Warn), (26, Severity::Invalid)] {
            run.device.as_mut().unwrap().written_bytes = Bytes::mib(mib);
            assert_eq!(super::run(&facts(&run)).unwrap().severity, severity);
        }
    }

    #[test]
    fn some_write_backs_beside_a_short_run_are_its_resolution() {
        let mut run = read_run();
        run.measurement.bytes_with_warm_up = Bytes::kib(64);
        let device = run.device.as_mut().unwrap();
        (device.read_bytes, device.written_bytes) = (Bytes::kib(64), Bytes::kib(8));
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Info);
        assert!(outcome.message.contains("resolution"), "{outcome:?}");
        run.device.as_mut().unwrap().written_bytes = Bytes::kib(64);
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Invalid);
    }

    #[test]
    fn a_busy_disk_before_the_run_is_a_hint_and_others_are_named() {
        let mut run = write_run();
        run.device.as_mut().unwrap().written_bytes = Bytes::mib(286);
        run.circumstances.idle = Some(IdleTraffic {
            span: Nanos::millis(100),
            read_bytes: Bytes::mib(3),
            written_bytes: Bytes::ZERO,
        });
        run.circumstances.machine = Some(MachineActivity {
            others: vec![ProcessActivity {
                pid: 77,
                name: "updatedb".to_owned(),
                read: Bytes::mib(30),
                written: Bytes::ZERO,
                span: Nanos::secs(1),
            }],
            ..MachineActivity::default()
        });
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(outcome.severity, Severity::Warn);
        assert!(
            outcome.message.contains("updatedb (77)"),
            "{}",
            outcome.message
        );
        assert_eq!(outcome.evidence[2].value, Bytes::mib(30).as_f64());
        // Nothing moved during the run, so that what was before it is over.
        run.device.as_mut().unwrap().written_bytes = Bytes::mib(256);
        assert_eq!(super::run(&facts(&run)), None);
        // Without counters the hint stands alone.
        run.device = None;
        assert!(super::run(&facts(&run)).is_some());
    }

    /// 256 MiB read over a bcache of a partition of a disk and one of an SSD; of each layer what it read and wrote.
    fn over_a_cache(layers: [(&str, u64, u64); 5]) -> Run {
        let mut run = read_run();
        let layers = layers.map(|(name, read, written)| {
            let mut layer = layer(name, read, written);
            layer.is_leaf = matches!(name, "sda" | "nvme0n1");
            layer
        });
        let leaves = layers.iter().filter(|layer| layer.is_leaf);
        let deltas = leaves.filter_map(|layer| layer.delta);
        let mut moved = DeviceTraffic::default();
        for delta in deltas {
            moved.read_bytes.0 += delta.read_bytes.get();
            moved.written_bytes.0 += delta.write_bytes.get();
        }
        run.leaves = Some(moved);
        with_layers(&mut run, layers.to_vec());
        let member = |device: &str| CacheMember {
            device: device.to_owned(),
            write_copies: 1.0,
        };
        run.circumstances.beneath = Some(BeneathFacts {
            caches: vec![CacheLayer {
                device: "bcache0".to_owned(),
                is_degraded: false,
                members: vec![member("sda2"), member("nvme0n1p1")],
            }],
            ..BeneathFacts::default()
        });
        run
    }

    #[test]
    fn what_a_cache_moves_for_itself_is_not_foreign_and_a_foreign_reader_is() {
        let missed = [("bcache0", 256, 0), ("sda2", 256, 0), ("sda", 256, 0)];
        let fill = [("nvme0n1p1", 0, 256), ("nvme0n1", 0, 256)];
        let both = |upper: [(&'static str, u64, u64); 3], lower: [(&'static str, u64, u64); 2]| {
            over_a_cache([upper[0], upper[1], upper[2], lower[0], lower[1]])
        };
        let back = [("nvme0n1p1", 296, 0), ("nvme0n1", 296, 0)];
        let returned = [("bcache0", 256, 0), ("sda2", 0, 40), ("sda", 0, 40)];
        let through = [("bcache0", 306, 0), ("sda2", 306, 0), ("sda", 306, 0)];
        let beside = [("bcache0", 256, 0), ("sda2", 256, 0), ("sda", 306, 0)];
        let written = [("nvme0n1p1", 0, 256), ("nvme0n1", 0, 306)];
        for (what, run, foreign) in [
            ("a miss fills the cache", both(missed, fill), None),
            ("dirty blocks go back meanwhile", both(returned, back), None),
            ("a reader of the same device", both(through, fill), Some(50)),
            ("a reader of the disk's rest", both(beside, fill), Some(50)),
            (
                "a writer of the SSD's rest",
                both(missed, written),
                Some(50),
            ),
        ] {
            let outcome = super::run(&facts(&run));
            let found = outcome.map(|outcome| outcome.evidence[1].value);
            assert_eq!(found, foreign.map(|mib| Bytes::mib(mib).as_f64()), "{what}");
        }
        // One of two runs at once has half of what the disks moved, and each read half of that.
        let mut run = both(missed, fill);
        run.measurement.bytes_with_warm_up = Bytes::mib(128);
        run.leaves.as_mut().unwrap().read_bytes = Bytes::mib(128);
        assert_eq!(super::run(&facts(&run)), None);
        // A cache that was not counted proves nothing.
        run.circumstances.counters = None;
        assert_eq!(super::run(&facts(&run)), None);
    }
}
