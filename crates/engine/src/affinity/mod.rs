//! Which processors and which memory a job may use.

mod memory;

use std::path::Path;

use etalon_model::IoWorkload;
use rustix::io::Errno;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::PlanError;

/// Where the kernel tells of its NUMA nodes (Documentation/ABI/stable/sysfs-devices-node).
const NODES: &str = "/sys/devices/system/node";

/// Processors and memory of the jobs of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Affinity {
    /// One for each job, in turn.
    in_turn: Vec<u32>,
    /// All of them for each job.
    of_node: Vec<u32>,
    node: Option<u32>,
}

impl Affinity {
    /// What the workload asks for, as far as this machine and process have it.
    pub(crate) fn of(workload: &IoWorkload) -> Result<Affinity, PlanError> {
        let mut affinity = Affinity::default();
        if workload.cpus.is_empty() && workload.numa_node.is_none() {
            return Ok(affinity);
        }
        let allowed = allowed().unwrap_or_default();
        check(&workload.cpus, &allowed)?;
        affinity.in_turn.clone_from(&workload.cpus);
        if let Some(node) = workload.numa_node {
            affinity.of_node = processors_of(Path::new(NODES), node)?;
            affinity.of_node.retain(|cpu| allowed.contains(cpu));
            affinity.node = Some(node);
        }
        Ok(affinity)
    }

    /// Binds the calling thread, which is job `job`, and the memory that it will ask for.
    pub(crate) fn take(&self, job: u32) -> Result<(), Errno> {
        if let Some(node) = self.node {
            memory::bind(node)?;
        }
        let own = self.in_turn.get(job as usize % self.in_turn.len().max(1));
        let cpus = own.map_or(self.of_node.as_slice(), std::slice::from_ref);
        if cpus.is_empty() {
            return Ok(());
        }
        let mut set = CpuSet::new();
        for &cpu in cpus.iter().filter(|&&cpu| (cpu as usize) < CpuSet::MAX_CPU) {
            set.set(cpu as usize);
        }
        sched_setaffinity(None, &set)
    }
}

/// Processors that this process may use.
fn allowed() -> Result<Vec<u32>, Errno> {
    let set = sched_getaffinity(None)?;
    let all = 0..CpuSet::MAX_CPU;
    Ok(all
        .filter(|&cpu| set.is_set(cpu))
        .map(|cpu| cpu as u32)
        .collect())
}

fn check(cpus: &[u32], allowed: &[u32]) -> Result<(), PlanError> {
    match cpus.iter().find(|cpu| !allowed.contains(cpu)) {
        None => Ok(()),
        Some(&processor) => Err(PlanError::Processor {
            processor,
            allowed: ranges(allowed),
        }),
    }
}

/// `0-3, 8`.
fn ranges(cpus: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &cpu in cpus {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == cpu => *last = cpu,
            _ => parts.push((cpu, cpu)),
        }
    }
    let parts = parts.into_iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The processors of a node beneath `nodes`.
fn processors_of(nodes: &Path, node: u32) -> Result<Vec<u32>, PlanError> {
    let refused = |reason: String| PlanError::NumaNode { node, reason };
    let read = |name: &str| std::fs::read_to_string(nodes.join(name)).ok();
    let online = read("online")
        .and_then(|text| numbers(&text))
        .unwrap_or_default();
    if online.len() < 2 {
        let reason = "this machine has one node, which holds every processor and all memory; leave --numa-node out";
        return Err(refused(reason.to_owned()));
    }
    if !online.contains(&node) {
        let there = ranges(&online);
        return Err(refused(format!("it is not there; the nodes are {there}")));
    }
    let cpus = read(&format!("node{node}/cpulist")).and_then(|text| numbers(&text));
    match cpus {
        Some(cpus) if !cpus.is_empty() => Ok(cpus),
        _ => Err(refused(
            "it has memory and no processor; add --cpus or name another".to_owned(),
        )),
    }
}

/// The numbers of a kernel list such as `0-3,8`.
fn numbers(list: &str) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    for part in list.trim().split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        found.extend(first..=last);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(online: &str, cpulists: &[(u32, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("online"), online).unwrap();
        for (node, list) in cpulists {
            let directory = root.path().join(format!("node{node}"));
            std::fs::create_dir(&directory).unwrap();
            std::fs::write(directory.join("cpulist"), list).unwrap();
        }
        root
    }

    #[test]
    fn a_node_has_its_processors_or_is_refused_with_a_reason() {
        let two = machine("0-1\n", &[(0, "0-3,8\n"), (1, "\n")]);
        assert_eq!(processors_of(two.path(), 0).unwrap(), [0, 1, 2, 3, 8]);
        let refusal = |root: &Path, node| processors_of(root, node).unwrap_err().to_string();
        assert!(refusal(two.path(), 1).contains("no processor"));
        assert!(refusal(two.path(), 2).contains("the nodes are 0-1"));
        let one = machine("0\n", &[(0, "0-3\n")]);
        assert!(refusal(one.path(), 0).contains("one node"));
    }

    #[test]
    fn a_thread_runs_where_its_job_is_bound_to() {
        let allowed = allowed().unwrap();
        let affinity = Affinity {
            in_turn: allowed.clone(),
            ..Affinity::default()
        };
        for job in 0..2 * allowed.len() as u32 {
            let affinity = affinity.clone();
            let bound = std::thread::spawn(move || {
                affinity.take(job).unwrap();
                self::allowed().unwrap()
            });
            let own = allowed[job as usize % allowed.len()];
            assert_eq!(bound.join().unwrap(), [own]);
        }
        assert_eq!(self::allowed().unwrap(), allowed);
    }

    #[test]
    fn a_processor_that_is_not_there_is_named_beside_those_that_are() {
        let error = check(&[1, 9], &[0, 1, 2, 5]).unwrap_err().to_string();
        assert!(error.contains('9') && error.contains("0-2, 5"), "{error}");
    }
}
