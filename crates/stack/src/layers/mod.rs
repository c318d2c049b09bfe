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
use crate::sysfs;

/// Which of these files reads a device.
enum Reader {
    Partition,
    Mapper,
    Md,
    Bcache,
    Loop,
    Zram,
    Disk,
}

impl Reader {
    fn of(directory: &Path, name: &str) -> Reader {
        let has = |name: &str| directory.join(name).exists();
        match name {
            _ if has("partition") => Reader::Partition,
            _ if has("dm") => Reader::Mapper,
            _ if has("md") => Reader::Md,
            _ if name.starts_with("bcache") => Reader::Bcache,
            _ if name.starts_with("loop") => Reader::Loop,
            _ if name.starts_with("zram") => Reader::Zram,
            _ => Reader::Disk,
        }
    }
}

/// The names of the devices directly below the one called `name`.
pub(crate) fn below(context: &Context<'_>, directory: &Path, name: &str) -> Vec<String> {
    match Reader::of(directory, name) {
        Reader::Partition => partition::disk(directory).into_iter().collect(),
        Reader::Bcache => bcache::below(context, directory),
        Reader::Loop => Vec::new(),
        Reader::Zram => zram::backing(context, directory).into_iter().collect(),
        // Stacked devices of drivers without a file here (drbd) list what they hold as well.
        Reader::Mapper | Reader::Md | Reader::Disk => sysfs::slaves(context, directory),
    }
}

/// Fills in what `layer` is, whose devices below are known, and what is wrong with it.
pub(crate) fn read(context: &Context<'_>, directory: &Path, layer: &mut Layer) {
    match Reader::of(directory, &layer.name) {
        Reader::Partition => partition::read(context, directory, layer),
        Reader::Mapper => mapper::read(context, directory, layer),
        Reader::Md => md::read(context, directory, layer),
        Reader::Bcache => bcache::read(context, directory, layer),
        Reader::Loop => loopback::read(context, directory, layer),
        Reader::Zram => zram::read(context, directory, layer),
        Reader::Disk => disk::read(context, directory, layer),
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

pub(crate) use disk::{by_id, serial, wwid};
