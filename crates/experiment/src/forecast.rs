//! What a session will be able to say, told before it has said it.

use std::fmt;

use etalon_model::LONGEST_PROPOSED;
use etalon_stats::{Level, PLANNED_POWER, Sample, paired_runs_to_detect, smallest_detectable};
use etalon_units::{Nanos, Percent};

/// Blocks after which the noise is known well enough for a forecast.
pub(crate) const PILOT_BLOCKS: u32 = 3;

/// Noise that hides larger differences than this says of no session what it will show.
const MOST_TOLD: f64 = 0.5;

/// What the rest of the budget will show, from the noise of the first blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// Median over the cells of their run-to-run variation, on logarithms as comparisons are.
    pub cv: Percent,
    /// Blocks that the budget allows in all.
    pub blocks: usize,
    /// The smallest difference between two such sessions that shows with a power of 80 %.
    pub visible: Percent,
    /// A finer difference, and the time that it would take; `None` where that is longer than any session
    /// that is proposed.
    pub finer: Option<(Percent, Nanos)>,
}

impl Forecast {
    /// From the figures of each cell so far, the mean length of a block and the blocks that still
    /// fit; `None` while there is no noise to go by, or where it hides nearly everything.
    pub(crate) fn new(cells: &[Vec<f64>], block: Nanos, blocks: usize) -> Option<Forecast> {
        let spreads = cells
            .iter()
            .filter_map(|values| Sample::new(values.clone()).ok()?.log_sd());
        let cv = Sample::new(spreads.collect())
            .ok()?
            .median_interval(Level::P95)
            .value;
        let visible = smallest_detectable(cv, blocks, Level::REPORTED, PLANNED_POWER)
            .filter(|visible| *visible <= MOST_TOLD)?;
        let half = visible / 2.0;
        let finer = paired_runs_to_detect(cv, half, Level::REPORTED, PLANNED_POWER)
            .ok()
            .map(|runs| {
                let time = Nanos(block.get().saturating_mul(runs as u64));
                (Percent::from_fraction(half), time)
            })
            .filter(|(_, time)| *time <= LONGEST_PROPOSED);
        Some(Forecast {
            cv: Percent::from_fraction(cv),
            blocks,
            visible: Percent::from_fraction(visible),
            finer,
        })
    }
}

impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "The figures vary by {} from run to run (median over the workloads): {} blocks will show differences of {} and more between two such sessions",
            self.cv, self.blocks, self.visible
        )?;
        match &self.finer {
            Some((finer, time)) => write!(f, "; for {finer} plan {time}."),
            None => f.write_str("."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_percent_noise_and_ten_blocks_show_seven_percent() {
        // Two values m - d and m + d have the coefficient of variation sqrt(2) d / m.
        let d = 5.0 / f64::sqrt(2.0);
        let cells = vec![vec![100.0 - d, 100.0 + d]; 3];
        let forecast = Forecast::new(&cells, Nanos::secs(7), 11).unwrap();
        let visible = forecast.visible.fraction();
        assert!((0.06..0.075).contains(&visible), "{visible}");
        let (finer, time) = forecast.finer.unwrap();
        assert_eq!(finer.fraction(), visible / 2.0);
        assert!(
            time > Nanos::secs(7 * 30) && time < Nanos::secs(7 * 50),
            "{time}"
        );
    }

    #[test]
    fn no_time_beyond_the_longest_session_is_told() {
        let cells = vec![vec![80.0, 120.0]; 3];
        let told = |block| Forecast::new(&cells, Nanos::secs(block), 11).unwrap();
        assert!(told(1).to_string().contains("plan "));
        let long = told(36_000);
        assert_eq!(long.finer, None);
        assert!(!long.to_string().contains("plan "), "{long}");
    }

    #[test]
    fn no_noise_gives_no_forecast() {
        assert_eq!(Forecast::new(&[], Nanos::secs(1), 8), None);
        assert_eq!(Forecast::new(&[vec![1.0]], Nanos::secs(1), 8), None);
        let noise = vec![100.0, 900.0, 300.0];
        assert_eq!(Forecast::new(&[noise], Nanos::secs(1), 4), None);
    }
}
