//! ATA's answers on power and health (ACS-3), as SCSI carries them (SAT-4).

use etalon_model::stack::Smart;

use crate::bits::Block;

/// The registers that a command without data returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Registers {
    status: u8,
    count: u8,
    middle: u8,
    high: u8,
}

/// The registers inside sense data: a descriptor of type 9 (SAT-4, ATA Status Return), or the
/// information fields of the fixed format, when its code says that they hold registers.
pub(super) fn registers(sense: &[u8]) -> Option<Registers> {
    match sense.first()? & 0x7f {
        0x72 => {
            let mut rest = sense.get(8..)?;
            loop {
                let (kind, length) = (*rest.first()?, usize::from(*rest.get(1)?));
                if kind == 0x09 {
                    return Some(Registers {
                        status: *rest.get(13)?,
                        count: *rest.get(5)?,
                        middle: *rest.get(9)?,
                        high: *rest.get(11)?,
                    });
                }
                rest = rest.get(2 + length..)?;
            }
        }
        0x70 if sense.get(12..14)? == REGISTERS_RETURNED => Some(Registers {
            status: *sense.get(4)?,
            count: *sense.get(6)?,
            middle: *sense.get(10)?,
            high: *sense.get(11)?,
        }),
        _ => None,
    }
}

/// Additional sense code and qualifier: ATA pass-through information available.
const REGISTERS_RETURNED: [u8; 2] = [0x00, 0x1d];
/// The bit of the status register that says the command failed.
const ERROR: u8 = 1;

/// Whether CHECK POWER MODE found the disk in standby: 00h and 01h are standby and its deeper
/// form, 40h is a stopped spindle under a cache that is not volatile.
pub(super) fn is_standby(found: &Registers) -> bool {
    found.status & ERROR == 0 && matches!(found.count, 0x00 | 0x01 | 0x40)
}

/// The verdict of SMART RETURN STATUS, which swaps its password for 2Ch and F4h when a threshold
/// is exceeded; none when the registers hold neither.
pub(super) fn passed(found: &Registers) -> Option<bool> {
    match (found.middle, found.high) {
        _ if found.status & ERROR != 0 => None,
        (0x4f, 0xc2) => Some(true),
        (0xf4, 0x2c) => Some(false),
        _ => None,
    }
}

const LENGTH: usize = 512;
/// Thirty attributes of twelve bytes stand behind the version (the layout that all vendors kept
/// from SFF-8035i).
const FIRST: usize = 2;
const ATTRIBUTE: usize = 12;
const ATTRIBUTES: usize = 30;

/// The attributes of SMART READ DATA; none when the page is cut off or its checksum is wrong.
pub(super) fn attributes(page: &[u8]) -> Option<Smart> {
    let page = page.get(..LENGTH)?;
    let sum = page.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
    if sum != 0 {
        return None;
    }
    let table = &page[FIRST..FIRST + ATTRIBUTE * ATTRIBUTES];
    let raw = |id: u8| {
        let mut entries = table.chunks_exact(ATTRIBUTE);
        entries.find(|entry| entry[0] == id).map(|entry| Block {
            bytes: &entry[5..11],
            big_endian: false,
        })
    };
    // Vendors pack other figures into the upper bytes of the six.
    let count = |id: u8| raw(id)?.number(0, 4);
    // The lowest byte is degrees; above stand the extremes. 190 is the same of the airflow.
    let celsius = |id: u8| {
        let byte = raw(id)?.bytes[0];
        Some(f64::from(byte.cast_signed())).filter(|celsius| *celsius != 0.0)
    };
    Some(Smart {
        temperature_celsius: celsius(194).or_else(|| celsius(190)),
        power_on_hours: count(9),
        reallocated_sectors: count(5),
        reported_uncorrectable: count(187),
        pending_sectors: count(197),
        offline_uncorrectable: count(198),
        crc_errors: count(199),
        ..Smart::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A page with these attributes and raw values, and a right checksum.
    fn page(values: &[(u8, u64)]) -> Vec<u8> {
        let mut page = vec![0; LENGTH];
        for (index, (id, raw)) in values.iter().enumerate() {
            let at = FIRST + index * ATTRIBUTE;
            page[at] = *id;
            page[at + 5..at + 11].copy_from_slice(&raw.to_le_bytes()[..6]);
        }
        let sum = page.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
        page[511] = 0_u8.wrapping_sub(sum);
        page
    }

    #[test]
    fn attributes_are_found_by_their_numbers() {
        let found = attributes(&page(&[
            (5, 12),
            (9, 0x00ab_0000_8ca0),
            (187, 2),
            (194, 0x002d_0012_0024),
            (197, 8),
            (198, 1),
            (199, 77),
        ]));
        let expected = Smart {
            temperature_celsius: Some(36.0),
            power_on_hours: Some(36_000),
            reallocated_sectors: Some(12),
            reported_uncorrectable: Some(2),
            pending_sectors: Some(8),
            offline_uncorrectable: Some(1),
            crc_errors: Some(77),
            ..Smart::default()
        };
        assert_eq!(found, Some(expected));
        let frost = attributes(&page(&[(190, 0xfb)])).unwrap();
        assert_eq!(frost.temperature_celsius, Some(-5.0));
    }

    #[test]
    fn a_page_with_a_wrong_checksum_is_not_believed() {
        let mut bad = page(&[(197, 0)]);
        bad[100] ^= 1;
        assert_eq!(attributes(&bad), None);
        assert_eq!(attributes(&page(&[])[..511]), None);
    }

    /// Sense data in both formats (SAT-4) with these registers.
    fn senses(status: u8, count: u8, middle: u8, high: u8) -> [Vec<u8>; 2] {
        let mut descriptor = vec![0x72, 1, 0, 0x1d, 0, 0, 0, 14];
        descriptor.extend([9, 12, 0, 0, 0, count, 0, 0, 0, middle, 0, high, 0, status]);
        let mut fixed = vec![0xf0, 0, 1, 0, status, 0, count, 10, 0, 0, middle, high];
        fixed.extend([0x00, 0x1d]);
        [descriptor, fixed]
    }

    #[test]
    fn the_verdict_stands_in_the_address() {
        for sense in senses(0x50, 0, 0x4f, 0xc2) {
            assert_eq!(passed(&registers(&sense).unwrap()), Some(true));
        }
        for sense in senses(0x50, 0, 0xf4, 0x2c) {
            assert_eq!(passed(&registers(&sense).unwrap()), Some(false));
        }
        for sense in senses(0x51, 0, 0x4f, 0xc2) {
            assert_eq!(passed(&registers(&sense).unwrap()), None);
        }
        for sense in senses(0x50, 0, 0, 0) {
            assert_eq!(passed(&registers(&sense).unwrap()), None);
        }
    }

    #[test]
    fn the_power_mode_stands_in_the_count() {
        for (count, sleeps) in [
            (0x00, true),
            (0x01, true),
            (0x40, true),
            (0x80, false),
            (0xff, false),
        ] {
            for sense in senses(0x50, count, 0, 0) {
                assert_eq!(
                    is_standby(&registers(&sense).unwrap()),
                    sleeps,
                    "{count:#x}"
                );
            }
        }
        // A disk that refuses the command does not sleep.
        assert!(!is_standby(&registers(&senses(0x51, 0, 0, 0)[0]).unwrap()));
    }

    #[test]
    fn the_descriptor_may_stand_behind_others() {
        let [sense, _] = senses(0x50, 0xff, 0, 0);
        let mut longer = sense[..8].to_vec();
        longer.extend([0, 2, 1, 1]);
        longer.extend(&sense[8..]);
        assert_eq!(registers(&longer).unwrap().count, 0xff);
        assert_eq!(registers(&longer[..16]), None);
    }

    #[test]
    fn a_refusal_of_scsi_holds_no_registers() {
        let mut refused = senses(0, 0, 0, 0)[1].clone();
        refused[2] = 5;
        refused[12..14].copy_from_slice(&[0x20, 0]);
        assert_eq!(registers(&refused), None);
        assert_eq!(registers(&[0x72, 5, 0x20, 0, 0, 0, 0, 0]), None);
    }

    proptest! {
        #[test]
        fn no_answer_panics(
            head in prop::sample::select(vec![0x70_u8, 0x72, 0xf0, 0xf2, 0x00]),
            sense in prop::collection::vec(any::<u8>(), 0..64),
            page in prop::collection::vec(any::<u8>(), 500..530),
        ) {
            let mut all = vec![head];
            all.extend(&sense);
            for bytes in [&all, &sense] {
                let _ = registers(bytes).map(|found| (passed(&found), is_standby(&found)));
            }
            let _ = attributes(&page);
        }
    }
}
