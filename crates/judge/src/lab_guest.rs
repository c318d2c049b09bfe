//! An experiment that was made in a guest of the laboratory, and came from there as any other.

use etalon_model::{Experiment, Finding, LabGuest, Run};

use crate::check::Facts;
use crate::checks::lab_guest::CHECK;
use crate::registry::check_run;

/// Writes down in every run in which guest it was made, with the finding that says so, which its cells
/// get as well. The guest itself cannot know how late its disks have answered.
pub fn made_in_guest(experiment: &mut Experiment, guest: &LabGuest) {
    for run in &mut experiment.runs {
        run.circumstances.lab = Some(guest.clone());
        let found = finding(run);
        run.findings.extend(found);
    }
    for cell in &mut experiment.cells {
        let mut runs = experiment.runs.iter().filter(|run| run.cell == cell.name);
        let found = runs.next().and_then(finding);
        cell.findings.extend(found);
    }
}

fn finding(run: &Run) -> Option<Finding> {
    let facts = Facts {
        run,
        null_ns_per_operation: None,
    };
    let mut found = check_run(&facts).into_iter();
    found.find(|finding| finding.code == CHECK.code)
}
