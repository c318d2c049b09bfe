//! Modelled disks whose answers came later than their models say.

use etalon_model::Severity;
use etalon_units::Percent;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;
use crate::value::TOLERATED;

pub(crate) const CHECK: Check = Check {
    code: "lab-late",
    about: "The modelled disks of a guest answered later than their models say: this machine was too slow for them.",
    advice: "Measure again when nothing else runs here, or with fewer and slower disks.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let late = facts.run.circumstances.lab.as_ref()?.late_share();
    (late > TOLERATED).then(|| {
        let message = said!(
            "{share} of the answers of its modelled disks were late: the disks were slower than their models.",
            share = Percent::from_fraction(late),
        );
        Outcome::new(Severity::Invalid, message, &[("late_share", late)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::{LabDisk, LabGuest};

    #[test]
    fn more_than_a_hundredth_of_late_answers_is_no_figure_of_the_model() {
        let found = |late_answers| {
            let mut run = read_run();
            let disk = LabDisk {
                answers: 1_000,
                late_answers,
                ..LabDisk::default()
            };
            run.circumstances.lab = Some(LabGuest {
                disks: vec![disk],
                ..LabGuest::default()
            });
            super::run(&facts(&run)).map(|outcome| (outcome.severity, outcome.message))
        };
        assert_eq!((found(0), found(10)), (None, None));
        let (severity, message) = found(20).unwrap();
        assert_eq!(severity, Severity::Invalid);
        assert!(message.starts_with("2.0 % of the answers"), "{message}");
        assert!(super::run(&facts(&read_run())).is_none());
    }
}
