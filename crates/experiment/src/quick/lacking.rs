//! What is told of rows for whose interval the time, or the number of runs, does not suffice.

use etalon_model::Choice;
use etalon_stats::MIN_RUNS_LAB;
use etalon_units::Nanos;

/// A budget is proposed in steps of this up to [`MINUTES_FROM`], and in minutes beyond.
const STEP: Nanos = Nanos::secs(10);
const MINUTES_FROM: Nanos = Nanos::secs(120);
const MINUTE: Nanos = Nanos::secs(60);
/// The least that is proposed beyond a budget that did not do, as a multiple of it.
const LONGER: f64 = 1.25;

/// What the rows of a session take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Time {
    /// How many runs each row is to have, at least those of an interval.
    pub(crate) least_runs: usize,
    /// What the session may take.
    pub(crate) budget: Nanos,
    /// What went by before its first run.
    pub(crate) setup: Nanos,
    /// What these runs take of the rows that lack them.
    pub(crate) interval: Nanos,
    /// What they take of all rows.
    pub(crate) interval_of_all: Nanos,
}

/// Names these rows with the time that they take; `None` without any.
pub(crate) fn choice(rows: Vec<String>, time: Time) -> Option<Choice> {
    (!rows.is_empty()).then(|| Choice::Dropped {
        rows,
        least_runs: u32::try_from(time.least_runs).unwrap_or(u32::MAX),
        needed_ns: time.interval,
        budget_ns: enough(time),
    })
}

/// Names rows of which so many runs were made, all that they might have, and so many count; `None` without any.
pub(crate) fn left_out(rows: Vec<(String, usize, usize)>) -> Option<Choice> {
    let enough =
        |(_, made, kept): &(String, usize, usize)| (MIN_RUNS_LAB * made).div_ceil((*kept).max(1));
    let enough = rows.iter().map(enough).max()?;
    Some(Choice::LeftOut {
        rows: rows.into_iter().map(|(row, _, _)| row).collect(),
        enough_runs: u32::try_from(enough).unwrap_or(u32::MAX),
    })
}

/// A budget that would have done, as people say it.
fn enough(time: Time) -> Nanos {
    let all = Nanos(time.setup.get().saturating_add(time.interval_of_all.get()));
    let longer = Nanos::from_secs_f64(time.budget.as_secs_f64() * LONGER);
    let least = all.max(longer);
    let step = if least > MINUTES_FROM { MINUTE } else { STEP };
    Nanos(least.get().div_ceil(step.get()).saturating_mul(step.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_that_would_do_is_longer_and_round() {
        let of = |budget, setup, all| {
            enough(Time {
                least_runs: 6,
                budget: Nanos::secs(budget),
                setup: Nanos::secs(setup),
                interval: Nanos::secs(1),
                interval_of_all: Nanos::secs(all),
            })
        };
        assert_eq!(of(20, 5, 31), Nanos::secs(40));
        assert_eq!(of(20, 1, 10), Nanos::secs(30));
        assert_eq!(of(60, 10, 121), Nanos::secs(180));
    }

    #[test]
    fn nothing_is_told_where_nothing_lacks() {
        let time = Time {
            least_runs: 6,
            budget: Nanos::secs(20),
            setup: Nanos::ZERO,
            interval: Nanos::ZERO,
            interval_of_all: Nanos::ZERO,
        };
        assert_eq!(choice(Vec::new(), time), None);
    }
}
