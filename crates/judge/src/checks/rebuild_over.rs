//! A rebuild that a run was to be beside, and that ended before the run did.

use etalon_model::{RebuildRecord, Severity};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::said;

pub(crate) const CHECK: Check = Check {
    code: "rebuild-over",
    about: "The run was to be measured during a rebuild of an array, which ended before the run did.",
    advice: "Take larger members or shorter runs (time), or slow the rebuild down with the factor sysctl: dev.raid.speed_limit_max.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let levels = &facts.run.circumstances.levels;
    let mut rebuilds = levels.iter().filter_map(|level| level.rebuild.as_ref());
    rebuilds.find(|rebuild| rebuild.is_over).map(outcome)
}

fn outcome(rebuild: &RebuildRecord) -> Outcome {
    let message = said!(
        "The rebuild of {device} was over {time} after its beginning, before the run had ended: the figure is not one of a rebuild.",
        device = &rebuild.device,
        time = rebuild.elapsed,
    );
    let evidence = [("rebuilt_ns", rebuild.elapsed.get() as f64)];
    Outcome::new(Severity::Invalid, message, &evidence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run};
    use etalon_model::LevelRecord;
    use etalon_units::Nanos;

    #[test]
    fn a_run_that_outlasts_the_rebuild_is_not_of_one() {
        let mut run = read_run();
        let rebuild = |is_over| RebuildRecord {
            device: "md0".to_owned(),
            elapsed: Nanos::millis(1500),
            is_over,
            ..RebuildRecord::default()
        };
        let level = |rebuild| LevelRecord {
            factor: "array".to_owned(),
            rebuild,
            ..LevelRecord::default()
        };
        run.circumstances.levels = vec![level(None), level(Some(rebuild(false)))];
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.levels = vec![level(None), level(Some(rebuild(true)))];
        let outcome = super::run(&facts(&run)).unwrap();
        assert!(outcome.message.starts_with("The rebuild of md0 was over "));
        assert!(outcome.message.contains(&Nanos::millis(1500).to_string()));
    }
}
