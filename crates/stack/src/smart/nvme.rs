//! NVMe's SMART / Health Information log page
//! (NVM Express Base Specification 2.0, section 5.16.1.3; little-endian).

use etalon_model::stack::Smart;
use etalon_units::Percent;

use super::{SPARE_ALARM, TEMPERATURE_ALARM};
use crate::bits::Block;

/// Bits of the critical warning, and whether each means that the disk fails.
const ALARMS: [(u64, &str, bool); 6] = [
    (1 << 0, SPARE_ALARM, true),
    (1 << 1, TEMPERATURE_ALARM, false),
    (1 << 2, "reliability degraded by errors of the medium", true),
    (1 << 3, "medium is read-only", true),
    (1 << 4, "backup of the volatile memory failed", true),
    (1 << 5, "persistent memory region unreliable", true),
];
/// In hundredths of a kelvin, so that the difference is exact; the hwmon driver of the kernel takes
/// the same (drivers/nvme/host/hwmon.c).
const ZERO_CELSIUS: f64 = 27_315.0;
const LENGTH: usize = 512;

/// The health by a log page; none when it is cut off.
pub(super) fn health(page: &[u8]) -> Option<Smart> {
    let page = Block {
        bytes: page.get(..LENGTH)?,
        big_endian: false,
    };
    let percent = |at: usize| {
        let whole = page.number(at, 1)?;
        Some(Percent::from_fraction(whole as f64 / 100.0))
    };
    // Counters have 16 bytes; one that does not fit into 8 stands at the largest number.
    let counter = |at: usize| match page.u64(at + 8)? {
        0 => page.u64(at),
        _ => Some(u64::MAX),
    };
    let warning = page.number(0, 1)?;
    let set = || ALARMS.iter().filter(|(bit, ..)| warning & bit != 0);
    let kelvin = page.u16(1).filter(|kelvin| *kelvin > 0);
    // A virtual disk that counts no spare blocks leaves both numbers at zero.
    let counts_spare = page.u16(3) != Some(0);
    Some(Smart {
        passed: Some(!set().any(|(.., fails)| *fails)),
        alarms: set().map(|(_, words, _)| (*words).to_owned()).collect(),
        temperature_celsius: kelvin.map(|kelvin| (kelvin as f64 * 100.0 - ZERO_CELSIUS) / 100.0),
        available_spare: percent(3).filter(|_| counts_spare),
        spare_threshold: percent(4).filter(|_| counts_spare),
        endurance_used: percent(5),
        power_on_hours: counter(128),
        unsafe_shutdowns: counter(144),
        media_errors: counter(160),
        ..Smart::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn page() -> Vec<u8> {
        let mut page = vec![0; LENGTH];
        page[1..3].copy_from_slice(&313_u16.to_le_bytes());
        (page[3], page[4], page[5]) = (97, 10, 12);
        page[128..130].copy_from_slice(&4321_u16.to_le_bytes());
        page[144] = 17;
        page[160] = 3;
        page
    }

    #[test]
    fn the_page_is_read_by_its_offsets() {
        let smart = health(&page()).unwrap();
        let percent = |whole: f64| Some(Percent::from_fraction(whole / 100.0));
        assert_eq!(smart.passed, Some(true));
        assert!(smart.alarms.is_empty());
        assert_eq!(smart.temperature_celsius, Some(39.85));
        assert_eq!(
            (
                smart.available_spare,
                smart.spare_threshold,
                smart.endurance_used
            ),
            (percent(97.0), percent(10.0), percent(12.0))
        );
        assert_eq!(
            (
                smart.power_on_hours,
                smart.unsafe_shutdowns,
                smart.media_errors
            ),
            (Some(4321), Some(17), Some(3))
        );
        assert_eq!(health(&page()[..511]), None);
    }

    #[test]
    fn heat_is_an_alarm_and_no_failure() {
        let mut page = page();
        page[0] = 0b10;
        let hot = health(&page).unwrap();
        assert_eq!(
            (hot.passed, hot.alarms),
            (Some(true), vec![TEMPERATURE_ALARM.to_owned()])
        );
        page[0] = 0b1101;
        let bad = health(&page).unwrap();
        assert_eq!((bad.passed, bad.alarms.len()), (Some(false), 3));
    }

    #[test]
    fn a_counter_beyond_eight_bytes_does_not_start_anew() {
        let mut page = page();
        page[136] = 1;
        assert_eq!(health(&page).unwrap().power_on_hours, Some(u64::MAX));
    }

    #[test]
    fn a_disk_that_tells_nothing_of_spare_blocks_is_not_out_of_them() {
        let mut page = page();
        (page[3], page[4]) = (0, 0);
        assert_eq!(health(&page).unwrap().available_spare, None);
        page[4] = 10;
        assert_eq!(
            health(&page).unwrap().available_spare,
            Some(Percent::from_fraction(0.0))
        );
    }

    proptest! {
        #[test]
        fn no_page_panics(page in prop::collection::vec(any::<u8>(), 0..1024)) {
            let smart = health(&page);
            prop_assert_eq!(smart.is_some(), page.len() >= LENGTH);
            let _ = smart.map(|smart| super::super::warnings(&smart));
        }
    }
}
