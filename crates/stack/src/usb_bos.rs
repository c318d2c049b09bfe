//! What a USB device is able of by its BOS descriptor (USB 3.2 specification, 9.6.2), which sysfs shows since Linux 6.9.

use std::path::Path;

use crate::bits::Block;
use crate::text;

/// Without a capability of USB 3 a device ends here.
const USB_2_MBPS: f64 = 480.0;
/// What the capability of USB 3.0 stands for.
const SUPER_SPEED_MBPS: f64 = 5000.0;

/// The type of descriptor that each capability has, and those of USB 3.0 and of what came after it.
const DEVICE_CAPABILITY: u8 = 0x10;
const SUPER_SPEED: u8 = 0x03;
const SUPER_SPEED_PLUS: u8 = 0x0a;
/// Where the speeds of a SuperSpeedPlus capability begin, of four bytes each.
const SPEEDS: usize = 12;

/// The fastest that the device with this directory of sysfs could be, in Mbit/s, whatever its link is; `None` where it has no
/// such descriptor, or the kernel does not show it.
pub(crate) fn ability_mbps(directory: &Path) -> Option<f64> {
    let bytes = text::read_bytes(&directory.join("bos_descriptors")).ok()?;
    let speeds = capabilities(&bytes).map(|capability| match capability[2] {
        SUPER_SPEED => SUPER_SPEED_MBPS,
        SUPER_SPEED_PLUS => fastest(capability),
        _ => USB_2_MBPS,
    });
    speeds.reduce(f64::max)
}

/// The capabilities behind the descriptor's own header, each with its length in front.
fn capabilities(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    let descriptors = std::iter::from_fn(move || {
        let (one, behind) = rest.split_at_checked(usize::from(*rest.first()?).max(3))?;
        rest = behind;
        Some(one)
    });
    descriptors.filter(|one| one[1] == DEVICE_CAPABILITY)
}

/// The fastest speed of a SuperSpeedPlus capability: a number in the upper half of each four bytes, in bit/s, kbit/s, Mbit/s or
/// Gbit/s by bits 4 and 5 (9.6.2.5).
fn fastest(capability: &[u8]) -> f64 {
    let speeds = capability.get(SPEEDS..).unwrap_or_default();
    let speeds = speeds.chunks_exact(4).filter_map(|bytes| {
        let speed = Block {
            bytes,
            big_endian: false,
        };
        let thousands = speed.number(0, 1)? >> 4 & 3;
        Some(speed.u16(2)? as f64 * 1000_f64.powi(thousands as i32) / 1e6)
    });
    speeds.fold(SUPER_SPEED_MBPS, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ability(bytes: &[u8]) -> Option<f64> {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("bos_descriptors"), bytes).unwrap();
        ability_mbps(directory.path())
    }

    const USB_2_EXTENSION: [u8; 7] = [7, 0x10, 2, 2, 0, 0, 0];
    const OF_USB_3: [u8; 10] = [10, 0x10, 3, 0, 0x0e, 0, 1, 10, 10, 0];

    fn bos(capabilities: &[&[u8]]) -> Vec<u8> {
        let all = capabilities.concat();
        let length = (5 + all.len()) as u8;
        [&[5, 0x0f, length, 0, capabilities.len() as u8], &all[..]].concat()
    }

    #[test]
    fn the_capabilities_tell_the_speed() {
        assert_eq!(ability(&bos(&[&USB_2_EXTENSION])), Some(480.0));
        assert_eq!(ability(&bos(&[&USB_2_EXTENSION, &OF_USB_3])), Some(5000.0));
        // Two sublinks, of 10 Gbit/s in each direction.
        let mut plus = vec![20, 0x10, 0x0a, 0, 1, 0, 0, 0, 0, 0x11, 0, 0];
        plus.extend([0x30, 0x40, 10, 0, 0xb0, 0x40, 10, 0]);
        assert_eq!(ability(&bos(&[&OF_USB_3, &plus])), Some(10_000.0));
    }

    #[test]
    fn without_a_descriptor_nothing_is_known() {
        assert_eq!(ability_mbps(Path::new("/nonexistent")), None);
        assert_eq!(ability(&[]), None);
        assert_eq!(ability(&bos(&[])), None);
    }

    proptest! {
        #[test]
        fn no_descriptor_panics(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = ability(&bytes);
        }
    }
}
