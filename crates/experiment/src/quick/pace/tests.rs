//! Whole sessions with a simulated clock, on devices of several kinds.

use etalon_stats::{Estimate, Sample};
use etalon_testbed::{ALL_RUNS, EQUAL_GROUPS, Runs};
use rand::{RngExt as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;

/// A row of a simulated device: seconds of a run of the planned length, seconds beside it, and how far
/// runs vary.
#[derive(Clone, Copy)]
struct RowKind {
    planned: f64,
    beside: f64,
    cv: f64,
}

const fn kind(planned: f64, beside: f64, cv: f64) -> RowKind {
    RowKind {
        planned,
        beside,
        cv,
    }
}

/// In the order of importance: the streams and random accesses, then names.
const FAST: [RowKind; 7] = [kind(0.8, 0.05, 0.03); 7];
/// A disk with seeks of 8 ms, on which creating files waits for the journal.
const SEEKS: [RowKind; 7] = [
    kind(0.8, 0.1, 0.02),
    kind(0.8, 0.1, 0.04),
    kind(0.8, 0.4, 0.04),
    kind(0.8, 0.5, 0.03),
    kind(0.8, 0.4, 0.04),
    kind(0.8, 0.9, 0.05),
    kind(9.0, 1.0, 0.10),
];
/// An SD card that writes 2 MB/s, of which laying out took a part of the budget.
const CARD: [RowKind; 7] = [
    kind(0.6, 0.3, 0.02),
    kind(0.6, 0.1, 0.03),
    kind(0.6, 1.2, 0.15),
    kind(8.0, 2.0, 0.08),
    kind(0.6, 0.2, 0.03),
    kind(0.6, 2.0, 0.20),
    kind(3.0, 1.0, 0.20),
];
/// A disk capped to 100 operations a second.
const CAPPED: [RowKind; 7] = [
    kind(0.8, 0.4, 0.01),
    kind(0.8, 0.1, 0.01),
    kind(0.8, 0.1, 0.01),
    kind(0.8, 0.6, 0.01),
    kind(0.8, 0.5, 0.01),
    kind(0.8, 0.6, 0.01),
    kind(12.0, 4.0, 0.05),
];
const VARIABLE: [RowKind; 7] = [kind(0.8, 0.2, 0.5); 7];

const DEVICES: [(&str, [RowKind; 7]); 5] = [
    ("fast", FAST),
    ("8 ms seeks", SEEKS),
    ("card of 2 MB/s", CARD),
    ("100 operations a second", CAPPED),
    ("very variable", VARIABLE),
];

struct Simulated {
    values: Vec<Vec<f64>>,
    dropped: Vec<bool>,
    spent: f64,
}

fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    let (u, v): (f64, f64) = (rng.random(), rng.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// How fast a run is, as a multiple of what is usual.
type Draw<'a> = dyn Fn(&RowKind, &mut Xoshiro256PlusPlus) -> f64 + 'a;

/// A session of `budget` seconds; one run in `disturbed` is left out.
fn session(kinds: &[RowKind], budget: f64, disturbed: u32, seed: u64) -> Simulated {
    let draw = |kind: &RowKind, rng: &mut Xoshiro256PlusPlus| (kind.cv * normal(rng)).exp();
    session_of(kinds, (budget, disturbed), seed, &draw)
}

fn session_of(
    kinds: &[RowKind],
    (budget, disturbed): (f64, u32),
    seed: u64,
    draw: &Draw<'_>,
) -> Simulated {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    // What is counted in files or bytes may get much shorter than what lasts a time.
    let floor = |kind: &RowKind| if kind.planned > 1.0 { 0.05 } else { 0.3 };
    let mut pace = Pace::new(kinds.iter().map(floor).enumerate(), 8);
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); kinds.len()];
    let (mut spent, mut took) = (0.0, 0.0);
    for block in 0.. {
        let open: Vec<Open> = (0..kinds.len())
            .filter(|&row| values[row].len() < MAX_RUNS)
            .map(|row| Open {
                row,
                usable: values[row].len(),
            })
            .collect();
        let left = Nanos::from_secs_f64((budget - spent).max(0.0));
        let rows = pace.next_block(&open, Nanos::from_secs_f64(took), left);
        if rows.is_empty() {
            break;
        }
        took = 0.0;
        for row in rows {
            let RowKind {
                planned, beside, ..
            } = kinds[row];
            // The same work takes longer where the run is slow, but for what ends by the clock.
            let speed = draw(&kinds[row], &mut rng);
            let shrinks = planned * pace.scale(row) / if planned > 1.0 { speed } else { 1.0 };
            let elapsed = shrinks + beside * (0.1 * normal(&mut rng)).exp();
            pace.passed(
                row,
                Nanos::from_secs_f64(elapsed),
                Nanos::from_secs_f64(shrinks),
            );
            took += elapsed;
            if disturbed == 0 || rng.random_range(0..disturbed) > 0 {
                values[row].push(100.0 * speed);
            }
            if block > 0 && spent + took > budget {
                break;
            }
        }
        // What lies between the passes: a run is kept.
        took += 0.02 * kinds.len() as f64;
        spent += took;
    }
    let dropped = (0..kinds.len()).map(|row| pace.is_dropped(row)).collect();
    Simulated {
        values,
        dropped,
        spent,
    }
}

#[test]
fn every_row_has_its_runs_or_is_dropped_and_the_budget_holds() {
    for (name, kinds) in DEVICES {
        for budget in [25.0, 52.0, 170.0] {
            for disturbed in [0, 20] {
                for seed in 0..200 {
                    let session = session(&kinds, budget, disturbed, seed);
                    let rows = session.values.iter().zip(&session.dropped);
                    for (row, (values, dropped)) in rows.enumerate() {
                        let enough = values.len() >= MIN_RUNS_LAB;
                        let n = values.len();
                        assert!(
                            enough || *dropped,
                            "{name} {budget} {seed}: row {row} has {n}"
                        );
                    }
                    let first: f64 = kinds.iter().map(|k| k.planned + k.beside).sum();
                    let most = (budget * 1.1).max(first * 1.5);
                    assert!(session.spent <= most, "{name} {budget}: {}", session.spent);
                }
            }
        }
    }
}

#[test]
fn a_fast_disk_drops_nothing_and_uses_its_minute() {
    for seed in 0..200 {
        let Simulated {
            values,
            dropped,
            spent,
        } = session(&FAST, 52.0, 0, seed);
        assert!(!dropped.contains(&true));
        assert!(values.iter().all(|row| row.len() >= 8), "{seed}");
        assert!(spent > 0.93 * 52.0, "{spent}");
    }
}

/// The hypervisor takes the processor away where it likes: of one row's nine runs four were left out, and all others had
/// enough.
#[test]
fn a_row_that_is_disturbed_more_often_than_others_has_its_runs_too() {
    for kinds in [FAST, VARIABLE] {
        let is_whole = |seed: &u64| {
            let session = session(&kinds, 52.0, 3, *seed);
            session.values.iter().all(|row| row.len() >= MIN_RUNS_LAB)
        };
        let whole = (0..500).filter(is_whole).count();
        assert!(whole > 450, "{whole} of 500 have all runs");
    }
}

#[test]
fn what_is_slow_gets_smaller_before_anything_else() {
    let Simulated {
        values, dropped, ..
    } = session(&SEEKS, 52.0, 0, 1);
    assert!(!dropped.contains(&true), "{dropped:?}");
    assert!(values.iter().all(|row| row.len() >= MIN_RUNS_LAB));
}

#[test]
fn the_least_important_of_what_does_not_fit_is_dropped() {
    let mut kinds = FAST;
    kinds[3].beside = 30.0;
    let session = session(&kinds, 60.0, 0, 1);
    let dropped = session.dropped.iter().filter(|&&dropped| dropped);
    assert_eq!(dropped.count(), 1);
    assert!(
        session.dropped[3],
        "what is cheap stays, however unimportant"
    );
}

/// What a row of files had left behind was written before the first runs of the rows that read.
#[test]
fn a_row_whose_first_run_alone_was_dear_is_tried_again() {
    let costs = |row: usize, block: u32| match (row, block) {
        (0 | 1, 0) => 9.0,
        _ => 0.9,
    };
    let runs = session_at(&costs, 55.0);
    assert!(runs.iter().all(|runs| *runs >= MIN_RUNS_LAB), "{runs:?}");
    // What is dear every time is tried once more, and no other row loses its runs for it.
    let costs = |row: usize, _| if row == 0 { 9.0 } else { 0.9 };
    let runs = session_at(&costs, 55.0);
    assert_eq!(runs[0], 2, "{runs:?}");
    assert!(
        runs[1..].iter().all(|runs| *runs >= MIN_RUNS_LAB),
        "{runs:?}"
    );
    // Where there is no time for that, it is not.
    let runs = session_at(&costs, 37.0);
    assert_eq!(runs[0], 1, "{runs:?}");
    assert!(
        runs[1..].iter().all(|runs| *runs >= MIN_RUNS_LAB),
        "{runs:?}"
    );
}

/// More runs than those of an interval are asked for, and there is time for them at the smallest length alone.
#[test]
fn every_row_has_the_runs_that_are_asked_for_or_is_dropped() {
    let costs = |_, _| 1.0;
    let usual = session_at(&costs, 60.0);
    assert!(usual.iter().all(|runs| *runs < 12), "{usual:?}");
    let asked = |budget| session_of_pace(seven_rows().with_least(12), &costs, budget);
    let runs = asked(60.0);
    assert!(runs.iter().all(|runs| *runs >= 12), "{runs:?}");
    // What has no time for so many leaves it to the more important ones.
    let runs = asked(40.0);
    let (kept, dropped): (Vec<usize>, Vec<usize>) = runs.iter().partition(|runs| **runs >= 12);
    assert!(kept.len() >= 4 && !dropped.is_empty(), "{runs:?}");
    assert!(dropped.iter().all(|runs| *runs <= 2), "{runs:?}");
}

fn seven_rows() -> Pace {
    Pace::new((0..7).map(|row| (row, 0.3)), 8)
}

/// How many runs seven rows have that take so long in each block, of which half a second gets shorter.
fn session_at(costs: &dyn Fn(usize, u32) -> f64, budget: f64) -> Vec<usize> {
    session_of_pace(seven_rows(), costs, budget)
}

fn session_of_pace(mut pace: Pace, costs: &dyn Fn(usize, u32) -> f64, budget: f64) -> Vec<usize> {
    let mut runs = vec![0; 7];
    let (mut spent, mut took) = (0.0, 0.0);
    for block in 0.. {
        let open = runs.iter().enumerate();
        let open: Vec<Open> = open.map(|(row, &usable)| Open { row, usable }).collect();
        let left = Nanos::from_secs_f64(f64::max(budget - spent, 0.0));
        let next = pace.next_block(&open, Nanos::from_secs_f64(took), left);
        if next.is_empty() || (block > 0 && left == Nanos::ZERO) {
            break;
        }
        took = 0.0;
        for row in next {
            let shrinks = 0.5 * pace.scale(row);
            let all = costs(row, block) - 0.5 + shrinks;
            let (all, shrinks) = (Nanos::from_secs_f64(all), Nanos::from_secs_f64(shrinks));
            pace.passed(row, all, shrinks);
            took += all.as_secs_f64();
            runs[row] += 1;
        }
        spent += took;
    }
    runs
}

/// The intervals of sessions whose runs were shortened on the way: proof P23 of what the headline promises.
#[test]
fn the_intervals_of_adaptive_sessions_cover_what_they_say() {
    for (device, kinds) in DEVICES {
        for runs in [&LOGNORMAL].into_iter().chain(&ALL_RUNS) {
            let draws = |kind: &RowKind, rng: &mut Xoshiro256PlusPlus| match runs.name {
                OF_THE_DEVICE => (kind.cv * normal(rng)).exp(),
                _ => (runs.draw)(rng).max(SLOWEST),
            };
            let (covered, all) = coverage(&kinds, runs, &draws);
            let share = f64::from(covered) / f64::from(all);
            let name = runs.name;
            println!("{device}, {name}: {share:.4} of {all}");
            // Of two equal groups, runs that all lie in one by chance miss the gap, and others always meet it.
            let most = if name == EQUAL_GROUPS { 1.0 } else { 0.98 };
            assert!((0.93..=most).contains(&share), "{device}, {name}: {share}");
        }
    }
}

/// No run is slower than this: a time cannot be negative.
const SLOWEST: f64 = 0.01;

const OF_THE_DEVICE: &str = "lognormal, as far as the device varies";
const LOGNORMAL: Runs = Runs {
    name: OF_THE_DEVICE,
    median: (1.0, 1.0),
    draw: |_| 1.0,
};

fn coverage(kinds: &[RowKind], runs: &Runs, draw: &Draw<'_>) -> (u32, u32) {
    const SESSIONS: u64 = 300;
    let (mut covered, mut all) = (0, 0);
    for seed in 0..SESSIONS {
        let session = session_of(kinds, (52.0, 20), 10_000 + seed, draw);
        let rows = session.values.into_iter();
        for values in rows.filter(|values| values.len() >= MIN_RUNS_LAB) {
            let sample = Sample::new(values).unwrap();
            let Some(interval) = Estimate::of_runs(&sample).interval else {
                continue;
            };
            all += 1;
            let ends = (interval.low / 100.0, interval.high / 100.0);
            covered += u32::from(runs.median_lies_in(ends));
        }
    }
    (covered, all)
}
