//! Device-mapper devices: LVM, dm-crypt, multipath and others, told apart by their UUID.

mod luks;
mod lvm;
mod lvm_text;

use std::path::Path;

use etalon_model::stack::{
    Crypt, Layer, LayerKind, LogicalVolume, Mapper, MultiPath, PathState, Warning,
};

use crate::context::Context;
use crate::device;

pub(super) fn read(context: &Context<'_>, directory: &Path, layer: &mut Layer, depth: usize) {
    let name = context
        .attr(directory.join("dm/name"))
        .unwrap_or_else(|| layer.name.clone());
    let uuid = context.attr(directory.join("dm/uuid")).unwrap_or_default();
    layer.node = format!("/dev/mapper/{name}");
    layer.below = device::slaves(context, directory, depth);
    layer.kind = kind(context, layer, name, uuid);
    if let LayerKind::Multipath(multipath) = &layer.kind {
        let running = |state: Option<&str>| matches!(state, None | Some("running" | "live"));
        let all = multipath.paths.iter();
        let down = all.filter(|p| !running(p.state.as_deref())).count() as u64;
        if down > 0 {
            let of = multipath.paths.len() as u64;
            layer.warnings.push(Warning::PathsDown { down, of });
        }
    }
}

fn kind(context: &Context<'_>, layer: &Layer, name: String, uuid: String) -> LayerKind {
    let prefix = uuid.split('-').next().unwrap_or_default();
    match prefix {
        "LVM" => {
            let (vg, lv, part) = lvm_names(&name);
            let mut volume = LogicalVolume {
                vg,
                lv,
                layer: part,
                segment_type: None,
                stripes: None,
                stripe_size: None,
                segments: None,
                extent_size: None,
            };
            lvm::fill_in(context, layer, &mut volume);
            LayerKind::Lvm(volume)
        }
        "CRYPT" => {
            let mut crypt = Crypt {
                format: uuid.split('-').nth(1).unwrap_or_default().to_owned(),
                name,
                cipher: None,
                key_bits: None,
                sector_size: None,
            };
            if let Some(below) = layer.below.first() {
                luks::fill_in(context, below, &mut crypt);
            }
            LayerKind::Crypt(crypt)
        }
        "mpath" => LayerKind::Multipath(MultiPath {
            wwid: uuid.strip_prefix("mpath-").unwrap_or_default().to_owned(),
            paths: layer
                .below
                .iter()
                .map(|path| path_state(context, &path.name))
                .collect(),
            name,
        }),
        _ => LayerKind::Mapper(Mapper {
            made_by: made_by(prefix),
            name,
            uuid,
        }),
    }
}

fn made_by(prefix: &str) -> Option<String> {
    let made_by = match prefix {
        "DMRAID" => "dmraid (firmware RAID)",
        "VDO" => "VDO (deduplication and compression)",
        "stratis" => "Stratis",
        part if part.starts_with("part") => "kpartx (partition of a mapped device)",
        _ => return None,
    };
    Some(made_by.to_owned())
}

fn path_state(context: &Context<'_>, disk: &str) -> PathState {
    let class = context
        .roots
        .sysfs
        .join("class/block")
        .join(disk.replace('/', "!"));
    PathState {
        name: disk.to_owned(),
        state: context.attr(class.join("device/state")),
    }
}

/// `vg-lv[-layer]`, where a hyphen inside a name is written twice (lvm2, lib/misc/lvm-string.c).
fn lvm_names(name: &str) -> (String, String, String) {
    let mut parts = vec![String::new()];
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let single = c == '-' && chars.next_if_eq(&'-').is_none();
        if single && parts.len() < 3 {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    let mut parts = parts.into_iter();
    let mut next = || parts.next().unwrap_or_default();
    (next(), next(), next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hyphens_inside_names_are_doubled() {
        let names = |text| lvm_names(text);
        let is = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(names("vg0-home"), is("vg0", "home", ""));
        assert_eq!(
            names("my--vg-big--lv-tpool"),
            is("my-vg", "big-lv", "tpool")
        );
        assert_eq!(names("vg-lv_rimage_0"), is("vg", "lv_rimage_0", ""));
        assert_eq!(names(""), is("", "", ""));
    }

    proptest! {
        #[test]
        fn names_round_trip(vg in "[a-z][a-z-]{0,6}[a-z]", lv in "[a-z][a-z-]{0,6}[a-z]") {
            let name = format!("{}-{}", vg.replace('-', "--"), lv.replace('-', "--"));
            prop_assert_eq!(lvm_names(&name), (vg, lv, String::new()));
        }
    }
}
