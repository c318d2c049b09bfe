//! Runs that were made in a guest of the laboratory, and came from there as any other.

use etalon_model::{Cell, Finding, LabGuest, Run};
use etalon_stats::{MAX_RUNS, MIN_RUNS_LAB};
use etalon_units::Percent;

use crate::cell::judge_cell;
use crate::check::Facts;
use crate::checks::{lab_guest, lab_late};
use crate::goal::Goal;
use crate::registry::check_run;

/// Writes down in a run in which guest it was made, with the findings that say so. The guest itself cannot know how late its
/// disks have answered.
pub fn made_in_guest(run: &mut Run, guest: &LabGuest) {
    run.circumstances.lab = Some(guest.clone());
    let found = findings(run);
    run.findings.extend(found);
}

/// Gives cells that were judged in a guest the finding of their runs. One whose disks were late in a run is judged anew.
pub fn tell_guest(cells: &mut [Cell], runs: &[Run]) {
    for cell in cells {
        let own: Vec<&Run> = runs.iter().filter(|run| run.cell == cell.name).collect();
        match own.iter().any(|run| is_late(run)) {
            true => judge_again(cell, &own),
            false => {
                let first = own.first().map(|run| findings(run));
                cell.findings.extend(first.unwrap_or_default());
            }
        }
    }
}

fn is_late(run: &Run) -> bool {
    let mut codes = run.findings.iter().map(|finding| finding.code.as_str());
    codes.any(|code| code == lab_late::CHECK.code)
}

/// What the guest had found of the cell besides its runs stays.
fn judge_again(cell: &mut Cell, runs: &[&Run]) {
    let Some(mut judged) = judge_cell(&cell.name, runs, &goal_of(cell)) else {
        return;
    };
    for finding in std::mem::take(&mut cell.findings) {
        if judged.findings.iter().all(|own| own.code != finding.code) {
            judged.findings.push(finding);
        }
    }
    *cell = judged;
}

fn goal_of(cell: &Cell) -> Goal {
    let asked = cell.precision.as_ref().map(|precision| precision.asked);
    let asked = asked.map(Percent::from_fraction);
    Goal::new(asked, MIN_RUNS_LAB, MAX_RUNS).unwrap_or_default()
}

fn findings(run: &Run) -> Vec<Finding> {
    let facts = Facts {
        run,
        null_ns_per_operation: None,
    };
    let codes = [lab_guest::CHECK.code, lab_late::CHECK.code];
    let mut found = check_run(&facts);
    found.retain(|finding| codes.contains(&finding.code.as_str()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::read_run;
    use etalon_model::{LabDisk, Verdict};

    fn guest(late_answers: u64) -> LabGuest {
        let disk = LabDisk {
            answers: 100,
            late_answers,
            ..LabDisk::default()
        };
        LabGuest {
            disks: vec![disk],
            ..LabGuest::default()
        }
    }

    /// A cell as the guest judged it, and what becomes of it where so many of eight runs are late.
    fn told(late_runs: usize) -> (Cell, Cell) {
        let mut runs = vec![read_run(); 8];
        let all: Vec<&Run> = runs.iter().collect();
        let name = all[0].cell.clone();
        let asked = Goal::new(Some(Percent::from_fraction(0.05)), 6, 30).unwrap();
        let judged = judge_cell(&name, &all, &asked).unwrap();
        for (number, run) in runs.iter_mut().enumerate() {
            made_in_guest(run, &guest(2 * u64::from(number < late_runs)));
        }
        let mut cells = [judged.clone()];
        tell_guest(&mut cells, &runs);
        let [cell] = cells;
        (judged, cell)
    }

    #[test]
    fn late_runs_are_left_out_of_a_cell_and_many_of_them_are_no_figure() {
        let (judged, punctual) = told(0);
        assert_eq!(punctual.values, judged.values);
        let codes =
            |cell: &Cell| -> Vec<String> { cell.findings.iter().map(|f| f.code.clone()).collect() };
        assert!(codes(&punctual).contains(&"lab-guest".to_owned()));
        let (_, few) = told(2);
        assert_eq!(few.values.len(), 6);
        assert_eq!(few.precision.as_ref().unwrap().asked, 0.05);
        assert_eq!(few.verdict, judged.verdict);
        let (_, many) = told(4);
        let Verdict::Invalid { reasons } = &many.verdict else {
            panic!("{:?}", many.verdict);
        };
        assert_eq!(*reasons, ["lab-late"]);
    }
}
