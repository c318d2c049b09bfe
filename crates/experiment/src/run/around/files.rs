//! What the page cache holds of the files of a run, and where they have blocks.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use etalon_model::stack::Manifest;
use etalon_model::{CacheHeld, FileFacts};
use etalon_stack::{CacheLook, extents};
use etalon_units::Bytes;

use super::content::Used;

/// What the page cache holds of `files`; `None` where it cannot be told, or there are none.
pub(super) fn held(files: &[PathBuf]) -> Option<CacheHeld> {
    let mut look = CacheLook::begin();
    // A file that a write is going to make is not there yet.
    files.iter().for_each(|file| look.add(file));
    look.held().filter(|_| !files.is_empty())
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

/// Memory that the page cache may take: the tightest limit of a control group, else all memory. Above `memory.high` the group
/// gives its cache back, so that it is a limit of the cache as `memory.max` is.
pub(super) fn cache_limit(environment: &Manifest) -> Option<Bytes> {
    const LIMITS: [&str; 3] = [
        "cgroup.memory.max",
        "cgroup.memory.high",
        "cgroup.memory.limit_in_bytes",
    ];
    let limits = LIMITS.iter().filter_map(|key| environment.facts.get(*key));
    let values = limits.flat_map(|values| values.split(" / "));
    let tightest = values.filter_map(|value| value.parse::<u64>().ok()).min();
    let memory = etalon_host::memory::of_machine().total;
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
        let high = ("cgroup.memory.high".to_owned(), "2097152".to_owned());
        environment.facts.extend([high]);
        assert_eq!(cache_limit(&environment), Some(Bytes::mib(2)));
    }
}
