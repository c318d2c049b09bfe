//! What is wrong with a layer, in the language that is spoken.

use etalon_language::{figure, say};
use etalon_model::stack::{NEARLY_FULL_PERCENT, Warning};

/// A warning in a sentence.
pub(super) fn sentence(warning: &Warning) -> String {
    match warning {
        Warning::MisalignedPartition { offset, block } => say!(
            "warning-misaligned",
            offset = offset.get().to_string(),
            block = block
        ),
        Warning::DegradedArray { missing, of } => {
            say!("warning-degraded", missing = missing, all = of)
        }
        Warning::ArrayBusy { action } => say!("warning-busy", action = action),
        Warning::PathsDown { down, of } => say!("warning-paths", down = down, all = of),
        Warning::SlowUsb { .. } | Warning::MaybeSlowUsb { .. } => usb(warning),
        Warning::LinkBelowAbility { link, now, able } => {
            say!("warning-link", link = link, now = now, able = able)
        }
        Warning::WriteCacheOff => say!("warning-write-cache"),
        Warning::WriteCacheUnknown => say!("warning-write-cache-unknown"),
        Warning::NoDiscard => say!("warning-no-discard"),
        Warning::NearlyFull { used } => say!(
            "warning-full",
            used = used,
            most = figure(NEARLY_FULL_PERCENT)
        ),
        Warning::DeletedFile => say!("warning-deleted"),
        Warning::SparseFile { allocated, size } => {
            say!("warning-sparse", allocated = allocated, size = size)
        }
        Warning::InMemory => say!("warning-memory"),
        Warning::NoCounters => say!("warning-no-counters"),
        _ => health(warning),
    }
}

/// Of a USB link.
fn usb(warning: &Warning) -> String {
    match warning {
        Warning::SlowUsb {
            speed_mbps,
            ability_mbps: Some(able),
            ..
        } => say!(
            "warning-usb-able",
            able = figure(able),
            speed = figure(speed_mbps)
        ),
        Warning::SlowUsb {
            speed_mbps,
            version,
            ..
        } => say!("warning-usb", version = version, speed = figure(speed_mbps)),
        Warning::MaybeSlowUsb {
            speed_mbps,
            version,
        } => say!(
            "warning-usb-maybe",
            version = version,
            speed = figure(speed_mbps)
        ),
        other => other.to_string(),
    }
}

/// What a disk says of its own health.
fn health(warning: &Warning) -> String {
    match warning {
        Warning::SmartFailing { alarms } => {
            let why = match alarms.is_empty() {
                true => String::new(),
                false => format!(" ({})", alarms.join(", ")),
            };
            say!("warning-smart", why = why)
        }
        Warning::SpareBelowThreshold { spare, threshold } => {
            say!("warning-spare", spare = spare, threshold = threshold)
        }
        Warning::EnduranceUsedUp { used } => say!("warning-endurance", used = used),
        Warning::UnreadableSectors {
            pending,
            uncorrectable,
        } => say!(
            "warning-sectors",
            pending = pending,
            uncorrectable = uncorrectable
        ),
        Warning::TemperatureAlarm { celsius } => {
            let now = celsius.map_or(String::new(), |t| format!(" ({t:.0} °C)"));
            say!("warning-temperature", now = now)
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use etalon_language::Language;
    use etalon_units::{Bytes, Percent};

    use super::*;

    /// One of each kind.
    fn all() -> Vec<Warning> {
        let text = str::to_owned;
        vec![
            Warning::MisalignedPartition {
                offset: Bytes(31_256),
                block: Bytes(4096),
            },
            Warning::DegradedArray { missing: 1, of: 12 },
            Warning::ArrayBusy {
                action: text("resync"),
            },
            Warning::PathsDown { down: 1, of: 2 },
            Warning::SlowUsb {
                speed_mbps: 480.0,
                version: text("3.20"),
                ability_mbps: None,
            },
            Warning::SlowUsb {
                speed_mbps: 480.0,
                version: text("2.10"),
                ability_mbps: Some(5000.0),
            },
            Warning::MaybeSlowUsb {
                speed_mbps: 480.0,
                version: text("2.10"),
            },
            Warning::LinkBelowAbility {
                link: text("PCIe"),
                now: text("2 GT/s x1"),
                able: text("8 GT/s x4"),
            },
            Warning::WriteCacheOff,
            Warning::WriteCacheUnknown,
            Warning::SmartFailing { alarms: Vec::new() },
            Warning::SmartFailing {
                alarms: vec![text("a"), text("b")],
            },
            Warning::SpareBelowThreshold {
                spare: Percent::from_fraction(0.03),
                threshold: Percent::from_fraction(0.1),
            },
            Warning::EnduranceUsedUp {
                used: Percent::from_fraction(1.04),
            },
            Warning::UnreadableSectors {
                pending: 8,
                uncorrectable: 0,
            },
            Warning::TemperatureAlarm { celsius: None },
            Warning::TemperatureAlarm {
                celsius: Some(71.0),
            },
            Warning::NoDiscard,
            Warning::NearlyFull {
                used: Percent::from_fraction(0.935),
            },
            Warning::DeletedFile,
            Warning::SparseFile {
                allocated: Bytes(0),
                size: Bytes::mib(1536),
            },
            Warning::InMemory,
            Warning::NoCounters,
        ]
    }

    #[test]
    fn in_english_each_says_what_its_record_says() {
        for warning in all() {
            assert_eq!(sentence(&warning), warning.to_string());
        }
    }

    #[test]
    fn each_has_a_sentence_of_its_own_in_french_and_in_dutch() {
        for language in [Language::French, Language::Dutch] {
            for warning in all() {
                let said = language.speak(|| sentence(&warning));
                assert_ne!(said, warning.to_string());
            }
            let full = language.speak(|| {
                sentence(&Warning::NearlyFull {
                    used: Percent::from_fraction(0.035),
                })
            });
            assert!(full.contains("3,5 %"), "{full}");
        }
    }
}
