//! Traffic on the devices that was not the run's own.

use etalon_model::{Run, Severity};
use etalon_units::{Bytes, Percent};

use crate::check::{Check, Facts, Looks, Outcome};

/// Above this share of the run's own bytes the figure carries a reservation.
const WARN: f64 = 0.01;
/// Above this share somebody else's work is part of the figure.
const INVALID: f64 = 0.05;

pub(crate) const CHECK: Check = Check {
    code: "foreign-io",
    about: "The devices moved bytes that the run did not ask for.",
    advice: "Stop what else uses the disk (iotop or pidstat -d shows it) and measure again.",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let own = run.measurement.bytes_with_warm_up;
    if own == Bytes::ZERO {
        return None;
    }
    let (during, hinted) = (during(run).unwrap_or_default(), hinted(run));
    let share = |bytes: Bytes| bytes.as_f64() / own.as_f64();
    let severity = if share(during) > INVALID {
        Severity::Invalid
    } else if share(during) > WARN || share(hinted) > INVALID {
        Severity::Warn
    } else {
        return None;
    };
    let by_idle = share(during) <= WARN;
    let foreign = if by_idle { hinted } else { during };
    let how = if by_idle { " (estimated)" } else { "" };
    let message = format!(
        "other I/O: {foreign}{how}, {} of the run's own {own}{}.",
        Percent::from_fraction(share(foreign)),
        witnesses(run)
    );
    let evidence = [
        ("own_bytes", own.as_f64()),
        ("foreign_bytes", during.as_f64()),
        ("foreign_bytes_by_idle_rate", hinted.as_f64()),
    ];
    Some(Outcome::new(severity, message, &evidence))
}

/// Bytes that cannot be the run's own: whatever was written during reads, and what was read
/// beyond a direct read's own bytes. Reads that go through the page cache read ahead, and writes
/// bring journal and metadata with them, so that the surplus there proves nothing.
fn during(run: &Run) -> Option<Bytes> {
    let disks = run.leaves.as_ref().or(run.device.as_ref())?;
    let m = &run.measurement;
    let (reads, writes) = (m.reads.bytes.get(), m.writes.bytes.get());
    let read = disks.read_bytes.get();
    let foreign = match (reads > 0, writes > 0) {
        (true, false) if m.direct => {
            read.saturating_sub(m.bytes_with_warm_up.get()) + disks.written_bytes.get()
        }
        (true, false) => disks.written_bytes.get(),
        _ => return None,
    };
    Some(Bytes(foreign))
}

/// What the disks did before the first run is a hint, not a proof that they went on during the run:
/// at most what they moved beyond the run's own can be of the same kind.
fn hinted(run: &Run) -> Bytes {
    let before = before(run).unwrap_or_default();
    beyond_own(run).map_or(before, |beyond| before.min(beyond))
}

/// What this check tells of a run that writes, so that no other check tells the same bytes again.
pub(super) fn told_of_writes(run: &Run) -> Bytes {
    let hinted = hinted(run);
    let share = hinted.as_f64() / run.measurement.bytes_with_warm_up.as_f64();
    if share > INVALID { hinted } else { Bytes::ZERO }
}

/// What the disks moved beyond the run's own bytes and their copies.
fn beyond_own(run: &Run) -> Option<Bytes> {
    let disks = run.leaves.as_ref().or(run.device.as_ref())?;
    let m = &run.measurement;
    let (reads, writes) = (m.reads.bytes.as_f64(), m.writes.bytes.as_f64());
    let per_byte = (reads + writes * run.expected_write_copies()) / (reads + writes);
    let own = (m.bytes_with_warm_up.as_f64() * per_byte.max(1.0)) as u64;
    let moved = disks.read_bytes.get() + disks.written_bytes.get();
    Some(Bytes(moved.saturating_sub(own)))
}

/// What the disks would have moved had they gone on as before the first run.
fn before(run: &Run) -> Option<Bytes> {
    let idle = run.circumstances.idle?;
    let moved = idle.read_bytes.as_f64() + idle.written_bytes.as_f64();
    let factor = run.measurement.duration.as_secs_f64() / idle.span.as_secs_f64();
    factor.is_finite().then_some(Bytes((moved * factor) as u64))
}

/// The busiest other processes, which may have been busy elsewhere.
fn witnesses(run: &Run) -> String {
    let others = run.circumstances.machine.iter().flat_map(|m| &m.others);
    let busy = others
        .filter(|p| p.read.get() + p.written.get() > 0)
        .take(3);
    let names: Vec<String> = busy.map(|p| format!("{} ({})", p.name, p.pid)).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("; doing I/O meanwhile: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run, write_run};
    use etalon_model::stack::ProcessActivity;
    use etalon_model::{IdleTraffic, MachineActivity};
    use etalon_units::Nanos;

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
}
