//! Layers that move data between their devices which nobody asked for: caches, and arrays that lack a member.

use etalon_model::stack::{Layer, LayerKind, MapTarget, StackTree};
use etalon_model::{CacheLayer, CacheMember};

use super::copies;

/// Targets of the device-mapper that are caches, and LVM's names of their volumes.
const CACHES: [&str; 2] = ["cache", "writecache"];

pub(super) fn of(tree: &StackTree) -> Vec<CacheLayer> {
    let layers = tree.layers().into_iter();
    let caches = layers.filter(|layer| is_cache(&layer.kind));
    caches.map(cache).collect()
}

fn is_cache(kind: &LayerKind) -> bool {
    let any = |targets: &[MapTarget]| {
        let mut targets = targets.iter();
        targets.any(|target| CACHES.contains(&target.target.as_str()))
    };
    match kind {
        LayerKind::Bcache(_) => true,
        LayerKind::Md(_) => is_degraded(kind),
        LayerKind::Lvm(lv) => {
            let segment = lv.segment_type.as_deref().unwrap_or_default();
            CACHES.contains(&segment) || any(&lv.targets)
        }
        LayerKind::Mapper(mapper) => any(&mapper.targets),
        _ => false,
    }
}

/// What the missing member held is computed from all others, and a new member is filled from them.
fn is_degraded(kind: &LayerKind) -> bool {
    matches!(kind, LayerKind::Md(md) if md.degraded > 0)
}

fn cache(layer: &Layer) -> CacheLayer {
    let member = |below: &Layer| CacheMember {
        device: below.name.clone(),
        write_copies: copies::of_layer(below),
    };
    CacheLayer {
        device: layer.name.clone(),
        is_degraded: is_degraded(&layer.kind),
        members: layer.below.iter().map(member).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_value, json};

    #[test]
    fn caches_are_known_by_their_driver_target_or_segment() {
        let lvm = |segment: &str| {
            json!({
                "type": "lvm", "vg": "vg", "lv": "lv", "layer": "", "segment_type": segment,
            })
        };
        let mapper = |target: &str| {
            json!({
                "type": "mapper", "name": "m", "uuid": "",
                "targets": [{
                    "start_bytes": 0, "length_bytes": 0, "target": target, "devices": [],
                }],
            })
        };
        let md = |degraded: u64| json!({"type": "md", "level": "raid5", "raid_disks": 4, "degraded": degraded, "members": []});
        let bcache = json!({"type": "bcache", "backing": ["sda2"], "cache": ["nvme0n1p1"]});
        for (kind, is_one) in [
            (bcache, true),
            (md(0), false),
            (md(1), true),
            (lvm("cache"), true),
            (lvm("writecache"), true),
            (lvm("cache-pool"), false),
            (lvm("linear"), false),
            (mapper("cache"), true),
            (mapper("delay"), false),
        ] {
            let kind: LayerKind = from_value(kind).unwrap();
            assert_eq!(is_cache(&kind), is_one, "{kind:?}");
            let is_array = matches!(kind, LayerKind::Md(_));
            assert_eq!(is_degraded(&kind), is_one && is_array, "{kind:?}");
        }
    }
}
