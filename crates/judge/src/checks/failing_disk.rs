//! A disk that says of itself that it fails.

use etalon_model::stack::Warning;
use etalon_model::{DiskComplaint, Severity};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said};

pub(crate) const CHECK: Check = Check {
    code: "failing-disk",
    about: "A disk says by SMART that it fails, is short of spare blocks, or has sectors that it cannot read.",
    advice: "Save its data and replace it; figures of a failing disk are those of its retries.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let beneath = facts.run.circumstances.beneath.as_ref()?;
    let kept = beneath.failing.iter().map(|told| format!("{told}.").into());
    let complaints = beneath.complaints.iter().map(sentence).chain(kept);
    let message = complaints.reduce(|told, next| told.then(said!(";")).then(next))?;
    let count = beneath.complaints.len() + beneath.failing.len();
    let evidence = [("complaints", count as f64)];
    Some(Outcome::new(Severity::Warn, message, &evidence))
}

/// As the stack's page has it, in parts.
fn sentence(complaint: &DiskComplaint) -> Sentence {
    let device = &complaint.device;
    match &complaint.warning {
        Warning::SmartFailing { alarms } if alarms.is_empty() => said!(
            "{device}: SMART says the disk is failing: save its data and replace it.",
            device = device,
        ),
        Warning::SmartFailing { alarms } => said!(
            "{device}: SMART says the disk is failing ({alarms}): save its data and replace it.",
            device = device,
            alarms = alarms.join(", "),
        ),
        Warning::SpareBelowThreshold { spare, threshold } => said!(
            "{device}: {spare} of its spare blocks are left, below its threshold of {threshold}: replace the disk.",
            device = device,
            spare = *spare,
            threshold = *threshold,
        ),
        Warning::UnreadableSectors {
            pending,
            uncorrectable,
        } => said!(
            "{device}: {pending} pending and {uncorrectable} uncorrectable sectors: reads of them are tried for seconds; save its data, see smartctl -a.",
            device = device,
            pending = *pending,
            uncorrectable = *uncorrectable,
        ),
        other => format!("{device}: {other}.").into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::stack::Warning;
    use etalon_model::{BeneathFacts, DiskComplaint};
    use etalon_units::Percent;

    #[test]
    fn what_a_layer_says_is_known_in_its_parts() {
        for warning in [
            Warning::SmartFailing { alarms: Vec::new() },
            Warning::SmartFailing {
                alarms: vec!["medium is read-only".to_owned()],
            },
            Warning::SpareBelowThreshold {
                spare: Percent::from_fraction(0.03),
                threshold: Percent::from_fraction(0.1),
            },
            Warning::UnreadableSectors {
                pending: 8,
                uncorrectable: 0,
            },
        ] {
            let words = format!("sda: {warning}.");
            let told = super::sentence(&DiskComplaint {
                device: "sda".to_owned(),
                warning,
            });
            assert_eq!(told.text, words);
            assert_eq!(told.parts.len(), 1, "{words}");
            assert_eq!(told.parts[0].names["device"], "sda");
        }
    }

    #[test]
    fn each_complaint_is_told() {
        let mut run = read_run();
        run.circumstances.beneath = Some(BeneathFacts::default());
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.beneath = Some(BeneathFacts {
            complaints: vec![DiskComplaint {
                device: "sda".to_owned(),
                warning: Warning::SmartFailing { alarms: Vec::new() },
            }],
            failing: vec!["sdb: 8 pending and 0 uncorrectable sectors".to_owned()],
            ..BeneathFacts::default()
        });
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(
            outcome.message,
            "sda: SMART says the disk is failing: save its data and replace it; sdb: 8 pending and 0 uncorrectable sectors."
        );
        assert!((outcome.evidence[0].value - 2.0).abs() < f64::EPSILON);
    }
}
