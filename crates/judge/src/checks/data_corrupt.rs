//! Data that came back other than it was written.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

pub(crate) const CHECK: Check = Check {
    code: "data-corrupt",
    about: "Data read back differs from what was written.",
    advice: "Do not trust this storage with data; check cables, memory and the kernel's log.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let report = facts.run.measurement.verify.as_ref()?;
    (report.bad() > 0).then(|| {
        let message = said!(
            "of {sectors} sectors compared, {corrupt} are corrupt, {stale} stale, {misplaced} misplaced and {unstamped} without a stamp; the first at byte {first}.",
            sectors = report.sectors,
            corrupt = report.corrupt,
            stale = report.stale,
            misplaced = report.misplaced,
            unstamped = report.unstamped,
            first = report.examples.first().copied().unwrap_or_default(),
        );
        let evidence = [
            ("compared_sectors", report.sectors as f64),
            ("bad_sectors", report.bad() as f64),
        ];
        Outcome::new(Severity::Invalid, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::VerifyReport;

    #[test]
    fn one_bad_sector_is_enough() {
        let mut run = read_run();
        run.measurement.verify = Some(VerifyReport {
            sectors: 1000,
            ..VerifyReport::default()
        });
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.verify = Some(VerifyReport {
            sectors: 1000,
            stale: 1,
            examples: vec![4096],
            ..VerifyReport::default()
        });
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.contains("1 stale") && outcome.message.contains("byte 4096"));
    }
}
