//! A disk's health, and what is wrong by its answers.

mod ata;
mod nvme;
mod scsi;

use std::io::{self, ErrorKind};
use std::path::Path;

use etalon_model::stack::{Layer, Smart, Transport, Warning};

use crate::ask::{self, Question};
use crate::context::Context;
use crate::protocol::{Protocol, protocol};

const SPARE_ALARM: &str = "spare blocks below the threshold";
const TEMPERATURE_ALARM: &str = "temperature out of bounds";

/// The health of `layer`, a disk; what cannot be learnt is noted with the reason.
pub(crate) fn read(
    context: &Context<'_>,
    directory: &Path,
    layer: &Layer,
    transport: Transport,
) -> Option<Smart> {
    let told = match protocol(context, directory, transport) {
        Some(_) if sleeps(context, directory) => Err(io::Error::other(STANDBY)),
        Some(Protocol::Nvme) => nvme_health(context, layer),
        Some(Protocol::Ata) => match ata_health(context, layer) {
            // Some adapters tell the health of ATA disks by the log pages of SCSI alone.
            Err(error) if error.kind() == ErrorKind::Unsupported && transport != Transport::Usb => {
                scsi_health(context, layer)
            }
            told => told,
        },
        Some(Protocol::Scsi) => scsi_health(context, layer),
        None if transport == Transport::Usb => Err(io::Error::other(
            "its USB bridge does not say that it passes ATA commands on; smartctl -d may know it",
        )),
        None => return None,
    };
    told.map_err(|error| {
        context.note(
            format!("SMART health of {}", layer.name),
            why(context, &error),
        )
    })
    .ok()
}

const STANDBY: &str = "it is in standby and was not asked";
const NOT_UNDERSTOOD: &str = "its answer is not in the expected form";

/// Whether the kernel has put the disk to sleep; asking would wake it.
fn sleeps(context: &Context<'_>, directory: &Path) -> bool {
    let status = context.attr(directory.join("device/power/runtime_status"));
    status.as_deref() == Some("suspended")
}

fn ask(context: &Context<'_>, layer: &Layer, question: Question) -> io::Result<Vec<u8>> {
    ask::ask(context.roots, &layer.name, layer.devno, question)
}

fn why(context: &Context<'_>, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound if context.roots.answers.is_some() => {
            "this copy of the machine holds no answer of it".to_owned()
        }
        ErrorKind::Unsupported => "it keeps no such record, or that is switched off".to_owned(),
        _ => crate::context::reason(error),
    }
}

fn understood(smart: Option<Smart>) -> io::Result<Smart> {
    smart.ok_or_else(|| io::Error::other(NOT_UNDERSTOOD))
}

fn nvme_health(context: &Context<'_>, layer: &Layer) -> io::Result<Smart> {
    let page = ask(context, layer, Question::NvmeHealth)?;
    understood(nvme::health(&page))
}

fn ata_health(context: &Context<'_>, layer: &Layer) -> io::Result<Smart> {
    let mode = ask(context, layer, Question::AtaPowerMode)?;
    // Without registers an adapter stands in between that does not know the command.
    let mode = ata::registers(&mode).ok_or(ErrorKind::Unsupported)?;
    // A disk that refuses to say whether it sleeps is taken to be awake.
    if ata::is_standby(&mode) {
        return Err(io::Error::other(STANDBY));
    }
    let status = ask(context, layer, Question::AtaSmartStatus).ok();
    let passed = status.and_then(|sense| ata::passed(&ata::registers(&sense)?));
    let data = ask(context, layer, Question::AtaSmartData);
    match (
        data.and_then(|page| understood(ata::attributes(&page))),
        passed,
    ) {
        (Ok(smart), passed) => Ok(Smart { passed, ..smart }),
        (Err(error), Some(passed)) => {
            let what = format!("SMART attributes of {}", layer.name);
            context.note(what, why(context, &error));
            Ok(Smart {
                passed: Some(passed),
                ..Smart::default()
            })
        }
        (Err(error), None) => Err(error),
    }
}

fn scsi_health(context: &Context<'_>, layer: &Layer) -> io::Result<Smart> {
    let page = ask(context, layer, Question::ScsiExceptions)?;
    let mut smart = understood(scsi::exceptions(&page))?;
    let temperature = ask(context, layer, Question::ScsiTemperature).ok();
    let temperature = temperature.and_then(|page| scsi::temperature(&page));
    smart.temperature_celsius = temperature.or(smart.temperature_celsius);
    Ok(smart)
}

/// The health of a disk of flash, whose attributes 197 and 198 are its maker's: on sound ones they are GiB read, errors
/// that were corrected, or a number that comes and goes (smartmontools, drivedb.h: Barefoot 3, SandForce, MX500).
pub(crate) fn of_flash(told: Smart) -> Smart {
    Smart {
        attribute_197: told.pending_sectors,
        attribute_198: told.offline_uncorrectable,
        pending_sectors: None,
        offline_uncorrectable: None,
        ..told
    }
}

/// What is wrong with a disk by its own account.
pub(crate) fn warnings(smart: &Smart) -> Vec<Warning> {
    let spare = smart.available_spare.zip(smart.spare_threshold);
    let spare = spare.filter(|(spare, threshold)| spare < threshold);
    let mut found: Vec<Warning> = spare
        .map(|(spare, threshold)| Warning::SpareBelowThreshold { spare, threshold })
        .into_iter()
        .collect();
    let has_own_warning =
        |alarm: &str| alarm == TEMPERATURE_ALARM || spare.is_some() && alarm == SPARE_ALARM;
    let alarms = smart.alarms.iter().filter(|alarm| !has_own_warning(alarm));
    let alarms: Vec<String> = alarms.cloned().collect();
    if smart.passed == Some(false) && (!alarms.is_empty() || smart.alarms.is_empty()) {
        found.push(Warning::SmartFailing { alarms });
    }
    let pending = smart.pending_sectors.unwrap_or(0);
    let uncorrectable = smart.offline_uncorrectable.unwrap_or(0);
    if pending > 0 || uncorrectable > 0 {
        found.push(Warning::UnreadableSectors {
            pending,
            uncorrectable,
        });
    }
    let used = smart.endurance_used.filter(|used| used.fraction() >= 1.0);
    found.extend(used.map(|used| Warning::EnduranceUsedUp { used }));
    if smart.alarms.iter().any(|alarm| alarm == TEMPERATURE_ALARM) {
        let celsius = smart.temperature_celsius;
        found.push(Warning::TemperatureAlarm { celsius });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_units::Percent;

    fn percent(whole: f64) -> Option<Percent> {
        Some(Percent::from_fraction(whole / 100.0))
    }

    #[test]
    fn a_sound_disk_has_no_warning() {
        let sound = Smart {
            passed: Some(true),
            available_spare: percent(10.0),
            spare_threshold: percent(10.0),
            endurance_used: percent(99.0),
            pending_sectors: Some(0),
            reallocated_sectors: Some(7),
            ..Smart::default()
        };
        assert_eq!(warnings(&sound), []);
        assert_eq!(warnings(&Smart::default()), []);
    }

    #[test]
    fn each_fault_has_its_own_warning() {
        let failing = |alarms: &[&str]| Smart {
            passed: Some(false),
            alarms: alarms.iter().map(|alarm| (*alarm).to_owned()).collect(),
            ..Smart::default()
        };
        let says = |smart: &Smart| {
            let found = warnings(smart);
            assert_eq!(found.len(), 1, "{found:?}");
            (found[0].to_string(), found[0].is_failing_disk())
        };
        let (words, fails) = says(&failing(&[]));
        assert!(words.starts_with("SMART says the disk is failing:") && fails);
        let (words, _) = says(&failing(&["medium is read-only"]));
        assert!(words.contains("(medium is read-only)"), "{words}");

        let mut worn = failing(&[SPARE_ALARM]);
        assert!(says(&worn).0.contains(SPARE_ALARM));
        (worn.available_spare, worn.spare_threshold) = (percent(4.0), percent(10.0));
        let (words, fails) = says(&worn);
        assert!(
            words.starts_with("4.0 % of its spare blocks are left, below its threshold of 10 %")
        );
        assert!(fails);

        let hot = Smart {
            alarms: vec![TEMPERATURE_ALARM.to_owned()],
            temperature_celsius: Some(91.0),
            ..Smart::default()
        };
        let (words, fails) = says(&hot);
        assert!(words.contains("(91 °C)") && !fails, "{words}");

        let pending = Smart {
            pending_sectors: Some(8),
            ..Smart::default()
        };
        assert!(
            says(&pending)
                .0
                .starts_with("8 pending and 0 uncorrectable")
        );
        let used = Smart {
            endurance_used: percent(100.0),
            ..Smart::default()
        };
        assert!(!says(&used).1);
    }
}
