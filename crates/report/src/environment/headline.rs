//! The ten facts that a reader asks for first.

use etalon_language::{figure, say};
use etalon_model::stack::Manifest;
use etalon_units::{Bytes, visible};

/// Each with its name; those of which nothing is known say so.
pub(super) fn headline(manifest: &Manifest) -> Vec<(String, String)> {
    let facts = Facts(manifest);
    let rows = [
        (say!("environment-processor"), facts.processor()),
        (say!("environment-memory"), facts.memory()),
        (say!("environment-kernel"), facts.text("kernel.release")),
        (say!("environment-distribution"), facts.text("distribution")),
        (say!("environment-machine"), facts.machine()),
        (say!("environment-governor"), facts.text("cpu.governor")),
        (say!("environment-filesystem"), facts.filesystem()),
        (
            say!("environment-scheduler"),
            facts.of_layers(".queue.scheduler", |_, scheduler| {
                Some(scheduler.to_owned())
            }),
        ),
        (
            say!("environment-disk"),
            facts.of_layers(".kind.type", |layer, kind| facts.disk(layer, kind)),
        ),
        (
            say!("environment-firmware"),
            facts.joined(&["firmware.vendor", "firmware.version", "firmware.date"]),
        ),
    ];
    let told = |value: Option<String>| {
        value.map_or_else(
            || say!("environment-unknown"),
            |value| visible(&value).into_owned(),
        )
    };
    rows.into_iter()
        .map(|(name, value)| (name, told(value)))
        .collect()
}

struct Facts<'a>(&'a Manifest);

impl Facts<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.facts.get(key).map(String::as_str)
    }

    fn text(&self, key: &str) -> Option<String> {
        self.get(key).map(str::to_owned)
    }

    /// Those that are known, with spaces between them; none where none is.
    fn joined(&self, keys: &[&str]) -> Option<String> {
        let known: Vec<&str> = keys.iter().filter_map(|key| self.get(key)).collect();
        (!known.is_empty()).then(|| known.join(" "))
    }

    fn processor(&self) -> Option<String> {
        let model = self.get("cpu.model")?;
        let count = self.get("cpu.processors").and_then(|it| it.parse().ok());
        let count = count.map(|count: u64| say!("environment-processors", count = count));
        let microcode = self
            .get("cpu.microcode")
            .map(|code| format!("microcode {code}"));
        let parts = [Some(model.to_owned()), count, microcode];
        Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }

    fn memory(&self) -> Option<String> {
        let size = |key: &str| kibibytes(self.get(key)?);
        let total = size("memory.total")?;
        Some(match size("memory.swap_total") {
            Some(Bytes::ZERO) => say!("environment-no-swap", memory = total),
            Some(swap) => say!("environment-swap", memory = total, swap = swap),
            None => figure(total),
        })
    }

    /// What it is called, and whether it is a virtual one.
    fn machine(&self) -> Option<String> {
        let name = self.joined(&[
            "machine.vendor",
            "machine.product",
            "machine.device_tree_model",
        ]);
        let is_virtual =
            self.get("hypervisor.flag") == Some("yes") || self.get("hypervisor.type").is_some();
        let hypervisor = is_virtual.then(|| match self.get("hypervisor.type") {
            Some(kind) => format!("{} ({kind})", say!("environment-virtual")),
            None => say!("environment-virtual"),
        });
        let parts: Vec<String> = [name, hypervisor].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    fn filesystem(&self) -> Option<String> {
        let kind = self.get("mount.fs_type").or(self.get("fs.fs_type"))?;
        let mut said = kind.to_owned();
        if let Some(point) = self.get("mount.point") {
            said = say!("environment-on", filesystem = said, place = point);
        }
        if let Some(options) = self.joined(&["mount.options", "mount.super_options"]) {
            let mut each: Vec<&str> = Vec::new();
            let new = options.split(' ').filter(|option| !option.is_empty());
            new.for_each(|option| {
                if !each.contains(&option) {
                    each.push(option)
                }
            });
            said.push_str(&format!(" ({})", each.join(",")));
        }
        Some(said)
    }

    /// `NAME VALUE` for every device whose key ends so.
    fn of_layers(&self, end: &str, value: impl Fn(&str, &str) -> Option<String>) -> Option<String> {
        let of_layer = |(key, fact): (&String, &String)| {
            let layer = key.strip_prefix("layer.")?.strip_suffix(end)?;
            Some(format!("{layer} {}", value(layer, fact)?))
        };
        let all: Vec<String> = self.0.facts.iter().filter_map(of_layer).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    /// Model, connection, size and firmware of a disk; nothing of what is none.
    fn disk(&self, layer: &str, kind: &str) -> Option<String> {
        if kind != "disk" {
            return None;
        }
        let get = |end: &str| self.get(&format!("layer.{layer}.{end}")).map(str::to_owned);
        let size = get("size_bytes")
            .and_then(|size| size.parse().ok())
            .map(|size| figure(Bytes(size)));
        let turns = get("queue.rotational").map(|turns| match turns == "true" {
            true => say!("stack-rotational"),
            false => say!("stack-non-rotational"),
        });
        let firmware =
            get("kind.firmware").map(|revision| say!("environment-revision", revision = revision));
        let parts = [
            get("kind.model"),
            get("kind.transport"),
            size,
            turns,
            firmware,
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Of `24684096 kB`, as /proc/meminfo has it.
fn kibibytes(text: &str) -> Option<Bytes> {
    let count: u64 = text.strip_suffix(" kB")?.trim().parse().ok()?;
    Some(Bytes(count.checked_mul(1024)?))
}
