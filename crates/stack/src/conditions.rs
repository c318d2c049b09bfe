//! What is not part of the environment and may explain a difference all the same: how this process was started, how full
//! the filesystem is, and how the disks are.
//!
//! These move by themselves from run to run. So they have no part in the hash of an environment, and a change of theirs
//! spoils no run; comparisons hold them against each other.

use std::collections::BTreeMap;

use etalon_model::stack::{Layer, LayerKind, Smart, StackTree};

use crate::context::Context;
use crate::priority::io_priority;
use crate::roots::Roots;

/// Limits of the process that I/O may meet, by the lines of `/proc/PID/limits` (getrlimit(2)).
const LIMITS: [(&str, &str); 6] = [
    ("Max cpu time", "cpu_time"),
    ("Max file size", "file_size"),
    ("Max open files", "open_files"),
    ("Max locked memory", "locked_memory"),
    ("Max address space", "address_space"),
    ("Max resident set", "resident_set"),
];
/// Fields of `/proc/PID/stat` behind the name in parentheses (proc_pid_stat(5)): the nice value, and the policy of
/// scheduling.
const NICE: usize = 16;
const POLICY: usize = 38;

/// The conditions of a run on `tree` by this process, by key.
pub fn conditions(tree: &StackTree, roots: &Roots) -> BTreeMap<String, String> {
    let context = Context::new(roots);
    let mut found = BTreeMap::new();
    of_process(&context, &mut found);
    let space = tree.filesystem.as_ref().and_then(|fs| fs.space);
    if let Some(space) = space.filter(|space| space.total.get() > 0) {
        let used = 1.0 - space.free.as_f64() / space.total.as_f64();
        found.insert("space.in_use".to_owned(), format!("{:.1} %", used * 100.0));
    }
    for layer in tree.layers() {
        of_disk(layer, &mut found);
    }
    found
}

fn of_process(context: &Context<'_>, found: &mut BTreeMap<String, String>) {
    let own = context.roots.procfs.join("self");
    let mut put = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            found.insert(format!("process.{key}"), value);
        }
    };
    let stat = context.attr(own.join("stat")).unwrap_or_default();
    put("nice", stat_field(&stat, NICE).map(str::to_owned));
    put("scheduling", stat_field(&stat, POLICY).and_then(policy));
    put("io_priority", io_priority());
    let status = context.attr_lines(own.join("status"));
    let of_status = |name: &str| {
        let mut values = status.iter().filter_map(|line| line.strip_prefix(name));
        values.next().map(crate::text::clean)
    };
    put("cpus", of_status("Cpus_allowed_list:"));
    put("memory_nodes", of_status("Mems_allowed_list:"));
    for line in context.attr_lines(own.join("limits")) {
        let named = LIMITS.iter().find(|(name, _)| line.starts_with(name));
        if let Some((name, key)) = named {
            let soft = line[name.len()..].split_whitespace().next();
            put(&format!("limit_{key}"), soft.map(str::to_owned));
        }
    }
}

/// A field behind the name, which may itself hold blanks and parentheses.
fn stat_field(stat: &str, field: usize) -> Option<&str> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(field)
}

/// `SCHED_*` of sched(7).
fn policy(number: &str) -> Option<String> {
    let name = match number {
        "0" => "other",
        "1" => "fifo",
        "2" => "rr",
        "3" => "batch",
        "5" => "idle",
        "6" => "deadline",
        _ => return None,
    };
    Some(name.to_owned())
}

fn of_disk(layer: &Layer, found: &mut BTreeMap<String, String>) {
    let LayerKind::Disk(disk) = &layer.kind else {
        return;
    };
    let mut put = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            found.insert(format!("layer.{}.smart.{key}", layer.name), value);
        }
    };
    let celsius = |degrees: f64| format!("{degrees:.0} °C");
    put("temperature", disk.temperature_celsius.map(celsius));
    let Some(smart) = disk.smart.as_deref() else {
        return;
    };
    for (key, value) in wear_and_faults(smart) {
        put(key, value);
    }
}

/// What tells of wear and faults; hours and cycles move with each look and say nothing of speed.
fn wear_and_faults(smart: &Smart) -> [(&'static str, Option<String>); 9] {
    let share = |percent: etalon_units::Percent| format!("{:.0} %", percent.fraction() * 100.0);
    let count = |count: u64| count.to_string();
    let verdict = |passed: bool| if passed { "passed" } else { "failed" }.to_owned();
    let alarms = (!smart.alarms.is_empty()).then(|| smart.alarms.join(", "));
    [
        ("verdict", smart.passed.map(verdict)),
        ("alarms", alarms),
        ("available_spare", smart.available_spare.map(share)),
        ("endurance_used", smart.endurance_used.map(share)),
        ("media_errors", smart.media_errors.map(count)),
        ("reallocated_sectors", smart.reallocated_sectors.map(count)),
        ("pending_sectors", smart.pending_sectors.map(count)),
        (
            "offline_uncorrectable",
            smart.offline_uncorrectable.map(count),
        ),
        ("crc_errors", smart.crc_errors.map(count)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_counted_behind_a_name_with_blanks_and_parentheses() {
        let mut words: Vec<String> = (3..=52).map(|field: u32| field.to_string()).collect();
        words[0] = "R".to_owned();
        let stat = format!("4711 (a) b (c)) {}", words.join(" "));
        // The manual counts from 1: the nice value is field 19, the policy 41.
        assert_eq!(stat_field(&stat, NICE), Some("19"));
        assert_eq!(stat_field(&stat, POLICY), Some("41"));
        assert_eq!(stat_field("no parenthesis", NICE), None);
    }

    #[test]
    fn this_process_has_a_nice_value_processors_and_limits() {
        let context_roots = Roots::default();
        let mut found = BTreeMap::new();
        of_process(&Context::new(&context_roots), &mut found);
        for key in ["nice", "scheduling", "cpus", "limit_open_files"] {
            assert!(found.contains_key(&format!("process.{key}")), "{found:?}");
        }
    }

    #[test]
    fn a_disk_that_tells_nothing_has_no_line() {
        assert!(
            wear_and_faults(&Smart::default())
                .iter()
                .all(|(_, value)| value.is_none())
        );
        let worn = Smart {
            passed: Some(true),
            endurance_used: Some(etalon_units::Percent::from_fraction(0.42)),
            ..Smart::default()
        };
        let lines: Vec<String> = wear_and_faults(&worn)
            .into_iter()
            .filter_map(|(_, value)| value)
            .collect();
        assert_eq!(lines, ["passed", "42 %"]);
    }
}
