//! The time that the rows of one file size may take.

use std::time::Instant;

/// That of so many of their first passes, and what smaller files have left over. Only the passes
/// count, not what is looked at around them.
pub(super) struct Allowance {
    /// Seconds of the passes that are over.
    spent: f64,
    /// When the pass under way began.
    running: Option<Instant>,
    passes: Option<usize>,
    /// Seconds that there are in any case.
    least: f64,
    /// Seconds that were left over before; below zero where more was taken.
    spare: f64,
    /// What of that a later batch has to give back.
    debt: f64,
    /// Seconds in all; known after the first pass.
    whole: Option<f64>,
}

/// Seconds that every file size of a grid may take: small files are passed over so quickly that many
/// runs cost nothing. Larger files pay them back, each a little.
const LEAST_OF_GRID: f64 = 0.2;

/// Seconds that the figures of a single row may take: nobody waits longer for a second, and figures that
/// need some milliseconds more get them.
const LEAST_ALONE: f64 = 1.0;

/// How much of a pass is paid back at most.
const REPAID: f64 = 0.1;

impl Allowance {
    /// For so many `rows` and the time of so many `passes` over them, and what was left over before.
    pub(super) fn new(rows: usize, passes: Option<usize>, spare: f64) -> Allowance {
        Allowance {
            spent: 0.0,
            running: None,
            passes,
            least: if rows > 1 { LEAST_OF_GRID } else { LEAST_ALONE },
            spare,
            debt: 0.0,
            whole: None,
        }
    }

    /// A pass over the rows begins.
    pub(super) fn begin(&mut self) {
        self.running = Some(Instant::now());
    }

    /// The pass is over; the first one says what all of them may take.
    pub(super) fn end(&mut self) {
        self.spent = self.elapsed();
        self.running = None;
        if self.whole.is_some() || self.passes.is_none() {
            return;
        }
        let pass = self.spent;
        let spare = self.spare.max(-REPAID * pass);
        self.whole = self.passes.map(|passes| passes as f64 * pass + spare);
        self.debt = self.spare - spare;
    }

    fn elapsed(&self) -> f64 {
        let running = self.running.map(|begun| begun.elapsed().as_secs_f64());
        self.spent + running.unwrap_or(0.0)
    }

    pub(super) fn is_spent(&self) -> bool {
        self.whole
            .is_some_and(|whole| self.elapsed() >= whole.max(self.least))
    }

    /// What is left for the next batch.
    pub(super) fn left(&self) -> f64 {
        let whole = self.whole.unwrap_or(0.0);
        self.debt + whole - self.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An allowance whose first pass took a second, and of which so many seconds are spent.
    fn after(seconds: f64, passes: Option<usize>, spare: f64) -> Allowance {
        let mut allowance = Allowance::new(2, passes, spare);
        allowance.spent = 1.0;
        allowance.end();
        allowance.spent = seconds;
        allowance
    }

    #[test]
    fn three_passes_time_and_what_others_left() {
        assert!(!after(2.9, Some(3), 0.0).is_spent());
        assert!(after(3.1, Some(3), 0.0).is_spent());
        assert!(!after(3.9, Some(3), 1.0).is_spent());
        assert!((after(2.5, Some(3), 1.0).left() - 1.5).abs() < 0.01);
        assert!(!after(1000.0, None, 0.0).is_spent(), "there is no limit");
    }

    #[test]
    fn the_figures_of_one_row_have_a_second() {
        for (rows, is_spent) in [(1, false), (2, true)] {
            let mut allowance = Allowance::new(rows, Some(3), 0.0);
            allowance.spent = 0.01;
            allowance.end();
            allowance.spent = 0.9;
            assert_eq!(allowance.is_spent(), is_spent, "{rows}");
        }
    }

    #[test]
    fn debts_are_paid_back_by_and_by() {
        let allowance = after(2.95, Some(3), -1.0);
        assert!(allowance.is_spent(), "a tenth of a pass goes back");
        assert!(
            (allowance.left() + 0.95).abs() < 0.01,
            "{}",
            allowance.left()
        );
    }

    #[test]
    fn what_lies_between_passes_costs_nothing() {
        let mut allowance = Allowance::new(2, Some(3), 0.0);
        allowance.begin();
        allowance.end();
        let spent = allowance.elapsed();
        std::thread::yield_now();
        assert_eq!(allowance.elapsed(), spent);
    }
}
