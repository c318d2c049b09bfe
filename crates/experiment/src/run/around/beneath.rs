//! What the stack beneath is bound to do to bytes, and what it is busy with.

use std::fs;
use std::path::Path;

use etalon_model::stack::{FsDetail, Layer, LayerKind, StackTree, Warning};
use etalon_model::{BackgroundWork, BeneathFacts, DiskFacts, RequestQueue};
use etalon_stack::{Extents, Roots, Stack, extents, in_memory};
use etalon_units::Bytes;

use super::{caches, copies, encoding, served, siblings};
use crate::Site;

/// A loop file that occupies less than this share of its size has holes.
const WHOLE: f64 = 0.99;

/// What the stack beneath is bound to do to bytes, by what was read of it.
pub fn facts(tree: &StackTree) -> BeneathFacts {
    let mut facts = BeneathFacts {
        write_copies: copies::of_tree(tree),
        top_write_copies: Some(copies::of_filesystem(tree)),
        used: space_used(tree),
        in_memory: in_memory::places(tree),
        caches: caches::of(tree),
        served: served::paths(tree),
        disks: disks(tree),
        ..BeneathFacts::default()
    };
    filesystem(tree, &mut facts);
    for layer in tree.layers() {
        of_layer(layer, &mut facts);
        failing(layer, &mut facts.failing);
    }
    for top in tree.top_devices() {
        flushes(top, &mut facts);
    }
    facts
}

/// The disks at the bottom, where all that lies there are disks.
fn disks(tree: &StackTree) -> Option<DiskFacts> {
    let leaves = tree.leaves();
    let mut all = DiskFacts {
        size: Bytes::ZERO,
        rotational: None,
        cache: Some(Bytes::ZERO),
    };
    for (at, leaf) in leaves.iter().enumerate() {
        let LayerKind::Disk(disk) = &leaf.kind else {
            return None;
        };
        // A disk that counts its turns, or one of flash; a virtual one is said to turn where nobody asked.
        let says = leaf.queue.as_ref().and_then(|queue| queue.rotational);
        let turns = match says {
            Some(true) => disk.rotation_rpm.map(|_| true),
            other => other,
        };
        all.rotational = if at == 0 {
            turns
        } else {
            all.rotational.filter(|_| turns == all.rotational)
        };
        all.size.0 += leaf.size.get();
        let sum = |(a, b): (Bytes, Bytes)| Bytes(a.get() + b.get());
        all.cache = all.cache.zip(disk.cache_size).map(sum);
    }
    (!leaves.is_empty()).then_some(all)
}

fn space_used(tree: &StackTree) -> Option<etalon_units::Percent> {
    tree.filesystem.as_ref()?.space.as_ref()?.used()
}

fn filesystem(tree: &StackTree, facts: &mut BeneathFacts) {
    let Some(fs) = &tree.filesystem else { return };
    if let Some(beneath) = &fs.beneath {
        filesystem(beneath, facts);
    }
    if let Some(mount) = &tree.mount {
        // Since Linux 6.18 the option is shown as `fsync=volatile`.
        let is_volatile =
            mount.has_option("volatile") || mount.super_option("fsync") == Some("volatile");
        if fs.fs_type == "overlay" && is_volatile {
            let words = format!("the overlay at {} (volatile)", mount.point);
            facts.ignores_fsync.push(words);
        }
        for key in ["compress", "compress-force", "compress_algorithm"] {
            let value = mount.super_option(key);
            if let Some(value) = value.filter(|v| !matches!(*v, "no" | "none")) {
                facts
                    .reducing
                    .push(format!("{} ({key}={value})", fs.fs_type));
            }
        }
    }
    if let (FsDetail::Ext(ext), "ext4") = (&fs.detail, fs.fs_type.as_str())
        && ext.journal == Some(false)
    {
        facts.avoids_freed_inodes = Some("ext4 without a journal".to_owned());
    }
    if matches!(fs.fs_type.as_str(), "squashfs" | "erofs") {
        facts.reducing.push(fs.fs_type.clone());
    }
    facts.siblings.extend(siblings::of_btrfs(tree));
}

fn of_layer(layer: &Layer, facts: &mut BeneathFacts) {
    facts.queues.extend(request_queue(layer));
    facts.takes_fua.extend(takes_fua(layer));
    facts.siblings.extend(siblings::of_layer(layer));
    match &layer.kind {
        LayerKind::Zram(_) => facts.reducing.push(format!("{} (zram)", layer.name)),
        LayerKind::Lvm(_) if encoding::is_vdo(layer) => {
            facts.reducing.push(format!("{} (vdo)", layer.name));
        }
        LayerKind::Loop(device) => {
            let file = device.file.as_deref().unwrap_or("its file");
            // Without a stack of its own the file is not the one that has this name here.
            let is_seen = device.beneath.is_some();
            let blocks = is_seen.then(|| extents(Path::new(file), 0..u64::MAX).ok());
            let blocks = blocks.flatten();
            let is_allocated = device
                .allocated
                .is_none_or(|a| a.as_f64() >= layer.size.as_f64() * WHOLE);
            if !is_allocated || blocks.is_some_and(|blocks| !is_written(&blocks)) {
                facts.sparse.push(format!("{} ({file})", layer.name));
            }
            if device.direct_io == Some(false) {
                facts.buffered_loops.push(layer.name.clone());
            }
            if encoding::holds_encoded(device, blocks.as_ref()) {
                facts.encoded_below.push(format!("{} ({file})", layer.name));
            }
        }
        _ => {}
    }
}

/// Whether nearly all blocks of the file were written, and not only reserved.
fn is_written(blocks: &Extents) -> bool {
    let unwritten = blocks.unwritten.unwrap_or_default().as_f64();
    unwritten <= blocks.size.as_f64() * (1.0 - WHOLE)
}

/// What the disk says of its own end.
fn failing(layer: &Layer, found: &mut Vec<String>) {
    let all = layer.warnings.iter();
    let failing = all.filter(|warning| warning.is_failing_disk());
    found.extend(failing.map(|warning| format!("{}: {warning}", layer.name)));
}

/// What a device's queue takes: each of its hardware queues has a number of requests of its own. What has none of them (md,
/// dm, bcache, zram) passes its requests on and holds none, whatever `nr_requests` says there, which kernels before 6.5 show
/// as 128 of every device.
fn request_queue(layer: &Layer) -> Option<RequestQueue> {
    let queue = layer.queue.as_ref()?;
    let requests = queue.nr_requests?.saturating_mul(queue.hardware_queues?);
    Some(RequestQueue {
        device: layer.name.clone(),
        requests,
    })
}

/// The device where it makes a write durable that asks for it.
fn takes_fua(layer: &Layer) -> Option<String> {
    let fua = layer.queue.as_ref()?.fua?;
    fua.then(|| layer.name.clone())
}

/// Devices of their own queue that have a volatile cache; the layers above them pass flushes on
/// and do not count them. Flushes are counted as requests (block/blk-flush.c, `blk_account_io_flush`): a disk that has no
/// hardware queues, as NVMe over several paths and zvols have none, passes them on as well.
fn flushes(layer: &Layer, facts: &mut BeneathFacts) {
    if !matches!(layer.kind, LayerKind::Loop(_) | LayerKind::Disk(_)) {
        for below in &layer.below {
            flushes(below, facts);
        }
        return;
    }
    let queue = layer.queue.as_ref();
    let told = queue.and_then(|queue| queue.write_cache.as_deref());
    let is_volatile = queue.and_then(|queue| queue.volatile_cache) == Some(true);
    let counts_flushes = queue.is_some_and(|queue| queue.hardware_queues.is_some());
    let list = match told {
        Some("write back") if counts_flushes => &mut facts.flush_expected,
        Some("write through") if is_volatile => &mut facts.cache_denied,
        _ if layer.warnings.contains(&Warning::WriteCacheUnknown) => &mut facts.cache_unknown,
        _ => return,
    };
    if !list.contains(&layer.name) {
        list.push(layer.name.clone());
    }
}

/// What goes on beneath a target by itself, at this moment.
pub fn background_work(site: &Site) -> Vec<BackgroundWork> {
    let roots = Roots::default();
    let tree = Stack::of(&site.path, &roots);
    tree.map(|tree| background(&tree, &roots))
        .unwrap_or_default()
}

/// What goes on beneath by itself.
pub(super) fn background(tree: &StackTree, roots: &Roots) -> Vec<BackgroundWork> {
    let mut found = Vec::new();
    let mut put = |device: &str, what: &str| {
        found.push(BackgroundWork {
            device: device.to_owned(),
            what: what.to_owned(),
        });
    };
    for layer in tree.layers() {
        for warning in &layer.warnings {
            if let Warning::ArrayBusy { action } = warning {
                put(&layer.name, action);
            }
        }
    }
    if let Some(fs) = &tree.filesystem {
        let point = tree.mount.as_ref().map_or("", |mount| &mount.point);
        if let FsDetail::Btrfs { operation, .. } = &fs.detail {
            let operation = operation.as_deref().unwrap_or("none");
            if operation != "none" {
                put(point, operation);
            }
        }
    }
    found.extend(lazy_initialisation(tree, roots));
    found
}

/// Filesystems beneath, also those of files behind loop devices, whose inode tables are being zeroed;
/// each once. The thread has a name; of a superblock that cannot be read nothing else is known.
pub(super) fn lazy_initialisation(tree: &StackTree, roots: &Roots) -> Vec<BackgroundWork> {
    let is_open = |tree: &&StackTree| {
        let detail = tree.filesystem.as_ref().map(|fs| &fs.detail);
        matches!(detail, Some(FsDetail::Ext(ext)) if ext.lazy_init != Some(false))
    };
    let open: Vec<&StackTree> = tree.trees().into_iter().filter(is_open).collect();
    if open.is_empty() || !lazy_init_runs(roots) {
        return Vec::new();
    }
    let mut points: Vec<&str> = open
        .iter()
        .filter_map(|tree| tree.mount.as_ref())
        .map(|mount| mount.point.as_str())
        .collect();
    points.sort_unstable();
    points.dedup();
    let work = |point: &str| BackgroundWork {
        device: point.to_owned(),
        what: "lazy initialisation of inode tables".to_owned(),
    };
    points.into_iter().map(work).collect()
}

/// Whether the thread that zeroes inode tables is there (fs/ext4/super.c, `ext4lazyinit`).
fn lazy_init_runs(roots: &Roots) -> bool {
    let Ok(entries) = fs::read_dir(&roots.procfs) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let is_process = entry.file_name().to_string_lossy().parse::<u32>().is_ok();
        let comm = || fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
        is_process && comm().trim() == "ext4lazyinit"
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_model::stack::{DevNo, ExtParameters, Queue, TargetKind};
    use etalon_units::Bytes;
    use rustix::fs::FallocateFlags;
    use serde_json::{from_value, json};

    fn tree_with(warnings: Vec<Warning>) -> StackTree {
        let layer = Layer {
            name: "sda".to_owned(),
            devno: DevNo { major: 8, minor: 0 },
            node: "/dev/sda".to_owned(),
            uuid: None,
            size: Bytes::ZERO,
            read_only: false,
            queue: None,
            kind: LayerKind::Unknown { why: String::new() },
            warnings,
            below: Vec::new(),
        };
        StackTree {
            devices: vec![layer],
            ..StackTree::of_nothing("/dev/sda", TargetKind::BlockDevice)
        }
    }

    #[test]
    fn a_disk_that_fails_is_told_and_one_without_a_cache_is_not() {
        let tree = tree_with(vec![
            Warning::WriteCacheOff,
            Warning::UnreadableSectors {
                pending: 8,
                uncorrectable: 0,
            },
        ]);
        let found = facts(&tree).failing;
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("sda: 8 pending"), "{found:?}");
    }

    fn disk(name: &str, queue: Queue) -> Layer {
        let mut layer = tree_with(Vec::new()).devices.remove(0);
        layer.name = name.to_owned();
        layer.size = Bytes::gib(1);
        layer.kind = told_by(None, None);
        layer.queue = Some(queue);
        layer
    }

    /// A disk that tells these of itself.
    fn told_by(rpm: Option<u64>, cache: Option<u64>) -> LayerKind {
        from_value(json!({
            "type": "disk", "transport": "ata", "removable": false, "links": [], "by_id": [],
            "rotation_rpm": rpm, "cache_size_bytes": cache,
        }))
        .unwrap()
    }

    #[test]
    fn a_file_that_only_has_the_name_of_a_loop_devices_is_not_asked_for_its_blocks() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("image");
        let reserved = std::fs::File::create(&file).unwrap();
        rustix::fs::fallocate(&reserved, FallocateFlags::empty(), 0, 1 << 20).unwrap();
        let blocks = extents(&file, 0..u64::MAX).unwrap();
        // Filesystems that do not tell what is reserved leave nothing to look for.
        let told = usize::from(blocks.unwritten == Some(blocks.size));
        let mut tree = tree_with(Vec::new());
        let mut of = |beneath: Option<StackTree>| {
            let device = json!({
                "type": "loop", "file": file, "deleted": false, "offset_bytes": 0, "beneath": beneath,
            });
            tree.devices[0].kind = from_value(device).unwrap();
            facts(&tree).sparse.len()
        };
        assert_eq!(of(None), 0);
        assert_eq!(of(Stack::of(&file, &Roots::default()).ok()), told);
    }

    fn cached(write_cache: &str, is_volatile: bool) -> Queue {
        Queue {
            write_cache: Some(write_cache.to_owned()),
            volatile_cache: Some(is_volatile),
            hardware_queues: Some(1),
            ..Queue::default()
        }
    }

    #[test]
    fn disks_without_hardware_queues_count_no_flushes() {
        let of = |hardware_queues| {
            let queue = Queue {
                hardware_queues,
                ..cached("write back", true)
            };
            let mut found = BeneathFacts::default();
            flushes(&disk("nvme0n1", queue), &mut found);
            found.flush_expected
        };
        assert_eq!(of(Some(4)), ["nvme0n1"]);
        assert_eq!(of(None), [""; 0]);
    }

    #[test]
    fn flushes_are_due_of_the_disks_below_and_a_denied_cache_is_told() {
        let mut array = tree_with(Vec::new()).devices.remove(0);
        array.below = vec![
            disk("sda", cached("write back", true)),
            disk("sda", cached("write back", true)),
            disk("sdb", cached("write through", true)),
            disk("sdc", cached("write through", false)),
            disk("sdd", Queue::default()),
        ];
        let mut found = BeneathFacts::default();
        flushes(&array, &mut found);
        assert_eq!(found.flush_expected, ["sda"]);
        assert_eq!(found.cache_denied, ["sdb"]);
    }

    #[test]
    fn a_cache_that_a_bridge_may_hide_is_not_known() {
        let mut told = disk("sda", cached("write through", false));
        assert_eq!(facts(&on(told.clone())).cache_unknown, [""; 0]);
        told.warnings = vec![Warning::WriteCacheUnknown];
        let found = facts(&on(told));
        assert_eq!(found.cache_unknown, ["sda"]);
        assert_eq!(found.cache_denied, [""; 0]);
    }

    fn on(disk: Layer) -> StackTree {
        StackTree {
            devices: vec![disk],
            ..tree_with(Vec::new())
        }
    }

    #[test]
    fn disks_that_take_forced_writes_are_told() {
        let mut tree = tree_with(Vec::new());
        let disks = [(0, Some(true)), (1, Some(false)), (2, None)].map(|(number, fua)| {
            let queue = Queue {
                fua,
                ..cached("write back", true)
            };
            let mut one = disk(&format!("nvme{number}n1"), queue);
            one.devno.minor = number;
            one
        });
        tree.devices = disks.into();
        let found = facts(&tree);
        assert_eq!(found.takes_fua, ["nvme0n1"]);
        assert_eq!(found.flush_expected, ["nvme0n1", "nvme1n1", "nvme2n1"]);
    }

    #[test]
    fn disks_are_taken_together_and_what_one_does_not_tell_is_not_known() {
        let of = |all: &[(Option<bool>, Option<u64>, Option<u64>)]| {
            let mut tree = tree_with(Vec::new());
            let disks = all.iter().zip(0..).map(|((turns, rpm, cache), number)| {
                let queue = Queue {
                    rotational: *turns,
                    ..Queue::default()
                };
                let mut one = disk(&format!("sd{number}"), queue);
                one.devno.minor = number;
                one.kind = told_by(*rpm, *cache);
                one
            });
            tree.devices = disks.collect();
            let found = super::disks(&tree).unwrap();
            (found.size, found.rotational, found.cache)
        };
        let (turning, flash) = (
            (Some(true), Some(7200), Some(8)),
            (Some(false), None, Some(4)),
        );
        let size = |number| Bytes::gib(number);
        assert_eq!(of(&[turning]), (size(1), Some(true), Some(Bytes(8))));
        assert_eq!(of(&[flash, flash]), (size(2), Some(false), Some(Bytes(8))));
        assert_eq!(of(&[turning, flash]), (size(2), None, Some(Bytes(12))));
        // A virtual disk is said to turn where nobody asked, and tells no cache.
        let is_virtual = (Some(true), None, None);
        assert_eq!(of(&[is_virtual]), (size(1), None, None));
        assert_eq!(super::disks(&tree_with(Vec::new())), None);
    }

    #[test]
    fn lazy_initialisation_is_known_by_its_thread_and_named_once() {
        let proc = tempfile::tempdir().unwrap();
        let roots = Roots::under(proc.path());
        let thread = proc.path().join("proc/77");
        std::fs::create_dir_all(&thread).unwrap();
        let mut tree = Stack::of("/proc".as_ref(), &Roots::default()).unwrap();
        let lazy = |tree: &mut StackTree, lazy_init| {
            tree.filesystem.as_mut().unwrap().detail = FsDetail::Ext(ExtParameters {
                lazy_init,
                ..ExtParameters::default()
            });
        };
        lazy(&mut tree, None);
        std::fs::write(thread.join("comm"), "sh\n").unwrap();
        assert_eq!(lazy_initialisation(&tree, &roots), []);
        std::fs::write(thread.join("comm"), "ext4lazyinit\n").unwrap();
        let found = lazy_initialisation(&tree, &roots);
        assert_eq!((found.len(), found[0].device.as_str()), (1, "/proc"));
        lazy(&mut tree, Some(true));
        assert_eq!(lazy_initialisation(&tree, &roots).len(), 1);
        lazy(&mut tree, Some(false));
        assert_eq!(lazy_initialisation(&tree, &roots), []);
    }

    #[test]
    fn any_array_at_work_is_background() {
        let tree = tree_with(vec![Warning::ArrayBusy {
            action: "recover".to_owned(),
        }]);
        let found = background(&tree, &Roots::default());
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].device.as_str(), found[0].what.as_str()),
            ("sda", "recover")
        );
    }
}
