//! In what machine and storage stack of the arms differ, and what the arms are called by it.

use etalon_judge::{
    Factor, Group, condition_differences, device_names, environment_differences, is_identity,
    name_groups, service_differences, undeclared, unread_facts,
};
use etalon_model::{EnvironmentDifference, EnvironmentRecord, Run};
use etalon_report::Differing;

use super::labels;
use crate::arms::NamedArm;

/// The environments of all arms, held against each other.
pub(super) struct Environments {
    /// What is compared, and the arms' names by it.
    pub(super) factor: Factor,
    /// Every fact that differs.
    pub(super) differences: Vec<EnvironmentDifference>,
    /// Those of them that nobody said are compared.
    pub(super) undeclared: Vec<EnvironmentDifference>,
    /// The arms that keep none.
    pub(super) unknown: Vec<String>,
    devices: Vec<String>,
    unread: Vec<(String, Vec<String>)>,
}

impl Environments {
    pub(super) fn of(arms: &[NamedArm], declared: &[String]) -> Environments {
        let kept: Vec<Vec<&EnvironmentRecord>> = arms
            .iter()
            .map(|arm| arm.experiment.environments())
            .collect();
        let without = arms.iter().zip(&kept).filter(|(_, kept)| kept.is_empty());
        let unknown: Vec<String> = without.map(|(arm, _)| arm.typed.clone()).collect();
        let differences = match unknown.is_empty() {
            true => all_differences(arms, &kept),
            false => Vec::new(),
        };
        let groups = groups(arms, &kept);
        let by_label = declared.iter().any(|by| by == labels::LABEL);
        let labelled = by_label.then(|| labels::factor(arms)).flatten();
        let factor = labelled.unwrap_or_else(|| name_groups(&groups, &differences));
        Environments {
            undeclared: undeclared(&factor, &differences, declared),
            factor,
            differences,
            unknown,
            devices: device_names(&groups),
            unread: unread(arms, &kept),
        }
    }

    pub(super) fn differing(&self) -> Differing<'_> {
        Differing {
            devices: &self.devices,
            facts: &self.differences,
            undeclared: &self.undeclared,
            is_identity,
            unknown: &self.unknown,
            unread: &self.unread,
        }
    }
}

/// Facts of machine and storage stack, the conditions that move by themselves, and the settings of databases and servers,
/// sorted by key.
fn all_differences(
    arms: &[NamedArm],
    kept: &[Vec<&EnvironmentRecord>],
) -> Vec<EnvironmentDifference> {
    let marks = arms.iter().map(|arm| arm.experiment.environment_marks());
    let mut all = environment_differences(kept);
    all.extend(condition_differences(&marks.collect::<Vec<_>>()));
    let runs = arms.iter().map(runs_meant);
    all.extend(service_differences(&runs.collect::<Vec<_>>()));
    all.sort_by(|a, b| a.key.cmp(&b.key));
    all
}

/// Those of the cell that was named, or all.
fn runs_meant(arm: &NamedArm) -> Vec<&Run> {
    match &arm.cell {
        Some(cell) => arm.experiment.runs_of(cell).collect(),
        None => arm.experiment.runs.iter().collect(),
    }
}

/// The arms that were measured by who could not read as much as who measured another.
fn unread(arms: &[NamedArm], kept: &[Vec<&EnvironmentRecord>]) -> Vec<(String, Vec<String>)> {
    let typed = arms.iter().map(|arm| arm.typed.clone());
    let mut unread: Vec<_> = typed.zip(unread_facts(kept)).collect();
    unread.retain(|(_, facts)| !facts.is_empty());
    unread
}

fn groups<'a>(arms: &'a [NamedArm], kept: &[Vec<&'a EnvironmentRecord>]) -> Vec<Group<'a>> {
    let groups = arms.iter().zip(kept).map(|(arm, kept)| {
        let begun = &arm.experiment.header.begun;
        Group {
            typed: &arm.typed,
            target: &begun.target,
            environment: kept.first().copied(),
            tool_version: &begun.tool_version,
        }
    });
    groups.collect()
}
