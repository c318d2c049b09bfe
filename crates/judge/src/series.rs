//! The 100 ms slices of a run as a sample of windows.

use etalon_model::Run;
use etalon_stats::Sample;
use etalon_units::Nanos;

/// Length of one slice of a series.
pub(crate) const SLICE: Nanos = Nanos::millis(100);

/// Fewer slices tell nothing of a run's course.
const FEWEST: usize = 40;

/// The fewest points of a series by which checks look at a run's course: whole slices, and one that is cut off.
pub const FEWEST_POINTS: usize = FEWEST + 1;

/// Operations of each whole slice; `None` of a run that is too short. The last slice is cut off by
/// the end of the run.
pub(crate) fn windows(run: &Run) -> Option<Sample> {
    let whole = run
        .measurement
        .series
        .split_last()
        .map(|(_, whole)| whole)?;
    if whole.len() < FEWEST {
        return None;
    }
    Sample::new(whole.iter().map(|point| point.operations as f64).collect()).ok()
}

/// Slices of a half second, within which rare pauses and slices that are like their neighbours show how far stretches
/// scatter, and single slices do not.
const HALF_SECOND: usize = 5;

/// How far the slices of a run scatter by chance, as the standard deviation of one: by the median difference of
/// neighbours, on which a drift has hardly a part, and a step or a stall none; of slices or of half seconds, whichever
/// scatter further.
pub(crate) fn scatter(windows: &Sample) -> f64 {
    let values = windows.values();
    scatter_of(values, 1).max(scatter_of(values, HALF_SECOND))
}

/// By the means of so many slices each.
fn scatter_of(values: &[f64], length: usize) -> f64 {
    /// The median size of a normal difference of standard deviation 1.
    const MEDIAN_OF_NORMAL: f64 = 0.6745;
    let parts = values.chunks_exact(length);
    let means: Vec<f64> = parts.map(|part| Stretch::of(part).mean).collect();
    let pairs = means.windows(2);
    let steps = pairs.map(|pair| (pair[1] - pair[0]).abs()).collect();
    let median = Sample::new(steps).map_or(0.0, |steps| steps.median());
    median / MEDIAN_OF_NORMAL / std::f64::consts::SQRT_2 * (length as f64).sqrt()
}

/// A stretch of a run: its mean, and how many slices it has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch {
    pub(crate) mean: f64,
    pub(crate) slices: f64,
}

impl Stretch {
    /// Of these slices.
    pub(crate) fn of(values: &[f64]) -> Stretch {
        let slices = values.len() as f64;
        Stretch {
            mean: values.iter().sum::<f64>() / slices.max(1.0),
            slices,
        }
    }

    /// By how many standard errors the means of two stretches differ where single slices scatter so far.
    pub(crate) fn apart(self, other: Stretch, scatter: f64) -> f64 {
        let error = scatter * (1.0 / self.slices.max(1.0) + 1.0 / other.slices.max(1.0)).sqrt();
        (self.mean - other.mean).abs() / error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_even_number_of_steps_the_median_lies_between_the_middle_two() {
        let means = |values: &[f64]| scatter_of(values, 1) * 0.6745 * std::f64::consts::SQRT_2;
        // Steps of 1, 2, 4 and 40.
        assert!((means(&[10.0, 11.0, 13.0, 17.0, 57.0]) - 3.0).abs() < 1e-9);
        assert_eq!(means(&[10.0]), 0.0);
    }

    #[test]
    fn a_step_is_no_scatter_and_stretches_are_apart_by_their_errors() {
        let noise = |i: usize| ((i * 7919) % 31) as f64;
        let level = |i: usize| if i < 50 { 100.0 } else { 200.0 };
        let of = |values: Vec<f64>| scatter(&Sample::new(values).unwrap());
        let even = of((0..100).map(|i| 100.0 + noise(i)).collect());
        let step = of((0..100).map(|i| level(i) + noise(i)).collect());
        // Numbers up to 30 have a standard deviation of 9.
        assert!((5.0..15.0).contains(&even), "{even}");
        assert!((step / even - 1.0).abs() < 0.01, "{even} {step}");
        let of = |mean| Stretch { mean, slices: 50.0 };
        let apart = of(100.0).apart(of(101.0), 1.0);
        assert!((apart - 5.0).abs() < 1e-9, "{apart}");
    }
}
