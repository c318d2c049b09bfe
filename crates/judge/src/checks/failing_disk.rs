//! A disk that says of itself that it fails.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

pub(crate) const CHECK: Check = Check {
    code: "failing-disk",
    about: "A disk says by SMART that it fails, is short of spare blocks, or has sectors that it cannot read.",
    advice: "Save its data and replace it; figures of a failing disk are those of its retries.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let failing = &facts.run.circumstances.beneath.as_ref()?.failing;
    (!failing.is_empty()).then(|| {
        let message = said!("{disks}.", disks = failing.join("; "));
        Outcome::new(
            Severity::Warn,
            message,
            &[("complaints", failing.len() as f64)],
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::BeneathFacts;

    #[test]
    fn each_complaint_is_told() {
        let mut run = read_run();
        run.circumstances.beneath = Some(BeneathFacts::default());
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.beneath = Some(BeneathFacts {
            failing: vec![
                "sda: 8 pending and 0 uncorrectable sectors".to_owned(),
                "sdb: SMART says the disk is failing".to_owned(),
            ],
            ..BeneathFacts::default()
        });
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(
            outcome.message,
            "sda: 8 pending and 0 uncorrectable sectors; sdb: SMART says the disk is failing."
        );
        assert!((outcome.evidence[0].value - 2.0).abs() < f64::EPSILON);
    }
}
