//! Memory modules, from the tables of the firmware (SMBIOS specification, type 17).

use super::GatheredFacts;
use crate::bits::Block;

/// Modules that are read at most; the largest boards have some hundred slots.
const MOST_MODULES: usize = 1024;

pub(super) fn read(facts: &mut GatheredFacts<'_>) {
    let entries = facts.context.roots.sysfs.join("firmware/dmi/entries");
    let names = facts.context.names(&entries).into_iter();
    let modules = names
        .filter(|name| name.starts_with("17-"))
        .take(MOST_MODULES);
    for name in modules.collect::<Vec<_>>() {
        let path = entries.join(&name).join("raw");
        let raw = facts.context.raw(&path);
        let module = raw.as_deref().and_then(module);
        let key = format!("memory.module.{}", name.trim_start_matches("17-"));
        facts.put(&key, module);
        if facts.context.is_refused(&path) {
            facts.unreadable.insert(key);
        }
    }
}

/// One module in words (`DIMM_A1: 16 GiB, DDR4, 3200 MT/s of 3200, Samsung M471A2K43`); an empty
/// slot as well.
fn module(entry: &[u8]) -> Option<String> {
    let block = Block {
        bytes: entry,
        big_endian: false,
    };
    if block.number(0, 1) != Some(17) {
        return None;
    }
    let place = string(entry, 0x10).or_else(|| string(entry, 0x11));
    let place = place.unwrap_or_else(|| "a slot without a name".to_owned());
    let Some(size) = size_mib(&block) else {
        return Some(format!("{place}: empty"));
    };
    let maker: Vec<String> = [0x17, 0x1a]
        .into_iter()
        .filter_map(|at| string(entry, at))
        .collect();
    let words = [
        Some(etalon_units::Bytes::mib(size).to_string()),
        field(&block, 0x12, 1).and_then(kind).map(str::to_owned),
        speed(&block),
        Some(maker.join(" ")).filter(|words| !words.is_empty()),
    ];
    let words: Vec<String> = words.into_iter().flatten().collect();
    Some(format!("{place}: {}", words.join(", ")))
}

/// A number within the formatted area, whose length stands in its second byte.
fn field(block: &Block<'_>, at: usize, width: usize) -> Option<u64> {
    let length = block.number(1, 1)?;
    (at + width <= length as usize).then(|| block.number(at, width))?
}

/// Size in MiB; none for an empty slot, or where it is not known. Bit 15 marks KiB, 0x7fff a size
/// that stands in the extended field.
fn size_mib(block: &Block<'_>) -> Option<u64> {
    match field(block, 0x0c, 2)? {
        0 | 0xffff => None,
        0x7fff => field(block, 0x1c, 4).map(|size| size & 0x7fff_ffff),
        kib if kib & 0x8000 != 0 => Some((kib & 0x7fff) / 1024),
        mib => Some(mib),
    }
}

/// The speed that it runs at, and that it is made for.
fn speed(block: &Block<'_>) -> Option<String> {
    let known = |at| field(block, at, 2).filter(|speed| !matches!(speed, 0 | 0xffff));
    match (known(0x20), known(0x15)) {
        (Some(now), Some(able)) => Some(format!("{now} MT/s of {able}")),
        (Some(speed), None) | (None, Some(speed)) => Some(format!("{speed} MT/s")),
        (None, None) => None,
    }
}

fn kind(code: u64) -> Option<&'static str> {
    const KINDS: [(u64, &str); 11] = [
        (0x12, "DDR"),
        (0x13, "DDR2"),
        (0x18, "DDR3"),
        (0x1a, "DDR4"),
        (0x1b, "LPDDR"),
        (0x1c, "LPDDR2"),
        (0x1d, "LPDDR3"),
        (0x1e, "LPDDR4"),
        (0x20, "HBM"),
        (0x22, "DDR5"),
        (0x23, "LPDDR5"),
    ];
    let known = KINDS.iter().find(|(number, _)| *number == code);
    known.map(|(_, name)| *name)
}

/// The string that the byte at `at` numbers from 1; strings follow the formatted area, each with a
/// zero byte after it.
fn string(entry: &[u8], at: usize) -> Option<String> {
    let length = usize::from(*entry.get(1)?);
    let number = (at < length).then(|| entry.get(at).copied())??;
    let index = usize::from(number).checked_sub(1)?;
    let text = entry.get(length..)?.split(|byte| *byte == 0).nth(index)?;
    let text = crate::text::clean(&String::from_utf8_lossy(text));
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Type 17 as a laptop's firmware writes it: 16 GiB of DDR4.
    fn entry(size: u16, strings: &str) -> Vec<u8> {
        let mut bytes = vec![0; 0x28];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(0, &[17, 0x28, 0x3a, 0]);
        put(0x0c, &size.to_le_bytes());
        put(0x10, &[1, 2, 0x1a]);
        put(0x15, &3200_u16.to_le_bytes());
        put(0x17, &[3, 0, 0, 4]);
        put(0x1c, &65_536_u32.to_le_bytes());
        put(0x20, &2667_u16.to_le_bytes());
        bytes.extend(strings.replace('|', "\0").bytes());
        bytes.extend([0, 0]);
        bytes
    }

    #[test]
    fn a_module_has_place_size_kind_speed_and_maker() {
        let strings = "DIMM_A1|BANK 0|Samsung|M471A2K43CB1-CTD   ";
        assert_eq!(
            module(&entry(16_384, strings)).as_deref(),
            Some("DIMM_A1: 16 GiB, DDR4, 2667 MT/s of 3200, Samsung M471A2K43CB1-CTD")
        );
        let large = module(&entry(0x7fff, strings)).unwrap();
        assert!(large.starts_with("DIMM_A1: 64 GiB"), "{large}");
        assert_eq!(
            module(&entry(0, strings)).as_deref(),
            Some("DIMM_A1: empty")
        );
    }

    #[test]
    fn another_table_is_no_module() {
        assert_eq!(module(&[16, 4, 0, 0]), None);
        assert_eq!(module(&[]), None);
    }

    proptest! {
        #[test]
        fn no_entry_panics(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
            let _ = module(&bytes);
            let _ = module(&[&[17, 0x28], bytes.as_slice()].concat());
        }
    }
}
