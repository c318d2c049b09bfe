//! What LVM writes on a physical volume: label, header, metadata area
//! (lvm2, lib/format_text/layout.h; all little-endian).

use etalon_model::stack::{Layer, LayerKind, LogicalVolume, SECTOR_BYTES};
use etalon_units::Bytes;

use super::lvm_text::{Section, parse};
use crate::bits::{Block, product};
use crate::context::Context;

/// The label stands in one of the first four sectors.
const LABEL_SECTORS: usize = 4;
const SECTOR: usize = SECTOR_BYTES as usize;
/// `FMTT_MAGIC` of a metadata area.
const AREA_MAGIC: &[u8] = b"\x20LVM2\x20x[5A%r0N*>";
/// Metadata of large groups takes some MiB; beyond this it is not read.
const LONGEST_METADATA: u64 = 16 << 20;
/// Physical volumes lie at most a few layers below (raid and thin volumes have volumes between).
const DEEPEST: usize = 6;

/// Adds extent size to `volume`, and segment type and stripes where the kernel's table did not give
/// them, from the nearest readable physical volume beneath `layer`.
pub(super) fn fill_in(context: &Context<'_>, layer: &Layer, volume: &mut LogicalVolume) {
    let text = layer
        .below
        .iter()
        .find_map(|below| metadata_below(context, below, 0));
    let readable = text.is_some();
    let _ = text.and_then(|text| describe(&parse(&text)?, volume));
    let what = match (&volume.segment_type, &volume.extent_size) {
        (None, _) => "segment type",
        (_, None) => "extent size",
        _ => return,
    };
    let why = match readable {
        true => "the metadata on its physical volume does not name it",
        false => "no physical volume beneath could be read; root can read them",
    };
    context.note(format!("{what} of {}/{}", volume.vg, volume.lv), why);
}

fn metadata_below(context: &Context<'_>, layer: &Layer, depth: usize) -> Option<String> {
    if depth > DEEPEST {
        return None;
    }
    if matches!(layer.kind, LayerKind::Lvm(_)) {
        return layer
            .below
            .iter()
            .find_map(|l| metadata_below(context, l, depth + 1));
    }
    metadata_of(context, layer)
}

/// The metadata text of one physical volume.
fn metadata_of(context: &Context<'_>, device: &Layer) -> Option<String> {
    let what = "LVM metadata";
    let head = context.device_bytes(device, 0, LABEL_SECTORS * SECTOR, what)?;
    let (start, length) = area_of(&head)?;
    let header = context.device_bytes(device, start, SECTOR, what)?;
    if header.get(4..20) != Some(AREA_MAGIC) {
        return None;
    }
    let area = Block {
        bytes: &header,
        big_endian: false,
    };
    // The first location after checksum, magic, version, start and size.
    let (offset, size) = (area.u64(40)?, area.u64(48)?);
    if size > LONGEST_METADATA || offset >= length {
        return None;
    }
    // The area is a ring behind its header sector.
    let first = size.min(length - offset);
    let mut bytes = context.device_bytes(
        device,
        start.checked_add(offset)?,
        usize::try_from(first).ok()?,
        what,
    )?;
    if size > first {
        let again = start.checked_add(SECTOR_BYTES)?;
        let rest =
            context.device_bytes(device, again, usize::try_from(size - first).ok()?, what)?;
        bytes.extend(rest);
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Offset and length of the first metadata area, from the first sectors of a physical volume.
fn area_of(head: &[u8]) -> Option<(u64, u64)> {
    let sectors = head.chunks_exact(SECTOR).enumerate();
    let mut labels =
        sectors.filter(|(_, s)| s.starts_with(b"LABELONE") && &s[24..32] == b"LVM2 001");
    let (index, sector) = labels.next()?;
    let label = Block {
        bytes: sector,
        big_endian: false,
    };
    let header = index
        .checked_mul(SECTOR)?
        .checked_add(usize::try_from(label.u32(20)?).ok()?)?;
    let head = Block {
        bytes: head,
        big_endian: false,
    };
    // UUID of 32 bytes and the size, then pairs for data areas up to a zero, then metadata areas.
    let mut at = header.checked_add(40)?;
    while head.u64(at)? != 0 {
        at += 16;
    }
    let (offset, length) = (head.u64(at + 16)?, head.u64(at + 24)?);
    (offset != 0 && length > SECTOR_BYTES).then_some((offset, length))
}

fn describe(all: &Section, volume: &mut LogicalVolume) -> Option<()> {
    let vg = all.get(&volume.vg)?.section()?;
    let sectors = |n: u64| product(n, Some(Bytes(SECTOR_BYTES)));
    volume.extent_size = vg
        .get("extent_size")
        .and_then(|v| v.number())
        .and_then(sectors);
    let lv = vg
        .get("logical_volumes")?
        .section()?
        .get(&volume.lv)?
        .section()?;
    if volume.segment_type.is_some() {
        return Some(());
    }
    volume.segments = lv.get("segment_count").and_then(|v| v.number());
    let segment = lv.get("segment1")?.section()?;
    let number = |key: &str| segment.get(key).and_then(|v| v.number());
    let stripes = number("stripe_count").or_else(|| number("device_count"));
    let segment_type = segment.get("type").and_then(|v| v.text())?;
    // A single stripe is stored as "striped", which lvs(8) calls linear.
    let linear = segment_type == "striped" && stripes == Some(1);
    volume.segment_type = Some(if linear { "linear" } else { segment_type }.to_owned());
    volume.stripes = stripes;
    volume.stripe_size = number("stripe_size").filter(|_| !linear).and_then(sectors);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn volume() -> LogicalVolume {
        LogicalVolume {
            vg: "vg0".to_owned(),
            lv: "data".to_owned(),
            layer: String::new(),
            segment_type: None,
            stripes: None,
            stripe_size: None,
            segments: None,
            extent_size: None,
            targets: Vec::new(),
        }
    }

    fn described(segment: &str) -> LogicalVolume {
        let text = format!(
            "vg0 {{ extent_size = 8192 logical_volumes {{ data {{ segment_count = 1 segment1 {{ {segment} }} }} }} }}"
        );
        let mut volume = volume();
        describe(&parse(&text).unwrap(), &mut volume).unwrap();
        volume
    }

    #[test]
    fn one_stripe_is_linear_and_more_have_a_size() {
        let linear = described("type = \"striped\" stripe_count = 1");
        assert_eq!(linear.segment_type.as_deref(), Some("linear"));
        assert_eq!(
            (linear.stripe_size, linear.extent_size),
            (None, Some(Bytes::mib(4)))
        );
        let striped = described("type = \"striped\" stripe_count = 2 stripe_size = 128");
        assert_eq!(striped.segment_type.as_deref(), Some("striped"));
        assert_eq!(
            (striped.stripes, striped.stripe_size),
            (Some(2), Some(Bytes::kib(64)))
        );
        let mirror = described("type = \"raid1\" device_count = 2");
        assert_eq!(
            (mirror.segment_type.as_deref(), mirror.stripes),
            (Some("raid1"), Some(2))
        );
    }

    #[test]
    fn the_area_is_found_behind_the_label() {
        let mut head = vec![0; 2048];
        head[512..520].copy_from_slice(b"LABELONE");
        head[532..536].copy_from_slice(&32_u32.to_le_bytes());
        head[536..544].copy_from_slice(b"LVM2 001");
        let pairs = 512 + 32 + 40;
        head[pairs..pairs + 8].copy_from_slice(&1_048_576_u64.to_le_bytes());
        head[pairs + 32..pairs + 40].copy_from_slice(&4096_u64.to_le_bytes());
        head[pairs + 40..pairs + 48].copy_from_slice(&1_044_480_u64.to_le_bytes());
        assert_eq!(area_of(&head), Some((4096, 1_044_480)));
        assert_eq!(area_of(&head[..600]), None);
        assert_eq!(area_of(&[]), None);
    }

    proptest! {
        #[test]
        fn no_label_panics(offset: u32, rest in prop::collection::vec(any::<u8>(), 0..1600)) {
            let mut head = b"LABELONE".to_vec();
            head.extend([0; 12]);
            head.extend(offset.to_le_bytes());
            head.extend(b"LVM2 001");
            head.extend(rest);
            let _ = area_of(&head);
        }
    }
}
