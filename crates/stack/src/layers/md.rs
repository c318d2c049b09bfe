//! Linux software RAID (the kernel's admin-guide/md.rst).

use std::path::Path;

use etalon_model::stack::{Layer, LayerKind, Md, MdMember, Warning, share};
use etalon_units::{ByteRate, Percent};

use crate::context::Context;
use crate::mdstat::md_progress;
use crate::udev;

pub(super) fn read(context: &Context<'_>, directory: &Path, layer: &mut Layer) {
    let md = directory.join("md");
    let attr = |name: &str| context.attr(md.join(name));
    let known = || udev::entry(context, layer.devno).property("MD_UUID");
    layer.uuid = attr("uuid").or_else(known);
    let level = attr("level").unwrap_or_else(|| "unknown".to_owned());
    let layout = attr("layout").and_then(|text| text.parse().ok());
    let array = Md {
        layout: layout.and_then(|number| layout_name(&level, number)),
        chunk: context.bytes(md.join("chunk_size")).filter(|b| b.get() > 0),
        metadata: attr("metadata_version"),
        bitmap: bitmap(context, &md),
        raid_disks: raid_disks(attr("raid_disks").as_deref()),
        degraded: context.value(md.join("degraded")).unwrap_or(0),
        state: attr("array_state"),
        sync_action: attr("sync_action"),
        sync_progress: now(context, directory)
            .or_else(|| attr("sync_completed").as_deref().and_then(checkpoint)),
        sync_speed: attr("sync_speed").as_deref().and_then(speed),
        mismatch_sectors: attr("mismatch_cnt").and_then(|text| text.parse().ok()),
        members: members(context, &md),
        level,
    };
    if array.degraded > 0 {
        layer.warnings.push(Warning::DegradedArray {
            missing: array.degraded,
            of: array.raid_disks,
        });
    }
    let action = array.sync_action.clone();
    if let Some(action) = action.filter(|a| !matches!(a.as_str(), "idle" | "frozen")) {
        layer.warnings.push(Warning::ArrayBusy { action });
    }
    layer.kind = LayerKind::Md(array);
}

/// During a reshape the file reads `5 (4)`: the new number, then the old.
fn raid_disks(text: Option<&str>) -> u64 {
    let first = text.and_then(|t| t.split_whitespace().next());
    first.and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// `location` reads `none`, `file` or an offset such as `+8`.
fn bitmap(context: &Context<'_>, md: &Path) -> Option<String> {
    let location = context.attr(md.join("bitmap/location"))?;
    if location == "none" {
        return Some(location);
    }
    let chunk = context.bytes(md.join("bitmap/chunksize"));
    Some(match chunk {
        Some(chunk) => format!("{location}, chunk {chunk}"),
        None => location,
    })
}

/// How far it is now.
fn now(context: &Context<'_>, directory: &Path) -> Option<Percent> {
    let (done, all) = md_progress(directory.file_name()?.to_str()?, context.roots)?;
    share(done, all)
}

/// Where it would go on after a crash, `done / all` in sectors; `none` or `delayed` otherwise.
fn checkpoint(text: &str) -> Option<Percent> {
    let (done, all) = text.split_once('/')?;
    share(done.trim().parse().ok()?, all.trim().parse().ok()?)
}

/// KiB per second; `none` while idle.
fn speed(text: &str) -> Option<ByteRate> {
    let kib: u64 = text.trim().parse().ok()?;
    Some(ByteRate(kib as f64 * 1024.0))
}

/// The names of mdadm(8) for the numbers of drivers/md/raid5.h and raid10.c.
fn layout_name(level: &str, layout: u64) -> Option<String> {
    let raid5 = |number| {
        let names = [
            "left-asymmetric",
            "right-asymmetric",
            "left-symmetric",
            "right-symmetric",
        ];
        names
            .get(usize::try_from(number).ok()?)
            .map(|n| (*n).to_owned())
    };
    match level {
        "raid4" | "raid5" | "raid6" => raid5(layout).or_else(|| Some(format!("layout {layout}"))),
        "raid10" => Some(raid10_layout(layout)),
        _ => None,
    }
}

/// Low byte: near copies; next byte: far copies; bit 16: the far copies are offset.
fn raid10_layout(layout: u64) -> String {
    let (near, far) = (layout & 0xff, (layout >> 8) & 0xff);
    let offset = layout & (1 << 16) != 0;
    match (near, far) {
        (_, 0 | 1) => format!("n{near}"),
        (1, _) if offset => format!("o{far}"),
        (1, _) => format!("f{far}"),
        _ => format!("n{near}{}{far}", if offset { 'o' } else { 'f' }),
    }
}

fn members(context: &Context<'_>, md: &Path) -> Vec<MdMember> {
    let names = context.names(md);
    let names = names
        .iter()
        .filter_map(|n| Some((n, n.strip_prefix("dev-")?)));
    names
        .map(|(entry, name)| MdMember {
            name: name.replace('!', "/"),
            slot: context
                .attr(md.join(entry).join("slot"))
                .and_then(|s| s.parse().ok()),
            state: context
                .attr(md.join(entry).join("state"))
                .unwrap_or_default(),
            errors: context.value(md.join(entry).join("errors")),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_have_the_names_of_mdadm() {
        let name = |level: &str, layout| layout_name(level, layout);
        assert_eq!(name("raid5", 2).as_deref(), Some("left-symmetric"));
        assert_eq!(name("raid10", 0x102).as_deref(), Some("n2"));
        assert_eq!(name("raid10", 0x201).as_deref(), Some("f2"));
        assert_eq!(name("raid10", 0x1_0201).as_deref(), Some("o2"));
        assert_eq!(name("raid6", 99).as_deref(), Some("layout 99"));
        assert_eq!(name("raid1", 0), None);
    }

    #[test]
    fn progress_and_speed_are_numbers_or_nothing() {
        assert_eq!(checkpoint("500 / 1000").map(|p| p.fraction()), Some(0.5));
        assert_eq!(checkpoint("none"), None);
        assert_eq!(checkpoint("1 / 0"), None);
        assert_eq!(speed("2048").map(|r| r.0), Some(2_097_152.0));
        assert_eq!(speed("none").map(|r| r.0), None);
        assert_eq!(raid_disks(Some("5 (4)")), 5);
    }
}
