//! The frequency governor of every processor (the kernel's admin-guide/pm/cpufreq.rst).

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::queue::describe;
use super::{
    Applied, Description, Factor, FactorError, Ground, KernelValues, Level, LevelError, LevelTable,
    Need, ValueToSet,
};

/// The factor.
pub(super) struct Governor;

#[derive(Debug, Clone)]
struct GovernorLevel(String);

impl Factor for Governor {
    fn name(&self) -> &'static str {
        "governor"
    }

    fn summary(&self) -> &'static str {
        "the frequency governor of every processor"
    }

    fn accepted(&self) -> &'static str {
        "a governor of this machine, for example \"performance\" or \"powersave\""
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let table = LevelTable::new(self, level);
        table.end()?;
        let name = table.text()?;
        let is_word = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        match is_word {
            true => Ok(Box::new(GovernorLevel(name))),
            false => Err(table.wrong(None)),
        }
    }
}

impl GovernorLevel {
    fn values(&self, ground: &Ground) -> Vec<ValueToSet> {
        let policies = ground.roots.sysfs.join("devices/system/cpu/cpufreq");
        let entries = fs::read_dir(policies).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries
            .map(|entry| entry.path().join("scaling_governor"))
            .filter(|path| path.exists())
            .collect();
        files.sort();
        files
            .into_iter()
            .map(|path| ValueToSet {
                path,
                value: self.0.clone(),
            })
            .collect()
    }
}

impl Level for GovernorLevel {
    fn name(&self) -> String {
        self.0.clone()
    }

    fn needs(&self, ground: &Ground) -> Vec<Need> {
        let values = self.values(ground);
        let mut needs: Vec<Need> = Need::root("setting the governor").into_iter().collect();
        if values.is_empty() {
            let text = "no processor here has a governor (a virtual machine has none)";
            needs.push(Need::Kernel(text.to_owned()));
        }
        for value in values {
            let list = value.path.with_file_name("scaling_available_governors");
            let offered = fs::read_to_string(list).unwrap_or_default();
            if !offered.split_whitespace().any(|word| word == self.0) {
                needs.push(Need::Kernel(format!(
                    "'{}' takes no '{}', only: {}",
                    value.path.display(),
                    self.0,
                    offered.trim()
                )));
            }
        }
        needs
    }

    fn describe(&self, ground: &Ground) -> Result<Description, FactorError> {
        Ok(Description {
            changes: describe(&self.values(ground)),
            ..Description::default()
        })
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        let values = self.values(ground);
        Ok(Box::new(KernelValues::set(ground, values, Vec::new())?))
    }
}
