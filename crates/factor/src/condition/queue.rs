//! Attributes of request queues (the kernel's Documentation/ABI/stable/sysfs-block).

use serde_json::Value;

use super::kernel_values::current;
use super::{
    Applied, Description, Factor, FactorError, Ground, KernelValues, Level, LevelError, LevelTable,
    Need, ReadAhead, ValueToSet,
};

/// An attribute of every queue beneath the target.
#[derive(Debug)]
pub(super) struct QueueAttribute {
    name: &'static str,
    summary: &'static str,
    accepted: &'static str,
    form: Form,
    /// Also on what stands on other devices, of which a filesystem heeds the one that it is on, and on a filesystem that
    /// heeds none.
    on_every_layer: bool,
}

#[derive(Debug)]
enum Form {
    Integer(i64, i64),
    Words(&'static [&'static str]),
}

/// A value for it.
#[derive(Debug, Clone)]
struct QueueLevel {
    attribute: &'static str,
    value: String,
    on_every_layer: bool,
}

const fn attribute(
    name: &'static str,
    summary: &'static str,
    accepted: &'static str,
    form: Form,
) -> QueueAttribute {
    QueueAttribute {
        name,
        summary,
        accepted,
        form,
        on_every_layer: false,
    }
}

pub(super) const READ_AHEAD: QueueAttribute = QueueAttribute {
    on_every_layer: true,
    ..attribute(
        "read_ahead_kb",
        "how much the kernel reads ahead of sequential buffered reads",
        "a whole number of KiB, for example 128",
        Form::Integer(0, 1 << 20),
    )
};
pub(super) const NR_REQUESTS: QueueAttribute = attribute(
    "nr_requests",
    "how many requests a queue holds",
    "a whole number from 1, for example 64",
    Form::Integer(1, 1 << 20),
);
pub(super) const MAX_SECTORS: QueueAttribute = attribute(
    "max_sectors_kb",
    "the largest request that the kernel sends",
    "a whole number of KiB from 4, at most max_hw_sectors_kb, for example 128",
    Form::Integer(4, 1 << 20),
);
pub(super) const NOMERGES: QueueAttribute = attribute(
    "nomerges",
    "whether neighbouring requests are merged",
    "0 (all merges), 1 (simple ones only) or 2 (none)",
    Form::Integer(0, 2),
);
pub(super) const RQ_AFFINITY: QueueAttribute = attribute(
    "rq_affinity",
    "which processor completes a request",
    "0 (any), 1 (the group of the one that sent it) or 2 (that very one)",
    Form::Integer(0, 2),
);
pub(super) const WBT_LATENCY: QueueAttribute = attribute(
    "wbt_lat_usec",
    "the read latency for which background writing is held back",
    "a whole number of microseconds, 0 for off, -1 for the default",
    Form::Integer(-1, 60_000_000),
);
pub(super) const WRITE_CACHE: QueueAttribute = attribute(
    "write_cache",
    "whether the kernel takes the disk's write cache for volatile and sends flushes",
    "\"write back\" (flushes are sent) or \"write through\" (none are)",
    Form::Words(&["write back", "write through"]),
);
pub(super) const IO_POLL: QueueAttribute = attribute(
    "io_poll",
    "whether completions may be polled for",
    "0 or 1",
    Form::Integer(0, 1),
);

impl Factor for QueueAttribute {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn accepted(&self) -> &'static str {
        self.accepted
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let table = LevelTable::new(self, level);
        table.end()?;
        let value = match &self.form {
            Form::Integer(low, high) => table.integer(*low..=*high)?.to_string(),
            Form::Words(words) => {
                let text = table.text()?;
                let known = words.contains(&text.as_str());
                known.then_some(text).ok_or_else(|| table.wrong(None))?
            }
        };
        Ok(Box::new(QueueLevel {
            attribute: self.name,
            value,
            on_every_layer: self.on_every_layer,
        }))
    }
}

impl QueueLevel {
    /// The file of the filesystem and of each disk, with the value for it.
    fn values(&self, ground: &Ground) -> Vec<ValueToSet> {
        let disks = ground.disks.iter();
        let chosen = disks.filter(|disk| disk.is_leaf || self.on_every_layer);
        let queues = chosen.map(|disk| ground.queue(&disk.name).join(self.attribute));
        let own = match &ground.read_ahead {
            ReadAhead::OfFilesystem(path) if self.on_every_layer => Some(path.clone()),
            _ => None,
        };
        own.into_iter()
            .chain(queues)
            .filter(|path| path.exists())
            .map(|path| ValueToSet {
                path,
                value: self.value.clone(),
            })
            .collect()
    }

    /// Why setting it would change nothing for the target.
    fn lack(&self, ground: &Ground) -> Option<Need> {
        let (name, target) = (self.attribute, ground.target.display());
        if self.values(ground).is_empty() {
            return Some(Need::Kernel(format!(
                "no disk beneath {target} has the queue attribute {name}: name a target on a block device that has it"
            )));
        }
        match &ground.read_ahead {
            ReadAhead::Hidden { kind, path } if self.on_every_layer => Some(Need::Kernel(format!(
                "{target} lies on {kind}, which has a {name} of its own and does not show it in '{}': name a target on a filesystem that takes that of its disk, such as ext4 or xfs",
                path.display()
            ))),
            _ => None,
        }
    }
}

impl Level for QueueLevel {
    fn name(&self) -> String {
        self.value.clone()
    }

    fn needs(&self, ground: &Ground) -> Vec<Need> {
        let root = Need::root(&format!("setting {}", self.attribute));
        self.lack(ground).into_iter().chain(root).collect()
    }

    fn describe(&self, ground: &Ground) -> Result<Description, FactorError> {
        Ok(Description {
            changes: describe(&self.values(ground)),
            ..Description::default()
        })
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        if let Some(lack) = self.lack(ground) {
            return Err(lack.into());
        }
        let values = self.values(ground);
        Ok(Box::new(KernelValues::set(ground, values, Vec::new())?))
    }
}

/// A line for each value that would change.
pub(super) fn describe(values: &[ValueToSet]) -> Vec<String> {
    let lines = values.iter().filter_map(|ValueToSet { path, value }| {
        let now = current(path).unwrap_or_default();
        (now != *value).then(|| format!("{}: '{now}' becomes '{value}'", path.display()))
    });
    lines.collect()
}
