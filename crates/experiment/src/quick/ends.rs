//! When sessions of different pace end, with a simulated clock, against what the live line foretells.

use etalon_units::Nanos;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::pace::{Open, Pace};
use super::slow;
use crate::Eta;
use crate::eta::tests::errors;

/// Sessions of each kind.
const SESSIONS: u64 = 10;
/// Of the budget that an estimate may be wrong by, and of the estimates that must not be.
const A_TENTH: f64 = 0.1;
const NINE_OF_TEN: f64 = 0.9;

/// How sessions go.
struct Course {
    name: &'static str,
    budget: f64,
    /// What goes by before the first block.
    setup: f64,
    /// How far the passes of a row vary.
    noise: f64,
    /// What a run has beside it, in a session that has come so far.
    beside: fn(row: usize, part: f64) -> f64,
}

const COURSES: [Course; 6] = [
    Course {
        name: "a fast disk",
        budget: 60.0,
        setup: 4.0,
        noise: 0.03,
        beside: |_, _| 0.1,
    },
    Course {
        name: "three minutes of it",
        budget: 180.0,
        setup: 5.0,
        noise: 0.03,
        beside: |_, _| 0.1,
    },
    Course {
        name: "a disk whose rows take twice as long at the end",
        budget: 60.0,
        setup: 4.0,
        noise: 0.05,
        beside: |_, part| 0.3 + 0.9 * part,
    },
    Course {
        name: "a disk whose rows take half as long at the end",
        budget: 60.0,
        setup: 4.0,
        noise: 0.05,
        beside: |_, part| 1.2 - 0.9 * part,
    },
    Course {
        name: "a card, one of whose rows is dear",
        budget: 60.0,
        setup: 9.0,
        noise: 0.2,
        beside: |row, _| if row == 3 { 2.5 } else { 0.4 },
    },
    Course {
        name: "a disk that stalls now and then",
        budget: 60.0,
        setup: 4.0,
        noise: 0.8,
        beside: |_, _| 0.3,
    },
];

impl Course {
    /// When each block began, and the end.
    fn session(&self, seed: u64) -> (Vec<f64>, f64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut pace = Pace::new((0..7).map(|row| (row, 0.3)), 8);
        let (mut begins, mut runs) = (Vec::new(), [0; 7]);
        let (mut spent, mut took) = (self.setup, 0.0);
        loop {
            let open = runs.iter().enumerate();
            let open: Vec<Open> = open.map(|(row, &usable)| Open { row, usable }).collect();
            let left = Nanos::from_secs_f64((self.budget - spent).max(0.0));
            let next = pace.next_block(&open, Nanos::from_secs_f64(took), left);
            if next.is_empty() || left == Nanos::ZERO {
                return (begins, spent);
            }
            begins.push(spent);
            took = 0.0;
            for row in next {
                let shrinks = 0.8 * pace.scale(row);
                let beside = (self.beside)(row, (spent + took) / self.budget);
                let all = shrinks + beside * (self.noise * normal(&mut rng)).exp();
                let passed = (Nanos::from_secs_f64(all), Nanos::from_secs_f64(shrinks));
                pace.passed(row, passed.0, passed.1);
                took += all;
                runs[row] += 1;
                // As the session: what does not fit the time is not begun.
                if begins.len() > 1 && spent + took >= self.budget {
                    break;
                }
            }
            spent += took;
        }
    }
}

fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    let (u, v): (f64, f64) = (rng.random(), rng.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

fn foretold((begins, end): &(Vec<f64>, f64), budget: f64) -> Vec<f64> {
    let eta = Eta::until(Nanos::from_secs_f64(budget));
    errors(begins, *end, &eta, budget)
}

/// How many of the estimates are good enough.
fn judged(name: &str, errors: &[f64]) -> usize {
    let good = errors.iter().filter(|error| **error < A_TENTH).count();
    let worst = errors.iter().copied().fold(0.0, f64::max);
    println!(
        "{name}: {good} of {}, at worst {worst:.3} of the budget",
        errors.len()
    );
    good
}

#[test]
fn nine_of_ten_estimates_are_within_a_tenth_of_the_budget_whatever_the_pace() {
    for course in COURSES {
        let sessions = (0..SESSIONS).map(|seed| course.session(7000 + seed));
        let errors: Vec<f64> = sessions
            .flat_map(|session| foretold(&session, course.budget))
            .collect();
        let good = judged(course.name, &errors);
        assert!(
            good as f64 >= NINE_OF_TEN * errors.len() as f64,
            "{}",
            course.name
        );
    }
}

#[test]
fn and_on_slow_devices() {
    let mut all = Vec::new();
    for slow in slow::DEVICES.into_iter().chain([slow::THROTTLED]) {
        for budget in [20.0, 60.0] {
            let session = slow::session(&slow, budget);
            let errors = foretold(&(session.begins, session.spent), budget);
            judged(&format!("{}, {budget} s", slow.name), &errors);
            all.extend(errors);
        }
    }
    assert!(judged("all", &all) as f64 >= NINE_OF_TEN * all.len() as f64);
}
