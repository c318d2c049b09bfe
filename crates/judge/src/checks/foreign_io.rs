//! Traffic on the devices that was not the run's own.

use etalon_model::{Run, Severity};
use etalon_units::{Bytes, Percent};

use crate::check::{Check, Facts, Outcome};

/// Above this share of the run's own bytes the figure carries a reservation.
const WARN: f64 = 0.01;
/// Above this share somebody else's work is part of the figure.
const INVALID: f64 = 0.05;

pub(crate) const CHECK: Check = Check {
    code: "foreign-io",
    about: "The devices moved bytes that the run did not ask for.",
    advice: "Stop what else uses the disk (iotop or pidstat -d shows it) and measure again.",
    run,
};

fn run(facts: &Facts) -> Option<Outcome> {
    let own = facts.run.measurement.bytes_with_warm_up;
    let foreign = foreign(facts.run)?;
    let share = foreign.as_f64() / own.as_f64();
    (share > WARN).then(|| {
        let severity = if share > INVALID {
            Severity::Invalid
        } else {
            Severity::Warn
        };
        let message = format!(
            "the devices moved {foreign} beyond the run's own {own}, {} of it.",
            Percent::from_fraction(share)
        );
        let evidence = [
            ("own_bytes", own.as_f64()),
            ("foreign_bytes", foreign.as_f64()),
        ];
        Outcome::new(severity, message, &evidence)
    })
}

/// Bytes that cannot be the run's own: whatever was written during reads, and what was read
/// beyond a direct read's own bytes. Reads that go through the page cache read ahead, and writes
/// bring journal and metadata with them, so that the surplus there proves nothing.
fn foreign(run: &Run) -> Option<Bytes> {
    let disks = run.leaves.as_ref().or(run.device.as_ref())?;
    let m = &run.measurement;
    let own = m.bytes_with_warm_up;
    if own == Bytes::ZERO || m.reads.bytes == Bytes::ZERO || m.writes.bytes != Bytes::ZERO {
        return None;
    }
    let surplus = if m.direct {
        disks.read_bytes.get().saturating_sub(own.get())
    } else {
        0
    };
    Some(Bytes(surplus + disks.written_bytes.get()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};

    #[test]
    fn three_percent_warns_and_ten_percent_invalidates() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        for (mib, severity) in [(8, Severity::Warn), (26, Severity::Invalid)] {
            run.device.as_mut().unwrap().written_bytes = Bytes::mib(mib);
            assert_eq!(super::run(&facts(&run)).unwrap().severity, severity);
        }
    }
}
