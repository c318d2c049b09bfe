//! What a power cut has shown of writes that were promised to be durable.

use etalon_model::{Finding, Severity};
use etalon_units::Nanos;

use crate::check::Outcome;
use crate::checks::not_durable::CHECK;
use crate::sentence::{Sentence, said};

/// What to do where something below a promise has broken it.
const KEEP_PROMISES: &str = "Turn the disk's write cache off (hdparm -W 0) or take one that keeps its promises, and mount with barriers.";

/// What to do where nobody had asked for the promise.
const ASK: &str = "Ask for durability before relying on a write: fsync it, or write with O_DSYNC.";

/// What was promised one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutPromise {
    /// Records.
    Records,
    /// Experiments of a store.
    Experiments,
    /// Rows of a database.
    Rows,
}

/// What was found after one power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutFacts {
    /// Which cut, from 1 on.
    pub number: u64,
    /// What was promised.
    pub what: CutPromise,
    /// When the power failed, counted from the first write on.
    pub at: Nanos,
    /// Whether whoever wrote had asked for durability before it relied on it.
    pub asked: bool,
    /// How many of them were promised, of which each was durable.
    pub promised: u64,
    /// Those of them that were not there afterwards, or not whole.
    pub lost: u64,
    /// The first of those: its number, and when it was promised.
    pub first: Option<(u64, Nanos)>,
}

/// The finding `not-durable` where something promised was lost.
#[must_use]
pub fn check_cut(cut: &CutFacts) -> Option<Finding> {
    let (first, promised_at) = cut.first.filter(|_| cut.lost > 0)?;
    let before = Nanos(cut.at.get().saturating_sub(promised_at.get()));
    let share = cut.lost as f64 / cut.promised.max(1) as f64;
    let evidence = [("cut", cut.number as f64), ("lost_share", share)];
    let outcome = Outcome::new(Severity::Invalid, lost(cut, first, before), &evidence);
    Some(CHECK.finding(match cut.asked {
        true => outcome.advising(KEEP_PROMISES),
        false => outcome.advising(ASK),
    }))
}

/// How many were lost, the first of them, and how long before the cut that was promised.
fn lost(cut: &CutFacts, first: u64, before: Nanos) -> Sentence {
    match cut.what {
        CutPromise::Records => said!(
            "cut {number}, after {time}, lost {lost} of {promised} promised records; the first of them is record {first}, promised {before} before the cut.",
            number = cut.number,
            time = cut.at,
            lost = cut.lost,
            promised = cut.promised,
            first = first,
            before = before,
        ),
        CutPromise::Rows => said!(
            "cut {number}, after {time}, lost {lost} of {promised} promised rows; the first of them is row {first}, promised {before} before the cut.",
            number = cut.number,
            time = cut.at,
            lost = cut.lost,
            promised = cut.promised,
            first = first,
            before = before,
        ),
        CutPromise::Experiments => said!(
            "cut {number}, after {time}, lost {lost} of {promised} promised experiments; the first of them is experiment {first}, promised {before} before the cut.",
            number = cut.number,
            time = cut.at,
            lost = cut.lost,
            promised = cut.promised,
            first = first,
            before = before,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_promise_is_not_durable_and_a_kept_one_is_nothing() {
        let kept = CutFacts {
            number: 14,
            what: CutPromise::Records,
            at: Nanos(1_240_000_000),
            asked: true,
            promised: 61,
            lost: 0,
            first: None,
        };
        assert_eq!(check_cut(&kept), None);
        let broken = CutFacts {
            lost: 12,
            first: Some((3, Nanos(390_000_000))),
            ..kept
        };
        let found = check_cut(&broken).unwrap();
        assert_eq!(
            (found.code.as_str(), found.severity),
            ("not-durable", Severity::Invalid)
        );
        assert!(
            found
                .message
                .contains("cut 14, after 1.24 s, lost 12 of 61")
                && found.message.contains("record 3, promised 850 ms before"),
            "{}",
            found.message
        );
        assert!(found.advice.contains("hdparm -W 0"));
        let unasked = check_cut(&CutFacts {
            asked: false,
            ..broken
        })
        .unwrap();
        assert!(unasked.advice.contains("O_DSYNC"), "{}", unasked.advice);
    }
}
