//! Compressed memory as a disk (the kernel's admin-guide/blockdev/zram.rst).

use std::path::Path;

use etalon_model::stack::{Layer, LayerKind, Warning, Zram};
use etalon_units::Bytes;

use crate::context::Context;
use crate::sysfs;

/// The name of the device that it writes out to.
pub(super) fn backing(context: &Context<'_>, directory: &Path) -> Option<String> {
    sysfs::name_of_node(context, &backing_node(context, directory)?)
}

/// `none` where the kernel could write out and has nowhere to (drivers/block/zram/zram_drv.c, `backing_dev_show`).
fn backing_node(context: &Context<'_>, directory: &Path) -> Option<String> {
    let node = context.attr(directory.join("backing_dev"));
    node.filter(|node| node != "none")
}

pub(super) fn read(context: &Context<'_>, directory: &Path, layer: &mut Layer) {
    let statistics = context.attr(directory.join("mm_stat")).unwrap_or_default();
    let statistics: Vec<&str> = statistics.split_whitespace().collect();
    // orig_data_size, compr_data_size, mem_used_total, mem_limit, mem_used_max, same_pages, ...
    let field = |index: usize| statistics.get(index).and_then(|n| n.parse::<u64>().ok());
    let algorithm = context.attr(directory.join("comp_algorithm"));
    let algorithm = algorithm.as_deref().and_then(|text| {
        let mut words = text.split_whitespace();
        words.find_map(|w| Some(w.strip_prefix('[')?.strip_suffix(']')?.to_owned()))
    });
    layer.kind = LayerKind::Zram(Zram {
        algorithm,
        stored: field(0).map(Bytes),
        compressed: field(1).map(Bytes),
        memory: field(2).map(Bytes),
        same_pages: field(5),
        backing: backing_node(context, directory),
    });
    layer.warnings.push(Warning::InMemory);
}
