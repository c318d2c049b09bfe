//! Proof that figures which learn from one another how runs scatter are covered as claimed.
#![expect(clippy::unwrap_used, reason = "a proof may panic")]

use crate::common::{Rng, assert_share, holds_median, normal, rng, sample};
use etalon_stats::{CommonSpread, Level, MIN_FIGURES, Sample, StopDecision, StoppingRule};
use etalon_testbed::{ALL_RUNS, Runs};

/// True spreads of the figures of a grid: `cv`, scattered so far in their logarithm.
fn spreads(rng: &mut Rng, figures: usize, cv: f64, scatter: f64) -> Vec<f64> {
    (0..figures)
        .map(|_| cv * (scatter * normal(rng)).exp())
        .collect()
}

fn run(rng: &mut Rng, cv: f64) -> f64 {
    100.0 * (1.0 + cv * normal(rng))
}

fn covers(sample: &Sample, common: &CommonSpread) -> bool {
    let estimate = sample.median_interval_with(common, Level::P95);
    estimate.interval.unwrap().contains(100.0)
}

/// The share of figures whose interval covers the truth, over many grids, and the mean half width
/// beside that of the plain interval.
fn coverage(figures: usize, runs: usize, scatter: f64) -> (f64, f64, usize) {
    let grids = 40_000 / figures;
    let mut rng = rng(7000);
    let (mut covered, mut own, mut plain) = (0, 0.0, 0.0);
    for _ in 0..grids {
        let spreads = spreads(&mut rng, figures, 0.02, scatter);
        let samples: Vec<Sample> = spreads
            .iter()
            .map(|&cv| sample((0..runs).map(|_| run(&mut rng, cv)).collect()))
            .collect();
        let common = CommonSpread::of(&samples).unwrap();
        covered += samples.iter().filter(|s| covers(s, &common)).count();
        let half = |e: etalon_stats::Estimate| e.relative_half_width().unwrap();
        for sample in &samples {
            own += half(sample.median_interval_with(&common, Level::P95));
            plain += half(sample.median_interval_of_few(Level::P95));
        }
    }
    let all = grids * figures;
    (covered as f64 / all as f64, own / plain, all)
}

#[test]
fn intervals_that_lean_on_each_other_cover() {
    // Alike, different by a third, different by a factor of two: the last is no scaled inverse
    // chi-square, and the coverage holds all the same.
    for scatter in [0.0, 0.3, 0.7] {
        for (figures, runs) in [(MIN_FIGURES, 3), (117, 2), (117, 3), (117, 6)] {
            let (covered, _, all) = coverage(figures, runs, scatter);
            let what = format!("{figures} figures, {runs} runs, scatter {scatter}");
            // What a pass may have shifted is added, and adds a little where it shifted nothing; so
            // does the range of the runs.
            assert_share(&what, covered, 0.945, 0.98, all);
        }
    }
}

/// How often the interval of the noisiest fifth of the figures is right.
fn coverage_of_the_noisiest(scatter: f64, runs: usize) -> f64 {
    let figures = 117;
    let mut rng = rng(7050);
    let (mut covered, mut all) = (0, 0);
    for _ in 0..300 {
        let mut spreads = spreads(&mut rng, figures, 0.02, scatter);
        spreads.sort_by(f64::total_cmp);
        let samples: Vec<Sample> = spreads
            .iter()
            .map(|&cv| sample((0..runs).map(|_| run(&mut rng, cv)).collect()))
            .collect();
        let common = CommonSpread::of(&samples).unwrap();
        let noisiest = &samples[figures * 4 / 5..];
        covered += noisiest.iter().filter(|s| covers(s, &common)).count();
        all += noisiest.len();
    }
    covered as f64 / all as f64
}

#[test]
fn noisy_figures_keep_most_of_their_own_spread() {
    for (scatter, runs, least) in [
        (0.3, 3, 0.89),
        (0.7, 2, 0.85),
        (0.7, 3, 0.89),
        (0.7, 6, 0.92),
    ] {
        let covered = coverage_of_the_noisiest(scatter, runs);
        assert!(covered > least, "scatter {scatter}, {runs} runs: {covered}");
    }
}

/// The share of figures whose interval holds the median where the runs of all scatter like `runs`, each
/// figure around a value of its own.
fn coverage_of(like: &Runs, count: usize) -> (f64, usize) {
    let (figures, grids) = (117, 100);
    let mut rng = rng(7300);
    let mut covered = 0;
    for _ in 0..grids {
        let of_figure = |rng: &mut Rng| (0..count).map(|_| (like.draw)(rng)).collect();
        let samples: Vec<Sample> = (0..figures).map(|_| sample(of_figure(&mut rng))).collect();
        let common = CommonSpread::of(&samples).unwrap();
        let held = |sample: &&Sample| {
            holds_median(like, &sample.median_interval_with(&common, Level::P95))
        };
        covered += samples.iter().filter(held).count();
    }
    (covered as f64 / (figures * grids) as f64, figures * grids)
}

#[test]
fn skewed_grouped_and_stalling_figures_are_covered_too() {
    for like in &ALL_RUNS {
        for count in 2..=8 {
            let (covered, all) = coverage_of(like, count);
            let what = format!("{}, {count} runs", like.name);
            assert_share(&what, covered, 0.93, 1.0, all);
        }
    }
}

#[test]
fn little_is_learnt_where_nothing_is_common() {
    let (_, alike, _) = coverage(117, 3, 0.0);
    let (_, unlike, _) = coverage(117, 3, 1.5);
    assert!(alike < 0.65, "{alike}");
    assert!(unlike > alike + 0.1, "{unlike}");
}

/// The share of figures whose interval covers the truth where each pass shifts all of them.
fn coverage_with_shifts(runs: usize, shift: f64) -> (f64, usize) {
    let (figures, grids) = (117, 600);
    let mut rng = rng(7200);
    let mut covered = 0;
    for _ in 0..grids {
        let shifts: Vec<f64> = (0..runs).map(|_| 1.0 + shift * normal(&mut rng)).collect();
        let spreads = spreads(&mut rng, figures, 0.01, 0.3);
        let samples: Vec<Sample> = spreads
            .iter()
            .map(|&cv| sample(shifts.iter().map(|by| by * run(&mut rng, cv)).collect()))
            .collect();
        let common = CommonSpread::of(&samples).unwrap();
        covered += samples.iter().filter(|s| covers(s, &common)).count();
    }
    (covered as f64 / (figures * grids) as f64, grids)
}

#[test]
fn passes_that_shift_all_figures_are_no_more_than_a_few_runs() {
    for runs in [2, 3, 6] {
        for shift in [0.0, 0.001, 0.003, 0.01, 0.05] {
            let (covered, grids) = coverage_with_shifts(runs, shift);
            // All figures of a grid are right or wrong together: the grids count.
            let what = format!("{runs} runs, shifts of {shift}");
            assert_share(&what, covered, 0.95, 0.985, grids);
        }
    }
}

/// Repeats the open figures of a grid until each is narrow; how often the last intervals are right,
/// and the runs of a figure.
fn session(rng: &mut Rng, scatter: f64) -> (usize, usize, usize) {
    let rule = StoppingRule::of_many(0.05, 30).unwrap();
    let spreads = spreads(rng, 117, 0.03, scatter);
    let mut runs: Vec<Vec<f64>> = vec![Vec::new(); spreads.len()];
    let mut open = vec![true; spreads.len()];
    let mut samples = Vec::new();
    while open.contains(&true) {
        for (at, cv) in spreads.iter().enumerate().filter(|&(at, _)| open[at]) {
            runs[at].push(run(rng, *cv));
        }
        samples = runs.iter().cloned().map(sample).collect();
        let Some(common) = CommonSpread::of(&samples) else {
            continue;
        };
        for (at, sample) in samples.iter().enumerate() {
            let decision = rule.decide_with(sample, &common);
            open[at] &= matches!(decision, StopDecision::Continue { .. });
        }
    }
    let common = CommonSpread::of(&samples).unwrap();
    let right = samples.iter().filter(|sample| {
        let estimate = rule.estimate_with(sample, &common);
        estimate.interval.unwrap().contains(100.0)
    });
    let spent = runs.iter().map(Vec::len).sum();
    (right.count(), spent, samples.len())
}

#[test]
fn a_grid_that_stops_when_narrow_keeps_the_coverage() {
    for (scatter, at_most) in [(0.0, 4.5), (0.3, 5.0), (0.7, 9.0)] {
        let mut rng = rng(7100);
        let (mut right, mut spent, mut all) = (0, 0, 0);
        for _ in 0..150 {
            let (covered, runs, figures) = session(&mut rng, scatter);
            right += covered;
            spent += runs;
            all += figures;
        }
        let each = spent as f64 / all as f64;
        let covered = right as f64 / all as f64;
        assert_share(&format!("scatter {scatter}"), covered, 0.955, 0.985, all);
        assert!(each < at_most, "scatter {scatter}: {each} runs of a figure");
    }
}
