//! `etalon restore`, and the same before every measurement.

use std::fmt::Write as _;

use etalon_exchange::{DocumentFormat, Envelope, InUseBody, RestoredBody};
use etalon_factor::{Journal, RestoreReport, restore};
use etalon_units::{visible, visible_name};

use crate::exit::Exit;
use crate::output;

pub(crate) fn run(json: bool) -> anyhow::Result<Exit> {
    let report = restore(&Journal::open()?);
    if json {
        output::print(&document(&report)?)?;
    } else if report.is_empty() {
        output::print("nothing was left behind\n")?;
    } else {
        output::print(&text(&report))?;
    }
    Ok(if report.kept.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

/// Puts back what a killed run left; a living run's changes are its own.
pub(crate) fn before_a_run() {
    match Journal::open() {
        Ok(journal) => {
            let mut report = restore(&journal);
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
        let mut report = restore(&journal);
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
    for left in restore(&journal).in_use {
        if left.owner.pid == own {
            output::note(&format!(
                "etalon: '{}' could not be removed; run etalon restore when its filesystem can be written again",
                visible_name(&left.path)
            ));
        }
    }
}

fn text(report: &RestoreReport) -> String {
    let mut text = String::new();
    for path in &report.removed {
        let _ = writeln!(text, "removed {}", visible_name(path));
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

fn document(report: &RestoreReport) -> anyhow::Result<String> {
    let in_use = report.in_use.iter().map(|used| InUseBody {
        path: used.path.display().to_string(),
        owner: used.owner.to_string(),
    });
    let removed = report.removed.iter();
    let body = RestoredBody {
        removed: removed.map(|path| path.display().to_string()).collect(),
        in_use: in_use.collect(),
        left: report.kept.iter().map(ToString::to_string).collect(),
    };
    Ok(Envelope::new(DocumentFormat::Restored, "restore", body).to_text()?)
}
