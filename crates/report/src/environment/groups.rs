//! Under which heading a fact stands, and whether most readers can do without it.

use etalon_language::say;
use etalon_model::stack::Manifest;

/// What the keys of a group begin with, and its heading.
type Group = (&'static [&'static str], fn() -> String);

/// In the order of the page.
const GROUPS: [Group; 6] = [
    (&["cpu.", "clock.", "cgroup.cpuset."], || {
        say!("environment-processor")
    }),
    (&["memory.", "sysctl.vm."], || say!("environment-memory")),
    (&["kernel.", "distribution", "etalon."], || {
        say!("environment-programs")
    }),
    (
        &["machine.", "board.", "firmware.", "hypervisor.", "pcie."],
        || say!("environment-machine"),
    ),
    (&["mount.", "fs.", "fstrim."], || {
        say!("environment-filesystem")
    }),
    (&["cgroup."], || say!("environment-limits")),
];

/// Facts of one device of the storage stack.
const LAYER: &str = "layer.";

/// What decides no figure of storage by itself, or only together with what is shown.
const DETAILS: [&str; 9] = [
    "cpu.mitigation.",
    "sysctl.vm.",
    "cpu.idle_",
    "kernel.version",
    "kernel.watchdog",
    "memory.ksm",
    "memory.hugepages",
    "mount.devno",
    "mount.root",
];

/// Ends of keys of a device that only say where it is plugged in or what it could do.
const DETAILS_OF_A_LAYER: [&str; 8] = [
    ".devno",
    ".node",
    ".name",
    ".schedulers",
    ".iostats",
    ".discard_granularity_bytes",
    ".minimum_io_bytes",
    ".optimal_io_bytes",
];

/// Settings for memory that change figures of storage.
const SHOWN_OF_VM: [&str; 2] = ["sysctl.vm.dirty_", "sysctl.vm.swappiness"];

/// Whether the fact is left out of the page unless all are asked for.
pub(super) fn is_detail(key: &str) -> bool {
    let begins = |with: &[&str]| with.iter().any(|with| key.starts_with(with));
    if key.starts_with(LAYER) {
        return key.contains(".kind.links.")
            || DETAILS_OF_A_LAYER.iter().any(|end| key.ends_with(end));
    }
    begins(&DETAILS) && !begins(&SHOWN_OF_VM)
}

/// A fact's key and value.
type Fact<'a> = (&'a str, &'a str);

/// The facts under their headings; those of a device under its name.
pub(super) fn grouped(manifest: &Manifest) -> Vec<(String, Vec<Fact<'_>>)> {
    let mut groups: Vec<(usize, String, Vec<Fact<'_>>)> = Vec::new();
    for (key, value) in &manifest.facts {
        let (rank, heading) = group_of(key);
        match groups.iter_mut().find(|(_, known, _)| *known == heading) {
            Some((_, _, facts)) => facts.push((key, value)),
            None => groups.push((rank, heading, vec![(key, value)])),
        }
    }
    groups.sort_by_key(|(rank, _, _)| *rank);
    let facts = groups.into_iter();
    facts.map(|(_, heading, facts)| (heading, facts)).collect()
}

/// The place of the fact's group on the page, and its heading.
fn group_of(key: &str) -> (usize, String) {
    if let Some(fact) = key.strip_prefix(LAYER) {
        let device = device_of(fact);
        return (GROUPS.len(), say!("environment-layer", device = device));
    }
    let is_of = |begins: &[&str]| begins.iter().any(|begin| key.starts_with(begin));
    let rank = GROUPS.iter().position(|(begins, _)| is_of(begins));
    match rank {
        Some(rank) => (rank, GROUPS[rank].1()),
        None => (GROUPS.len() + 1, say!("environment-other")),
    }
}

/// The device of `vda.queue.scheduler`; what follows its name is one of a few words.
fn device_of(fact: &str) -> &str {
    let ends = [
        ".kind.",
        ".queue.",
        ".name",
        ".node",
        ".devno",
        ".size_bytes",
        ".read_only",
        ".smart.",
        ".file.",
        ".fs.",
        ".mount.",
    ];
    let end = ends.iter().filter_map(|end| fact.find(end)).min();
    &fact[..end.unwrap_or(fact.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_loop_lies_on_stands_beneath_the_loop() {
        for fact in [
            "loop3.file.fs.detail.family",
            "loop3.file.mount.options",
            "loop3.queue.fua",
        ] {
            assert_eq!(device_of(fact), "loop3");
        }
    }

    #[test]
    fn each_device_has_a_heading_and_the_unknown_stands_last() {
        let facts = [
            "zzz.new",
            "layer.vda.queue.fua",
            "layer.dm-0.name",
            "cpu.model",
            "layer.vda.read_only",
        ];
        let manifest = Manifest {
            facts: facts
                .iter()
                .map(|key| ((*key).to_owned(), String::new()))
                .collect(),
            ..Manifest::default()
        };
        let groups = grouped(&manifest);
        let headings: Vec<&str> = groups.iter().map(|(heading, _)| heading.as_str()).collect();
        assert_eq!(
            headings,
            [
                "Processor",
                "Storage stack: dm-0",
                "Storage stack: vda",
                "Other"
            ]
        );
        assert_eq!(groups[2].1.len(), 2);
    }

    #[test]
    fn what_changes_figures_is_no_detail() {
        for key in [
            "sysctl.vm.dirty_ratio",
            "layer.vda.queue.scheduler",
            "cpu.governor",
            "zzz.new",
        ] {
            assert!(!is_detail(key), "{key}");
        }
        for key in [
            "sysctl.vm.stat_interval",
            "layer.vda.kind.links.0.bus",
            "cpu.mitigation.mds",
        ] {
            assert!(is_detail(key), "{key}");
        }
    }
}
