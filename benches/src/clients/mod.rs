//! Clients of databases and web servers, side by side: what they find, and what they cost.
//!
//! A [`PrivateServer`] stands for the whole comparison; a [`ClientRun`] is what one client did on it, be it etalon
//! ([`Etalon`]) or another program ([`run`]).

mod etalon;
mod label;
mod program;
mod server;

pub use etalon::Etalon;
pub use label::{after, micros_of};
pub use program::{Ended, run};
pub use server::{PrivateServer, as_nobody, give_away, shared_directory};

use crate::{Column, Figures, Ratio, difference, median};

/// What a client did in one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClientRun {
    /// Transactions or requests.
    pub operations: f64,
    /// From the first to the last, in seconds.
    pub seconds: f64,
    /// Mean latency in microseconds; at a rate from the intended moment.
    pub latency: f64,
    /// Processor time of the client alone, in seconds.
    pub processor: f64,
}

/// What the column of processor time is called: as many microseconds each as there are per cent of a processor at
/// 10 000 a second.
pub const COST: &str = "client CPU, us";

/// By how much a client may cost more than its peer, in per cent of one processor at 10 000 a second.
const GOAL: f64 = 15.0;

impl ClientRun {
    /// Its figures, in the order of the table.
    pub fn figures(&self) -> Figures {
        let each = |seconds: f64| 1e6 * seconds / self.operations;
        vec![
            (
                "rate, per second".to_owned(),
                self.operations / self.seconds,
            ),
            ("mean latency, us".to_owned(), self.latency),
            (COST.to_owned(), each(self.processor)),
        ]
    }
}

/// Whether the interval of a ratio holds 1.
pub fn holds_one(ratio: Ratio) -> &'static str {
    match (ratio.low <= 1.0, ratio.high >= 1.0) {
        (true, true) => "holds 1",
        (false, _) => "above 1",
        (_, false) => "below 1",
    }
}

/// What the client costs more than its peer, against what is asked of it; `None` below two blocks.
pub fn cost(columns: &[Column], peer: &str) -> Option<String> {
    let (ours, theirs) = Column::of(columns, COST)?;
    let more = difference(ours, theirs)?;
    let result = match (more.high <= GOAL, more.low > GOAL) {
        (true, _) => "held",
        (_, true) => "missed",
        _ => "undecided",
    };
    Some(format!(
        "at 10000/s: etalon {:.0} % of a processor, {peer} {:.0} %; {:+.0} [{:+.0}, {:+.0}] %, of {GOAL} % that are allowed: {result}",
        median(ours),
        median(theirs),
        more.estimate,
        more.low,
        more.high
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_of_one_operation() {
        let run = ClientRun {
            operations: 2000.0,
            seconds: 0.5,
            latency: 240.0,
            processor: 0.1,
        };
        let values: Vec<f64> = run.figures().into_iter().map(|(_, value)| value).collect();
        assert_eq!(values[..2], [4000.0, 240.0]);
        assert!((values[2] - 50.0).abs() < 1e-9);
    }

    #[test]
    fn an_interval_holds_one_or_lies_beside_it() {
        let of = |low, high| {
            holds_one(Ratio {
                estimate: 1.0,
                low,
                high,
            })
        };
        assert_eq!(of(0.9, 1.1), "holds 1");
        assert_eq!(of(1.01, 1.1), "above 1");
        assert_eq!(of(0.8, 0.99), "below 1");
    }
}
