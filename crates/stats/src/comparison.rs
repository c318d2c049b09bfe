//! The verdict on two arms: greater, equivalent within a margin, or undecided.
//!
//! Two questions are asked of the same logarithms. Equivalence: does the 90 % interval of the
//! ratio lie within the margin (two one-sided tests at 5 %, Schuirmann, Journal of
//! Pharmacokinetics and Biopharmaceutics 15, 1987)? Difference: does the interval at the reported
//! level leave out 1? Equivalence comes first, so that a difference that is certain but smaller
//! than the margin is called "significant but small" and not a win. "Not significant" alone is
//! never "the same": it is undecided.

use std::fmt;

use crate::distributions::t_one_sided;
use crate::ratio::LogDifference;
use crate::{Design, Level, Ratio, RatioError, Sample, ratio_by};

/// One-sided error probability of each equivalence test.
const EQUIVALENCE_ALPHA: f64 = 0.05;

/// A relative difference that does not matter; `0.02` is ±2 %.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Margin(f64);

/// Why a number is not a margin.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("margin {value}: give a share above 0 and below 1, 0.02 for ±2 %")]
pub struct MarginError {
    value: f64,
}

impl Margin {
    /// ±2 %: what comparisons use unless another margin is asked for.
    pub const TWO_PERCENT: Margin = Margin(0.02);

    /// A margin from a share.
    ///
    /// # Errors
    /// When `value` is not between 0 and 1.
    pub fn new(value: f64) -> Result<Margin, MarginError> {
        if value > 0.0 && value < 1.0 {
            Ok(Margin(value))
        } else {
            Err(MarginError { value })
        }
    }

    /// The margin as a share.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Default for Margin {
    fn default() -> Margin {
        Margin::TWO_PERCENT
    }
}

/// How two arms compare. Greater is greater, not better: for times, smaller is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparisonVerdict {
    /// The first arm is greater by more than chance.
    AGreater,
    /// The second arm is greater by more than chance.
    BGreater,
    /// The arms differ by less than the margin.
    Equivalent,
    /// Neither is shown; more blocks would tell.
    Undecided,
}

/// Two arms, their ratio and the verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// The verdict.
    pub verdict: ComparisonVerdict,
    /// Ratio of the first to the second arm, with both absolutes.
    pub ratio: Ratio,
    /// The margin of equivalence used.
    pub margin: Margin,
    /// Whether the interval at the level leaves out 1; with [`ComparisonVerdict::Equivalent`]
    /// this is a difference that is real but too small to matter.
    pub is_significant: bool,
}

impl fmt::Display for Comparison {
    /// `A>B: 1.250 [1.200, 1.302] (95 %, n=10)`, `equivalent within ±2 %: ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = (self.margin.0 * 1e6).round() / 1e4;
        match self.verdict {
            ComparisonVerdict::AGreater => write!(f, "A>B")?,
            ComparisonVerdict::BGreater => write!(f, "B>A")?,
            ComparisonVerdict::Equivalent => write!(f, "equivalent within ±{percent} %")?,
            ComparisonVerdict::Undecided => write!(f, "undecided")?,
        }
        f.write_str(": ")?;
        fmt::Display::fmt(&self.ratio.estimate, f)
    }
}

/// Compares two arms that were measured so.
///
/// # Errors
/// When an arm has fewer than two values or one that is not positive, or blocks are incomplete.
pub fn compare(
    a: &Sample,
    b: &Sample,
    design: Design,
    margin: Margin,
    level: Level,
) -> Result<Comparison, RatioError> {
    Ok(judge(ratio_by(a, b, design, level)?, margin, level))
}

/// Compares two arms measured in the same blocks, the design to prefer: a drift of the machine
/// over the session touches both arms of a block alike.
///
/// ```
/// use etalon_stats::{ComparisonVerdict, Level, Margin, Sample, compare_paired};
///
/// let a = Sample::new(vec![150.0, 153.0, 149.0, 151.0, 152.0, 150.0])?;
/// let b = Sample::new(vec![100.0, 101.0, 99.0, 102.0, 100.0, 101.0])?;
/// let compared = compare_paired(&a, &b, Margin::TWO_PERCENT, Level::REPORTED)?;
/// assert_eq!(compared.verdict, ComparisonVerdict::AGreater);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the arms differ in length, or have fewer than two values or one that is not positive.
pub fn compare_paired(
    a: &Sample,
    b: &Sample,
    margin: Margin,
    level: Level,
) -> Result<Comparison, RatioError> {
    compare(a, b, Design::Blocks, margin, level)
}

fn judge(ratio: Ratio, margin: Margin, level: Level) -> Comparison {
    let is_significant = ratio.p < level.alpha();
    let verdict = if is_equivalent(&ratio.log, margin) {
        ComparisonVerdict::Equivalent
    } else if !is_significant {
        ComparisonVerdict::Undecided
    } else if ratio.log.difference > 0.0 {
        ComparisonVerdict::AGreater
    } else {
        ComparisonVerdict::BGreater
    };
    Comparison {
        verdict,
        ratio,
        margin,
        is_significant,
    }
}

pub(crate) fn is_equivalent(log: &LogDifference, margin: Margin) -> bool {
    let reach = t_one_sided(EQUIVALENCE_ALPHA, log.df) * log.error;
    log.difference.abs() + reach <= margin.0.ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(centre: f64, spread: f64) -> Sample {
        let steps = [-1.5, -1.0, -0.5, 0.0, 0.0, 0.5, 1.0, 1.5];
        Sample::new(steps.map(|s| centre * (1.0 + spread * s)).to_vec()).unwrap()
    }

    fn verdict(a: &Sample, b: &Sample) -> ComparisonVerdict {
        compare(a, b, Design::Independent, Margin::default(), Level::P95)
            .unwrap()
            .verdict
    }

    #[test]
    fn the_four_verdicts() {
        let base = arm(100.0, 0.01);
        assert_eq!(
            verdict(&arm(110.0, 0.01), &base),
            ComparisonVerdict::AGreater
        );
        assert_eq!(
            verdict(&arm(90.0, 0.01), &base),
            ComparisonVerdict::BGreater
        );
        assert_eq!(
            verdict(&arm(100.1, 0.01), &base),
            ComparisonVerdict::Equivalent
        );
        assert_eq!(
            verdict(&arm(102.0, 0.05), &base),
            ComparisonVerdict::Undecided
        );
    }

    #[test]
    fn certain_but_small_is_not_a_win() {
        let (a, b) = (arm(101.0, 0.0001), arm(100.0, 0.0001));
        let comparison =
            compare(&a, &b, Design::Independent, Margin::default(), Level::P95).unwrap();
        assert!(comparison.is_significant);
        assert_eq!(comparison.verdict, ComparisonVerdict::Equivalent);
        let text = format!("{comparison:.2}");
        assert_eq!(
            text,
            "equivalent within ±2 %: 1.01 [1.01, 1.01] (95 %, n=8)"
        );
    }

    #[test]
    fn margins_are_checked() {
        assert!(Margin::new(0.0).is_err());
        assert!(
            Margin::new(2.0)
                .unwrap_err()
                .to_string()
                .contains("0.02 for ±2 %")
        );
        assert_eq!(Margin::new(0.02), Ok(Margin::default()));
    }
}
