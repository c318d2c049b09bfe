//! Where warm-up ends: the MSER-5 rule.
//!
//! The series is averaged in fives, `z_1 .. z_N`; the cut `d`, at most half of the series,
//! minimises `sum over j > d of (z_j - mean)^2 / (N - d)^2`, the squared standard error of what
//! remains (White, Simulation 69, 1997; White, Cobb and Spratt, Winter Simulation Conference
//! 2000). A minimum at the very limit means that the run never settled and is to be extended. The
//! rule trims; it does not certify, so the drift test of [`crate::SteadyState`] follows it.

use crate::Sample;
use crate::sample::mean;

/// Values averaged into one point.
const WINDOW: usize = 5;
/// Fewest points worth cutting.
const FEWEST_POINTS: usize = 10;

/// What MSER-5 says about the start of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarmUp {
    /// So many values at the start are warm-up; 0 when there is none.
    Cut(usize),
    /// The best cut is at half of the run: extend it, and give it up after two extensions.
    NotSettled,
    /// Fewer than 50 values: nothing can be said.
    TooShort,
}

impl Sample {
    /// How much of the start of this run is warm-up.
    pub fn warm_up(&self) -> WarmUp {
        let points: Vec<f64> = self.values().chunks_exact(WINDOW).map(mean).collect();
        if points.len() < FEWEST_POINTS {
            return WarmUp::TooShort;
        }
        let limit = points.len() / 2;
        let best = best_cut(&points, limit);
        if best == limit {
            WarmUp::NotSettled
        } else {
            WarmUp::Cut(best * WINDOW)
        }
    }

    /// The run without its warm-up; `None` unless [`Sample::warm_up`] found where it ends.
    pub fn warmed_up(&self) -> Option<Sample> {
        match self.warm_up() {
            WarmUp::Cut(cut) => Some(Sample::from_checked(self.values()[cut..].to_vec())),
            WarmUp::NotSettled | WarmUp::TooShort => None,
        }
    }
}

/// The cut of at most `limit` with the smallest criterion, the earliest of equals. Mean and sum of
/// squares of what remains are built up from the end (Welford, Technometrics 4, 1962).
fn best_cut(points: &[f64], limit: usize) -> usize {
    let (mut centre, mut squares) = (0.0, 0.0);
    let mut best = (f64::INFINITY, 0);
    for (cut, &z) in points.iter().enumerate().rev() {
        let count = (points.len() - cut) as f64;
        let delta = z - centre;
        centre += delta / count;
        squares += delta * (z - centre);
        let criterion = squares / (count * count);
        if cut <= limit && criterion <= best.0 {
            best = (criterion, cut);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The criterion as it is written, computed afresh for each cut.
    fn slow_cut(points: &[f64], limit: usize) -> usize {
        let criterion = |d: usize| {
            let rest = &points[d..];
            let centre = rest.iter().sum::<f64>() / rest.len() as f64;
            let squares: f64 = rest.iter().map(|z| (z - centre).powi(2)).sum();
            squares / (rest.len() * rest.len()) as f64
        };
        (0..=limit)
            .min_by(|&a, &b| criterion(a).total_cmp(&criterion(b)))
            .unwrap()
    }

    #[test]
    fn agrees_with_the_written_formula() {
        for salt in 1..40_u32 {
            let points: Vec<f64> = (0..120_u32)
                .map(|i| {
                    let noise = f64::from((i * 7919 * salt) % 101) / 101.0;
                    noise + 3.0 * (-f64::from(i) / f64::from(salt)).exp()
                })
                .collect();
            assert_eq!(best_cut(&points, 60), slow_cut(&points, 60), "{salt}");
        }
    }

    #[test]
    fn a_step_is_cut_exactly() {
        let values = [vec![50.0; 40], vec![100.0; 160]].concat();
        let sample = Sample::new(values).unwrap();
        assert_eq!(sample.warm_up(), WarmUp::Cut(40));
        assert_eq!(sample.warmed_up().unwrap().n(), 160);
    }

    #[test]
    fn flat_climbing_and_short_runs() {
        let flat = Sample::new(vec![1.0; 100]).unwrap();
        assert_eq!(flat.warm_up(), WarmUp::Cut(0));
        let climb = Sample::new((0..200).map(f64::from).collect()).unwrap();
        assert_eq!(climb.warm_up(), WarmUp::NotSettled);
        let short = Sample::new(vec![1.0; 49]).unwrap();
        assert_eq!(short.warm_up(), WarmUp::TooShort);
    }
}
