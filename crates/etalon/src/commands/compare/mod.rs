//! `etalon compare ARM ARM …`.

mod environments;

use anyhow::bail;
use etalon_exchange::{ComparisonBody, DocumentFormat, Envelope};
use etalon_judge::{Arm, CompareOptions, compare_arms};
use etalon_model::{Cell, Comparison, ComparisonVerdict, Run};
use etalon_report::ComparisonPage;

use crate::arms::NamedArm;
use crate::cli::CompareArgs;
use crate::commands::subcommand::Subcommand;
use crate::exit::{BadUsage, Exit};
use crate::output;
use environments::Environments;

impl Subcommand for CompareArgs {
    const NAME: &'static str = "compare";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &CompareArgs) -> anyhow::Result<Exit> {
    let named: Vec<NamedArm> = args
        .arms
        .iter()
        .map(|text| NamedArm::read(text, &args.store))
        .collect::<anyhow::Result<_>>()?;
    let options = CompareOptions {
        by: args.by.clone(),
        baseline: baseline(args)?,
        margin: args.margin.fraction(),
    };
    let (matches, missing) = matching_cells(&named);
    if matches.is_empty() {
        bail!(BadUsage(format!(
            "{} have no workload in common",
            args.arms.join(" and ")
        )));
    }
    let mut comparisons = Vec::new();
    for cells in &matches {
        let arms: Vec<Arm<'_>> = named
            .iter()
            .zip(cells)
            .map(|(n, cell)| arm(n, cell))
            .collect();
        comparisons.push(compare_arms(&title(cells), &arms, &options)?);
    }
    let environments = Environments::of(&named);
    let text = if args.json {
        document(&comparisons, &environments)?
    } else {
        page(&comparisons, &missing) + "\n" + &environments.page()
    };
    output::print(&text)?;
    Ok(exit_of(&comparisons))
}

fn baseline(args: &CompareArgs) -> anyhow::Result<usize> {
    let Some(wanted) = &args.baseline else {
        return Ok(0);
    };
    match args.arms.iter().position(|arm| arm == wanted) {
        Some(index) => Ok(index),
        None => bail!(BadUsage(format!(
            "--baseline '{wanted}' is none of the arms: {}",
            args.arms.join(", ")
        ))),
    }
}

/// The cells to compare, one of each arm, and the names that not every arm has.
///
/// An arm with a single cell, named or measured alone, is compared whatever the name; others are
/// matched by name.
fn matching_cells(named: &[NamedArm]) -> (Vec<Vec<&Cell>>, Vec<String>) {
    let cells_of = |arm: &NamedArm| -> Vec<usize> {
        let all = arm.experiment.cells.iter().enumerate();
        all.filter(|(_, cell)| arm.cell.as_ref().is_none_or(|name| *name == cell.name))
            .map(|(index, _)| index)
            .collect()
    };
    let lists: Vec<Vec<&Cell>> = named
        .iter()
        .map(|arm| {
            cells_of(arm)
                .into_iter()
                .map(|i| &arm.experiment.cells[i])
                .collect()
        })
        .collect();
    if lists.iter().all(|cells| cells.len() == 1) {
        return (
            vec![lists.iter().map(|cells| cells[0]).collect()],
            Vec::new(),
        );
    }
    let (mut matches, mut missing) = (Vec::new(), Vec::new());
    for first in &lists[0] {
        let same: Option<Vec<&Cell>> = lists
            .iter()
            .map(|cells| cells.iter().copied().find(|cell| cell.name == first.name))
            .collect();
        match same {
            Some(cells) => matches.push(cells),
            None => missing.push(first.name.clone()),
        }
    }
    (matches, missing)
}

fn title(cells: &[&Cell]) -> String {
    let mut names: Vec<&str> = cells.iter().map(|cell| cell.name.as_str()).collect();
    names.dedup();
    names.join(" against ")
}

fn arm<'a>(named: &'a NamedArm, cell: &'a Cell) -> Arm<'a> {
    let runs: Vec<&Run> = named.experiment.runs_of(&cell.name).collect();
    let begun = &named.experiment.header.begun;
    Arm {
        label: named.label.clone(),
        session: named.session.clone(),
        cell,
        runs,
        target: &begun.target,
        tool_version: &begun.tool_version,
    }
}

fn page(comparisons: &[Comparison], missing: &[String]) -> String {
    let pages: Vec<String> = comparisons
        .iter()
        .map(|comparison| {
            ComparisonPage {
                comparison,
                width: output::width(),
            }
            .to_string()
        })
        .collect();
    let mut text = pages.join("\n");
    if !missing.is_empty() {
        text.push_str(&format!(
            "\nNot in every arm, and so not compared: {}.\n",
            missing.join("; ")
        ));
    }
    text
}

fn document(comparisons: &[Comparison], environments: &Environments) -> anyhow::Result<String> {
    let body = ComparisonBody {
        comparisons,
        arms: &environments.labels,
        environment_differences: &environments.differences,
        environment_unknown: &environments.unknown,
    };
    Ok(Envelope::new(DocumentFormat::Comparison, "compare", body).to_text()?)
}

/// Undecided and refused comparisons are no valid outcome; a difference or its absence is.
fn exit_of(comparisons: &[Comparison]) -> Exit {
    let decided = |c: &Comparison| {
        !matches!(
            c.verdict,
            ComparisonVerdict::Undecided | ComparisonVerdict::Refused { .. }
        )
    };
    if comparisons.iter().all(decided) {
        Exit::Done
    } else {
        Exit::NotValid
    }
}
