//! `compare --by label`: machine to machine beside run to run.

use std::collections::BTreeSet;

use anyhow::bail;
use etalon_judge::{Arm, CompareOptions, Factor, usable_label_spread};
use etalon_model::{Comparison, LabelSpread};

use super::matched::{Matched, arm};
use crate::arms::NamedArm;
use crate::cli::CompareArgs;
use crate::exit::BadUsage;
use crate::plan::label_of;
use crate::stores;

/// What `--by` calls it.
pub(super) const LABEL: &str = "label";
/// More arms than this have no table of pairs: nobody reads it.
pub(super) const FEW_ARMS: usize = 6;

/// The arms that were typed, or every experiment that has a label.
pub(super) fn with_arms(args: &CompareArgs) -> anyhow::Result<CompareArgs> {
    let mut args = args.clone();
    if !args.arms.is_empty() {
        return Ok(args);
    }
    if !args.by.iter().any(|by| by == LABEL) {
        bail!(BadUsage(
            "name at least two experiments to compare, or all that have a label by --by label"
                .to_owned()
        ));
    }
    let store = stores::open_read_only(&args.store)?;
    for listed in store.list_sound()?.records {
        if label_of(&store.header(listed.id)?.begun.settings).is_some() {
            args.arms.push(listed.id.to_string());
        }
    }
    match args.arms.len() {
        0 | 1 => bail!(BadUsage(format!(
            "{} experiments here have a label: run plans with --label NAME, or collect stores by `etalon merge STORE... --label NAME,...`",
            args.arms.len()
        ))),
        _ => Ok(args),
    }
}

/// The spread of each workload that all arms have; none where labels are not what is compared.
pub(super) fn spread(
    args: &CompareArgs,
    named: &[NamedArm],
    matched: &Matched<'_>,
    comparisons: &[Comparison],
) -> anyhow::Result<Option<Vec<LabelSpread>>> {
    if !args.by.iter().any(|by| by == LABEL) {
        return Ok(None);
    }
    let labels = named
        .iter()
        .map(label)
        .collect::<anyhow::Result<Vec<_>>>()?;
    let options = CompareOptions {
        by: args.by.clone(),
        baseline: 0,
        margin: args.margin.fraction(),
    };
    let rows = matched.rows.iter().zip(comparisons);
    let spreads = rows.map(|(cells, comparison)| {
        let arms = named.iter().zip(&labels).zip(cells);
        let arms: Vec<Arm<'_>> = arms
            .map(|((named, label), cell)| arm(named, label, cell))
            .collect();
        usable_label_spread(comparison, &arms, &options)
    });
    Ok(Some(spreads.collect::<Result<_, _>>()?))
}

/// The labels as the arms' names, where each is one arm's alone.
pub(super) fn factor(arms: &[NamedArm]) -> Option<Factor> {
    let labels = arms
        .iter()
        .map(|arm| label_of(&arm.experiment.header.begun.settings).map(str::to_owned));
    let names: Vec<String> = labels.collect::<Option<_>>()?;
    let distinct: BTreeSet<&String> = names.iter().collect();
    (distinct.len() == names.len()).then(|| Factor {
        name: Some(LABEL.to_owned()),
        names,
    })
}

fn label(arm: &NamedArm) -> anyhow::Result<&str> {
    match label_of(&arm.experiment.header.begun.settings) {
        Some(label) => Ok(label),
        None => bail!(BadUsage(format!(
            "--by label: '{}' has no label; run the plan with --label NAME, or merge its store with --label NAME",
            arm.typed
        ))),
    }
}
