//! Puts back what earlier runs left on the machine, before and after each run.

use std::fmt::Write as _;

use etalon_factor::{InUse, Journal, RestoreReport, restore_telling};
use etalon_units::{visible, visible_name};

use crate::output;

/// Puts back what was left, and says what it waits for.
pub(crate) fn restored(journal: &Journal) -> RestoreReport {
    restore_telling(journal, &mut |owner| {
        output::note(&format!(
            "etalon: waiting for a program that process {} started before it was killed",
            owner.pid
        ));
    })
}

/// Puts back what a killed run left; a living run's changes are its own.
pub(crate) fn before_a_run() {
    match Journal::open() {
        Ok(journal) => {
            let mut report = restored(&journal);
            report.in_use.clear();
            output::note_lines(&text(&report));
        }
        Err(error) => {
            output::note(&format!(
                "etalon: what an earlier run left could not be looked for: {error}"
            ));
        }
    }
}

/// The same before a tool with a command line of its own, which says nothing of what it has not
/// found: its lines are read by programs.
pub(crate) fn before_a_tool() {
    if let Some(journal) = Journal::existing() {
        let mut report = restored(&journal);
        report.in_use.clear();
        output::note_lines(&text(&report));
    }
}

/// Tells what this very process made and could not put back, as on a disk that failed.
pub(crate) fn after_a_run() {
    // What cannot be looked for was told before the run.
    let Some(journal) = Journal::existing() else {
        return;
    };
    let own = std::process::id();
    for left in restored(&journal).in_use {
        if left.owner.pid == own {
            output::note(&format!("etalon: {}", why_left(&left)));
        }
    }
}

/// What was left, and what is to be done before `etalon restore`.
fn why_left(left: &InUse) -> String {
    let path = visible_name(&left.path);
    let points: Vec<String> = left
        .mount_points()
        .iter()
        .map(|point| format!("'{}'", visible_name(point)))
        .collect();
    match (left.is_made, &points[..]) {
        (false, _) => format!(
            "'{path}' could not be put back; run etalon restore when what stands in the way is put right"
        ),
        (true, []) => format!(
            "'{path}' could not be removed; run etalon restore when what stands in the way is put right, such as a \
             filesystem that cannot be written"
        ),
        (true, points) => format!(
            "'{path}' could not be removed, because something is mounted at {}; unmount it, then run etalon restore",
            points.join(" and ")
        ),
    }
}

/// What was removed and what was not, a line each.
pub(crate) fn text(report: &RestoreReport) -> String {
    let mut text = String::new();
    for server in &report.ended {
        let program = server.program.as_deref().unwrap_or("a server");
        let place = visible_name(&server.directory);
        let _ = writeln!(text, "ended {} in {place}", visible(program));
    }
    for path in &report.removed {
        let _ = writeln!(text, "removed {}", visible_name(path));
    }
    for path in &report.put_back {
        let _ = writeln!(text, "put back {}", visible_name(path));
    }
    for path in &report.undone_by_reboot {
        let _ = writeln!(text, "undone by the reboot: {}", visible_name(path));
    }
    for used in &report.in_use {
        let _ = writeln!(
            text,
            "in use: {} ({})",
            visible_name(&used.path),
            used.owner
        );
    }
    for kept in &report.kept {
        let _ = writeln!(text, "left: {}", visible(&kept.to_string()));
    }
    text
}

#[cfg(test)]
mod tests {
    use etalon_factor::ProcessStamp;

    use super::*;

    #[test]
    fn what_is_left_is_told_with_what_stands_in_the_way() {
        let left = |path: &str, is_made| {
            why_left(&InUse {
                path: path.into(),
                owner: ProcessStamp::current().unwrap(),
                is_made,
            })
        };
        // Something is mounted there on any machine.
        let mounted = left("/proc", true);
        assert!(
            mounted.starts_with(
                "'/proc' could not be removed, because something is mounted at '/proc'"
            ),
            "{mounted}"
        );
        assert!(
            mounted.ends_with("unmount it, then run etalon restore"),
            "{mounted}"
        );
        let made = left("/no/such/place", true);
        assert!(
            made.contains("could not be removed; run etalon restore when what stands in the way"),
            "{made}"
        );
        let changed = left("/proc", false);
        assert!(
            changed.contains("could not be put back") && !changed.contains("mounted"),
            "{changed}"
        );
    }
}
