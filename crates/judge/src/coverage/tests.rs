use etalon_model::{BeneathFacts, CheckState, DeviceTraffic, Run, TaskFigure, TaskWorkload};

use super::*;
use crate::samples::{read_run, write_run};

fn state(run: &Run, code: &str) -> (CheckState, String) {
    let all = of_runs(&[run]);
    let own = all.into_iter().find(|one| one.code == code).unwrap();
    (own.state, own.reason.unwrap_or_default().into_owned())
}

#[test]
fn every_check_has_a_line_and_a_reason_for_each_state_but_done() {
    let runs = [read_run(), write_run()];
    for run in &runs {
        let all = of_runs(&[run]);
        let codes: Vec<&str> = all.iter().map(|one| one.code).collect();
        let known: Vec<&str> = CHECKS.iter().map(|check| check.code).collect();
        assert_eq!(codes, known);
        for one in all {
            let is_done = one.state == CheckState::Done;
            assert_eq!(
                one.reason.is_none_or(|why| why.is_empty()),
                is_done,
                "{}",
                one.code
            );
        }
    }
}

#[test]
fn done_not_possible_and_not_meant_are_told_apart() {
    let mut run = read_run();
    run.device = None;
    run.leaves = None;
    let (state_of, why) = state(&run, "page-cache");
    assert_eq!(state_of, CheckState::NotPossible);
    assert!(why.contains("no block device"), "{why}");
    run.device = Some(DeviceTraffic::default());
    assert_eq!(state(&run, "page-cache").0, CheckState::Done);
    let (state_of, why) = state(&write_run(), "page-cache");
    assert_eq!(state_of, CheckState::DoesNotApply);
    assert!(why.contains("only reads"), "{why}");
}

#[test]
fn health_that_no_disk_tells_takes_root() {
    let mut run = read_run();
    run.circumstances.beneath = Some(BeneathFacts::default());
    let (state_of, why) = state(&run, "failing-disk");
    assert_eq!(state_of, CheckState::NotPossible);
    assert!(why.contains("root"), "{why}");
}

#[test]
fn what_some_runs_lack_is_counted() {
    let (mut seen, mut unseen) = (read_run(), read_run());
    seen.circumstances.beneath = Some(BeneathFacts::default());
    unseen.circumstances.beneath = None;
    let all = of_runs(&[&seen, &unseen, &seen]);
    let own = all.iter().find(|one| one.code == "in-memory").unwrap();
    assert_eq!(own.state, CheckState::NotPossible);
    assert!(own.reason.as_ref().unwrap().ends_with("(in 1 of 3 runs)"));
}

#[test]
fn a_task_without_processor_time_is_not_called_unbound() {
    let task = TaskWorkload::of_texts("dd", "copy", TaskFigure::Throughput, Default::default());
    let mut run = read_run();
    run.workload = task.into();
    run.measurement.cpu_user = None;
    run.measurement.cpu_system = None;
    assert_eq!(state(&run, "cpu-bound").0, CheckState::NotPossible);
    assert_eq!(state(&run, "warm-up").0, CheckState::DoesNotApply);
}
