//! Devices that this kernel serves over RDMA, from sysfs (drivers/block/rnbd/rnbd-srv-sysfs.c).

use std::path::Path;

use super::exports::{Export, Source, below, name_of};
use crate::context::Context;
use crate::sysfs;

/// What is served, a device each.
pub(super) fn exports(context: &Context<'_>) -> Vec<Export> {
    let all = below(
        context,
        &context.roots.sysfs.join("class/rnbd-server/ctl/devices"),
    );
    all.iter().map(|place| export(context, place)).collect()
}

/// The link leads to the whole disk also where a partition is served; the name is that of the partition.
fn export(context: &Context<'_>, place: &Path) -> Export {
    let name = name_of(place);
    let whole = || context.value(place.join("block_dev/dev"));
    let number = sysfs::devno_of(context, &name).or_else(whole);
    let unknown = || "its device is not shown".to_owned();
    Export {
        server: "RNBD",
        unit: format!("device {name}"),
        source: number.map(Source::Device).ok_or_else(unknown),
    }
}
