//! The I/O scheduler of every disk beneath the target, with its own tunables (the kernel's
//! Documentation/block/switching-sched.rst).

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::queue::describe;
use super::{
    Applied, Description, Factor, FactorError, Ground, KernelValues, Level, LevelError, LevelTable,
    Need, SavedValue, ValueToSet,
};

/// The factor.
pub(super) struct Scheduler;

#[derive(Debug, Clone)]
struct SchedulerLevel {
    name: String,
    tunables: Vec<(String, String)>,
}

impl Factor for Scheduler {
    fn name(&self) -> &'static str {
        "scheduler"
    }

    fn summary(&self) -> &'static str {
        "the I/O scheduler of every disk beneath the target, with its tunables"
    }

    fn accepted(&self) -> &'static str {
        "a scheduler such as \"none\", \"mq-deadline\", \"bfq\" or \"kyber\", or a table with its tunables: { value = \"bfq\", low_latency = 0 }"
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let mut table = LevelTable::new(self, level);
        let name = table.text()?;
        let is_word = |text: &str| {
            let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            !text.is_empty() && text.chars().all(fits)
        };
        let tunables = table.take_all()?;
        let is_number = name.chars().all(|c| c.is_ascii_digit());
        if !is_word(&name) || is_number || !tunables.iter().all(|(key, _)| is_word(key)) {
            return Err(table.wrong(None));
        }
        Ok(Box::new(SchedulerLevel { name, tunables }))
    }
}

impl SchedulerLevel {
    fn choices(&self, ground: &Ground) -> Vec<ValueToSet> {
        let files = ground
            .leaves()
            .map(|disk| ground.queue(disk).join("scheduler"));
        files
            .filter(|path| path.exists())
            .map(|path| ValueToSet {
                path,
                value: self.name.clone(),
            })
            .collect()
    }
}

impl Level for SchedulerLevel {
    fn name(&self) -> String {
        let tunables = self.tunables.iter();
        let options: String = tunables.map(|(key, v)| format!(" {key}={v}")).collect();
        format!("{}{options}", self.name)
    }

    fn needs(&self, ground: &Ground) -> Vec<Need> {
        let choices = self.choices(ground);
        let mut needs: Vec<Need> = Need::root("setting the scheduler").into_iter().collect();
        if choices.is_empty() {
            needs.push(Need::Kernel(format!(
                "no disk beneath {} has a scheduler: name a target on a disk",
                ground.target.display()
            )));
        }
        for ValueToSet { path, value } in choices {
            let offered = fs::read_to_string(&path).unwrap_or_default();
            let mut words = offered.split_whitespace();
            if !words.any(|word| word.trim_matches(['[', ']']) == value) {
                needs.push(Need::Kernel(format!(
                    "'{}' offers no '{value}', only: {}",
                    path.display(),
                    offered.trim()
                )));
            }
        }
        needs
    }

    fn describe(&self, ground: &Ground) -> Result<Description, FactorError> {
        let mut changes = describe(&self.choices(ground));
        let tunables = self.tunables.iter();
        changes.extend(tunables.map(|(key, v)| format!("{} {key} becomes '{v}'", self.name)));
        Ok(Description {
            changes,
            ..Description::default()
        })
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        let mut wanted = self.choices(ground);
        // A change of scheduler sets these anew, and they are put back after it.
        let mut also = Vec::new();
        for choice in &wanted {
            let queue = choice.path.parent().unwrap_or(Path::new("/"));
            also.extend(values_in(&queue.join("iosched")));
            let reset = ["nr_requests", "wbt_lat_usec"].map(|name| queue.join(name));
            also.extend(reset.iter().filter_map(|path| SavedValue::read(path).ok()));
        }
        let tunables = tunables(&wanted, &self.tunables);
        let scheduler = KernelValues::set(ground, std::mem::take(&mut wanted), also)?;
        if tunables.is_empty() {
            return Ok(Box::new(scheduler));
        }
        let tuned = KernelValues::set(ground, tunables, Vec::new())?;
        Ok(Box::new(Tuned { tuned, scheduler }))
    }
}

/// A scheduler with tunables of its own: these are put back first.
#[derive(Debug)]
struct Tuned {
    tuned: KernelValues,
    scheduler: KernelValues,
}

impl Applied for Tuned {
    fn verify(&self) -> Result<(), FactorError> {
        self.scheduler.verify()?;
        self.tuned.verify()
    }

    fn restore(self: Box<Self>) -> Result<(), FactorError> {
        let Tuned { tuned, scheduler } = *self;
        Box::new(tuned).restore()?;
        Box::new(scheduler).restore()
    }
}

fn tunables(choices: &[ValueToSet], tunables: &[(String, String)]) -> Vec<ValueToSet> {
    let queues = choices.iter().filter_map(|choice| choice.path.parent());
    queues
        .flat_map(|queue| {
            tunables.iter().map(|(name, value)| ValueToSet {
                path: queue.join("iosched").join(name),
                value: value.clone(),
            })
        })
        .collect()
}

/// What stands in the files of a directory.
fn values_in(directory: &Path) -> Vec<SavedValue> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
        .iter()
        .filter_map(|path| SavedValue::read(path).ok())
        .collect()
}
