//! A run with too few operations to be a measurement.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;
use crate::value::is_timed;

/// With fewer, one slow operation moves the figure by more than 3 %.
const FEW: u64 = 30;

pub(crate) const CHECK: Check = Check {
    code: "few-operations",
    about: "The run had fewer than 30 operations, so that a single one can move its figure.",
    advice: "Measure longer: give a larger --budget or --time.",
    short_about: Some("So few operations ended that single ones matter."),
    short_advice: Some("Measure longer."),
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let operations = facts.run.measurement.operations();
    // A step of real work is one thing, however many files it handles.
    (operations < FEW && !is_timed(facts.run)).then(|| {
        let message = said!(
            "only {operations} operations ended within the run.",
            operations = operations,
        );
        Outcome::new(
            Severity::Warn,
            message,
            &[("operations", operations as f64)],
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run, task_run};
    use etalon_model::TaskFigure;

    #[test]
    fn twenty_nine_are_few() {
        let mut run = read_run();
        assert_eq!(super::run(&facts(&run)), None);
        run.measurement.reads.operations = 29;
        assert!(super::run(&facts(&run)).is_some());
        for (figure, is_told) in [(TaskFigure::Rate, true), (TaskFigure::Time, false)] {
            let mut run = task_run(figure);
            run.measurement.metadata.operations = 1;
            assert_eq!(super::run(&facts(&run)).is_some(), is_told);
        }
    }
}
