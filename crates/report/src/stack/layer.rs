//! Lines on a block device.

use etalon_language::say;
use etalon_model::stack::{
    Bcache, Disk, Layer, LayerKind, LoopDevice, Md, Partition, Queue, Smart, Zram,
};

use super::{facts, joined, link, mapped, served, show, term};

pub(super) fn heading(layer: &Layer) -> String {
    let what = match &layer.kind {
        LayerKind::Partition(p) => say!("stack-partition", number = p.number.to_string()),
        LayerKind::Lvm(lv) => {
            let part = if lv.layer.is_empty() {
                String::new()
            } else {
                format!(" ({})", lv.layer)
            };
            format!("LVM volume {}/{}{part}", lv.vg, lv.lv)
        }
        LayerKind::Crypt(crypt) => format!("dm-crypt {} ({})", crypt.name, crypt.format),
        LayerKind::Multipath(path) => format!("multipath {}", path.name),
        LayerKind::Mapper(mapper) => format!("device-mapper {}", mapper.name),
        LayerKind::Md(md) => say!("stack-raid", level = md.level),
        LayerKind::Bcache(_) => "bcache".to_owned(),
        LayerKind::Loop(_) => say!("stack-loop"),
        LayerKind::Zram(_) => say!("stack-zram"),
        LayerKind::Disk(disk) => disk_heading(disk),
        LayerKind::Unknown { why } => say!("stack-not-examined", why = why),
    };
    let read_only = match layer.read_only {
        true => format!(", {}", say!("stack-read-only")),
        false => String::new(),
    };
    format!("{}: {what}, {}{read_only}", layer.name, layer.size)
}

fn disk_heading(disk: &Disk) -> String {
    let names = [&disk.vendor, &disk.model].into_iter().flatten();
    let names: Vec<&str> = names.map(String::as_str).collect();
    let mut heading = say!("stack-disk", transport = disk.transport.name());
    if disk.removable {
        heading.push_str(&format!(" ({})", say!("stack-removable")));
    }
    let names = names.iter().flat_map(|name| [" ", name]);
    heading.extend(names);
    heading
}

pub(super) fn details(layer: &Layer) -> Vec<String> {
    let mut lines = match &layer.kind {
        LayerKind::Partition(p) => partition(p),
        LayerKind::Lvm(lv) => mapped::volume(lv, &layer.below),
        LayerKind::Crypt(crypt) => mapped::crypt(crypt),
        LayerKind::Multipath(path) => mapped::multipath(path),
        LayerKind::Mapper(mapper) => mapped::other(mapper, &layer.below),
        LayerKind::Md(md) => array(md),
        LayerKind::Bcache(cache) => bcache(cache),
        LayerKind::Loop(device) => loop_device(device),
        LayerKind::Zram(zram) => compressed(zram),
        LayerKind::Disk(disk) => disk_lines(disk),
        LayerKind::Unknown { .. } => Vec::new(),
    };
    lines.extend(layer.queue.as_ref().into_iter().flat_map(queue));
    if let LayerKind::Disk(disk) = &layer.kind {
        lines.extend(disk.links.iter().map(link::line));
        lines.extend(disk.served_here.as_deref().map(served::line));
    }
    lines
}

fn one(line: Option<String>) -> Vec<String> {
    line.into_iter().collect()
}

fn partition(p: &Partition) -> Vec<String> {
    let place = p
        .starts_at
        .zip(p.ends_at)
        .map(|(from, to)| say!("stack-place", from = from, to = to));
    let aligned = match p.misaligned_by.get() {
        0 => say!("stack-aligned"),
        bytes => say!("stack-misaligned", bytes = bytes.to_string()),
    };
    one(facts(&[
        ("name", show(&p.label)),
        (
            "begins at",
            Some(say!("stack-byte", offset = p.offset.get().to_string())),
        ),
        ("", Some(aligned)),
        ("from", place),
    ]))
}

fn array(md: &Md) -> Vec<String> {
    let mut lines = one(facts(&[
        ("layout", show(&md.layout)),
        ("chunk", show(&md.chunk)),
        ("metadata", show(&md.metadata)),
        ("bitmap", show(&md.bitmap)),
    ]));
    lines.extend(facts(&[
        ("state", show(&md.state)),
        (
            "",
            Some(say!(
                "stack-members",
                present = md.raid_disks.saturating_sub(md.degraded),
                all = md.raid_disks
            )),
        ),
        ("action", show(&md.sync_action)),
        ("at", show(&md.sync_progress)),
        ("", show(&md.sync_speed)),
        (
            "mismatches",
            md.mismatch_sectors
                .filter(|n| *n > 0)
                .map(|n| say!("stack-sectors", count = n)),
        ),
    ]));
    let members = md.members.iter().map(|member| {
        let slot = member
            .slot
            .map_or_else(|| term("spare"), |slot| format!("{} {slot}", term("slot")));
        let said = format!("{slot}, {}", member.state);
        let said = match member.errors.filter(|n| *n > 0) {
            Some(count) => say!("stack-errors", member = said, count = count),
            None => said,
        };
        format!("{} ({said})", member.name)
    });
    let members: Vec<String> = members.collect();
    lines.extend(
        (!members.is_empty()).then(|| say!("stack-member-list", members = members.join(", "))),
    );
    lines
}

fn bcache(cache: &Bcache) -> Vec<String> {
    one(facts(&[
        ("mode", show(&cache.cache_mode)),
        ("state", show(&cache.state)),
        ("dirty", show(&cache.dirty_data)),
        ("sequential cutoff", show(&cache.sequential_cutoff)),
        ("backing", joined(&cache.backing)),
        ("cache", joined(&cache.cache)),
    ]))
}

fn loop_device(device: &LoopDevice) -> Vec<String> {
    let direct = device.direct_io.map(|on| match on {
        true => say!("stack-direct"),
        false => say!("stack-buffered"),
    });
    one(facts(&[
        ("file", show(&device.file)),
        (
            "offset",
            Some(device.offset)
                .filter(|o| o.get() > 0)
                .map(|o| o.to_string()),
        ),
        ("size limit", show(&device.size_limit)),
        ("", direct),
        ("allocated", show(&device.allocated)),
    ]))
}

fn compressed(zram: &Zram) -> Vec<String> {
    one(facts(&[
        ("compressor", show(&zram.algorithm)),
        ("holds", show(&zram.stored)),
        ("compressed to", show(&zram.compressed)),
        ("memory", show(&zram.memory)),
        ("same-filled pages", show(&zram.same_pages)),
        ("backing", show(&zram.backing).filter(|b| b != "none")),
    ]))
}

fn disk_lines(disk: &Disk) -> Vec<String> {
    let mut lines = one(facts(&[
        ("serial", show(&disk.serial)),
        ("firmware", show(&disk.firmware)),
        ("WWID", show(&disk.wwid)),
        ("driver", show(&disk.driver)),
        ("state", show(&disk.state)),
        ("cache", show(&disk.cache_size)),
        ("", disk.rotation_rpm.map(|rpm| format!("{rpm} rpm"))),
        (
            "temperature",
            disk.temperature_celsius.map(|t| format!("{t:.0} °C")),
        ),
    ]));
    lines.extend(disk.smart.as_deref().and_then(health));
    lines.extend(
        disk.by_id
            .first()
            .map(|name| format!("/dev/disk/by-id/{name}")),
    );
    lines
}

/// Counts of trouble stand only where there is some.
fn health(smart: &Smart) -> Option<String> {
    let verdict = smart.passed.map(|passed| match passed {
        true => term("passed"),
        false => term("failing"),
    });
    let some = |count: Option<u64>| count.filter(|count| *count > 0).map(|n| n.to_string());
    let spare = smart
        .available_spare
        .map(|spare| match smart.spare_threshold {
            Some(threshold) => say!("stack-spare", spare = spare, threshold = threshold),
            None => spare.to_string(),
        });
    let line = facts(&[
        ("", verdict),
        ("endurance used", show(&smart.endurance_used)),
        ("spare", spare),
        ("hours on", show(&smart.power_on_hours)),
        ("unsafe shutdowns", some(smart.unsafe_shutdowns)),
        ("media errors", some(smart.media_errors)),
        ("reallocated sectors", some(smart.reallocated_sectors)),
        ("pending sectors", some(smart.pending_sectors)),
        ("uncorrectable sectors", some(smart.offline_uncorrectable)),
        ("attribute 197", some(smart.attribute_197)),
        ("attribute 198", some(smart.attribute_198)),
        ("reported uncorrectable", some(smart.reported_uncorrectable)),
        ("checksum errors of the link", some(smart.crc_errors)),
    ]);
    line.map(|line| format!("SMART {line}"))
}

fn queue(queue: &Queue) -> Vec<String> {
    let blocks = queue.logical_block.zip(queue.physical_block);
    let spins = queue.rotational.map(|on| match on {
        true => say!("stack-rotational"),
        false => say!("stack-non-rotational"),
    });
    let discard = queue.discard_max.map(|max| match max.get() {
        0 => say!("stack-no-discard"),
        _ => say!("stack-discard", most = max),
    });
    let choices = Some(queue.schedulers.join(" ")).filter(|_| queue.schedulers.len() > 1);
    let scheduler = queue.scheduler.as_ref().map(|s| match choices {
        Some(all) => say!("stack-scheduler-of", scheduler = s, all = all),
        None => s.clone(),
    });
    let mut lines = one(facts(&[
        ("", spins),
        (
            "blocks of",
            blocks.map(|(logical, physical)| {
                say!("stack-blocks", logical = logical, physical = physical)
            }),
        ),
        (
            "optimal",
            queue
                .optimal_io
                .filter(|o| o.get() > 0)
                .map(|o| o.to_string()),
        ),
        ("cache", show(&queue.write_cache)),
        ("FUA", queue.fua.map(yes_no)),
        ("", discard),
        ("zoned", show(&queue.zoned).filter(|z| z != "none")),
        ("zones of", show(&queue.zone_size)),
    ]));
    lines.extend(facts(&[
        ("scheduler", scheduler),
        ("requests", show(&queue.nr_requests)),
        ("hardware queues", show(&queue.hardware_queues)),
        ("readahead", show(&queue.read_ahead)),
        ("largest request", show(&queue.max_request)),
        (
            "nomerges",
            queue.nomerges.filter(|n| *n > 0).map(|n| n.to_string()),
        ),
        ("rq_affinity", show(&queue.rq_affinity)),
        (
            "writeback throttling",
            queue
                .wbt_lat_usec
                .filter(|n| *n > 0)
                .map(|n| format!("{n} us")),
        ),
    ]));
    lines
}

fn yes_no(on: bool) -> String {
    term(if on { "yes" } else { "no" })
}
