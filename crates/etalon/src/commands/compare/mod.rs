//! `etalon compare ARM ARM …`.

mod dots;
mod environments;
mod labels;
mod like;
mod matched;
mod mending;
mod side_by_side;
mod twins;

use anyhow::bail;
use etalon_exchange::{ComparisonBody, DocumentFormat, Envelope};
use etalon_judge::{
    Arm, CompareOptions, compare_rows, condition_name, condition_names, gate, names_fact,
};
use etalon_model::{
    Comparison, ComparisonVerdict, EnvironmentDifference, Gate, GateOutcome, LabelSpread,
};
use etalon_report::{ComparedRow, ComparisonPage, Look, Mending, Painted, label_spread_page};
use etalon_tools::Exit;

use crate::arms::NamedArm;
use crate::cli::CompareArgs;
use crate::commands::subcommand::Subcommand;
use crate::exit::BadUsage;
use crate::output;
use environments::Environments;
use matched::{Matched, matched, row_of};

pub(super) use side_by_side::{SideBySide, report_rows};

impl Subcommand for CompareArgs {
    const NAME: &'static str = "compare";

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &CompareArgs) -> anyhow::Result<Exit> {
    let args = &labels::with_arms(args)?;
    let named: Vec<NamedArm> = args
        .arms
        .iter()
        .map(|text| NamedArm::read(text, &args.store))
        .collect::<anyhow::Result<_>>()?;
    let baseline = baseline(args)?;
    twins::refuse(&named)?;
    let matched = matched(&named);
    let environments = Environments::of(&named, &args.by);
    let comparisons = compared(args, baseline, &named, &matched, &environments)?;
    let label_spread = labels::spread(args, &named, &matched, &comparisons)?;
    let mending = mending::of(&named, &comparisons, &matched.rows, &args.store);
    let gate = gated(args, &comparisons, &matched.missing)?;
    let found = Found {
        baseline,
        comparisons,
        matched,
        environments,
        gate,
        label_spread,
        like: like::command(&named, &args.store),
        mending,
    };
    match args.json {
        true => output::print(&document(args, &found)?)?,
        false => print_page(args, &found)?,
    }
    Ok(match &found.gate {
        Some(gate) => exit_of_gate(gate, args.strict),
        None => exit_of(&found.comparisons),
    })
}

/// Labels are held against each other as a whole; pairs of experiments are told where there are few.
fn print_page(args: &CompareArgs, found: &Found<'_>) -> anyhow::Result<()> {
    if let Some(spread) = &found.label_spread {
        let look = output::look();
        output::print_page(&look.speak(|| label_spread_page(spread, look.width)))?;
        if args.arms.len() > labels::FEW_ARMS {
            return Ok(());
        }
        output::print("\n")?;
    }
    output::print_painted(&page(args, found))
}

/// Everything that is told of a comparison.
struct Found<'a> {
    baseline: usize,
    comparisons: Vec<Comparison>,
    matched: Matched<'a>,
    environments: Environments,
    gate: Option<Gate>,
    label_spread: Option<Vec<LabelSpread>>,
    /// What measures one arm like another.
    like: Option<String>,
    /// What helps arms whose own figures stand in the way.
    mending: Vec<Mending>,
}

fn gated(
    args: &CompareArgs,
    comparisons: &[Comparison],
    missing: &[String],
) -> anyhow::Result<Option<Gate>> {
    let Some(margin) = args.fail_if_slower else {
        return Ok(None);
    };
    let found = gate(comparisons, missing, margin.fraction());
    Ok(Some(found.map_err(|_| {
        BadUsage(format!(
            "--fail-if-slower '{margin}': give a share above 0 % and below 100 %, for example 5%"
        ))
    })?))
}

fn baseline(args: &CompareArgs) -> anyhow::Result<usize> {
    let Some(wanted) = &args.base else {
        return Ok(0);
    };
    match args.arms.iter().position(|arm| arm == wanted) {
        Some(index) => Ok(index),
        None => bail!(BadUsage(format!(
            "--base '{wanted}' is none of the arms: {}",
            args.arms.join(", ")
        ))),
    }
}

fn compared(
    args: &CompareArgs,
    baseline: usize,
    named: &[NamedArm],
    matched: &Matched<'_>,
    environments: &Environments,
) -> anyhow::Result<Vec<Comparison>> {
    let options = CompareOptions {
        by: args.by.clone(),
        baseline,
        margin: args.margin.fraction(),
    };
    let labels = &environments.factor.names;
    let mut rows = Vec::new();
    for cells in &matched.rows {
        let row = row_of(named, labels, cells);
        refuse_unknown(&args.by, &row.arms, &environments.differences)?;
        rows.push(row);
    }
    Ok(compare_rows(&rows, &options)?)
}

/// A condition that no workload has would be declared in vain.
fn refuse_unknown(
    declared: &[String],
    arms: &[Arm<'_>],
    facts: &[EnvironmentDifference],
) -> anyhow::Result<()> {
    let known = condition_names(arms);
    let unknown = declared
        .iter()
        .filter(|by| *by != labels::LABEL)
        .find(|by| !known.contains(&condition_name(by)) && !names_fact(by, facts));
    match unknown {
        None => Ok(()),
        Some(unknown) => {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            bail!(BadUsage(format!(
                "--by: unknown condition '{unknown}'; available: {}",
                known.join(", ")
            )))
        }
    }
}

fn page(args: &CompareArgs, found: &Found<'_>) -> Painted {
    let rows = found.comparisons.iter().zip(&found.matched.rows);
    let rows: Vec<ComparedRow<'_>> = rows
        .map(|(comparison, cells)| ComparedRow {
            comparison,
            cell: cells[found.baseline],
        })
        .collect();
    let look = Look {
        details: args.details,
        width: args.width.or(output::look().width),
        ..output::look()
    };
    let names = &found.environments.factor.names;
    let dots = match args.dots {
        true => dots::dots(&found.matched.rows, names, look),
        false => String::new(),
    };
    let page = ComparisonPage {
        rows: &rows,
        typed: &args.arms,
        names,
        baseline: found.baseline,
        by: &args.by,
        missing: &found.matched.missing,
        differing: Some(found.environments.differing()),
        gate: found.gate.as_ref(),
        like: found.like.as_deref(),
        mending: &found.mending,
        store: &args.store.typed(),
        look,
    };
    page.painted() + Painted::plain(&dots)
}

fn document(args: &CompareArgs, found: &Found<'_>) -> anyhow::Result<String> {
    let environments = &found.environments;
    let body = ComparisonBody {
        gate: found.gate.as_ref(),
        comparisons: &found.comparisons,
        arms: &args.arms,
        names: &environments.factor.names,
        factor: environments.factor.name.as_deref(),
        environment_differences: &environments.differences,
        environment_undeclared: &environments.undeclared,
        environment_unknown: &environments.unknown,
        label_spread: found.label_spread.as_deref(),
    };
    Ok(Envelope::new(DocumentFormat::Comparison, "compare", body).to_text()?)
}

/// Where not one row could be compared there is no outcome.
fn exit_of(comparisons: &[Comparison]) -> Exit {
    let refused = |c: &Comparison| matches!(c.verdict, ComparisonVerdict::Refused { .. });
    match comparisons.iter().all(refused) {
        true => Exit::NotValid,
        false => Exit::Done,
    }
}

/// A loss that is shown fails, and what was not compared is not passed; what cannot be told fails where that was asked
/// for.
fn exit_of_gate(gate: &Gate, strict: bool) -> Exit {
    match gate.outcome {
        GateOutcome::Slower => Exit::Slower,
        GateOutcome::NotCompared => Exit::NotValid,
        GateOutcome::CannotTell if strict => Exit::NotValid,
        GateOutcome::CannotTell | GateOutcome::Passed => Exit::Done,
    }
}
