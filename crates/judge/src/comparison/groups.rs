//! What the arms of a comparison are called: by what differs between them.

use std::collections::BTreeSet;

use etalon_model::EnvironmentDifference;

use super::devices::{device_names, differ};
use super::group::Group;
use crate::environment::is_condition;

/// Longer values of a setting name nobody.
const LONGEST_VALUE: usize = 24;

/// What is compared, and what the arms are called by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor {
    /// `filesystem`, `device`, `kernel` and so on; `None` where nothing tells all arms apart.
    pub name: Option<String>,
    /// A name for each arm, in their order.
    pub names: Vec<String>,
}

/// Finds what tells all arms apart, what people compare most first; arms that differ in nothing
/// that is known keep the names that were typed.
pub fn name_groups(groups: &[Group<'_>], differences: &[EnvironmentDifference]) -> Factor {
    let by = |name: &str, naming: fn(&Group<'_>) -> Option<String>| {
        let names: Option<Vec<String>> = groups.iter().map(naming).collect();
        distinct(name, names?)
    };
    let found = by("filesystem", filesystem)
        .or_else(|| device(groups))
        .or_else(|| filesystem_and_device(groups))
        .or_else(|| by("kernel", kernel))
        .or_else(|| setting(differences))
        .or_else(|| by("target", |group| Some(group.target.path.clone())))
        .or_else(|| {
            by("etalon", |group| {
                Some(format!("etalon {}", group.tool_version))
            })
        });
    found.unwrap_or_else(|| Factor {
        name: None,
        names: groups.iter().map(|group| group.typed.to_owned()).collect(),
    })
}

fn distinct(name: &str, names: Vec<String>) -> Option<Factor> {
    let different: BTreeSet<&String> = names.iter().collect();
    let all = different.len() == names.len() && !names.iter().any(String::is_empty);
    all.then(|| Factor {
        name: Some(name.to_owned()),
        names,
    })
}

fn filesystem(group: &Group<'_>) -> Option<String> {
    let filesystem = group.environment?.stack.filesystem.as_ref()?;
    Some(filesystem.fs_type.clone())
}

fn device(groups: &[Group<'_>]) -> Option<Factor> {
    let differ = differ(groups, |_, _| true);
    distinct("device", device_names(groups)).filter(|_| differ)
}

fn filesystem_and_device(groups: &[Group<'_>]) -> Option<Factor> {
    let both = groups.iter().zip(device_names(groups));
    let names: Option<Vec<String>> = both
        .map(|(group, device)| Some(format!("{} on {device}", filesystem(group)?)))
        .collect();
    let differ = differ(groups, |a, b| filesystem(a) == filesystem(b));
    distinct("filesystem and device", names?).filter(|_| differ)
}

fn kernel(group: &Group<'_>) -> Option<String> {
    let release = group.environment?.manifest.facts.get("kernel.release")?;
    Some(format!("kernel {release}"))
}

/// The one setting in which the machines differ.
fn setting(differences: &[EnvironmentDifference]) -> Option<Factor> {
    let mut settings = differences
        .iter()
        .filter(|d| !is_identity(&d.key) && !is_condition(&d.key));
    let (only, None) = (settings.next()?, settings.next()) else {
        return None;
    };
    let key = only.key.rsplit('.').next().unwrap_or(&only.key);
    let word = key.replace('_', " ");
    let value = |value: &Option<String>| {
        let value = value.as_deref().unwrap_or("not there");
        (value.len() <= LONGEST_VALUE).then(|| format!("{word} {value}"))
    };
    let names: Option<Vec<String>> = only.values.iter().map(value).collect();
    distinct(&word, names?)
}

/// Whether a fact only says which thing it is, not how it behaves. Two filesystems are never made in the same second.
pub fn is_identity(key: &str) -> bool {
    const NAMES: [&str; 13] = [
        "uuid",
        "devno",
        "name",
        "node",
        "file",
        "label",
        "serial",
        "wwid",
        "by_id",
        "point",
        "source",
        "root",
        "created_unix_seconds",
    ];
    let last = key.rsplit('.').next().unwrap_or(key);
    NAMES.contains(&last)
}

#[cfg(test)]
mod tests {
    use etalon_model::{EnvironmentRecord, TargetRecord};

    use super::*;
    use crate::comparison::undeclared::undeclared;
    use crate::samples::{disk, environment_on};

    fn target(path: &str, device: &str) -> TargetRecord {
        TargetRecord {
            path: path.to_owned(),
            devices: vec![device.to_owned()],
            ..TargetRecord::default()
        }
    }

    fn names(targets: &[TargetRecord], differences: &[EnvironmentDifference]) -> Factor {
        let groups: Vec<Group<'_>> = targets
            .iter()
            .zip(["1", "2", "3"])
            .map(|(target, typed)| Group {
                typed,
                target,
                environment: None,
                tool_version: "0.1.0",
            })
            .collect();
        name_groups(&groups, differences)
    }

    fn difference(key: &str, values: [&str; 2]) -> EnvironmentDifference {
        EnvironmentDifference {
            key: key.to_owned(),
            values: values.map(|value| Some(value.to_owned())).to_vec(),
        }
    }

    #[test]
    fn devices_targets_and_numbers_name_the_arms_in_this_order() {
        let found = names(&[target("/a", "sda"), target("/a", "sdb")], &[]);
        assert_eq!(found.name.as_deref(), Some("device"));
        assert_eq!(found.names, ["sda", "sdb"]);
        let found = names(&[target("/a", "sda"), target("/b", "sda")], &[]);
        assert_eq!(found.names, ["/a", "/b"]);
        let found = names(&[target("/a", "sda"), target("/a", "sda")], &[]);
        assert_eq!(
            (found.name, found.names),
            (None, vec!["1".to_owned(), "2".to_owned()])
        );
        // Two of three alike are told apart by nothing.
        let three = [
            target("/a", "sda"),
            target("/a", "sdb"),
            target("/a", "sda"),
        ];
        assert_eq!(names(&three, &[]).names, ["1", "2", "3"]);
    }

    #[test]
    fn the_one_setting_that_differs_names_them() {
        let same = [target("/a", "sda"), target("/a", "sda")];
        let scheduler = difference("layer.sda.queue.scheduler", ["none", "bfq"]);
        let uuid = difference("fs.uuid", ["x", "y"]);
        let made = difference("fs.detail.created_unix_seconds", ["1", "2"]);
        let found = names(&same, &[uuid, made, scheduler.clone()]);
        assert_eq!(found.names, ["scheduler none", "scheduler bfq"]);
        let ahead = difference("layer.sda.queue.read_ahead", ["128", "4096"]);
        assert_eq!(names(&same, &[scheduler, ahead]).name, None);
    }

    /// Arms on these devices, each with a name and a serial number.
    fn on(devices: &[(&str, &str)], differences: &[EnvironmentDifference]) -> Factor {
        let kept = devices.iter();
        let kept: Vec<EnvironmentRecord> = kept
            .map(|(name, serial)| environment_on(vec![disk(name, "8:0", serial)], &[]))
            .collect();
        let targets: Vec<TargetRecord> =
            devices.iter().map(|(name, _)| target("/a", name)).collect();
        let groups = targets.iter().zip(&kept).zip(["1", "2", "3"]);
        let groups: Vec<Group<'_>> = groups
            .map(|((target, environment), typed)| Group {
                typed,
                target,
                environment: Some(environment),
                tool_version: "0.1.0",
            })
            .collect();
        name_groups(&groups, differences)
    }

    #[test]
    fn a_disk_that_got_another_name_is_no_other_device() {
        let scheduler = difference("layer.sda.queue.scheduler", ["none", "bfq"]);
        let ahead = difference("layer.sda.queue.read_ahead_bytes", ["1", "2"]);
        let renamed = [("sda", "WFN1"), ("sdb", "WFN1")];
        let one = on(&renamed, std::slice::from_ref(&scheduler));
        assert_eq!(one.names, ["scheduler none", "scheduler bfq"]);
        let both = [ahead, scheduler];
        let two = on(&renamed, &both);
        assert_eq!(two.name, None);
        assert_eq!(undeclared(&two, &both, &[]), both);
        let other = on(&[("sda", "WFN1"), ("sdb", "WFN2")], &both);
        assert_eq!(other.names, ["sda", "sdb"]);
        assert_eq!(undeclared(&other, &both, &[]), []);
    }

    #[test]
    fn two_disks_of_one_name_are_told_by_what_they_are() {
        let found = on(&[("sda", "WFN1"), ("sda", "WFN2")], &[]);
        assert_eq!(found.name.as_deref(), Some("device"));
        assert_eq!(found.names, ["sda (serial WFN1)", "sda (serial WFN2)"]);
    }
}
