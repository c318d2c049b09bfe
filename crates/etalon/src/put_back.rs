//! Puts back what earlier runs left on the machine, before and after each run.

use std::fmt::Write as _;

use etalon_factor::{Journal, RestoreReport, restore_telling};
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
            let (undone, when) = match left.is_made {
                true => ("removed", "its filesystem can be written again"),
                false => ("put back", "what stands in the way is put right"),
            };
            output::note(&format!(
                "etalon: '{}' could not be {undone}; run etalon restore when {when}",
                visible_name(&left.path)
            ));
        }
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
