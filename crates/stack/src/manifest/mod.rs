//! The environment of a run: everything that should not change between runs of one cell.

mod cgroup;
mod discard;
mod dmi;
mod flatten;
mod machine;
mod unread;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use etalon_model::stack::{Manifest, StackTree};
use sha2::{Digest, Sha256};

use crate::context::Context;
use crate::roots::Roots;

/// The environment below `roots`, with the stack of `tree`; `extra` adds facts of the caller's own,
/// such as the build that measures.
///
/// Facts that move by themselves (room, temperature, progress of a resync) stay out, so that equal
/// environments have equal hashes.
pub fn manifest(tree: &StackTree, roots: &Roots, extra: &[(&str, &str)]) -> Manifest {
    let context = Context::new(roots);
    let mut facts = GatheredFacts {
        context: &context,
        found: BTreeMap::new(),
        unreadable: BTreeSet::new(),
    };
    machine::read(&mut facts);
    dmi::read(&mut facts);
    discard::read(&mut facts);
    cgroup::read(&mut facts);
    flatten::read(&mut facts, tree);
    unread::note(&mut facts, tree);
    for (key, value) in extra {
        facts.put(key, Some((*value).to_owned()));
    }
    let (found, unreadable) = (facts.found, facts.unreadable);
    Manifest {
        hash: hash_of_facts(&found),
        facts: found,
        missing: context.take_missing(),
        unreadable: unreadable.into_iter().collect(),
    }
}

/// The hash of an environment by its facts: SHA-256 over `key=value` lines in the order of the keys; a newline or
/// backslash inside is escaped, so that no two lists of facts give the same text.
pub fn hash_of_facts(facts: &BTreeMap<String, String>) -> String {
    let escape = |text: &str| {
        text.replace('\\', "\\\\")
            .replace('\n', "\\n")
            .replace('=', "\\=")
    };
    let mut hasher = Sha256::new();
    for (key, value) in facts {
        hasher.update(format!("{}={}\n", escape(key), escape(value)));
    }
    hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Facts as they are gathered.
struct GatheredFacts<'a> {
    context: &'a Context<'a>,
    found: BTreeMap<String, String>,
    /// Keys and beginnings of keys.
    unreadable: BTreeSet<String>,
}

impl GatheredFacts<'_> {
    /// A fact, if it is known.
    fn put(&mut self, key: &str, value: Option<String>) {
        if let Some(value) = value {
            self.found.insert(key.to_owned(), value);
        }
    }

    /// A file below `/sys`.
    fn sys(&mut self, key: &str, path: &str) {
        self.file(key, &self.context.roots.sysfs.join(path));
    }

    /// A file below `/proc`.
    fn proc(&mut self, key: &str, path: &str) {
        self.file(key, &self.context.roots.procfs.join(path));
    }

    fn file(&mut self, key: &str, path: &Path) {
        let value = self.context.attr(path);
        self.put(key, value);
        if self.context.is_refused(path) {
            self.unreadable.insert(key.to_owned());
        }
    }
}

#[cfg(test)]
mod tests;
