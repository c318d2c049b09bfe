//! What a block device is, told from its directory under `/sys/devices`.

mod bcache;
mod disk;
mod loopback;
mod mapper;
mod md;
mod partition;
mod zram;

use std::path::Path;

use etalon_model::stack::{Layer, Warning};

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
    if layer.queue.as_ref().and_then(|q| q.iostats) == Some(false) {
        layer.warnings.push(Warning::NoCounters);
    }
}

pub(crate) use disk::{by_id, serial};
