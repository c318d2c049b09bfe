//! Checkpoints that nobody asked for.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};

/// Steps of which a checkpoint is a part.
const ASKED: [&str; 2] = ["vacuum", "checkpoint"];

pub(crate) const CHECK: Check = Check {
    code: "checkpoint-in-run",
    about: "The database wrote its pages back meanwhile: that part of the figure belongs to what was done before.",
    advice: "Run longer, so that each run has its share of checkpoints, or allow a larger log.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let service = facts.run.measurement.service.as_ref()?;
    let asked = ASKED.contains(&facts.run.cell.as_str());
    (service.checkpoints > 0 && !asked).then(|| {
        let message = format!(
            "{} made {} checkpoints that nobody asked for.",
            service.engine, service.checkpoints
        );
        let evidence = [("checkpoints", service.checkpoints as f64)];
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use etalon_model::{ServiceFacts, TaskFigure};

    use crate::samples::{facts, task_run};

    #[test]
    fn a_checkpoint_is_found_but_where_it_is_asked_for() {
        let mut run = task_run(TaskFigure::Time);
        run.measurement.service = Some(ServiceFacts {
            checkpoints: 1,
            ..ServiceFacts::default()
        });
        assert!(super::run(&facts(&run)).is_some());
        run.cell = "checkpoint".to_owned();
        assert_eq!(super::run(&facts(&run)), None);
        run.cell = "load".to_owned();
        run.measurement.service = Some(ServiceFacts::default());
        assert_eq!(super::run(&facts(&run)), None);
    }
}
