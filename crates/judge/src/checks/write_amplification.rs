//! Writes that made the devices write more than was asked.

use etalon_model::Severity;

use super::foreign_io::reported_write_bytes;
use crate::check::{Check, Facts, Outcome};
use crate::sentence::{figure, said};

/// Metadata and journal of a large write stay below this.
const WORTH_TELLING: f64 = 1.05;

pub(crate) const CHECK: Check = Check {
    code: "write-amplification",
    about: "The devices wrote more bytes than the workload: journal, metadata, copies of a RAID, or another writer.",
    advice: "Expect it of mirrors and copy-on-write filesystems; otherwise look for another writer.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let copies = run.expected_write_copies();
    let share = run.kept_write_share().filter(|_| !run.is_mixture())? * copies;
    // What is told as the I/O of others is no amplification.
    let others = reported_write_bytes(run).as_f64();
    let own = run.measurement.bytes_with_warm_up.as_f64();
    (share - others / own > WORTH_TELLING * copies).then(|| {
        let message = said!(
            "the devices wrote {written} bytes for each byte of the workload, where {copies} are expected.",
            written = figure(format!("{share:.2}")),
            copies = figure(copies),
        );
        let evidence = [("device_write_share", share), ("expected_copies", copies)];
        Outcome::new(Severity::Info, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, write_run};
    use etalon_model::{BeneathFacts, DeviceTraffic, IdleTraffic};
    use etalon_units::{Bytes, Nanos};

    #[test]
    fn bytes_that_foreign_io_tells_are_not_told_again() {
        let mut run = write_run();
        run.device.as_mut().unwrap().written_bytes = Bytes::mib(394);
        let idle = |mib| IdleTraffic {
            span: Nanos::millis(100),
            read_bytes: Bytes::ZERO,
            written_bytes: Bytes::mib(mib),
        };
        let codes = |run: &etalon_model::Run| -> Vec<String> {
            let all = crate::registry::check_run(&facts(run));
            let codes = all.into_iter().map(|finding| finding.code);
            let traffic = ["foreign-io", "write-amplification"];
            codes.filter(|c| traffic.contains(&c.as_str())).collect()
        };
        run.circumstances.idle = Some(idle(20));
        assert_eq!(codes(&run), ["foreign-io"]);
        // Others explain a part only.
        run.circumstances.idle = Some(idle(5));
        assert_eq!(codes(&run), ["write-amplification", "foreign-io"]);
        run.circumstances.idle = None;
        assert_eq!(codes(&run), ["write-amplification"]);
    }

    #[test]
    fn half_as_much_again_on_every_disk_of_a_mirror_is_told() {
        let mut run = write_run();
        run.circumstances.beneath = Some(BeneathFacts {
            write_copies: 2.0,
            top_write_copies: Some(1.0),
            ..BeneathFacts::default()
        });
        for (top, bottom, is_told) in [(256, 512, false), (384, 768, true)] {
            let of = |mib| DeviceTraffic {
                written_bytes: Bytes::mib(mib),
                ..DeviceTraffic::default()
            };
            (run.device, run.leaves) = (Some(of(top)), Some(of(bottom)));
            let outcome = super::run(&facts(&run));
            let told = outcome.map(|outcome| outcome.message);
            assert_eq!(told.is_some(), is_told, "{told:?}");
            assert!(told.is_none_or(|told| told.contains("3.00 bytes")));
        }
    }

    #[test]
    fn twice_the_bytes_are_told() {
        let mut run = write_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.device.as_mut().unwrap().written_bytes = Bytes::mib(512);
        assert!(
            super::run(&facts(&run))
                .unwrap()
                .message
                .contains("2.00 bytes")
        );
    }
}
