//! From figures to pixels.

/// How figures are spread over an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScaleKind {
    /// Equal steps.
    Linear,
    /// Equal ratios; figures must be above zero.
    Log,
    /// The same with ticks at powers of two, for sizes and depths.
    Binary,
    /// Shares below 1, with equal ratios of what is missing to 1: for tails.
    Tail,
}

/// An axis' figures between two ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// How they are spread.
    pub kind: ScaleKind,
    /// The lowest figure.
    pub low: f64,
    /// The highest figure.
    pub high: f64,
}

/// The share nearest to 1 that a tail shows.
const LAST_SHARE: f64 = 0.999_99;

impl Scale {
    /// From zero, or from the lowest figure where that is negative, to a round figure at or above the highest.
    pub fn from_zero(values: impl IntoIterator<Item = f64>) -> Scale {
        let (low, high) = ends(values).unwrap_or((0.0, 1.0));
        let low = low.min(0.0);
        let high = if high > low { high } else { low + 1.0 };
        let step = step(high - low, 8);
        Scale {
            kind: ScaleKind::Linear,
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
        }
    }

    /// Over all figures above zero, with equal ratios.
    pub fn log(values: impl IntoIterator<Item = f64>) -> Scale {
        let above = values.into_iter().filter(|value| *value > 0.0);
        let (low, high) = ends(above).unwrap_or((1.0, 10.0));
        let high = if high > low * 1.01 { high } else { low * 10.0 };
        Scale {
            kind: ScaleKind::Log,
            low,
            high,
        }
    }

    /// The same with ticks at powers of two.
    pub fn binary(values: impl IntoIterator<Item = f64>) -> Scale {
        let kind = ScaleKind::Binary;
        Scale {
            kind,
            ..Scale::log(values)
        }
    }

    /// Shares from a half to nearly all.
    pub fn tail() -> Scale {
        Scale {
            kind: ScaleKind::Tail,
            low: 0.0,
            high: LAST_SHARE,
        }
    }

    /// Where the figure lies: 0 at the low end, 1 at the high one.
    pub fn share(&self, value: f64) -> f64 {
        let spread = |value: f64| match self.kind {
            ScaleKind::Linear => value,
            ScaleKind::Log | ScaleKind::Binary => value.max(self.low / 1e3).log10(),
            ScaleKind::Tail => -(1.0 - value.clamp(0.0, LAST_SHARE)).log10(),
        };
        let (low, high) = (spread(self.low), spread(self.high));
        if high > low {
            (spread(value) - low) / (high - low)
        } else {
            0.5
        }
    }

    /// Round figures along the axis, about so many.
    pub fn ticks(&self, count: usize) -> Vec<f64> {
        match self.kind {
            ScaleKind::Linear => linear_ticks(self.low, self.high, count),
            ScaleKind::Log => log_ticks(self.low, self.high, count),
            ScaleKind::Binary => binary_ticks(self.low, self.high, count),
            ScaleKind::Tail => vec![0.0, 0.5, 0.9, 0.99, 0.999, 0.9999],
        }
    }
}

fn ends(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let finite = values.into_iter().filter(|value| value.is_finite());
    finite.fold(None, |found: Option<(f64, f64)>, value| {
        let (low, high) = found.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    })
}

/// 1, 2 or 5 times a power of ten, so that about `count` steps make `span`.
fn step(span: f64, count: usize) -> f64 {
    let rough = span / count.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let nice = [1.0, 2.0, 5.0, 10.0];
    let fit = nice.iter().find(|n| **n * power >= rough * 0.999);
    fit.unwrap_or(&10.0) * power
}

fn linear_ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let step = step(high - low, count);
    let first = (low / step).ceil();
    let ticks = (0..=(count * 3)).map(|n| (first + n as f64) * step);
    ticks
        .take_while(|tick| *tick <= high + step * 1e-6)
        .collect()
}

fn binary_ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let doublings = (high / low).log2();
    let every = (doublings / count.max(1) as f64).ceil().max(1.0);
    let first = (low * 0.999).log2().ceil();
    let powers = (0..=64).map(|n| 2f64.powf(first + f64::from(n) * every));
    powers.take_while(|tick| *tick <= high * 1.001).collect()
}

fn log_ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let decades = (high / low).log10();
    let within: &[f64] = match decades {
        d if d > count as f64 * 0.75 => &[1.0],
        d if d > count as f64 / 2.0 => &[1.0, 3.0],
        _ => &[1.0, 2.0, 5.0],
    };
    let every = (decades / count.max(1) as f64).ceil().max(1.0);
    let first = low.log10().floor();
    let powers = (0..=40).map(|n| 10f64.powf(first + n as f64 * every));
    let all = powers.flat_map(|power| within.iter().map(move |n| n * power));
    let within = all.skip_while(|tick| *tick < low * 0.999);
    let ticks: Vec<f64> = within.take_while(|tick| *tick <= high * 1.001).collect();
    // Between 0.9 and 1.1 a single one would say nothing of the scale.
    match ticks.len() {
        0..=2 if high < low * 10.0 => linear_ticks(low, high, count),
        _ => ticks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        let scale = Scale::from_zero([12.0, 437.0]);
        assert_eq!((scale.low, scale.high), (0.0, 500.0));
        assert_eq!(scale.ticks(5), [0.0, 100.0, 200.0, 300.0, 400.0, 500.0]);
        assert_eq!(Scale::binary([4.0, 64.0]).ticks(3), [4.0, 16.0, 64.0]);
        assert_eq!(
            Scale::log([50.0, 20_000.0]).ticks(3),
            [100.0, 1000.0, 10_000.0]
        );
        assert_eq!(Scale::log([4.0, 64.0]).ticks(5), [5.0, 10.0, 20.0, 50.0]);
    }

    #[test]
    fn a_short_log_axis_has_more_than_one_tick() {
        let ticks = Scale::log([0.88, 1.13]).ticks(5);
        assert!(ticks.len() > 2, "{ticks:?}");
        assert!(ticks.iter().any(|tick| (tick - 1.0).abs() < 1e-9));
    }

    #[test]
    fn the_ends_are_zero_and_one() {
        for scale in [
            Scale::from_zero([3.0, 7.0]),
            Scale::log([2.0, 900.0]),
            Scale::tail(),
        ] {
            assert!(scale.share(scale.low).abs() < 1e-9, "{scale:?}");
            assert!((scale.share(scale.high) - 1.0).abs() < 1e-9, "{scale:?}");
        }
        let tail = Scale::tail();
        let step = |a, b| tail.share(b) - tail.share(a);
        assert!((step(0.9, 0.99) - step(0.99, 0.999)).abs() < 1e-9);
        assert!((Scale::log([1.0, 100.0]).share(10.0) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn no_figures_and_equal_figures_have_an_axis_all_the_same() {
        for values in [vec![], vec![5.0], vec![f64::NAN], vec![0.0, 0.0]] {
            let scale = Scale::from_zero(values.clone());
            assert!(scale.high > scale.low, "{values:?}");
            assert!(Scale::log(values).share(7.0).is_finite());
        }
    }
}
