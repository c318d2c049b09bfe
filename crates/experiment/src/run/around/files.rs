//! What the page cache holds of the files of a run, and where they have blocks.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use etalon_model::stack::Manifest;
use etalon_model::{CacheHeld, FileFacts};
use etalon_stack::{Residency, extents, residency};
use etalon_units::Bytes;

use super::content::Used;
use crate::passthrough::{Behind, behind};

/// What the page cache holds of `files`; `None` where it cannot be told, or there are none.
pub(super) fn held(files: &[PathBuf]) -> Option<CacheHeld> {
    let mut all = CacheHeld {
        dirty: Some(Bytes::ZERO),
        writeback: Some(Bytes::ZERO),
        ..CacheHeld::default()
    };
    let sum = |a: Option<Bytes>, b: Option<Bytes>| a.zip(b).map(|(a, b)| Bytes(a.get() + b.get()));
    for path in files {
        // A file that a write is going to make is not there yet.
        let meta = path.metadata().ok().filter(|meta| meta.is_file())?;
        let mut one = residency(path).ok()?;
        match behind(path) {
            Behind::Nothing => {}
            // Two pages may hold the same bytes; the file is as cold as the warmer of its two.
            Behind::File(file) => one = warmer(one, residency(&file).ok()?),
            Behind::Unknown => return None,
        }
        all.size.0 += meta.len();
        all.cached.0 += one.cached.get();
        all.dirty = sum(all.dirty, one.dirty);
        all.writeback = sum(all.writeback, one.writeback);
    }
    (!files.is_empty()).then_some(all)
}

fn warmer(one: Residency, other: Residency) -> Residency {
    match other.cached > one.cached {
        true => other,
        false => one,
    }
}

/// Where the used part of each has blocks; `None` where one of them cannot be asked.
pub(super) fn facts(files: &[PathBuf], used: Used) -> Option<FileFacts> {
    let mut all = FileFacts {
        unwritten: Some(Bytes::ZERO),
        encoded: Some(Bytes::ZERO),
        extents: Some(0),
        ..FileFacts::default()
    };
    let sum = |a: Option<Bytes>, b: Option<Bytes>| a.zip(b).map(|(a, b)| Bytes(a.get() + b.get()));
    for path in files {
        let size = path.metadata().ok()?.len();
        let one = extents(path, used.within(size)).ok()?;
        all.size.0 += one.size.get();
        all.holes.0 += one.holes.get();
        all.unwritten = sum(all.unwritten, one.unwritten);
        all.encoded = sum(all.encoded, one.encoded);
        all.extents = all.extents.zip(one.count).map(|(a, b)| a + b);
    }
    (!files.is_empty()).then_some(all)
}

/// Memory that the page cache may take: the tightest limit of a control group, else all memory.
pub(super) fn cache_limit(environment: &Manifest) -> Option<Bytes> {
    const LIMITS: [&str; 2] = ["cgroup.memory.max", "cgroup.memory.limit_in_bytes"];
    let limits = LIMITS.iter().filter_map(|key| environment.facts.get(*key));
    let values = limits.flat_map(|values| values.split(" / "));
    let tightest = values.filter_map(|value| value.parse::<u64>().ok()).min();
    let memory = etalon_host::memory::total();
    Some(tightest.map_or(memory, |limit| memory.min(Bytes(limit))))
}

/// Reads a file from start to end, so that the page cache holds it.
pub(crate) fn read_through(path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 20];
    while file.read(&mut buffer)? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tightest_group_limits_the_cache() {
        let mut environment = Manifest::default();
        let memory = cache_limit(&environment).unwrap();
        let key = "cgroup.memory.limit_in_bytes".to_owned();
        let value = format!("{} / 4194304", memory.get() * 2);
        environment.facts.insert(key, value);
        assert_eq!(cache_limit(&environment), Some(Bytes::mib(4)));
    }
}
