//! Compressed memory as a disk (the kernel's admin-guide/blockdev/zram.rst).

use std::path::Path;

use etalon_model::stack::{Layer, LayerKind, Warning, Zram};
use etalon_units::Bytes;

use crate::context::Context;
use crate::{device, sysfs};

pub(super) fn read(context: &Context<'_>, directory: &Path, layer: &mut Layer, depth: usize) {
    let statistics = context.attr(directory.join("mm_stat")).unwrap_or_default();
    let statistics: Vec<&str> = statistics.split_whitespace().collect();
    // orig_data_size, compr_data_size, mem_used_total, mem_limit, mem_used_max, same_pages, ...
    let field = |index: usize| statistics.get(index).and_then(|n| n.parse::<u64>().ok());
    let backing = context.attr(directory.join("backing_dev"));
    let algorithm = context.attr(directory.join("comp_algorithm"));
    let algorithm = algorithm.as_deref().and_then(|text| {
        let mut words = text.split_whitespace();
        words.find_map(|w| Some(w.strip_prefix('[')?.strip_suffix(']')?.to_owned()))
    });
    let backing_name = backing
        .as_deref()
        .and_then(|node| sysfs::name_of_node(context, node));
    layer.below = backing_name
        .map(|name| device::by_name(context, &name, depth + 1))
        .into_iter()
        .collect();
    layer.kind = LayerKind::Zram(Zram {
        algorithm,
        stored: field(0).map(Bytes),
        compressed: field(1).map(Bytes),
        memory: field(2).map(Bytes),
        same_pages: field(5),
        backing,
    });
    layer.warnings.push(Warning::InMemory);
}
