//! Stopping on a difference, honestly: a few planned looks with a price for each.
//!
//! Looking at p < 0.05 after every pair finds a difference between an arm and itself in a quarter
//! of sessions. A group-sequential plan names its looks beforehand and pays for them: O'Brien and
//! Fleming (Biometrics 35, 1979) use the boundary `z_k = C / sqrt(t_k)` at the information share
//! `t_k`, dear at first and nearly free at the end; Lan and DeMets (Biometrika 70, 1983) spend
//! alpha along a curve, so that the looks need not be known. Boundaries come from the recursive
//! integration of Armitage, McPherson and Rowe (JRSS A 132, 1969). The nominal p of each look is
//! applied to a paired t test. Asking at any other count is an error, not an answer.
//!
//! Not called yet. The need: a plan that may end at the first of its planned looks that shows a difference.

use crate::distributions::{normal_cdf, normal_density, normal_two_sided_p};
use crate::{Level, Ratio, RatioError, Sample, paired_ratio};

/// The looks of the standard plan.
pub const SEQUENTIAL_LOOKS: [usize; 5] = [6, 12, 18, 24, 30];

/// A plan of looks and their nominal p values.
#[derive(Debug, Clone, PartialEq)]
pub struct SequentialPlan {
    looks: Vec<Look>,
    level: Level,
}

/// One look: after how many blocks, and below which p the difference counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Blocks done.
    pub blocks: usize,
    /// Two-sided nominal p.
    pub nominal_p: f64,
}

/// How alpha is spent over the information share `t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spending {
    /// `2 - 2 * Phi(z_(a/2) / sqrt(t))`, late.
    OBrienFleming,
    /// `a * ln(1 + (e - 1) t)`, evenly.
    Pocock,
}

/// What a look says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SequentialDecision {
    /// The arms differ; stop.
    Differ(Ratio),
    /// Not yet: go on to so many blocks.
    Continue {
        /// Blocks at the next look.
        next_look: usize,
    },
    /// The last look has passed: undecided, which is not "the same".
    Undecided(Ratio),
}

/// Why a plan cannot be made or asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SequentialError {
    /// The looks do not rise, or begin below 3 blocks.
    #[error("looks {looks:?}: give rising counts from 3 blocks on")]
    BadLooks {
        /// The looks given.
        looks: Vec<usize>,
    },
    /// The planned end lies before the last look.
    #[error("the last look is at {last} blocks but the plan ends at {planned}")]
    BeyondPlan {
        /// The last look.
        last: usize,
        /// The planned number of blocks.
        planned: usize,
    },
    /// A decision was asked for at a count that was not planned.
    #[error(
        "{blocks} blocks are not a planned look ({looks:?}): peeking in between makes winners of noise"
    )]
    NotALook {
        /// Blocks done.
        blocks: usize,
        /// The planned looks.
        looks: Vec<usize>,
    },
    /// The arms cannot be compared.
    #[error(transparent)]
    Ratio(#[from] RatioError),
}

impl SequentialPlan {
    /// O'Brien and Fleming's plan over `looks`, with an overall error of one minus `level`.
    ///
    /// # Errors
    /// When `looks` are not rising counts of at least 3.
    pub fn o_brien_fleming(
        looks: &[usize],
        level: Level,
    ) -> Result<SequentialPlan, SequentialError> {
        let shares = information_shares(looks, last_of(looks))?;
        let crossing = |constant: f64| {
            let mut walk = Walk::new();
            for &share in &shares {
                walk.step_to(share, constant);
            }
            walk.crossed
        };
        let (mut low, mut high) = (0.5, 10.0);
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            if crossing(middle) > level.alpha() {
                low = middle;
            } else {
                high = middle;
            }
        }
        let nominal = shares
            .iter()
            .map(|share| normal_two_sided_p(high / share.sqrt()));
        Ok(SequentialPlan::with(looks, nominal, level))
    }

    /// A plan that spends alpha over `looks` out of `planned` blocks; looks may be added later
    /// without changing the earlier ones.
    ///
    /// # Errors
    /// When `looks` are not rising counts of at least 3, or go beyond `planned`.
    pub fn spending(
        looks: &[usize],
        planned: usize,
        spending: Spending,
        level: Level,
    ) -> Result<SequentialPlan, SequentialError> {
        let shares = information_shares(looks, planned)?;
        let mut walk = Walk::new();
        let mut nominal = Vec::with_capacity(looks.len());
        for share in shares {
            let wanted = spending.spent(share, level.alpha());
            let boundary = walk.boundary_for(share, wanted - walk.crossed);
            walk.step_to(share, boundary);
            nominal.push(normal_two_sided_p(boundary / share.sqrt()));
        }
        Ok(SequentialPlan::with(looks, nominal.into_iter(), level))
    }

    fn with(looks: &[usize], nominal: impl Iterator<Item = f64>, level: Level) -> SequentialPlan {
        let looks = looks.iter().zip(nominal);
        SequentialPlan {
            looks: looks
                .map(|(&blocks, nominal_p)| Look { blocks, nominal_p })
                .collect(),
            level,
        }
    }

    /// The looks in order.
    pub fn looks(&self) -> &[Look] {
        &self.looks
    }

    /// The verdict at a planned look on two arms measured in the same blocks.
    ///
    /// # Errors
    /// When the number of blocks is not a planned look, or the arms cannot be compared.
    pub fn decide(&self, a: &Sample, b: &Sample) -> Result<SequentialDecision, SequentialError> {
        let ratio = paired_ratio(a, b, self.level)?;
        let blocks = a.n();
        let at = self.looks.iter().position(|look| look.blocks == blocks);
        let Some(at) = at else {
            return Err(SequentialError::NotALook {
                blocks,
                looks: self.looks.iter().map(|look| look.blocks).collect(),
            });
        };
        Ok(if ratio.p <= self.looks[at].nominal_p {
            SequentialDecision::Differ(ratio)
        } else if let Some(next) = self.looks.get(at + 1) {
            SequentialDecision::Continue {
                next_look: next.blocks,
            }
        } else {
            SequentialDecision::Undecided(ratio)
        })
    }
}

impl Spending {
    /// Alpha spent up to the information share `t` in `(0, 1]`.
    pub fn spent(self, t: f64, alpha: f64) -> f64 {
        match self {
            Spending::OBrienFleming => {
                let z = crate::distributions::normal_two_sided_quantile(alpha);
                normal_two_sided_p(z / t.sqrt())
            }
            Spending::Pocock => alpha * ((std::f64::consts::E - 1.0) * t).ln_1p(),
        }
    }
}

fn last_of(looks: &[usize]) -> usize {
    looks.last().copied().unwrap_or(0)
}

fn information_shares(looks: &[usize], planned: usize) -> Result<Vec<f64>, SequentialError> {
    let rising = looks.windows(2).all(|pair| pair[0] < pair[1]);
    if looks.first().is_none_or(|&first| first < 3) || !rising {
        return Err(SequentialError::BadLooks {
            looks: looks.to_vec(),
        });
    }
    let last = last_of(looks);
    if last > planned {
        return Err(SequentialError::BeyondPlan { last, planned });
    }
    Ok(looks.iter().map(|&n| n as f64 / planned as f64).collect())
}

/// A Brownian motion under "no difference", observed at the looks and stopped at the boundaries:
/// the density of where it is, given that it was not stopped.
struct Walk {
    time: f64,
    /// Positions and their probability weights.
    points: Vec<(f64, f64)>,
    /// Probability of having been stopped.
    crossed: f64,
}

/// Grid points per standard deviation of a step, and their limits.
const POINTS_PER_SD: f64 = 10.0;
const FEWEST_STEPS: usize = 60;
const MOST_STEPS: usize = 1000;

impl Walk {
    fn new() -> Walk {
        Walk {
            time: 0.0,
            points: vec![(0.0, 1.0)],
            crossed: 0.0,
        }
    }

    /// Probability of being at or beyond ±`boundary` at `time`, not having been stopped before.
    fn crossing(&self, time: f64, boundary: f64) -> f64 {
        let sd = (time - self.time).sqrt();
        self.points
            .iter()
            .map(|(x, weight)| {
                weight * (normal_cdf((x - boundary) / sd) + normal_cdf((-boundary - x) / sd))
            })
            .sum()
    }

    /// The boundary that is crossed at `time` with probability `wanted`.
    fn boundary_for(&self, time: f64, wanted: f64) -> f64 {
        let (mut low, mut high) = (0.0, 40.0);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if self.crossing(time, middle) > wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    /// Moves to `time` and stops what lies beyond ±`boundary` (Simpson's rule on the rest).
    fn step_to(&mut self, time: f64, boundary: f64) {
        self.crossed += self.crossing(time, boundary);
        let sd = (time - self.time).sqrt();
        let wanted = (2.0 * boundary / sd * POINTS_PER_SD).ceil() as usize;
        let steps = wanted.clamp(FEWEST_STEPS, MOST_STEPS).next_multiple_of(2);
        let width = 2.0 * boundary / steps as f64;
        let density = |y: f64| -> f64 {
            let from = self.points.iter();
            from.map(|(x, weight)| weight * normal_density((y - x) / sd))
                .sum::<f64>()
                / sd
        };
        let points = (0..=steps)
            .map(|i| {
                let y = -boundary + width * i as f64;
                let simpson = match i {
                    i if i == 0 || i == steps => 1.0,
                    i if i % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                (y, density(y) * simpson * width / 3.0)
            })
            .collect();
        self.points = points;
        self.time = time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nominal(plan: &SequentialPlan) -> Vec<f64> {
        plan.looks().iter().map(|look| look.nominal_p).collect()
    }

    fn close(found: &[f64], expected: &[f64], relative: f64) {
        assert_eq!(found.len(), expected.len());
        for (f, e) in found.iter().zip(expected) {
            assert!((f / e - 1.0).abs() < relative, "{found:?}");
        }
    }

    #[test]
    fn o_brien_fleming_as_published() {
        let plan = SequentialPlan::o_brien_fleming(&SEQUENTIAL_LOOKS, Level::P95).unwrap();
        close(
            &nominal(&plan),
            &[5.07e-6, 0.001_26, 0.008_45, 0.0226, 0.0413],
            5e-3,
        );
    }

    fn z(plan: &SequentialPlan) -> Vec<f64> {
        let z = crate::distributions::normal_two_sided_quantile;
        nominal(plan).into_iter().map(z).collect()
    }

    #[test]
    fn pocock_spending_as_published() {
        // Five equal looks at 5 %: Jennison and Turnbull, Group Sequential Methods, 2000.
        let looks = [10, 20, 30, 40, 50];
        let plan = SequentialPlan::spending(&looks, 50, Spending::Pocock, Level::P95).unwrap();
        close(&z(&plan), &[2.438, 2.427, 2.410, 2.397, 2.386], 5e-4);
    }

    #[test]
    fn late_spending_is_nearly_free_at_the_end() {
        let looks = [6, 12, 18, 24, 30];
        let late = Spending::OBrienFleming;
        let plan = SequentialPlan::spending(&looks, 30, late, Level::P95).unwrap();
        let z = z(&plan);
        assert!((z[0] - 1.959_964 / 0.2_f64.sqrt()).abs() < 1e-5, "{z:?}");
        assert!(z[4] > 1.96 && z[4] < 2.1, "{z:?}");
        assert!((late.spent(1.0, 0.05) - 0.05).abs() < 1e-14);
    }

    #[test]
    fn a_later_look_does_not_change_an_earlier_one() {
        let plan = |looks: &[usize]| {
            SequentialPlan::spending(looks, 30, Spending::Pocock, Level::P95).unwrap()
        };
        let (short, long) = (plan(&[6, 11]), plan(&[6, 11, 23, 30]));
        assert_eq!(nominal(&short), nominal(&long)[..2]);
    }

    #[test]
    fn peeking_is_an_error() {
        let plan = SequentialPlan::o_brien_fleming(&SEQUENTIAL_LOOKS, Level::P95).unwrap();
        let arm = Sample::new((1..=7).map(f64::from).collect()).unwrap();
        let peek = plan.decide(&arm, &arm).unwrap_err();
        assert!(peek.to_string().contains("7 blocks are not a planned look"));
    }

    #[test]
    fn looks_must_rise() {
        for looks in [&[][..], &[2, 6], &[6, 6], &[12, 6]] {
            assert!(SequentialPlan::o_brien_fleming(looks, Level::P95).is_err());
        }
        let beyond = SequentialPlan::spending(&[6, 40], 30, Spending::Pocock, Level::P95);
        assert_eq!(
            beyond,
            Err(SequentialError::BeyondPlan {
                last: 40,
                planned: 30
            })
        );
    }
}
