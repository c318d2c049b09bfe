//! Machine, CPUs, memory, kernel, settings.

use std::collections::{BTreeMap, BTreeSet};

use super::GatheredFacts;

/// Fact and file below `/sys`.
const SYS: &[(&str, &str)] = &[
    ("machine.vendor", "class/dmi/id/sys_vendor"),
    ("machine.product", "class/dmi/id/product_name"),
    ("machine.version", "class/dmi/id/product_version"),
    ("board.vendor", "class/dmi/id/board_vendor"),
    ("board.name", "class/dmi/id/board_name"),
    ("board.version", "class/dmi/id/board_version"),
    ("firmware.vendor", "class/dmi/id/bios_vendor"),
    ("firmware.version", "class/dmi/id/bios_version"),
    ("firmware.date", "class/dmi/id/bios_date"),
    ("hypervisor.type", "hypervisor/type"),
    ("cpu.online", "devices/system/cpu/online"),
    ("cpu.smt", "devices/system/cpu/smt/control"),
    ("cpu.no_turbo", "devices/system/cpu/intel_pstate/no_turbo"),
    ("cpu.intel_pstate", "devices/system/cpu/intel_pstate/status"),
    ("cpu.amd_pstate", "devices/system/cpu/amd_pstate/status"),
    ("cpu.boost", "devices/system/cpu/cpufreq/boost"),
    (
        "cpu.idle_driver",
        "devices/system/cpu/cpuidle/current_driver",
    ),
    (
        "cpu.idle_governor",
        "devices/system/cpu/cpuidle/current_governor",
    ),
    ("machine.platform_profile", "firmware/acpi/platform_profile"),
    (
        "clock.source",
        "devices/system/clocksource/clocksource0/current_clocksource",
    ),
    ("memory.numa_nodes", "devices/system/node/online"),
    (
        "memory.transparent_hugepages",
        "kernel/mm/transparent_hugepage/enabled",
    ),
    ("memory.ksm", "kernel/mm/ksm/run"),
    ("memory.zswap", "module/zswap/parameters/enabled"),
    ("pcie.aspm_policy", "module/pcie_aspm/parameters/policy"),
    (
        "nvme.default_ps_max_latency_us",
        "module/nvme_core/parameters/default_ps_max_latency_us",
    ),
    ("nvme.poll_queues", "module/nvme/parameters/poll_queues"),
    ("nvme.write_queues", "module/nvme/parameters/write_queues"),
    ("scsi.use_blk_mq", "module/scsi_mod/parameters/use_blk_mq"),
];

/// Fact and file below `/proc`.
const PROC: &[(&str, &str)] = &[
    ("kernel.release", "sys/kernel/osrelease"),
    ("kernel.version", "sys/kernel/version"),
    ("kernel.cmdline", "cmdline"),
    ("kernel.numa_balancing", "sys/kernel/numa_balancing"),
    ("kernel.watchdog", "sys/kernel/watchdog"),
    ("kernel.io_uring_disabled", "sys/kernel/io_uring_disabled"),
    ("fs.aio_max_nr", "sys/fs/aio-max-nr"),
    ("machine.device_tree_model", "device-tree/model"),
];

/// Files of `/proc/sys/vm` that act when they are read or that etalon itself writes, and those that say how far addresses of
/// mappings are scattered: nothing takes longer by it, and only root may read them.
const NOT_SETTINGS: &[&str] = &[
    "drop_caches",
    "compact_memory",
    "stat_refresh",
    "mmap_rnd_bits",
    "mmap_rnd_compat_bits",
];

pub(super) fn read(facts: &mut GatheredFacts<'_>) {
    for (key, path) in SYS {
        facts.sys(key, path);
    }
    for (key, path) in PROC {
        facts.proc(key, path);
    }
    cpuinfo(facts);
    each_cpu(facts);
    vulnerabilities(facts);
    memory(facts);
    settings(facts);
    power(facts);
    distribution(facts);
}

/// Model, microcode, number and the hypervisor's flag, from `/proc/cpuinfo`.
fn cpuinfo(facts: &mut GatheredFacts<'_>) {
    let lines = facts
        .context
        .attr_lines(facts.context.roots.procfs.join("cpuinfo"));
    let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut processors = 0;
    for (key, value) in lines.iter().filter_map(|line| line.split_once(':')) {
        let (key, value) = (key.trim(), value.trim());
        processors += usize::from(key == "processor");
        values.entry(key).or_default().insert(value);
    }
    let joined = |key: &str| {
        let distinct: Vec<&str> = values.get(key)?.iter().copied().collect();
        Some(crate::text::clean(&distinct.join(" | ")))
    };
    facts.put(
        "cpu.model",
        joined("model name").or_else(|| joined("Model")),
    );
    facts.put("cpu.microcode", joined("microcode"));
    facts.put(
        "cpu.processors",
        (processors > 0).then(|| processors.to_string()),
    );
    facts.put(
        "cpu.sockets",
        values.get("physical id").map(|ids| ids.len().to_string()),
    );
    facts.put("cpu.cores_per_socket", joined("cpu cores"));
    let flags = values.get("flags").into_iter().flatten();
    let mut words = flags.flat_map(|line| line.split(' '));
    let is_guest = words.any(|word| word == "hypervisor");
    facts.put(
        "hypervisor.flag",
        Some(if is_guest { "yes" } else { "no" }.to_owned()),
    );
}

/// Governor, driver and limits of the CPUs: each distinct value once.
fn each_cpu(facts: &mut GatheredFacts<'_>) {
    let all = facts.context.roots.sysfs.join("devices/system/cpu");
    let is_cpu =
        |name: &String| name.starts_with("cpu") && name[3..].bytes().all(|b| b.is_ascii_digit());
    let names: Vec<String> = facts
        .context
        .names(&all)
        .into_iter()
        .filter(is_cpu)
        .collect();
    let files = [
        ("cpu.governor", "cpufreq/scaling_governor"),
        ("cpu.frequency_driver", "cpufreq/scaling_driver"),
        ("cpu.min_khz", "cpufreq/scaling_min_freq"),
        ("cpu.max_khz", "cpufreq/scaling_max_freq"),
        (
            "cpu.energy_preference",
            "cpufreq/energy_performance_preference",
        ),
        ("cpu.microcode", "microcode/version"),
    ];
    for (key, file) in files {
        let values = names
            .iter()
            .filter_map(|cpu| facts.context.attr(all.join(cpu).join(file)));
        let distinct: BTreeSet<String> = values.collect();
        let distinct: Vec<String> = distinct.into_iter().collect();
        facts.put(key, (!distinct.is_empty()).then(|| distinct.join(" | ")));
    }
}

fn vulnerabilities(facts: &mut GatheredFacts<'_>) {
    let directory = "devices/system/cpu/vulnerabilities";
    for name in facts
        .context
        .names(facts.context.roots.sysfs.join(directory))
    {
        facts.sys(
            &format!("cpu.mitigation.{name}"),
            &format!("{directory}/{name}"),
        );
    }
}

fn memory(facts: &mut GatheredFacts<'_>) {
    let lines = facts
        .context
        .attr_lines(facts.context.roots.procfs.join("meminfo"));
    let wanted = [
        ("MemTotal", "memory.total"),
        ("SwapTotal", "memory.swap_total"),
        ("HugePages_Total", "memory.hugepages"),
    ];
    for (key, value) in lines.iter().filter_map(|line| line.split_once(':')) {
        if let Some((_, fact)) = wanted.iter().find(|(name, _)| *name == key) {
            facts.put(fact, Some(value.trim().to_owned()));
        }
    }
}

/// All of `sysctl vm.*`.
fn settings(facts: &mut GatheredFacts<'_>) {
    let names = facts
        .context
        .names(facts.context.roots.procfs.join("sys/vm"));
    for name in names
        .iter()
        .filter(|name| !NOT_SETTINGS.contains(&name.as_str()))
    {
        facts.proc(&format!("sysctl.vm.{name}"), &format!("sys/vm/{name}"));
    }
}

/// Whether the machine hangs on the mains.
fn power(facts: &mut GatheredFacts<'_>) {
    for supply in facts
        .context
        .names(facts.context.roots.sysfs.join("class/power_supply"))
    {
        let path = format!("class/power_supply/{supply}/online");
        facts.sys(&format!("power.{supply}.online"), &path);
    }
}

/// The distribution's own words.
fn distribution(facts: &mut GatheredFacts<'_>) {
    let path = facts.context.roots.etc.join("os-release");
    let lines = facts.context.attr_lines(path);
    let pretty = lines
        .iter()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="));
    facts.put(
        "distribution",
        pretty.map(|name| crate::text::clean(name.trim_matches('"'))),
    );
}
