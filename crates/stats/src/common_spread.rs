//! Many figures with few runs each, which learn from one another how far runs scatter.
//!
//! A grid of some hundred figures has two or three runs of each. Three runs say little about the
//! spread of their own figure: Student's factor is 4.3. Hundred figures of the same kind say much
//! about what spreads are usual there. So the squared coefficients of variation are taken as drawn
//! from a scaled inverse chi-square distribution, whose two parameters are found from all of them by
//! the moments of their logarithms; each figure's own variance is then drawn towards the usual one,
//! and its t interval gains the degrees of freedom of what was learnt (Smyth, Statistical
//! Applications in Genetics and Molecular Biology 3, 2004, article 3, sections 6.1 and 6.2). Where
//! spreads differ much, little is learnt and the interval is nearly the plain one.
//!
//! Runs that were made in one pass over all figures also move together, as when the machine was slow
//! for a while. Of that, hundred figures say no more than one: the passes are few. So what a pass
//! shifts is a component of variance of its own, as in the two-way analysis of variance (Searle,
//! Casella and McCulloch, Variance Components, 1992, chapter 4) but by medians, with as many degrees of
//! freedom as there are passes less one.
//!
//! The figure itself is the median, as everywhere, whose interval is wider than the mean's by what a median
//! of so few normal values loses. Where runs fall into groups, such as fast and slow ones, runs that by
//! chance lie all in one group know nothing of the other; then the others' ranges speak: no interval ends
//! within the figure's own range, nor is it narrower than a share of the ranges that are usual in the
//! grid. From [`MIN_RUNS_LAB`] runs on the runs speak for themselves, by their order
//! ([`Sample::interpolated_median_interval`]). On the nine distributions of the proof, of which none
//! is normal but the first, 93 % and more are covered, 50/50 groups included; without the ranges these are covered in 50 to 94 %.
//!
//! Here a figure that scatters more than usual keeps its own spread, which the paper's method would
//! draw down too: that costs a tenth more runs, and of the noisiest fifth of the figures 90 % are
//! covered at three runs instead of 87 % (86 % instead of 81 % at two). Over all figures of a grid
//! the coverage is 95 %. All of this is simulated in `tests/proofs/common_spread.rs`.

use statrs::function::gamma::digamma;

use crate::distributions::{inverse_trigamma, t_critical, trigamma};
use crate::median::median_by_selection;
use crate::sample::mean;
use crate::{Estimate, Interval, Level, MIN_RUNS_LAB, Sample};

/// Fewest figures from which a usual spread is learnt; with fewer the coverage falls below what is
/// claimed (simulated).
pub const MIN_FIGURES: usize = 20;

/// Variances of zero (equal runs) are counted as this part of the median variance, so that they have
/// a logarithm: the choice of limma's `fitFDist`, the program of the paper's author.
const LEAST_PART: f64 = 1e-5;

/// How far the runs of figures of one kind usually scatter, and how alike the figures are in that.
#[derive(Debug, Clone, PartialEq)]
pub struct CommonSpread {
    /// The usual coefficient of variation, squared.
    variance: f64,
    /// For how many runs of a figure's own this knowledge counts; infinite where all spread alike.
    degrees: f64,
    figures: usize,
    /// Variance of what a pass shifts all figures by, over the square of the mean: at `n - 2` that of
    /// the first `n` passes.
    shifts: Vec<f64>,
    /// The least half width of a figure with few runs, over its median.
    least: f64,
}

impl CommonSpread {
    /// What figures with the runs `samples` have in common, of which the first of each were made in
    /// the first pass over all of them, the second in the second, and so on. For the usual spread as
    /// many runs of each are used as the shortest has, the first ones: which figures were repeated
    /// more often depends on how they scattered at first, and would lead astray.
    ///
    /// `None` with fewer than [`MIN_FIGURES`] figures, with a single run of any, with a mean of zero,
    /// or where more than half of the figures do not vary at all.
    pub fn of(samples: &[Sample]) -> Option<CommonSpread> {
        let figures = samples.len();
        let runs = samples.iter().map(Sample::n).min()?;
        if figures < MIN_FIGURES || runs < 2 {
            return None;
        }
        let first = |sample: &Sample| Sample::from_checked(sample.values()[..runs].to_vec());
        let firsts: Vec<Sample> = samples.iter().map(first).collect();
        let variances: Vec<f64> = firsts
            .iter()
            .map(|sample| sample.cv().map(|cv| cv * cv))
            .collect::<Option<_>>()?;
        let least = LEAST_PART * median_by_selection(&mut variances.clone());
        if least <= 0.0 {
            return None;
        }
        let half = (runs - 1) as f64 / 2.0;
        let logs: Vec<f64> = variances
            .iter()
            .map(|variance| variance.max(least).ln() - digamma(half) + half.ln())
            .collect();
        let centre = mean(&logs);
        let squares: f64 = logs.iter().map(|log| (log - centre).powi(2)).sum();
        // What the logarithms scatter beyond what so few runs explain.
        let beyond = squares / (figures - 1) as f64 - trigamma(half);
        let (variance, degrees) = if beyond > 0.0 {
            let half = inverse_trigamma(beyond);
            ((centre + digamma(half) - half.ln()).exp(), 2.0 * half)
        } else {
            (mean(&variances), f64::INFINITY)
        };
        let most = samples.iter().map(Sample::n).max()?;
        Some(CommonSpread {
            variance,
            degrees,
            figures,
            shifts: (2..=most).map(|passes| shift(samples, passes)).collect(),
            least: least_half_width(&firsts, runs),
        })
    }

    /// The usual coefficient of variation; `0.02` is 2 %.
    pub fn cv(&self) -> f64 {
        self.variance.sqrt()
    }

    /// For how many degrees of freedom the common knowledge counts beside a figure's own runs.
    pub fn degrees(&self) -> f64 {
        self.degrees
    }

    /// From how many figures it was learnt.
    pub fn figures(&self) -> usize {
        self.figures
    }

    /// How far passes shift all figures, over the mean, as far as the first `passes` of them tell;
    /// `0.01` is 1 %.
    pub fn shift(&self, passes: usize) -> f64 {
        let at = passes.checked_sub(2).and_then(|at| self.shifts.get(at));
        at.copied().unwrap_or(0.0).sqrt()
    }

    /// The half width over the mean that `runs` runs with their own `cv` have at `level`: that of
    /// their own scatter and that of the passes, which are independent.
    fn half_width(&self, cv: f64, runs: usize, level: Level) -> f64 {
        let (own, degrees) = self.of_figure(cv, runs);
        let own = t_critical(level, degrees.min(MANY_DEGREES)) * own;
        let passes = t_critical(level, runs as f64 - 1.0) * self.shift(runs);
        own.hypot(passes) / (runs as f64).sqrt()
    }

    /// The coefficient of variation that a figure with `cv` over `runs` runs is given, and its
    /// degrees of freedom.
    fn of_figure(&self, cv: f64, runs: usize) -> (f64, f64) {
        let own = runs as f64 - 1.0;
        let degrees = self.degrees + own;
        let variance = if degrees.is_infinite() {
            self.variance
        } else {
            (self.degrees * self.variance + own * cv * cv) / degrees
        };
        // A spread that was seen is never talked away.
        (variance.sqrt().max(cv), degrees)
    }
}

impl Sample {
    /// The median with an interval that, below [`MIN_RUNS_LAB`] runs, borrows what many figures have in
    /// common; no interval for a single value or a mean of zero.
    pub fn median_interval_with(&self, common: &CommonSpread, level: Level) -> Estimate {
        if self.n() >= MIN_RUNS_LAB {
            return self.headline(level);
        }
        let half = |cv: f64| common.half_width(cv, self.n(), level) * mean(self.values()).abs();
        let half = self.cv().map(half);
        let least = common.least * self.median().abs();
        self.median_of_few(half.map(|half| (half * loss(self.n())).max(least)), level)
    }

    /// The median of runs that are too few for an interval by their order and have nothing in common
    /// with others: Student's, as wide as a median's is, and no narrower than the runs' range. It
    /// supposes that they are of one group.
    pub fn median_interval_of_few(&self, level: Level) -> Estimate {
        if self.n() >= MIN_RUNS_LAB {
            return self.headline(level);
        }
        let mean = self.mean_interval(level).interval;
        let half = mean.map(|interval| interval.half_width() * loss(self.n()));
        self.median_of_few(half, level)
    }

    /// The median with an interval of this half width, and at least the range of the values.
    fn median_of_few(&self, half: Option<f64>, level: Level) -> Estimate {
        let median = self.median();
        let interval = half.map(|half| Interval {
            low: (median - half).min(self.min()),
            high: (median + half).max(self.max()),
            level,
        });
        self.median_with(interval, level)
    }
}

/// The standard deviation of the median of so few normal values over that of their mean, from the
/// moments of their order statistics (Harter and Balakrishnan, CRC Handbook of Tables for the Use of
/// Order Statistics, 1996).
fn loss(runs: usize) -> f64 {
    match runs {
        3 => 1.160,
        4 => 1.092,
        5 => 1.198,
        _ => 1.0,
    }
}

/// Of the ranges of the first `runs` runs of each figure, over their medians: the quantile and the share
/// of it that no half width is below. Found by the simulation in `tests/proofs/common_spread.rs`: the
/// least that covers two groups of equal size.
fn least_half_width(firsts: &[Sample], runs: usize) -> f64 {
    let (quantile, share) = match runs {
        2 => (0.7, 1.0),
        3 => (0.6, 0.55),
        4 => (0.45, 0.55),
        5 => (0.2, 0.55),
        _ => return 0.0,
    };
    let relative = |sample: &Sample| (sample.max() - sample.min()) / sample.median().abs();
    let mut ranges: Vec<f64> = firsts
        .iter()
        .map(relative)
        .filter(|r| r.is_finite())
        .collect();
    ranges.sort_by(f64::total_cmp);
    let at = (ranges.len().saturating_sub(1) as f64 * quantile) as usize;
    share * ranges.get(at).copied().unwrap_or(0.0)
}

/// The variance, over the square of the mean, of what each of the first `passes` passes shifts all
/// figures by that were in them; zero where it does not stand out from the figures' own scatter. What
/// disturbs a few figures of a pass is no shift of all, so medians are taken.
fn shift(samples: &[Sample], passes: usize) -> f64 {
    let in_all = samples.iter().filter(|sample| sample.n() >= passes);
    let deviations: Vec<Vec<f64>> = in_all
        .map(|sample| {
            let runs = &sample.values()[..passes];
            let centre = mean(runs);
            runs.iter().map(|run| run / centre - 1.0).collect()
        })
        .collect();
    let figures = deviations.len();
    if figures < 2 {
        return 0.0;
    }
    let of_pass = |pass: usize| {
        let mut all: Vec<f64> = deviations.iter().map(|own| own[pass]).collect();
        median_by_selection(&mut all)
    };
    let shifts: Vec<f64> = (0..passes).map(of_pass).collect();
    let degrees = (passes - 1) as f64;
    let of_passes = shifts.iter().map(|shift| shift * shift).sum::<f64>() / degrees;
    let mut residuals: Vec<f64> = deviations
        .iter()
        .flat_map(|own| {
            own.iter()
                .zip(&shifts)
                .map(|(own, shift)| (own - shift).abs())
        })
        .collect();
    let scatter = MAD_TO_DEVIATION * median_by_selection(&mut residuals);
    // Deviations from a mean of so many scatter less than the runs do.
    let scatter = scatter * scatter * passes as f64 / degrees;
    (of_passes - MEDIAN_TO_MEAN * scatter / figures as f64).max(0.0)
}

/// The standard deviation of a normal distribution over its median absolute deviation, 1 / Phi^-1(3/4).
const MAD_TO_DEVIATION: f64 = 1.482_602_218_505_602;

/// The variance of the median of many normal values over that of their mean.
const MEDIAN_TO_MEAN: f64 = std::f64::consts::FRAC_PI_2;

/// Degrees of freedom from which on Student's factor is the normal one to seven digits.
const MANY_DEGREES: f64 = 1e7;

#[cfg(test)]
mod tests {
    use super::*;

    /// 24 figures of three runs, made by a rule that a twin in Python repeats.
    fn grid() -> Vec<Sample> {
        let run = |i: i32| {
            let part =
                |factor: i32, modulus: i32, less: i32| f64::from(factor * i % modulus - less);
            let first = 100.0 + part(7, 13, 6) * 0.5 * f64::from(1 + i % 4);
            let second = 100.0 - part(5, 11, 5) * 0.4 * f64::from(1 + i % 3);
            Sample::new(vec![first, second, 100.0 + part(3, 7, 3) * 0.3]).unwrap()
        };
        (0..24).map(run).collect()
    }

    #[test]
    fn the_figures_of_a_twin() {
        // Degrees and spread by SciPy: moments of the logarithms, brentq on polygamma.
        let common = CommonSpread::of(&grid()).unwrap();
        assert!(
            (common.degrees() - 3.285_874_129_821_100_7).abs() < 1e-9,
            "{common:?}"
        );
        assert!(
            (common.cv() - 0.020_717_949_068_342_68).abs() < 1e-12,
            "{common:?}"
        );
        let six = &grid()[5];
        let half = common.half_width(six.cv().unwrap(), 3, Level::P95) * mean(six.values());
        assert!((half - 2.979_113_326_871_58).abs() < 1e-8, "{half}");
        let estimate = six.median_interval_with(&common, Level::P95);
        let interval = estimate.interval.unwrap();
        assert_eq!((estimate.value, six.n()), (six.median(), 3));
        assert!((interval.high - estimate.value - 1.160 * half).abs() < 1e-8);
        assert_eq!((estimate.n, common.figures()), (3, 24));
    }

    #[test]
    fn later_runs_of_a_few_figures_teach_nothing() {
        let mut more = grid();
        more[3] = Sample::new([more[3].values(), &[500.0, 1.0]].concat()).unwrap();
        let of = |samples: &[Sample]| {
            let common = CommonSpread::of(samples).unwrap();
            (common.cv(), common.degrees(), common.shift(3))
        };
        assert_eq!(of(&more), of(&grid()));
    }

    #[test]
    fn a_slow_pass_counts_for_all_and_a_slow_figure_does_not() {
        let mut passes = grid();
        for sample in &mut passes {
            let slow = |(at, run): (usize, &f64)| if at == 1 { 0.9 * run } else { *run };
            let runs = sample.values().iter().enumerate().map(slow);
            *sample = Sample::new(runs.collect()).unwrap();
        }
        let common = CommonSpread::of(&passes).unwrap();
        // Of 1, 0.9, 1 the standard deviation is 6 % of the mean.
        assert!((common.shift(3) - 0.06).abs() < 0.005, "{common:?}");
        assert!((common.shift(2) - 0.0744).abs() < 0.01, "{common:?}");
        let wide = |sample: &Sample| {
            let interval = sample.median_interval_with(&common, Level::P95).interval;
            interval.unwrap().half_width()
        };
        // Student's factor for three passes is 4.3: 15 % at least.
        assert!(passes.iter().all(|sample| wide(sample) > 14.0));
        let mut figures = grid();
        figures[3] = Sample::new(vec![100.0, 50.0, 100.0]).unwrap();
        assert!(CommonSpread::of(&figures).unwrap().shift(3) < 0.005);
    }

    #[test]
    fn what_teaches_nothing() {
        let grid = grid();
        assert_eq!(CommonSpread::of(&grid[..MIN_FIGURES - 1]), None, "too few");
        let once: Vec<Sample> = (0..30)
            .map(|i| Sample::new(vec![f64::from(i)]).unwrap())
            .collect();
        assert_eq!(CommonSpread::of(&once), None, "one run each");
        let still: Vec<Sample> = (0..30)
            .map(|_| Sample::new(vec![1.0; 3]).unwrap())
            .collect();
        assert_eq!(CommonSpread::of(&still), None, "no spread at all");
        let zero: Vec<Sample> = (0..30)
            .map(|_| Sample::new(vec![0.0; 3]).unwrap())
            .collect();
        assert_eq!(CommonSpread::of(&zero), None, "means of zero");
    }

    #[test]
    fn equal_runs_are_given_the_usual_spread() {
        let mut grid = grid();
        grid[0] = Sample::new(vec![100.0; 3]).unwrap();
        let common = CommonSpread::of(&grid).unwrap();
        let interval = grid[0].median_interval_with(&common, Level::P95).interval;
        assert!(interval.unwrap().half_width() > 0.1, "{interval:?}");
    }

    #[test]
    fn runs_of_one_group_know_from_others_that_there_are_two() {
        let fast_or_slow = |i: usize| if i.is_multiple_of(2) { 100.0 } else { 70.0 };
        let of = |i: usize| vec![fast_or_slow(i / 3), fast_or_slow(i), fast_or_slow(i / 2)];
        let run = |i: usize, at: usize| of(i)[at] + (i * 7 % 5) as f64 / 10.0 + at as f64 / 10.0;
        let figure = |i| Sample::new((0..3).map(|at| run(i, at)).collect()).unwrap();
        let grid: Vec<Sample> = (0..36).map(figure).collect();
        let common = CommonSpread::of(&grid).unwrap();
        let fast = Sample::new(vec![100.0, 100.1, 100.2]).unwrap();
        let interval = fast.median_interval_with(&common, Level::P95).interval;
        assert!(interval.unwrap().contains(85.0), "{interval:?}");
    }

    #[test]
    fn from_six_runs_on_they_speak_for_themselves() {
        let common = CommonSpread::of(&grid()).unwrap();
        let six = Sample::new(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let estimate = six.median_interval_with(&common, Level::P95);
        assert_eq!(estimate, six.interpolated_median_interval(Level::P95));
    }
}
