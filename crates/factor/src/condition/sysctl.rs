//! A parameter of the kernel below `/proc/sys` (sysctl(8)).

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::kernel_values::current;
use super::queue::describe;
use super::{
    Applied, Description, Factor, FactorError, Ground, KernelValues, Level, LevelError, LevelTable,
    Need, SavedValue, ValueToSet,
};

/// The factor.
pub(super) struct Sysctl;

/// Setting one of a pair sets the other to zero, and zero cannot be written (the kernel's
/// admin-guide/sysctl/vm.rst): the other one puts both back.
const PAIRS: &[[&str; 2]] = &[
    ["vm/dirty_bytes", "vm/dirty_ratio"],
    ["vm/dirty_background_bytes", "vm/dirty_background_ratio"],
];

#[derive(Debug, Clone)]
struct SysctlLevel {
    /// `vm/dirty_ratio` and what it shall be.
    values: Vec<(String, String)>,
}

impl Factor for Sysctl {
    fn name(&self) -> &'static str {
        "sysctl"
    }

    fn summary(&self) -> &'static str {
        "parameters of the kernel such as vm.dirty_ratio and vm.swappiness"
    }

    fn accepted(&self) -> &'static str {
        "NAME=VALUE below /proc/sys, for example \"vm.dirty_ratio=10\", several with commas between them"
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let table = LevelTable::new(self, level);
        table.end()?;
        let mut values = Vec::new();
        for part in table.text()?.split(',') {
            let Some((name, value)) = part.split_once('=') else {
                return Err(table.wrong(None));
            };
            let (name, value) = (name.trim(), value.trim());
            let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            let is_name = name.contains('.') && !name.contains("..") && name.chars().all(fits);
            if !is_name || name.starts_with('.') || value.is_empty() {
                return Err(table.wrong(None));
            }
            values.push((name.replace('.', "/"), value.to_owned()));
        }
        Ok(Box::new(SysctlLevel { values }))
    }
}

impl SysctlLevel {
    fn wanted(&self, ground: &Ground) -> Vec<ValueToSet> {
        let values = self.values.iter();
        values
            .map(|(name, value)| ValueToSet {
                path: path_of(ground, name),
                value: value.clone(),
            })
            .collect()
    }
}

impl Level for SysctlLevel {
    fn name(&self) -> String {
        let parts = self.values.iter();
        let parts = parts.map(|(name, value)| format!("{}={value}", name.replace('/', ".")));
        parts.collect::<Vec<_>>().join(",")
    }

    fn needs(&self, ground: &Ground) -> Vec<Need> {
        let absent = self.wanted(ground).into_iter().filter_map(|value| {
            let path = value.path;
            (!path.exists())
                .then(|| Need::Kernel(format!("this kernel has no '{}'", path.display())))
        });
        absent.chain(Need::root("setting a sysctl")).collect()
    }

    fn describe(&self, ground: &Ground) -> Result<Description, FactorError> {
        Ok(Description {
            changes: describe(&self.wanted(ground)),
            ..Description::default()
        })
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        let mut saved = Vec::new();
        for (name, _) in &self.values {
            saved.push(SavedValue::read(&way_back(ground, name))?);
        }
        let wanted = self.wanted(ground);
        Ok(Box::new(KernelValues::set_saved(ground, wanted, saved)?))
    }
}

fn path_of(ground: &Ground, name: &str) -> PathBuf {
    ground.roots.procfs.join("sys").join(name)
}

/// The file that puts this one back: the other of its pair, where that one is in force.
fn way_back(ground: &Ground, name: &str) -> PathBuf {
    let own = path_of(ground, name);
    let pair = PAIRS.iter().find(|pair| pair.contains(&name));
    let is_zero = |path: &Path| current(path).is_ok_and(|text| text == "0");
    let other = pair.and_then(|pair| pair.iter().find(|other| **other != name));
    match other.map(|other| path_of(ground, other)) {
        Some(other) if is_zero(&own) && !is_zero(&other) => other,
        _ => own,
    }
}
