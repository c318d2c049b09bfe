//! Writes of the session's own earlier runs that were still under way.

use etalon_model::{Run, Severity};
use etalon_units::{Bytes, Percent};

use crate::check::{Check, Facts, Outcome};
use crate::disk_traffic::DiskTraffic;
use crate::resolution::{EARLIER, Levels};
use crate::sentence::said;

/// The figure is spoilt as by somebody else's writes.
const LEVELS: Levels<'_> = &[(0.05, Severity::Invalid), (0.01, Severity::Warn)];

pub(crate) const CHECK: Check = Check {
    code: "earlier-writes",
    about: "The devices still wrote what earlier runs of the same session had left.",
    advice: "Give the check more time with --budget: it then waits longer between its rows. Let measure end with an fsync (--fsync end).",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let m = &run.measurement;
    let reads_alone = m.reads.bytes > Bytes::ZERO && m.writes.bytes == Bytes::ZERO;
    let disks = DiskTraffic::of(run).filter(|_| reads_alone)?;
    let (earlier, own) = (own_earlier(run, disks.written), m.bytes_with_warm_up);
    let found = EARLIER.grade(earlier.as_f64(), own.as_f64(), LEVELS)?;
    let aftermath = run.circumstances.aftermath?;
    let message = said!(
        "earlier runs of this session: {earlier} were still written, {share} of the run's own {own}; after {waited} of waiting up to {left} had been left.",
        earlier = earlier,
        share = Percent::from_fraction(earlier.as_f64() / own.as_f64()),
        own = own,
        waited = aftermath.waited,
        left = aftermath.left_bytes,
    );
    let evidence = [
        ("own_bytes", own.as_f64()),
        ("earlier_bytes", earlier.as_f64()),
        ("left_bytes", aftermath.left_bytes.as_f64()),
        ("waited_ns", aftermath.waited.get() as f64),
    ];
    Some(Outcome::new(found.severity, found.say(message), &evidence))
}

/// Of what the disks wrote, what earlier runs of the session can have left.
pub(super) fn own_earlier(run: &Run, written: f64) -> Bytes {
    let aftermath = run.circumstances.aftermath.unwrap_or_default();
    let copies = run.expected_write_copies();
    Bytes((aftermath.left_bytes.as_f64() * copies).min(written) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::check_run;
    use crate::samples::{facts, read_run};
    use etalon_model::{Aftermath, IdleTraffic};
    use etalon_units::Nanos;

    /// What is found where so many MiB were left and so many written during 256 MiB of reads.
    fn found(left: u64, written: u64) -> Vec<(String, Severity)> {
        let mut run = read_run();
        run.device.as_mut().unwrap().written_bytes = Bytes::mib(written);
        run.circumstances.aftermath = Some(Aftermath {
            waited: Nanos::millis(300),
            quiet: left == 0,
            written_bytes: Bytes::mib(9),
            left_bytes: Bytes::mib(left),
        });
        let all = check_run(&facts(&run)).into_iter();
        all.filter(|f| f.code == "foreign-io" || f.code == "earlier-writes")
            .map(|f| (f.code, f.severity))
            .collect()
    }

    #[test]
    fn what_was_left_is_told_as_the_sessions_own_and_what_goes_beyond_it_as_foreign() {
        let (own, foreign) = ("earlier-writes".to_owned(), "foreign-io".to_owned());
        assert_eq!(found(20, 0), []);
        assert_eq!(found(20, 8), [(own.clone(), Severity::Warn)]);
        assert_eq!(found(20, 20), [(own.clone(), Severity::Invalid)]);
        assert_eq!(found(0, 20), [(foreign.clone(), Severity::Invalid)]);
        let both = [(foreign, Severity::Invalid), (own, Severity::Warn)];
        assert_eq!(found(8, 28), both);
    }

    #[test]
    fn what_was_seen_before_the_session_is_no_second_finding_of_the_same_bytes() {
        let mut run = read_run();
        run.device.as_mut().unwrap().written_bytes = Bytes::mib(20);
        run.circumstances.idle = Some(IdleTraffic {
            span: Nanos::millis(100),
            read_bytes: Bytes::ZERO,
            written_bytes: Bytes::mib(5),
        });
        let codes = |run: &Run| -> Vec<String> {
            let all = check_run(&facts(run)).into_iter();
            all.map(|f| f.code).filter(|c| c == "foreign-io").collect()
        };
        assert_eq!(codes(&run), ["foreign-io"]);
        run.circumstances.aftermath = Some(Aftermath {
            left_bytes: Bytes::mib(20),
            ..Aftermath::default()
        });
        assert_eq!(codes(&run), [""; 0]);
    }
}
