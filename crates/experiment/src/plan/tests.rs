//! Cells and plots of a plan whose factors are all cheap, or one of them not.

use super::*;
use etalon_units::Nanos;

const PLAN: &str = r#"
question = "Which?"
[[factor]]
name = "nomerges"
levels = [0, 2]
[[factor]]
name = "filesystem"
levels = ["ext4", "xfs"]
[[workload]]
op = "read"
"#;

/// A plan of which only the factors and their combinations matter.
pub(super) fn request(text: &str) -> PlanRequest {
    let parsed = PlanText::parse(text).unwrap();
    PlanRequest {
        targets: vec!["/srv".into()],
        workloads: vec![NamedWorkload {
            name: "r".to_owned(),
            task: PlannedTask::Io(etalon_model::IoWorkload::default()),
        }],
        factors: parsed.factors,
        combinations: parsed.combinations,
        precision: None,
        budget: None,
        blocks: Some(6),
        is_shuffled: true,
        seed: 1,
        precondition: Precondition::default(),
        destroy: Vec::new(),
        manual_step_is_done: false,
        only_block: None,
        part: None,
        setup: Vec::new(),
        cleanup: Vec::new(),
        earlier_took: Nanos::ZERO,
    }
}

#[test]
fn what_is_expensive_makes_plots_and_the_rest_is_within_them() {
    let found = arrange(&request(PLAN));
    let names: Vec<&str> = found.cells.iter().map(|cell| cell.name.as_str()).collect();
    assert_eq!(names.len(), 4);
    assert_eq!(names[0], "r, nomerges 0, filesystem ext4");
    let plots: Vec<&[usize]> = found.plots.iter().map(|plot| &plot.cells[..]).collect();
    assert_eq!(plots, [&[0, 2][..], &[1, 3]]);
    let mut within = found.within(1, 0);
    within.sort_unstable();
    assert_eq!(within, [1, 3]);
}

#[test]
fn listed_combinations_are_all_that_is_measured() {
    let listed = format!("{PLAN}[[combination]]\nnomerges = 2\nfilesystem = \"xfs\"\n");
    let found = arrange(&request(&listed));
    assert_eq!(found.cells.len(), 1);
    assert_eq!(found.cells[0].levels, [1, 1]);
}
