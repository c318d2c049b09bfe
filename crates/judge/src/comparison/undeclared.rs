//! What differs between arms and was not said to be what is compared.

use etalon_model::EnvironmentDifference;

use super::conditions::condition_name;
use super::groups::{Factor, is_identity};

const FILESYSTEM: &str = "filesystem";
/// How a filesystem is mounted (`noatime`, `sync`) does not follow from its type, and is a condition of its own.
const MOUNTED: &str = "mount.options";

/// What a name stands for, as the beginnings of keys: what arms are called by, and what `--by` takes.
const COVERS: [(&str, &[&str]); 10] = [
    (FILESYSTEM, &["fs.", "mount.", "upper."]),
    ("device", &["layer."]),
    (
        "filesystem-and-device",
        &["fs.", "mount.", "upper.", "layer."],
    ),
    ("kernel", &["kernel.", "cpu.mitigation.", "sysctl."]),
    ("target", &["fs.", "mount.", "upper.", "layer."]),
    ("beneath", &["fs.", "mount.", "upper.", "layer."]),
    ("etalon", &["etalon."]),
    ("process", &["process."]),
    ("service", &["service."]),
    ("capped", &["cgroup."]),
];

/// The facts that differ and are neither what the arms are called by, nor declared, nor mere names.
pub fn undeclared(
    factor: &Factor,
    differences: &[EnvironmentDifference],
    declared: &[String],
) -> Vec<EnvironmentDifference> {
    let named = factor.name.iter().chain(declared);
    let names: Vec<String> = named.map(|name| condition_name(name)).collect();
    let is_open = |difference: &&EnvironmentDifference| {
        let key = difference.key.as_str();
        !is_identity(key) && !names.iter().any(|name| covers(name, key))
    };
    differences.iter().filter(is_open).cloned().collect()
}

/// Whether `--by` takes `name` for one of these facts.
pub fn names_fact(name: &str, differences: &[EnvironmentDifference]) -> bool {
    let name = condition_name(name);
    let is_known = COVERS.iter().any(|(known, _)| *known == name);
    is_known || differences.iter().any(|fact| covers(&name, &fact.key))
}

/// A group of facts, a key, or the end of one: `read-ahead-bytes` for `layer.vda.queue.read_ahead_bytes`.
fn covers(name: &str, key: &str) -> bool {
    let group = COVERS.iter().find(|(known, _)| *known == name);
    let is_own = name == FILESYSTEM && key.ends_with(MOUNTED);
    let in_group = group.is_some_and(|(_, starts)| starts.iter().any(|s| key.starts_with(s)));
    let in_group = in_group && !is_own;
    let last = key.rsplit('.').next().unwrap_or(key);
    in_group || condition_name(key) == *name || condition_name(last) == *name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(factor: Option<&str>, declared: &[&str]) -> Vec<String> {
        let keys = [
            "fs.fs_type",
            "fs.uuid",
            "mount.options",
            "mount.super_options",
            "kernel.release",
            "layer.sda.queue.read_ahead_bytes",
        ];
        let differences = keys.map(|key| EnvironmentDifference {
            key: key.to_owned(),
            values: vec![Some("a".to_owned()), Some("b".to_owned())],
        });
        let factor = Factor {
            name: factor.map(str::to_owned),
            names: Vec::new(),
        };
        let declared: Vec<String> = declared.iter().map(|&name| name.to_owned()).collect();
        let open = undeclared(&factor, &differences, &declared);
        open.into_iter().map(|fact| fact.key).collect()
    }

    #[test]
    fn what_arms_are_called_by_is_declared_and_all_else_is_open() {
        let (fs, mounted, made) = ("fs.fs_type", "mount.options", "mount.super_options");
        let (kernel, ahead) = ("kernel.release", "layer.sda.queue.read_ahead_bytes");
        assert_eq!(open(None, &[]), [fs, mounted, made, kernel, ahead]);
        assert_eq!(open(Some("filesystem"), &[]), [mounted, kernel, ahead]);
        let named = open(Some("read ahead bytes"), &[]);
        assert_eq!(named, [fs, mounted, made, kernel]);
    }

    #[test]
    fn a_fact_is_declared_by_its_key_its_last_word_or_its_group() {
        assert_eq!(
            open(
                Some("filesystem"),
                &["kernel", "read-ahead-bytes", "mount-options"]
            ),
            Vec::<String>::new()
        );
        assert_eq!(open(Some("kernel"), &["beneath"]), Vec::<String>::new());
        assert_eq!(
            open(Some("filesystem"), &["layer.sda.queue.read_ahead_bytes"]),
            ["mount.options", "kernel.release"]
        );
        assert!(names_fact("kernel", &[]) && names_fact("capped", &[]));
        assert!(!names_fact("colour", &[]));
    }
}
