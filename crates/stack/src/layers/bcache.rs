//! bcache (the kernel's admin-guide/bcache.rst).

use std::path::{Path, PathBuf};

use etalon_model::stack::{Bcache, Layer, LayerKind};

use crate::context::Context;
use crate::sysfs;

pub(super) fn read(context: &Context<'_>, directory: &Path, layer: &mut Layer) {
    let bcache = directory.join("bcache");
    let set = cache_set(context, directory);
    let (backing, cache) = devices(context, directory);
    layer.kind = LayerKind::Bcache(Bcache {
        state: context.attr(bcache.join("state")),
        cache_mode: context
            .attr(bcache.join("cache_mode"))
            .as_deref()
            .and_then(chosen),
        dirty_data: context.attr(bcache.join("dirty_data")),
        sequential_cutoff: context.attr(bcache.join("sequential_cutoff")),
        cache_set: set.and_then(|s| Some(s.file_name()?.to_string_lossy().into_owned())),
        backing,
        cache,
    });
}

/// The names of the backing devices, then those of the cache.
pub(super) fn below(context: &Context<'_>, directory: &Path) -> Vec<String> {
    let (backing, cache) = devices(context, directory);
    [backing, cache].concat()
}

fn devices(context: &Context<'_>, directory: &Path) -> (Vec<String>, Vec<String>) {
    let set = cache_set(context, directory);
    let cache = set.map_or_else(Vec::new, |set| cache_devices(context, &set));
    let mut backing = sysfs::slaves(context, directory);
    backing.retain(|name| !cache.contains(name));
    (backing, cache)
}

fn cache_set(context: &Context<'_>, directory: &Path) -> Option<PathBuf> {
    context.follow(directory.join("bcache/cache"))
}

/// A cache set links to its devices as `cache0`, `cache1`, each to `BLOCKDEVICE/bcache`.
fn cache_devices(context: &Context<'_>, set: &Path) -> Vec<String> {
    let names = context.names(set);
    let names = names.iter().filter(|n| {
        let number = n.strip_prefix("cache");
        number.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
    });
    let device = |name: &String| {
        let directory = context.follow(set.join(name))?;
        Some(
            directory
                .parent()?
                .file_name()?
                .to_string_lossy()
                .into_owned(),
        )
    };
    names.filter_map(device).collect()
}

/// The word in brackets of `writethrough [writeback] writearound none`.
fn chosen(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    words.find_map(|w| Some(w.strip_prefix('[')?.strip_suffix(']')?.to_owned()))
}
