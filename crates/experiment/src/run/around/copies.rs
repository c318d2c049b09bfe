//! How often each level of a stack writes a byte.

use etalon_model::stack::{FsDetail, Layer, LayerKind, StackTree};

/// The profile of btrfs that holds the data; the last one during a conversion.
pub(super) fn data_profile(tree: &StackTree) -> Option<&str> {
    let FsDetail::Btrfs { allocation, .. } = &tree.filesystem.as_ref()?.detail else {
        return None;
    };
    let is_data = |class: &str| matches!(class, "data" | "mixed");
    let data = allocation.iter().find(|a| is_data(&a.class))?;
    data.profiles.last().map(String::as_str)
}

/// Bytes written for each byte of data. Parity is left out: it depends on the size of a write.
pub(super) fn of_tree(tree: &StackTree) -> f64 {
    if let Some(beneath) = tree.filesystem.as_ref().and_then(|f| f.beneath.as_ref()) {
        return of_tree(beneath);
    }
    let below = tree.devices.first().map_or(1.0, of_layer);
    of_filesystem(tree) * below
}

/// Those that a filesystem makes by itself, on the devices directly beneath it.
pub(super) fn of_filesystem(tree: &StackTree) -> f64 {
    if let Some(beneath) = tree.filesystem.as_ref().and_then(|f| f.beneath.as_ref()) {
        return of_filesystem(beneath);
    }
    match data_profile(tree) {
        Some("raid1" | "raid10" | "dup") => 2.0,
        Some("raid1c3") => 3.0,
        Some("raid1c4") => 4.0,
        _ => 1.0,
    }
}

pub(super) fn of_layer(layer: &Layer) -> f64 {
    let own = match &layer.kind {
        LayerKind::Md(md) if md.level == "raid1" => {
            md.raid_disks.saturating_sub(md.degraded) as f64
        }
        // `n2`, `f2`, `o3`: the digits are the number of copies (mdadm(8), --layout).
        LayerKind::Md(md) if md.level == "raid10" => {
            let layout = md.layout.as_deref().unwrap_or_default();
            layout.get(1..).and_then(|n| n.parse().ok()).unwrap_or(2.0)
        }
        LayerKind::Lvm(lv) if matches!(lv.segment_type.as_deref(), Some("raid1" | "mirror")) => {
            lv.stripes.filter(|copies| *copies > 1).unwrap_or(2) as f64
        }
        _ => 1.0,
    };
    own * layer.below.first().map_or(1.0, of_layer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::stack::TargetKind;
    use etalon_stack::{Roots, Stack};
    use serde_json::{from_value, json};

    fn layer(kind: serde_json::Value) -> Layer {
        let disk = json!({
            "name": "d", "devno": "8:0", "node": "/dev/d", "size_bytes": 0, "read_only": false,
            "kind": kind, "warnings": [], "below": [],
        });
        from_value(disk).unwrap()
    }

    fn on(devices: Vec<Layer>, profile: Option<&str>) -> StackTree {
        let mut tree = Stack::of("/proc".as_ref(), &Roots::default()).unwrap();
        (tree.devices, tree.kind) = (devices, TargetKind::Directory);
        if let Some(profile) = profile {
            let detail = json!({
                "family": "btrfs", "devices": 2, "features": [], "mount_options": [],
                "allocation": [{"class": "data", "profiles": [profile]}],
            });
            tree.filesystem.as_mut().unwrap().detail = from_value(detail).unwrap();
        }
        tree
    }

    #[test]
    fn an_array_copies_below_its_device_and_btrfs_above_its_disks() {
        let disk = || layer(json!({"type": "unknown", "why": ""}));
        let md = |level: &str, layout: Option<&str>| {
            let kind = json!({
                "type": "md", "level": level, "layout": layout, "raid_disks": 2, "degraded": 0,
                "members": [],
            });
            let mut array = layer(kind);
            array.below = vec![disk(), disk()];
            array
        };
        let lvm = layer(json!({
            "type": "lvm", "vg": "vg", "lv": "lv", "layer": "", "segment_type": "raid1",
            "stripes": 2,
        }));
        for (tree, top, bottom) in [
            (on(vec![disk()], None), 1.0, 1.0),
            (on(vec![md("raid1", None)], None), 1.0, 2.0),
            (on(vec![md("raid10", Some("f2"))], None), 1.0, 2.0),
            (on(vec![lvm], None), 1.0, 2.0),
            (on(vec![disk(), disk()], Some("raid1")), 2.0, 2.0),
            (on(vec![md("raid1", None)], Some("dup")), 2.0, 4.0),
        ] {
            assert_eq!(
                (of_filesystem(&tree), of_tree(&tree)),
                (top, bottom),
                "{tree:?}"
            );
        }
    }
}
