//! Checkpoints that nobody asked for.

use etalon_model::{ServiceFacts, Severity};
use etalon_units::Bytes;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

/// Steps of which a checkpoint is a part.
const ASKED: [&str; 2] = ["vacuum", "checkpoint"];
/// Less than this is a page or some.
const WORTH_TELLING: Bytes = Bytes::mib(1);

pub(crate) const CHECK: Check = Check {
    code: "checkpoint-in-run",
    about: "The database wrote its pages back meanwhile: that part of the figure belongs to what was done before.",
    advice: "Run longer, so that each run has its share of checkpoints, or allow a larger log.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let service = facts.run.measurement.service.as_ref()?;
    if ASKED.contains(&facts.run.cell.as_str()) {
        return None;
    }
    checkpoints(service).or_else(|| written_back(service))
}

fn checkpoints(service: &ServiceFacts) -> Option<Outcome> {
    (service.checkpoints > 0).then(|| {
        let message = said!(
            "{server} made {count} checkpoints that nobody asked for.",
            server = &service.engine,
            count = service.checkpoints,
        );
        let evidence = [("checkpoints", service.checkpoints as f64)];
        Outcome::new(Severity::Warn, message, &evidence)
    })
}

/// Pages that a part which changes nothing found changed.
fn written_back(service: &ServiceFacts) -> Option<Outcome> {
    (service.commits == 0 && service.written_back >= WORTH_TELLING).then(|| {
        let message = said!(
            "{server} wrote {size} back that was changed before.",
            server = &service.engine,
            size = service.written_back,
        );
        let evidence = [("written_back_bytes", service.written_back.as_f64())];
        Outcome::new(Severity::Info, message, &evidence)
    })
}

#[cfg(test)]
mod tests {
    use etalon_model::{ServiceFacts, Severity, TaskFigure};
    use etalon_units::Bytes;

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

    #[test]
    fn what_a_part_that_only_reads_finds_changed_is_a_note() {
        let mut run = task_run(TaskFigure::Time);
        run.cell = "query A, points".to_owned();
        let mut found = |written_back, commits| {
            run.measurement.service = Some(ServiceFacts {
                written_back,
                commits,
                ..ServiceFacts::default()
            });
            super::run(&facts(&run)).map(|outcome| outcome.severity)
        };
        assert_eq!(found(Bytes::mib(2), 0), Some(Severity::Info));
        assert_eq!(found(Bytes::kib(16), 0), None);
        assert_eq!(found(Bytes::mib(2), 1), None);
    }
}
