//! bcache (the kernel's admin-guide/bcache.rst).

use std::path::Path;

use etalon_model::stack::{Bcache, Layer, LayerKind};

use crate::context::Context;
use crate::device;

pub(super) fn read(context: &Context<'_>, directory: &Path, layer: &mut Layer, depth: usize) {
    let bcache = directory.join("bcache");
    let set = context.follow(bcache.join("cache"));
    let cache = set
        .as_deref()
        .map(|set| cache_devices(context, set))
        .unwrap_or_default();
    let slaves = context.names(directory.join("slaves"));
    let backing = slaves.iter().filter(|name| !cache.contains(name)).cloned();
    let backing: Vec<String> = backing.collect();
    let below = backing.iter().chain(&cache).cloned();
    layer.below = device::by_names(context, below, depth + 1);
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
