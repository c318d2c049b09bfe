//! Proof of interactions: known answers, few false ones after Holm's correction, and real ones are found.

use crate::common::{Rng, assert_share, normal, rng, sample, share};
use etalon_stats::{Level, RatioError, Sample, holm, interaction};

#[test]
fn a_ratio_of_ratios_by_hand() {
    let arms = [
        vec![12.0, 24.0],
        vec![2.0, 4.0],
        vec![6.0, 12.0],
        vec![2.0, 4.0],
    ]
    .map(sample);
    let [a, b, c, d] = &arms;
    let found = interaction([a, b, c, d], Level::P95).unwrap();
    // (12 / 2) / (6 / 2) in each block: twice, without any spread.
    assert!((found.effect.value - 2.0).abs() < 1e-12, "{found:?}");
    assert!(found.p < 1e-9, "{found:?}");
    let short = sample(vec![1.0]);
    let error = interaction([a, b, c, &short], Level::P95);
    assert_eq!(error, Err(RatioError::LengthsDiffer { a: 2, b: 1 }));
}

/// Runs of a plan with factors of three and two levels, by level: blocks and plots move together, runs scatter by 5 %, and
/// the last corner is `extra` times as much as both factors alone say.
fn plan(rng: &mut Rng, blocks: usize, extra: f64) -> Vec<Vec<Sample>> {
    let mut logs = vec![vec![Vec::new(); 2]; 3];
    for _ in 0..blocks {
        let block = 0.1 * normal(rng);
        for (a, plot) in logs.iter_mut().enumerate() {
            let shift = block + 0.05 * normal(rng) + 0.3 * a as f64;
            for (b, cell) in plot.iter_mut().enumerate() {
                let both = if (a, b) == (2, 1) { extra.ln() } else { 0.0 };
                cell.push(shift - 0.2 * b as f64 + both + 0.05 * normal(rng));
            }
        }
    }
    let values = |logs: Vec<f64>| sample(logs.into_iter().map(f64::exp).collect());
    let plots = logs.into_iter();
    plots
        .map(|plot| plot.into_iter().map(values).collect())
        .collect()
}

/// Adjusted p of both contrasts.
fn adjusted(cells: &[Vec<Sample>]) -> Vec<f64> {
    let of = |a: usize| {
        let arms = [&cells[a][1], &cells[a][0], &cells[0][1], &cells[0][0]];
        interaction(arms, Level::P95).map_or(f64::NAN, |found| found.p)
    };
    holm(&[of(1), of(2)])
}

#[test]
fn without_an_interaction_at_most_one_in_twenty_plans_tells_one() {
    let reps = 4000;
    for blocks in [6, 8, 15] {
        let mut rng = rng(6300 + blocks as u64);
        let told = share(reps, |_| {
            adjusted(&plan(&mut rng, blocks, 1.0))
                .iter()
                .any(|p| *p <= 0.05)
        });
        assert_share(&format!("{blocks} blocks"), told, 0.02, 0.05, reps);
    }
}

#[test]
fn an_interaction_of_a_fifth_is_found_where_it_is() {
    let reps = 1000;
    let mut rng = rng(6400);
    let mut elsewhere = 0;
    let found = share(reps, |_| {
        let p = adjusted(&plan(&mut rng, 8, 1.2));
        elsewhere += usize::from(p[0] <= 0.05);
        p[1] <= 0.05
    });
    assert!(found > 0.85, "{found}");
    assert!(elsewhere as f64 / reps as f64 <= 0.05 + 0.02, "{elsewhere}");
}
