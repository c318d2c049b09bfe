//! Runs that were made in a guest of the laboratory, and came from there as any other.

use etalon_model::{Cell, Finding, LabGuest, Run};

use crate::check::Facts;
use crate::checks::lab_guest::CHECK;
use crate::registry::check_run;

/// Writes down in a run in which guest it was made, with the finding that says so. The guest itself cannot know how late its
/// disks have answered.
pub fn made_in_guest(run: &mut Run, guest: &LabGuest) {
    run.circumstances.lab = Some(guest.clone());
    let found = finding(run);
    run.findings.extend(found);
}

/// Gives cells that were judged in a guest the finding of their runs.
pub fn tell_guest(cells: &mut [Cell], runs: &[Run]) {
    for cell in cells {
        let mut runs = runs.iter().filter(|run| run.cell == cell.name);
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
