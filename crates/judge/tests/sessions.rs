//! Whole sessions, simulated on noise recorded from a disk: how often equal arms are told apart,
//! and how often a true difference is found by the number of blocks that the plan promised.

#![expect(clippy::unwrap_used, reason = "helpers of a test fail by panicking")]

mod common;

use common::run;
use etalon_judge::{Arm, CompareOptions, Goal, compare_arms, judge_cell};
use etalon_model::{Cell, ComparisonVerdict, Run};
use etalon_stats::{Level, PLANNED_POWER, Sample, paired_runs_to_detect};
use etalon_units::Percent;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// 400 runs of 200 ms, random reads of 4 KiB at depth 8 from a shared virtio disk, in the order in
/// which they ran; operations per second.
const RECORDED: &str = include_str!("data/virtio-disk-randread.txt");
const SESSIONS: usize = 200;
/// The machine grows slower by this share over a session.
const DRIFT: f64 = 0.05;

/// The recorded figures as multiples of their median.
fn noise() -> Vec<f64> {
    let values: Vec<f64> = RECORDED.lines().map(|line| line.parse().unwrap()).collect();
    let median = Sample::new(values.clone())
        .unwrap()
        .median_interval(Level::P95)
        .value;
    values.iter().map(|value| value / median).collect()
}

/// The run-to-run variation of the whole recording, on the scale of comparisons.
fn recorded_spread(noise: &[f64]) -> f64 {
    Sample::new(noise.to_vec()).unwrap().log_sd().unwrap()
}

/// Two arms whose runs are made once; each session gives them other figures.
struct Stage {
    arms: [Vec<Run>; 2],
    cells: [Cell; 2],
}

impl Stage {
    fn new(blocks: usize) -> Stage {
        let goal = Goal::new(Some(Percent::from_fraction(0.05)), 6, 1000).unwrap();
        let arm = || -> Vec<Run> { (0..blocks as u32).map(|block| run(block, 1)).collect() };
        let arms = [arm(), arm()];
        let cells = [0, 1].map(|side| {
            let few: Vec<&Run> = arms[side].iter().take(6).collect();
            judge_cell("a cell", &few, &goal).unwrap()
        });
        Stage { arms, cells }
    }

    /// Two arms in random order within each block, the second `effect` times the first.
    fn play(&mut self, noise: &[f64], effect: f64, rng: &mut Xoshiro256PlusPlus) {
        let begin = rng.random_range(0..noise.len());
        let blocks = self.arms[0].len();
        for block in 0..blocks {
            let first = usize::from(rng.random_bool(0.5));
            for (place, side) in [first, 1 - first].into_iter().enumerate() {
                let time = 2 * block + place;
                let drift = 1.0 - DRIFT * time as f64 / (2 * blocks) as f64;
                let level = if side == 1 { effect } else { 1.0 };
                let value = 1e6 * level * drift * noise[(begin + time) % noise.len()];
                self.arms[side][block].measurement.reads.operations = value as u64;
            }
        }
        for (cell, runs) in self.cells.iter_mut().zip(&self.arms) {
            cell.values = runs
                .iter()
                .map(|run| run.measurement.operations_per_second())
                .collect();
        }
    }

    fn verdict(&self) -> ComparisonVerdict {
        let sides = ["A", "B"].iter().zip(&self.cells).zip(&self.arms);
        let named: Vec<Arm<'_>> = sides
            .map(|((label, cell), runs)| Arm {
                label: (*label).to_owned(),
                session: "one".to_owned(),
                cell,
                runs: runs.iter().collect(),
            })
            .collect();
        let options = CompareOptions {
            by: Vec::new(),
            baseline: 0,
            margin: 0.02,
        };
        compare_arms("a cell", &named, &options).unwrap().verdict
    }
}

fn share_of(blocks: usize, effect: f64, seed: u64, is: impl Fn(&ComparisonVerdict) -> bool) -> f64 {
    let noise = noise();
    let mut stage = Stage::new(blocks);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let found = (0..SESSIONS).filter(|_| {
        stage.play(&noise, effect, &mut rng);
        is(&stage.verdict())
    });
    found.count() as f64 / SESSIONS as f64
}

#[test]
fn equal_arms_are_told_apart_in_at_most_five_percent_of_the_sessions() {
    for blocks in [10, 20] {
        let is_false =
            |verdict: &ComparisonVerdict| matches!(verdict, ComparisonVerdict::Greater { .. });
        let alarms = share_of(blocks, 1.0, 7, is_false);
        assert!(alarms <= 0.05, "{blocks} blocks: {alarms}");
    }
}

#[test]
fn five_percent_are_found_in_eighty_percent_of_the_planned_sessions() {
    let spread = recorded_spread(&noise());
    let blocks = paired_runs_to_detect(spread, 0.05, Level::P95, PLANNED_POWER).unwrap();
    let is_found = |verdict: &ComparisonVerdict| match verdict {
        ComparisonVerdict::Greater { greater, .. } => greater == "B",
        _ => false,
    };
    let found = share_of(blocks, 1.05, 11, is_found);
    assert!(found >= 0.80, "spread {spread}, {blocks} blocks: {found}");
}
