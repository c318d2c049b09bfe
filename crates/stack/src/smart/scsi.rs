//! SCSI's log pages on health and temperature (SPC-4, big-endian).

use etalon_model::stack::Smart;

use super::TEMPERATURE_ALARM;

const EXCEPTIONS: u8 = 0x2f;
const TEMPERATURE: u8 = 0x0d;
/// A temperature that is not known.
const UNKNOWN: u8 = 0xff;

/// The health by the informational exceptions page, whose first parameter holds the additional
/// sense code and its qualifier, then a temperature; none when the page is another or cut off.
pub(super) fn exceptions(page: &[u8]) -> Option<Smart> {
    let value = parameter(page, EXCEPTIONS, 0)?;
    let (code, qualifier) = (*value.first()?, *value.get(1)?);
    let celsius = value.get(2).copied().filter(|t| *t != UNKNOWN && *t != 0);
    let (passed, alarm) = verdict(code, qualifier);
    Some(Smart {
        passed: Some(passed),
        alarms: alarm.into_iter().collect(),
        temperature_celsius: celsius.map(f64::from),
        ..Smart::default()
    })
}

/// Whether the disk passes with this additional sense code and qualifier, and what it complains of (SPC-5, annex F: 5Dh
/// predicts a failure, 0Bh warns of the disk or of what is around it).
fn verdict(code: u8, qualifier: u8) -> (bool, Option<String>) {
    let numbers = format!("code {code:02x}/{qualifier:02x}");
    match (code, qualifier) {
        // FFh is how a disk tests that its warnings arrive.
        (0x00, _) | (0x5d, 0xff) => (true, None),
        (0x5d, _) => (false, Some(format!("failure predicted, {numbers}"))),
        (0x0b, _) => warning(qualifier, &numbers),
        _ => (false, Some(format!("warning, {numbers}"))),
    }
}

/// What a warning is of: tests, medium and cache are the disk's own; heat, humidity, power and the enclosure are around
/// it.
fn warning(qualifier: u8, numbers: &str) -> (bool, Option<String>) {
    let of_the_disk = matches!(qualifier, 0x03..=0x07);
    let words = match qualifier {
        0x01 | 0x0a..=0x0d => TEMPERATURE_ALARM.to_owned(),
        0x02 => "enclosure degraded".to_owned(),
        0x08 => "loss of power expected".to_owned(),
        0x0e..=0x11 => "humidity out of bounds".to_owned(),
        _ => format!("warning, {numbers}"),
    };
    (!of_the_disk, Some(words))
}

/// Degrees Celsius by the temperature page.
pub(super) fn temperature(page: &[u8]) -> Option<f64> {
    let value = parameter(page, TEMPERATURE, 0)?;
    let celsius = value.get(1).copied().filter(|celsius| *celsius != UNKNOWN);
    celsius.map(f64::from)
}

/// The value of parameter `wanted` of the log page `number`: the page's code, subpage and length
/// come first, then each parameter's code, control byte, length and value.
fn parameter(page: &[u8], number: u8, wanted: u16) -> Option<&[u8]> {
    let (head, mut rest) = page.split_at_checked(4)?;
    if head[0] & 0x3f != number {
        return None;
    }
    let length = usize::from(u16::from_be_bytes([head[2], head[3]]));
    rest = rest.get(..length).unwrap_or(rest);
    loop {
        let (head, behind) = rest.split_at_checked(4)?;
        let (value, behind) = behind.split_at_checked(usize::from(head[3]))?;
        if u16::from_be_bytes([head[0], head[1]]) == wanted {
            return Some(value);
        }
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn page(code: u8, qualifier: u8, celsius: u8) -> [u8; 12] {
        [EXCEPTIONS, 0, 0, 8, 0, 0, 3, 4, code, qualifier, celsius, 0]
    }

    #[test]
    fn the_code_is_the_verdict() {
        let sound = exceptions(&page(0, 0, 34)).unwrap();
        assert_eq!(
            (sound.passed, sound.temperature_celsius),
            (Some(true), Some(34.0))
        );
        let failing = exceptions(&page(0x5d, 0x10, UNKNOWN)).unwrap();
        assert_eq!(
            (failing.passed, failing.temperature_celsius),
            (Some(false), None)
        );
        assert_eq!(failing.alarms, ["failure predicted, code 5d/10"]);
        let hot = exceptions(&page(0x0b, 0x01, 71)).unwrap();
        assert_eq!((hot.passed, hot.alarms.len()), (Some(true), 1));
        assert_eq!(
            exceptions(&page(0x5d, 0xff, 30)).unwrap().passed,
            Some(true)
        );
        assert_eq!(
            exceptions(&page(0x0b, 0x03, 30)).unwrap().passed,
            Some(false)
        );
    }

    #[test]
    fn heat_and_the_enclosure_are_no_failure_of_the_disk() {
        for qualifier in [0x01, 0x0a, 0x0b, 0x0c, 0x0d] {
            let hot = exceptions(&page(0x0b, qualifier, 65)).unwrap();
            assert_eq!(
                (hot.passed, hot.alarms),
                (Some(true), vec![TEMPERATURE_ALARM.to_owned()])
            );
        }
        for (qualifier, words) in [
            (0x02, "enclosure degraded"),
            (0x08, "loss of power expected"),
            (0x09, "warning, code 0b/09"),
            (0x11, "humidity out of bounds"),
        ] {
            let around = exceptions(&page(0x0b, qualifier, 30)).unwrap();
            assert_eq!(
                (around.passed, around.alarms),
                (Some(true), vec![words.to_owned()])
            );
        }
        for qualifier in 0x03..=0x07 {
            let failing = exceptions(&page(0x0b, qualifier, 30)).unwrap();
            assert_eq!(failing.passed, Some(false), "{qualifier}");
        }
    }

    #[test]
    fn other_pages_and_short_ones_tell_nothing() {
        assert_eq!(exceptions(&page(0, 0, 34)[..9]), None);
        assert_eq!(temperature(&page(0, 0, 34)), None);
        assert_eq!(exceptions(&[]), None);
    }

    #[test]
    fn the_temperature_is_the_first_parameter() {
        let page = [TEMPERATURE, 0, 0, 12, 0, 1, 3, 2, 0, 65, 0, 0, 3, 2, 0, 38];
        assert_eq!(temperature(&page), Some(38.0));
        let unknown = [TEMPERATURE, 0, 0, 6, 0, 0, 3, 2, 0, UNKNOWN];
        assert_eq!(temperature(&unknown), None);
    }

    proptest! {
        #[test]
        fn no_page_panics(code in prop::sample::select(vec![EXCEPTIONS, TEMPERATURE]), rest in prop::collection::vec(any::<u8>(), 0..300)) {
            let mut page = vec![code];
            page.extend(rest);
            let _ = (exceptions(&page), temperature(&page));
        }
    }
}
