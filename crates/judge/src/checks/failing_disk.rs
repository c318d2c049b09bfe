//! A disk that says of itself that it fails.

use etalon_model::Severity;

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, figure, said};

pub(crate) const CHECK: Check = Check {
    code: "failing-disk",
    about: "A disk says by SMART that it fails, is short of spare blocks, or has sectors that it cannot read.",
    advice: "Save its data and replace it; figures of a failing disk are those of its retries.",
    ..Check::of_run(run)
};

fn run(facts: &Facts) -> Option<Outcome> {
    let failing = &facts.run.circumstances.beneath.as_ref()?.failing;
    let complaints = failing.iter().map(|complaint| sentence(complaint));
    let message = complaints.reduce(|told, next| told.then(said!(";")).then(next))?;
    let evidence = [("complaints", failing.len() as f64)];
    Some(Outcome::new(Severity::Warn, message, &evidence))
}

/// What the disk's layer says (`Warning` of the model), taken apart for other languages.
fn sentence(complaint: &str) -> Sentence {
    let parts = complaint.split_once(": ");
    let known = parts.and_then(|(device, words)| {
        fails(device, words)
            .or_else(|| short_of_spares(device, words))
            .or_else(|| unreadable(device, words))
    });
    known.unwrap_or_else(|| format!("{complaint}.").into())
}

fn fails(device: &str, words: &str) -> Option<Sentence> {
    let why = words.strip_prefix("SMART says the disk is failing")?;
    let why = why.strip_suffix(": save its data and replace it")?;
    let alarms = why.strip_prefix(" (").and_then(|why| why.strip_suffix(')'));
    Some(match alarms {
        Some(alarms) => said!(
            "{device}: SMART says the disk is failing ({alarms}): save its data and replace it.",
            device = device,
            alarms = alarms,
        ),
        None => said!(
            "{device}: SMART says the disk is failing: save its data and replace it.",
            device = device,
        ),
    })
}

fn short_of_spares(device: &str, words: &str) -> Option<Sentence> {
    let words = words.strip_suffix(": replace the disk")?;
    let between = " of its spare blocks are left, below its threshold of ";
    let (spare, threshold) = words.split_once(between)?;
    Some(said!(
        "{device}: {spare} of its spare blocks are left, below its threshold of {threshold}: replace the disk.",
        device = device,
        spare = figure(spare),
        threshold = figure(threshold),
    ))
}

fn unreadable(device: &str, words: &str) -> Option<Sentence> {
    let (pending, words) = words.split_once(" pending and ")?;
    let uncorrectable = words.strip_suffix(
        " uncorrectable sectors: reads of them are tried for seconds; save its data, see smartctl -a",
    )?;
    Some(said!(
        "{device}: {pending} pending and {uncorrectable} uncorrectable sectors: reads of them are tried for seconds; save its data, see smartctl -a.",
        device = device,
        pending = figure(pending),
        uncorrectable = figure(uncorrectable),
    ))
}

#[cfg(test)]
mod tests {
    use crate::samples::{facts, read_run};
    use etalon_model::BeneathFacts;
    use etalon_model::stack::Warning;
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
            let told = super::sentence(&format!("sda: {warning}"));
            assert_eq!(told.text, format!("sda: {warning}."));
            assert_eq!(told.parts.len(), 1, "{warning}");
            assert_eq!(told.parts[0].names["device"], "sda");
        }
    }

    #[test]
    fn each_complaint_is_told() {
        let mut run = read_run();
        run.circumstances.beneath = Some(BeneathFacts::default());
        assert_eq!(super::run(&facts(&run)), None);
        run.circumstances.beneath = Some(BeneathFacts {
            failing: vec![
                "sda: 8 pending and 0 uncorrectable sectors".to_owned(),
                "sdb: SMART says the disk is failing".to_owned(),
            ],
            ..BeneathFacts::default()
        });
        let outcome = super::run(&facts(&run)).unwrap();
        assert_eq!(
            outcome.message,
            "sda: 8 pending and 0 uncorrectable sectors; sdb: SMART says the disk is failing."
        );
        assert!((outcome.evidence[0].value - 2.0).abs() < f64::EPSILON);
    }
}
