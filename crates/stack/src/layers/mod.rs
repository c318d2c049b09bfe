//! What a block device is, told from its directory under `/sys/devices`.

mod bcache;
mod disk;
mod loopback;
mod mapper;
mod md;
mod partition;
mod write_cache;
mod zram;

use std::path::Path;

use etalon_model::stack::{Layer, LayerKind, Queue, Warning};
use etalon_units::Bytes;

use crate::context::Context;

/// Fills in what `layer` is, what lies below it, and what is wrong with it.
pub(crate) fn read(context: &Context<'_>, directory: &Path, layer: &mut Layer, depth: usize) {
    let has = |name: &str| directory.join(name).exists();
    let named = |prefix: &str| layer.name.starts_with(prefix);
    if has("partition") {
        partition::read(context, directory, layer, depth);
    } else if has("dm") {
        mapper::read(context, directory, layer, depth);
    } else if has("md") {
        md::read(context, directory, layer, depth);
    } else if named("bcache") {
        bcache::read(context, directory, layer, depth);
    } else if named("loop") {
        loopback::read(context, directory, layer, depth);
    } else if named("zram") {
        zram::read(context, directory, layer, depth);
    } else {
        disk::read(context, directory, layer, depth);
    }
    // Drivers without a request queue (device-mapper, bcache, zram) count by themselves, whatever
    // this flag says (block/blk-core.c, bio_start_io_acct).
    let uncounted = layer.queue.as_ref().and_then(|q| q.iostats) == Some(false);
    if uncounted && matches!(layer.kind, LayerKind::Disk(_) | LayerKind::Loop(_)) {
        layer.warnings.push(Warning::NoCounters);
    }
    if stops_discard(layer) {
        layer.warnings.push(Warning::NoDiscard);
    }
}

/// Whether this layer takes no discard although a solid-state device beneath would.
fn stops_discard(layer: &Layer) -> bool {
    let allowed = |queue: &Queue| queue.discard_max.is_some_and(|max| max.get() > 0);
    let solid = |queue: &Queue| queue.rotational == Some(false);
    let refuses = layer
        .queue
        .as_ref()
        .is_some_and(|q| q.discard_max == Some(Bytes::ZERO));
    refuses
        && layer.below.iter().any(|below| {
            let queue = queue_of(below);
            queue.is_some_and(|queue| allowed(queue) && solid(queue))
        })
}

/// A layer's queue, for a partition its disk's.
fn queue_of(layer: &Layer) -> Option<&Queue> {
    let disk = || layer.below.first().and_then(|disk| disk.queue.as_ref());
    layer.queue.as_ref().or_else(disk)
}

pub(crate) use disk::{by_id, serial};
