//! Every fact in which the environments of compared arms differ.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use etalon_model::stack::{Layer, StackTree};
use etalon_model::{EnvironmentDifference, EnvironmentRecord};

/// Facts by key; several values where a fact changed between the runs of one arm.
type FactValues = BTreeMap<String, BTreeSet<String>>;

/// The facts that differ between `arms`, each given as the environments of its runs, sorted by key.
///
/// Where the stacks of two arms have the same form, a layer is compared with the one in its place,
/// whatever the two are called: the disks of two machines seldom bear one name.
pub fn environment_differences(arms: &[Vec<&EnvironmentRecord>]) -> Vec<EnvironmentDifference> {
    let base = arms.first().and_then(|environments| environments.first());
    let facts: Vec<FactValues> = arms
        .iter()
        .map(|environments| facts_of(environments, base.map(|base| &base.stack)))
        .collect();
    let keys: BTreeSet<&String> = facts.iter().flat_map(BTreeMap::keys).collect();
    let differing = keys.into_iter().filter(|key| {
        let mut values = facts.iter().map(|facts| facts.get(*key));
        let first = values.next();
        values.any(|value| Some(value) != first)
    });
    differing
        .map(|key| EnvironmentDifference {
            key: key.clone(),
            values: facts.iter().map(|facts| joined(facts.get(key))).collect(),
        })
        .collect()
}

fn joined(values: Option<&BTreeSet<String>>) -> Option<String> {
    let values: Vec<&str> = values?.iter().map(String::as_str).collect();
    Some(values.join(" | "))
}

fn facts_of(environments: &[&EnvironmentRecord], base: Option<&StackTree>) -> FactValues {
    let mut facts = FactValues::new();
    for environment in environments {
        let names = base.map_or_else(Vec::new, |base| names_in_place(base, &environment.stack));
        for (key, value) in &environment.manifest.facts {
            let values = facts.entry(in_place(key, &names)).or_default();
            values.insert(value.clone());
        }
    }
    facts
}

/// `layer.sdb.size` under the name of the layer in its place.
fn in_place(key: &str, names: &[(String, String)]) -> String {
    for (own, base) in names {
        let rest = key
            .strip_prefix("layer.")
            .and_then(|key| key.strip_prefix(own.as_str()));
        if let Some(rest) = rest.filter(|rest| rest.starts_with('.')) {
            return format!("layer.{base}{rest}");
        }
    }
    key.to_owned()
}

/// Each layer of `own` by name, with that of the layer of `base` in its place; empty where the two
/// have not the same form.
fn names_in_place(base: &StackTree, own: &StackTree) -> Vec<(String, String)> {
    let (base, own) = (base.layers(), own.layers());
    let alike = |(a, b): (&&Layer, &&Layer)| {
        discriminant(&a.kind) == discriminant(&b.kind) && a.below.len() == b.below.len()
    };
    if base.len() != own.len() || !base.iter().zip(&own).all(alike) {
        return Vec::new();
    }
    let pairs = own.iter().zip(&base);
    pairs
        .map(|(own, base)| (own.name.clone(), base.name.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::stack::{DevNo, LayerKind, Manifest, TargetKind};
    use etalon_units::Bytes;

    fn environment(device: &str, facts: &[(&str, &str)]) -> EnvironmentRecord {
        let facts = facts
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        let layer = Layer {
            name: device.to_owned(),
            devno: DevNo { major: 8, minor: 0 },
            node: format!("/dev/{device}"),
            size: Bytes::mib(1),
            read_only: false,
            queue: None,
            kind: LayerKind::Unknown { why: String::new() },
            warnings: Vec::new(),
            below: Vec::new(),
        };
        EnvironmentRecord {
            manifest: Manifest {
                facts: facts.collect(),
                ..Manifest::default()
            },
            stack: StackTree {
                target: "/".to_owned(),
                resolved: "/".to_owned(),
                kind: TargetKind::Directory,
                mount: None,
                filesystem: None,
                devices: vec![layer],
                no_block: None,
                swaps: Vec::new(),
                missing: Vec::new(),
                warnings: Vec::new(),
            },
        }
    }

    fn difference(key: &str, values: &[Option<&str>]) -> EnvironmentDifference {
        EnvironmentDifference {
            key: key.to_owned(),
            values: values.iter().map(|v| v.map(str::to_owned)).collect(),
        }
    }

    #[test]
    fn equal_facts_are_not_named_and_a_missing_one_is() {
        let a = environment("sda", &[("cpu.model", "x"), ("sysctl.vm.swappiness", "60")]);
        let b = environment("sda", &[("cpu.model", "x"), ("cpu.boost", "1")]);
        assert_eq!(
            environment_differences(&[vec![&a], vec![&b]]),
            [
                difference("cpu.boost", &[None, Some("1")]),
                difference("sysctl.vm.swappiness", &[Some("60"), None]),
            ]
        );
        assert_eq!(environment_differences(&[vec![&a], vec![&a]]), []);
    }

    #[test]
    fn a_change_within_one_arm_is_a_difference() {
        let a = environment("sda", &[("cpu.governor", "powersave")]);
        let b = environment("sda", &[("cpu.governor", "performance")]);
        assert_eq!(
            environment_differences(&[vec![&a], vec![&a, &b]]),
            [difference(
                "cpu.governor",
                &[Some("powersave"), Some("performance | powersave")]
            )]
        );
    }

    #[test]
    fn layers_of_other_names_are_compared_in_their_places() {
        let a = environment(
            "sda",
            &[
                ("layer.sda.queue.scheduler", "none"),
                ("layer.sda.size", "1"),
            ],
        );
        let b = environment(
            "sdb",
            &[
                ("layer.sdb.queue.scheduler", "bfq"),
                ("layer.sdb.size", "1"),
            ],
        );
        assert_eq!(
            environment_differences(&[vec![&a], vec![&b]]),
            [difference(
                "layer.sda.queue.scheduler",
                &[Some("none"), Some("bfq")]
            )]
        );
    }
}
