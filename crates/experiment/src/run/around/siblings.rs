//! Devices beneath one layer that should share its work.

use etalon_model::Siblings;
use etalon_model::stack::{Layer, LayerKind, LogicalVolume, MapTarget, Md, StackTree};

use super::copies;

/// Those of an array or a volume; `None` where one device has all of the work.
pub(super) fn of_layer(layer: &Layer) -> Option<Siblings> {
    let (mirror, members) = match &layer.kind {
        LayerKind::Md(md) if md.level != "linear" => (is_mirror(&md.level), of_md(md, layer)),
        LayerKind::Lvm(volume) => {
            let segment = volume.segment_type.as_deref()?;
            (is_mirror(segment), of_volume(volume, segment, layer))
        }
        _ => return None,
    };
    (members.len() > 1).then(|| Siblings {
        of: layer.short_name(),
        mirror,
        members,
    })
}

/// Those of a btrfs over several devices.
pub(super) fn of_btrfs(tree: &StackTree) -> Option<Siblings> {
    let profile = copies::data_profile(tree)?;
    let mirror = profile.starts_with("raid1");
    let shares = mirror || matches!(profile, "raid0" | "raid5" | "raid6");
    (tree.devices.len() > 1 && shares).then(|| Siblings {
        of: format!("btrfs {profile}"),
        mirror,
        members: tree.devices.iter().map(|d| d.name.clone()).collect(),
    })
}

/// By the levels of md and the segment types of lvmraid(7).
fn is_mirror(level: &str) -> bool {
    level.starts_with("raid1") || level == "mirror"
}

/// A spare and a write journal have no place in the array (the kernel's admin-guide/md.rst, `slot`), and no share in its work.
fn of_md(md: &Md, layer: &Layer) -> Vec<String> {
    let has_place = |name: &str| {
        let mut members = md.members.iter().filter(|member| member.name == name);
        // What is not listed is not known to be anything else.
        members.all(|member| member.slot.is_some())
    };
    let below = layer.below.iter().map(|below| below.name.clone());
    below.filter(|name| has_place(name)).collect()
}

/// The data of a RAID's volumes and not their metadata; a volume of several pieces has no one set of members.
fn of_volume(volume: &LogicalVolume, segment: &str, layer: &Layer) -> Vec<String> {
    match (segment, &*volume.targets) {
        ("striped", _) => layer.below.iter().map(|below| below.name.clone()).collect(),
        (raid, [target]) if is_mirror(raid) || raid.starts_with("raid") => alive(target, layer),
        _ => Vec::new(),
    }
}

/// The devices of a target that take part.
fn alive(target: &MapTarget, layer: &Layer) -> Vec<String> {
    let health = target.health.as_deref().unwrap_or_default();
    let is_alive = |at: usize| health.chars().nth(at).is_none_or(|letter| letter == 'A');
    let devices = target.devices.iter().enumerate();
    let alive = devices.filter(|(at, _)| is_alive(*at));
    let names = alive.filter_map(|(_, device)| {
        let mut below = layer.below.iter();
        below.find(|below| below.devno == device.device)
    });
    names.map(|below| below.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::stack::DevNo;
    use serde_json::{Value, from_value, json};

    /// A layer of this kind above devices of these names, numbered from 0.
    fn above(kind: Value, names: &[&str]) -> Layer {
        let of = |name: &str, minor, kind, below| Layer {
            name: name.to_owned(),
            devno: DevNo { major: 8, minor },
            node: format!("/dev/{name}"),
            uuid: None,
            size: etalon_units::Bytes::gib(1),
            read_only: false,
            queue: None,
            kind,
            warnings: Vec::new(),
            below,
        };
        let unknown = || LayerKind::Unknown { why: String::new() };
        let below = (0..).zip(names);
        let below = below.map(|(minor, name)| of(name, minor, unknown(), Vec::new()));
        of("top", 100, from_value(kind).unwrap(), below.collect())
    }

    fn md(level: &str, slots: &[(&str, Option<u64>)]) -> Layer {
        let member = |(name, slot): &(&str, Option<u64>)| json!({"name": name, "slot": slot, "state": "in_sync"});
        let members: Vec<Value> = slots.iter().map(member).collect();
        let names: Vec<&str> = slots.iter().map(|(name, _)| *name).collect();
        let kind = json!({
            "type": "md", "level": level, "raid_disks": 2, "degraded": 0, "members": members,
        });
        above(kind, &names)
    }

    fn volume(segment: &str, health: Option<&str>) -> Layer {
        let at = |minor| json!({"device": format!("8:{minor}")});
        let target = json!({
            "start_bytes": 0, "length_bytes": 1 << 30, "target": segment, "health": health,
            "devices": [at(1), at(3)],
        });
        let kind = json!({
            "type": "lvm", "vg": "vg", "lv": "lv", "layer": "", "segment_type": segment,
            "targets": [target],
        });
        above(kind, &["rmeta_0", "rimage_0", "rmeta_1", "rimage_1"])
    }

    /// Who shares the work, and whether each has all of the data.
    fn told(layer: &Layer) -> Option<(bool, String)> {
        of_layer(layer).map(|siblings| (siblings.mirror, siblings.members.join(" ")))
    }

    fn some(mirror: bool, members: &str) -> Option<(bool, String)> {
        Some((mirror, members.to_owned()))
    }

    #[test]
    fn a_spare_of_an_array_has_no_share_in_its_work() {
        let two = [("sda", Some(0)), ("sdb", Some(1))];
        let with_spare = [two[0], two[1], ("sdc", None)];
        assert_eq!(told(&md("raid1", &with_spare)), some(true, "sda sdb"));
        assert_eq!(told(&md("raid10", &two)), some(true, "sda sdb"));
        assert_eq!(told(&md("raid5", &with_spare)), some(false, "sda sdb"));
        assert_eq!(told(&md("linear", &two)), None);
        assert_eq!(told(&md("raid1", &[two[0], ("sdc", None)])), None);
    }

    #[test]
    fn the_images_of_a_volume_share_its_work_and_their_metadata_does_not() {
        let images = "rimage_0 rimage_1";
        assert_eq!(told(&volume("raid1", Some("AA"))), some(true, images));
        assert_eq!(told(&volume("raid5_ls", None)), some(false, images));
        assert_eq!(told(&volume("mirror", Some("AA"))), some(true, images));
        assert_eq!(told(&volume("raid1", Some("Aa"))), None, "one is copied");
        assert_eq!(told(&volume("linear", None)), None);
        let striped = some(false, "rmeta_0 rimage_0 rmeta_1 rimage_1");
        assert_eq!(told(&volume("striped", None)), striped);
    }
}
