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
    latest: RefCell<Option<Arc<EnvironmentRecord>>>,
}

impl Environments {
    /// Keeps what was there before the first run; later calls change nothing.
    pub(crate) fn begin(&self, tree: &StackTree, roots: &Roots) {
        let mut first = self.first.borrow_mut();
        first.get_or_insert_with(|| facts(tree, roots));
    }

    /// The mark of a run after which `tree` was read.
    pub(crate) fn mark(&self, tree: &StackTree, roots: &Roots) -> EnvironmentMark {
        let now = facts(tree, roots);
        let first = self.first.borrow();
        let changes = first.as_ref().map(|first| first.changes_to(&now));
        EnvironmentMark {
            changes: changes.unwrap_or_default(),
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
