//! What differs between the arms, in at most a few lines.

use etalon_language::{figure, say};
use etalon_model::EnvironmentDifference;

use super::{ComparedRow, Differing, Groups};

/// More facts than these are counted, not named.
const MOST_FACTS: usize = 4;

/// Facts that say how a filesystem is made; where its type differs they all do. Options of the mount itself (`noatime`) do not
/// follow from it.
const OF_FILESYSTEM: [&str; 3] = ["fs.", "mount.super_options", "mount.fs_type"];

/// Another seed is another sample of the same workload, and nearly every experiment has its own.
const SEED: &str = "seed";

/// The conditions of the workload that differ between rows that are compared all the same, each with its values where
/// they are the same in every row.
pub(crate) fn workloads(rows: &[ComparedRow<'_>]) -> Vec<String> {
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    let differences = rows.iter().flat_map(|row| &row.comparison.differences);
    for difference in differences.filter(|one| one.condition != SEED) {
        let values = difference.values.iter();
        let values = joined(values.map(Option::as_deref));
        let known = found
            .iter_mut()
            .find(|(name, _)| *name == difference.condition);
        match known {
            Some((_, all)) if all.contains(&values) => {}
            Some((_, all)) => all.push(values),
            None => found.push((&difference.condition, vec![values])),
        }
    }
    let said = found.iter().map(|(name, values)| match &values[..] {
        [one] => format!("{} ({one})", name.replace('-', " ")),
        _ => say!(
            "compare-another-in-each",
            condition = name.replace('-', " ")
        ),
    });
    match found.is_empty() {
        true => Vec::new(),
        false => vec![say!(
            "compare-workloads-differ",
            conditions = said.collect::<Vec<_>>().join(", "),
        )],
    }
}

/// The first of some facts with their values, and how many more there are.
pub(crate) fn named_facts(facts: &[EnvironmentDifference]) -> Vec<String> {
    let mut said = Said::default();
    for fact in service_first(facts).take(MOST_FACTS) {
        said.name(&words(&fact.key), fact);
    }
    let rest = facts.len() - said.facts;
    if rest > 0 {
        said.texts.push(say!("compare-more-facts", count = rest));
    }
    said.texts
}

impl Differing<'_> {
    /// What people compare first, then a few settings, then how many more there are; before it the rows that are
    /// `missing` from some arm.
    pub fn notes(
        &self,
        missing: &[String],
        rows: &[ComparedRow<'_>],
        typed: &[String],
    ) -> Vec<String> {
        let mut told = super::missing_rows(missing);
        told.extend(self.summary(rows, &Groups::new(typed, typed, 0).asked(&[])));
        told
    }

    /// What people compare first, then a few settings, then how many more there are, which the command shows that
    /// `asked` for this comparison.
    pub(crate) fn summary(&self, rows: &[ComparedRow<'_>], asked: &str) -> Vec<String> {
        let mut told = workloads(rows);
        if !self.unknown.is_empty() {
            told.push(say!("compare-unknown", arms = self.unknown.join(", ")));
            return told;
        }
        told.extend(self.unread.iter().map(unread));
        let said = self.said();
        let rest = self.facts.len() - said.facts;
        let mut parts = said.texts;
        match (rest, parts.is_empty()) {
            (0, _) => {}
            (_, true) => parts.push(say!("compare-facts", count = rest)),
            (_, false) => parts.push(say!("compare-more-facts", count = rest)),
        }
        told.push(match parts.is_empty() {
            true => say!("compare-nothing-differs"),
            false => say!("compare-differs", facts = parts.join(", ")),
        });
        let is_cut = |(_, keys): &(String, Vec<String>)| keys.len() > MOST_FACTS;
        if rest > 0 || self.unread.iter().any(is_cut) {
            let command = format!("etalon compare {asked} --details");
            told.push(say!("compare-all-of-it", command = command));
        }
        told
    }

    /// What differs although it is not what is compared; `None` where there is nothing of the kind.
    pub(crate) fn mark(&self) -> Option<String> {
        let facts = named_facts(self.undeclared).join(", ");
        (!facts.is_empty()).then(|| say!("compare-undeclared", facts = facts))
    }

    fn said(&self) -> Said {
        let mut said = Said::default();
        let find = |key: &str| self.facts.iter().find(|fact| fact.key == key);
        let filesystem = find("fs.fs_type").or_else(|| find("mount.fs_type"));
        if let Some(fact) = filesystem {
            said.say(say!("compare-filesystem", values = values_of(fact)));
        }
        if self.devices.windows(2).any(|pair| pair[0] != pair[1]) {
            let names: Vec<String> = self.devices.iter().map(|name| or_none(name)).collect();
            said.texts
                .push(say!("compare-device", values = names.join(", ")));
        }
        if let Some(fact) = find("kernel.release") {
            said.say(say!("compare-kernel", values = values_of(fact)));
        }
        let is_said = |fact: &&EnvironmentDifference| {
            let follows = filesystem.is_some() && of_filesystem(&fact.key);
            !follows && fact.key != "kernel.release" && !(self.is_identity)(&fact.key)
        };
        for fact in service_first(self.facts).filter(is_said).take(MOST_FACTS) {
            said.name(&words(&fact.key), fact);
        }
        said
    }
}

/// What is not known of one arm.
fn unread((arm, keys): &(String, Vec<String>)) -> String {
    let mut facts: Vec<String> = keys.iter().take(MOST_FACTS).map(|key| words(key)).collect();
    let rest = keys.len() - facts.len();
    if rest > 0 {
        facts.push(say!("compare-more-facts", count = rest));
    }
    say!("compare-unread", arm = arm, facts = facts.join(", "))
}

/// What has been put into words, and how many facts that were.
#[derive(Default)]
struct Said {
    texts: Vec<String>,
    facts: usize,
}

impl Said {
    fn name(&mut self, name: &str, fact: &EnvironmentDifference) {
        self.say(format!("{name} ({})", values_of(fact)));
    }

    fn say(&mut self, text: String) {
        self.texts.push(text);
        self.facts += 1;
    }
}

fn values_of(fact: &EnvironmentDifference) -> String {
    let values = joined(fact.values.iter().map(Option::as_deref));
    // Other values are versions and names, whose points are none of a figure.
    match fact.key.as_str() {
        "space.in_use" => figure(values),
        _ => values,
    }
}

/// The values of all arms.
fn joined<'a>(values: impl Iterator<Item = Option<&'a str>>) -> String {
    let none = say!("compare-none");
    let values: Vec<&str> = values.map(|value| value.unwrap_or(&none)).collect();
    values.join(", ")
}

/// What decides what a commit costs comes before what lies beneath.
fn service_first(facts: &[EnvironmentDifference]) -> impl Iterator<Item = &EnvironmentDifference> {
    let (of_service, others): (Vec<_>, Vec<_>) = facts
        .iter()
        .partition(|fact| fact.key.starts_with("service."));
    of_service.into_iter().chain(others)
}

fn of_filesystem(key: &str) -> bool {
    OF_FILESYSTEM.iter().any(|start| key.starts_with(start))
}

/// `loop0 read ahead` for `layer.loop0.queue.read_ahead`, the key itself for most others.
fn words(key: &str) -> String {
    let parts: Vec<&str> = key.split('.').collect();
    match parts.as_slice() {
        ["space", "in_use"] => say!("compare-space-in-use"),
        ["process", setting] => format!("process {}", setting.replace('_', " ")),
        ["layer", device, .., last] => format!("{device} {}", last.replace('_', " ")),
        // As the database or the server calls it.
        ["sysctl" | "service", rest @ ..] => rest.join("."),
        _ => key.to_owned(),
    }
}

fn or_none(name: &str) -> String {
    match name.is_empty() {
        true => say!("compare-none"),
        false => name.to_owned(),
    }
}
