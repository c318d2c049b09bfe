//! Processor time of the kernel's own threads, which carry out what programs ask of filesystems and devices: a loop device's,
//! those that check or encrypt blocks.

use std::collections::HashMap;
use std::path::PathBuf;

use etalon_units::Nanos;

use crate::roots::Roots;
use crate::text;

/// All of them are children of the second process (kernel/kthread.c, `kthreadd`).
const PARENT: &str = "2";

/// Every thread of the kernel with the time that it had run when the watch began.
pub(super) struct KernelThreads {
    procfs: PathBuf,
    before: Option<HashMap<u32, u64>>,
}

impl KernelThreads {
    pub(super) fn of(roots: &Roots) -> KernelThreads {
        KernelThreads {
            procfs: roots.procfs.clone(),
            before: None,
        }
    }

    pub(super) fn begin(&mut self) {
        self.before = self.times();
    }

    /// What they have run since; those that are gone are not counted. `None` where they are not seen: in a namespace of
    /// processes of its own, or where the kernel does not list children (`CONFIG_PROC_CHILDREN`).
    pub(super) fn since(&self) -> Option<Nanos> {
        let (before, now) = (self.before.as_ref()?, self.times()?);
        let ran = |(pid, now): (&u32, &u64)| {
            // A thread born meanwhile began with nothing.
            now.saturating_sub(before.get(pid).copied().unwrap_or(0))
        };
        Some(Nanos(now.iter().map(ran).fold(0, u64::saturating_add)))
    }

    fn times(&self) -> Option<HashMap<u32, u64>> {
        let parent = self.procfs.join(PARENT);
        let name = text::read_text(&parent.join("comm")).ok()?;
        if name.trim() != "kthreadd" {
            return None;
        }
        let children = parent.join("task").join(PARENT).join("children");
        let children = text::read_text(&children).ok()?;
        let pids = children
            .split_whitespace()
            .filter_map(|pid| pid.parse().ok());
        let times: HashMap<u32, u64> = pids
            .filter_map(|pid| Some((pid, self.time(pid)?)))
            .collect();
        (!times.is_empty()).then_some(times)
    }

    /// Nanoseconds on a processor, the first number of `schedstat` (scheduler/sched-stats.rst).
    fn time(&self, pid: u32) -> Option<u64> {
        let path = self.procfs.join(pid.to_string()).join("schedstat");
        let text = text::read_text(&path).ok()?;
        text.split_whitespace().next()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_testbed::put;
    use std::path::Path;

    fn write(root: &Path, name: &str, text: &str) {
        put(&root.join("proc"), name, text);
    }

    #[test]
    fn what_the_children_of_kthreadd_ran_is_summed() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        write(root, "2/comm", "kthreadd\n");
        write(root, "2/task/2/children", "7 8 ");
        write(root, "7/schedstat", "1000 5 2\n");
        write(root, "8/schedstat", "400 5 2\n");
        // No child of it.
        write(root, "9/schedstat", "0 0 0\n");
        let mut watch = KernelThreads::of(&Roots::under(root));
        assert_eq!(watch.since(), None);
        watch.begin();
        write(root, "7/schedstat", "4000 5 2\n");
        write(root, "9/schedstat", "9000 0 0\n");
        write(root, "2/task/2/children", "7 10 ");
        write(root, "10/schedstat", "50 0 0\n");
        assert_eq!(watch.since(), Some(Nanos(3_050)));
    }

    #[test]
    fn where_the_second_process_is_another_nothing_is_known() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "2/comm", "bash\n");
        write(root.path(), "2/task/2/children", "7");
        write(root.path(), "7/schedstat", "1 1 1");
        let mut watch = KernelThreads::of(&Roots::under(root.path()));
        watch.begin();
        assert_eq!(watch.since(), None);
    }
}
