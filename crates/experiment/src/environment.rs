//! The environment of runs: gathered after each, kept once for each hash.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use etalon_model::stack::{Manifest, StackTree};
use etalon_model::{EnvironmentMark, EnvironmentRecord};
use etalon_stack::{Roots, conditions, manifest};

use crate::Site;
use crate::started::preloaded;

/// The environments that the runs of one session were made in.
#[derive(Debug, Default)]
pub(crate) struct Environments {
    first: RefCell<Option<Manifest>>,
    /// That of the first run of a cell, where this session makes a later one of them.
    earlier: RefCell<Option<Arc<EnvironmentRecord>>>,
    latest: RefCell<Option<Arc<EnvironmentRecord>>>,
}

impl Environments {
    /// Keeps what was there before the first run; later calls change nothing.
    pub(crate) fn begin(&self, tree: &StackTree, roots: &Roots) {
        let mut first = self.first.borrow_mut();
        first.get_or_insert_with(|| facts(tree, roots));
    }

    /// Holds what the machine is against what it was at the first run of the cell, which another session made.
    pub(crate) fn hold_against(&self, earlier: Option<Arc<EnvironmentRecord>>) {
        *self.earlier.borrow_mut() = earlier;
    }

    /// The mark of a run after which `tree` was read.
    pub(crate) fn mark(&self, tree: &StackTree, roots: &Roots) -> EnvironmentMark {
        let now = facts(tree, roots);
        let first = self.first.borrow();
        let changes = first.as_ref().map(|first| first.changes_to(&now));
        let mut changes = changes.unwrap_or_default();
        if let Some(earlier) = &*self.earlier.borrow() {
            let is_known = |key: &str| changes.iter().any(|known| known.key == key);
            let mut since = earlier.manifest.changes_to(&now);
            since.retain(|change| is_of_machine(&change.key) && !is_known(&change.key));
            changes.extend(since);
        }
        EnvironmentMark {
            changes,
            conditions: conditions_of(tree, roots),
            ..EnvironmentMark::of(self.shared(now, tree))
        }
    }

    /// The record of `now`: the latest one again while nothing changes.
    fn shared(&self, now: Manifest, tree: &StackTree) -> Arc<EnvironmentRecord> {
        let mut latest = self.latest.borrow_mut();
        let same = |record: &&Arc<EnvironmentRecord>| record.manifest.hash == now.hash;
        if let Some(record) = latest.as_ref().filter(same) {
            return Arc::clone(record);
        }
        let stack = tree.clone();
        let manifest = now;
        Arc::clone(latest.insert(Arc::new(EnvironmentRecord { manifest, stack })))
    }
}

/// Facts of the machine, by the beginnings of their keys. The levels of a plan are the same for all runs of a cell; the
/// devices that they make are others each time, and with them the limits that control groups have by device.
const OF_MACHINE: [&str; 8] = [
    "kernel.",
    "cpu.",
    "sysctl.",
    "clock.",
    "power.",
    "etalon.",
    "cgroup.cpu",
    "cgroup.memory.",
];

fn is_of_machine(key: &str) -> bool {
    OF_MACHINE.iter().any(|begin| key.starts_with(begin))
}

/// The environment of a target that was looked at, for runs that nobody watched.
pub fn environment_of(site: &Site) -> EnvironmentMark {
    let roots = Roots::default();
    let manifest = facts(&site.tree, &roots);
    let stack = site.tree.clone();
    EnvironmentMark {
        conditions: conditions_of(&site.tree, &roots),
        ..EnvironmentMark::of(Arc::new(EnvironmentRecord { manifest, stack }))
    }
}

/// The conditions with the libraries that were loaded before all others.
fn conditions_of(tree: &StackTree, roots: &Roots) -> BTreeMap<String, String> {
    let mut found = conditions(tree, roots);
    let libraries = preloaded();
    if !libraries.is_empty() {
        found.insert("process.preloaded".to_owned(), libraries.join(" "));
    }
    found
}

fn facts(tree: &StackTree, roots: &Roots) -> Manifest {
    let build = [("etalon.version", env!("CARGO_PKG_VERSION"))];
    manifest(tree, roots, &build)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_held_against_that_of_an_earlier_session_and_devices_are_not() {
        let directory = tempfile::tempdir().unwrap();
        let tree = Site::look(directory.path()).unwrap().tree;
        let roots = Roots::default();
        let keys = |earlier: Option<Arc<EnvironmentRecord>>| {
            let session = Environments::default();
            session.begin(&tree, &roots);
            session.hold_against(earlier);
            let changes = session.mark(&tree, &roots).changes.into_iter();
            changes.map(|change| change.key).collect::<Vec<_>>()
        };
        let now = Environments::default().mark(&tree, &roots).record.unwrap();
        assert_eq!(keys(Some(Arc::clone(&now))), [""; 0]);
        let mut then = (*now).clone();
        for key in [
            "kernel.release",
            "etalon.version",
            "cpu.governor",
            "layer.loop7.size",
            "cgroup.io.max",
        ] {
            let facts = &mut then.manifest.facts;
            facts.insert(key.to_owned(), "another".to_owned());
        }
        let changed = ["cpu.governor", "etalon.version", "kernel.release"];
        assert_eq!(keys(Some(Arc::new(then))), changed);
        assert_eq!(keys(None), [""; 0]);
    }
}
