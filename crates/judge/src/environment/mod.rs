//! Every fact in which the environments of compared arms differ.

mod places;

use std::collections::{BTreeMap, BTreeSet};

use etalon_model::stack::{StackTree, covers};
use etalon_model::{EnvironmentDifference, EnvironmentMark, EnvironmentRecord};

use places::Places;

/// Facts by key; several values where a fact changed between the runs of one arm.
type FactValues = BTreeMap<String, BTreeSet<String>>;

/// The facts of one arm under the names of the first, and what of them each of its environments could not read.
struct ArmFacts {
    values: FactValues,
    unreadable: Vec<Vec<String>>,
}

impl ArmFacts {
    /// Whether nobody who measured it could read the fact.
    fn could_not_read(&self, key: &str) -> bool {
        let mut all = self.unreadable.iter();
        let is_unread = |keys: &Vec<String>| keys.iter().any(|unreadable| covers(unreadable, key));
        !self.values.contains_key(key) && !self.unreadable.is_empty() && all.all(is_unread)
    }
}

/// The facts that differ between `arms`, each given as the environments of its runs, sorted by key; what one of them could
/// not read is held against nothing.
///
/// Where the stacks of two arms have the same form, a layer is compared with the one in its place,
/// whatever the two are called: the disks of two machines seldom bear one name, and those of one get theirs anew with
/// each boot.
pub fn environment_differences(arms: &[Vec<&EnvironmentRecord>]) -> Vec<EnvironmentDifference> {
    let arms = facts_of_arms(arms);
    let keys: BTreeSet<&String> = arms.iter().flat_map(|arm| arm.values.keys()).collect();
    let differing = keys.into_iter().filter(|key| {
        let known = arms.iter().filter(|arm| !arm.could_not_read(key));
        let mut values = known.map(|arm| arm.values.get(*key));
        let first = values.next();
        values.any(|value| Some(value) != first)
    });
    differing
        .map(|key| EnvironmentDifference {
            key: key.clone(),
            values: arms.iter().map(|arm| joined(arm.values.get(key))).collect(),
        })
        .collect()
}

/// Of each arm the facts that another has and that whoever measured this one could not read, sorted by key: whether they
/// differ is not known.
pub fn unread_facts(arms: &[Vec<&EnvironmentRecord>]) -> Vec<Vec<String>> {
    let arms = facts_of_arms(arms);
    let keys: BTreeSet<&String> = arms.iter().flat_map(|arm| arm.values.keys()).collect();
    let unread = arms.iter().map(|arm| {
        let keys = keys.iter().filter(|key| arm.could_not_read(key));
        keys.map(|key| (*key).clone()).collect()
    });
    unread.collect()
}

/// How far the figures of two arms may lie apart without being a difference, by the last word of a key.
///
/// Free space counts by what it does: pieces become small, and a flash disk has less to clean with, over tens of per
/// cent. Below five the files of the test itself, logs and updates move it from session to session, and nothing else
/// follows. Sensors step by a degree and swing by several within a run; disks slow down tens of degrees above rest. Wear
/// and spare are whole per cents, of which one may be about to turn.
const TOLERANCES: [(&str, f64); 4] = [
    ("in_use", 5.0),
    ("temperature", 10.0),
    ("endurance_used", 1.0),
    ("available_spare", 1.0),
];

/// What is not there is a difference only of the process's settings: a disk is not asked by everybody.
const ABSENCE_COUNTS: &str = "process.";

/// The conditions that differ between `arms`, each given as the marks of its runs, sorted by key; none where an arm
/// keeps none.
///
/// Figures with a tolerance are compared by the medians of the arms, all others word by word.
pub fn condition_differences(arms: &[Vec<&EnvironmentMark>]) -> Vec<EnvironmentDifference> {
    let base = arms.first().and_then(|marks| stack_of(marks.first()?));
    let all: Vec<BTreeMap<String, Vec<String>>> = arms
        .iter()
        .map(|marks| conditions_of(marks, base))
        .collect();
    if all.iter().any(BTreeMap::is_empty) {
        return Vec::new();
    }
    let keys: BTreeSet<&String> = all.iter().flat_map(BTreeMap::keys).collect();
    let of = |key: &String| {
        let values: Vec<Option<&Vec<String>>> = all.iter().map(|arm| arm.get(key)).collect();
        difference_in(key, &values)
    };
    keys.into_iter().filter_map(of).collect()
}

/// Whether a key is one of the conditions, which name no arm: they move by themselves.
pub(crate) fn is_condition(key: &str) -> bool {
    let health = key.starts_with("layer.") && key.contains(".smart.");
    health || key.starts_with("process.") || key.starts_with("space.")
}

fn difference_in(key: &str, values: &[Option<&Vec<String>>]) -> Option<EnvironmentDifference> {
    if !key.starts_with(ABSENCE_COUNTS) && values.contains(&None) {
        return None;
    }
    let last = key.rsplit('.').next().unwrap_or(key);
    let tolerance = TOLERANCES.iter().find(|(name, _)| *name == last);
    let (differs, shown): (bool, Vec<Option<String>>) = match tolerance {
        Some((_, tolerance)) => {
            let medians: Vec<String> = values
                .iter()
                .map(|arm| median(arm.map_or(&[], |v| v)))
                .collect();
            let numbers: Vec<f64> = medians.iter().map(|text| number(text)).collect();
            let spread = numbers.iter().copied().fold(f64::MIN, f64::max)
                - numbers.iter().copied().fold(f64::MAX, f64::min);
            (spread > *tolerance, medians.into_iter().map(Some).collect())
        }
        None => {
            let sets = values
                .iter()
                .map(|arm| arm.map(|v| v.iter().cloned().collect()));
            let sets: Vec<Option<BTreeSet<String>>> = sets.collect();
            let shown = sets.iter().map(|set| joined(set.as_ref())).collect();
            (sets.windows(2).any(|pair| pair[0] != pair[1]), shown)
        }
    };
    differs.then(|| EnvironmentDifference {
        key: key.to_owned(),
        values: shown,
    })
}

/// The value in the middle, by the numbers that they begin with; of an even number the mean of the two in the middle.
fn median(values: &[String]) -> String {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| number(a).total_cmp(&number(b)));
    let upper = sorted.get(sorted.len() / 2).cloned().unwrap_or_default();
    match sorted.get(sorted.len().saturating_sub(1) / 2) {
        Some(lower) if number(lower) != number(&upper) => between(lower, &upper),
        _ => upper,
    }
}

/// The mean of two values, in the unit of the second, exactly: it has one place more than they do.
fn between(lower: &str, upper: &str) -> String {
    let places = [lower, upper].map(|text| {
        let first = text.split(' ').next().and_then(|word| word.split_once('.'));
        first.map_or(0, |(_, places)| places.len())
    });
    let digits = places[0].max(places[1]) + 1;
    let mean = format!("{:.digits$}", f64::midpoint(number(lower), number(upper)));
    let mean = mean.trim_end_matches('0').trim_end_matches('.');
    let unit = upper.split_once(' ').map_or("", |(_, unit)| unit);
    format!("{mean} {unit}").trim_end().to_owned()
}

fn number(text: &str) -> f64 {
    let first = text.split(' ').next();
    first.and_then(|word| word.parse().ok()).unwrap_or(0.0)
}

fn stack_of(mark: &EnvironmentMark) -> Option<&StackTree> {
    mark.record.as_deref().map(|record| &record.stack)
}

/// Every value of each condition, under the names of the base's layers.
fn conditions_of(
    marks: &[&EnvironmentMark],
    base: Option<&StackTree>,
) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mark in marks {
        let places = places(base, stack_of(mark));
        for (key, value) in &mark.conditions {
            let values = found.entry(places.key(key)).or_default();
            values.push(value.clone());
        }
    }
    found
}

pub(crate) fn joined(values: Option<&BTreeSet<String>>) -> Option<String> {
    let values: Vec<&str> = values?.iter().map(String::as_str).collect();
    Some(values.join(" | "))
}

fn facts_of_arms(arms: &[Vec<&EnvironmentRecord>]) -> Vec<ArmFacts> {
    let base = arms.first().and_then(|environments| environments.first());
    let base = base.map(|base| &base.stack);
    let facts = arms.iter();
    facts
        .map(|environments| facts_of(environments, base))
        .collect()
}

fn facts_of(environments: &[&EnvironmentRecord], base: Option<&StackTree>) -> ArmFacts {
    let mut facts = FactValues::new();
    let mut unreadable = Vec::new();
    for environment in environments {
        let places = places(base, Some(&environment.stack));
        let facts_kept = environment.manifest.facts.iter();
        for (key, value) in facts_kept.filter(|(key, value)| !is_order_of_mounting(key, value)) {
            let values = facts.entry(places.key(key)).or_default();
            values.insert(places.value(key, value));
        }
        let keys = environment.manifest.unreadable.iter();
        unreadable.push(keys.map(|key| places.key(key)).collect());
    }
    ArmFacts {
        values: facts,
        unreadable,
    }
}

/// The number of a filesystem without a device of its own is the next free one when it is mounted (fs/super.c,
/// get_anon_bdev). Older records have it among the facts.
fn is_order_of_mounting(key: &str, value: &str) -> bool {
    key.ends_with("mount.devno") && value.starts_with("0:")
}

fn places(base: Option<&StackTree>, own: Option<&StackTree>) -> Places {
    let both = base.zip(own);
    both.map_or_else(Places::default, |(base, own)| Places::of(base, own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::stack::{DevNo, Layer, LayerKind, Manifest, TargetKind};
    use etalon_units::Bytes;

    fn environment(device: &str, facts: &[(&str, &str)]) -> EnvironmentRecord {
        let facts = facts
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        let layer = Layer {
            name: device.to_owned(),
            devno: DevNo { major: 8, minor: 0 },
            node: format!("/dev/{device}"),
            uuid: None,
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
                devices: vec![layer],
                ..StackTree::of_nothing("/", TargetKind::Directory)
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

    /// A run of an arm with these conditions.
    fn mark(conditions: &[(&str, &str)]) -> EnvironmentMark {
        let all = conditions.iter();
        EnvironmentMark {
            conditions: all
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect(),
            ..EnvironmentMark::default()
        }
    }

    /// Whether two arms of three runs each differ in a condition.
    fn differ(key: &str, a: [&str; 3], b: [&str; 3]) -> Option<Vec<Option<String>>> {
        let marks =
            |values: [&str; 3]| values.map(|value| mark(&[(key, value), ("process.cpus", "0")]));
        let (a, b) = (marks(a), marks(b));
        let found = condition_differences(&[a.iter().collect(), b.iter().collect()]);
        assert!(found.iter().all(|difference| difference.key == key));
        found.into_iter().next().map(|difference| difference.values)
    }

    #[test]
    fn conditions_that_move_a_little_are_no_difference_and_others_are() {
        let both = |a: &str, b: &str| Some(vec![Some(a.to_owned()), Some(b.to_owned())]);
        let used = "space.in_use";
        assert_eq!(
            differ(used, ["59.3 %"; 3], ["59.4 %", "63.9 %", "62.0 %"]),
            None
        );
        assert_eq!(
            differ(used, ["59.3 %"; 3], ["80.0 %"; 3]),
            both("59.3 %", "80.0 %")
        );
        let heat = "layer.sda.smart.temperature";
        assert_eq!(
            differ(heat, ["41 °C"; 3], ["44 °C", "60 °C", "45 °C"]),
            None
        );
        assert_eq!(
            differ(heat, ["41 °C"; 3], ["60 °C"; 3]),
            both("41 °C", "60 °C")
        );
        let wear = "layer.sda.smart.endurance_used";
        assert_eq!(differ(wear, ["3 %"; 3], ["4 %"; 3]), None);
        assert_eq!(differ(wear, ["3 %"; 3], ["9 %"; 3]), both("3 %", "9 %"));
        let moved = "layer.sda.smart.reallocated_sectors";
        assert_eq!(differ(moved, ["0"; 3], ["0"; 3]), None);
        assert_eq!(differ(moved, ["0"; 3], ["0", "0", "8"]), both("0", "0 | 8"));
        assert_eq!(differ("process.nice", ["0"; 3], ["19"; 3]), both("0", "19"));
    }

    #[test]
    fn of_an_even_number_of_runs_the_median_lies_between_the_middle_two() {
        let of =
            |values: &[&str]| median(&values.iter().map(|v| (*v).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["50 °C", "40 °C"]), "45 °C");
        assert_eq!(of(&["41 °C", "44 °C"]), "42.5 °C");
        assert_eq!(of(&["59.3 %", "10.0 %", "80.0 %", "59.4 %"]), "59.35 %");
        assert_eq!(of(&["59.0 %", "59.0 %"]), "59.0 %");
        assert_eq!(of(&["0 %", "10.0 %", "20.0 %"]), "10.0 %");
        // The upper of the two alone would be 11 degrees above the other arm, and so a difference.
        let marks =
            |values: [&str; 2]| values.map(|value| mark(&[("layer.sda.smart.temperature", value)]));
        let (a, b) = (marks(["41 °C"; 2]), marks(["46 °C", "52 °C"]));
        let found = condition_differences(&[a.iter().collect(), b.iter().collect()]);
        assert_eq!(found, []);
    }

    #[test]
    fn a_setting_that_is_missing_counts_and_a_disk_that_was_not_asked_does_not() {
        let asked = mark(&[("process.nice", "0"), ("layer.sda.smart.verdict", "passed")]);
        let idle = mark(&[("process.nice", "0"), ("process.io_priority", "idle")]);
        let found = condition_differences(&[vec![&asked], vec![&idle]]);
        assert_eq!(
            found,
            [difference("process.io_priority", &[None, Some("idle")])]
        );
        let older = EnvironmentMark::default();
        assert_eq!(condition_differences(&[vec![&asked], vec![&older]]), []);
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

    #[test]
    fn what_one_arm_could_not_read_is_no_difference_and_is_named() {
        let mut user = environment("sda", &[("cpu.model", "x")]);
        user.manifest.unreadable = ["layer.sda.kind.", "memory.module.0"]
            .map(str::to_owned)
            .to_vec();
        let root = [
            ("cpu.model", "x"),
            ("layer.sdb.kind.cipher", "aes"),
            ("memory.module.0", "16 GiB"),
        ];
        let root = environment("sdb", &root);
        for arms in [[vec![&user], vec![&root]], [vec![&root], vec![&user]]] {
            assert_eq!(environment_differences(&arms), []);
        }
        let unread = unread_facts(&[vec![&user], vec![&root]]);
        assert_eq!(unread[0], ["layer.sda.kind.cipher", "memory.module.0"]);
        assert_eq!(unread[1], [""; 0]);
        // A third arm that has another is told from the one that could read it.
        let other = environment("sda", &[("cpu.model", "x"), ("memory.module.0", "8 GiB")]);
        let found = environment_differences(&[vec![&user], vec![&root], vec![&other]]);
        let keys: Vec<&str> = found
            .iter()
            .map(|difference| difference.key.as_str())
            .collect();
        assert_eq!(keys, ["layer.sda.kind.cipher", "memory.module.0"]);
        // Whoever could read it and found nothing has none.
        let without = environment("sda", &[("cpu.model", "x")]);
        let found = environment_differences(&[vec![&without], vec![&root]]);
        assert_eq!(found.len(), 2);
    }
}
