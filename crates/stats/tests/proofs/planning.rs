//! Proof that the planning tables are reproduced to the last digit.

use etalon_stats::{
    Level, PLANNED_POWER, paired_runs_to_detect, runs_needed, runs_to_detect, smallest_detectable,
};

#[test]
fn runs_for_a_half_width() {
    let half_widths = [0.01, 0.02, 0.025, 0.05];
    let table = [
        (0.005, [6, 6, 6, 6]),
        (0.01, [8, 6, 6, 6]),
        (0.02, [22, 8, 6, 6]),
        (0.03, [46, 14, 10, 6]),
        (0.05, [121, 33, 22, 8]),
        (0.10, [474, 121, 79, 22]),
    ];
    for (cv, row) in table {
        let found = half_widths.map(|h| runs_needed(cv, h, Level::INTERNAL).unwrap());
        assert_eq!(found, row, "cv {cv}");
    }
}

#[test]
fn runs_for_a_difference() {
    let differences = [0.01, 0.02, 0.03, 0.05, 0.10];
    let table = [
        (0.01, [17, 6, 4, 3, 2]),
        (0.02, [64, 17, 9, 4, 3]),
        (0.03, [143, 37, 17, 7, 3]),
        (0.05, [394, 100, 45, 17, 6]),
        (0.10, [1571, 394, 176, 64, 17]),
    ];
    for (cv, row) in table {
        let found = differences.map(|d| runs_to_detect(cv, d, Level::P95, PLANNED_POWER).unwrap());
        assert_eq!(found, row, "cv {cv}");
    }
}

#[test]
fn pairing_costs_about_one_run() {
    for (cv, difference) in [(0.01, 0.01), (0.02, 0.02), (0.03, 0.02), (0.05, 0.03)] {
        let two = runs_to_detect(cv, difference, Level::P95, PLANNED_POWER).unwrap();
        let paired = paired_runs_to_detect(cv, difference, Level::P95, PLANNED_POWER).unwrap();
        assert_eq!(paired, two + 1, "cv {cv}, difference {difference}");
    }
}

#[test]
fn ten_runs_at_five_percent_see_seven_percent() {
    let seen = smallest_detectable(0.05, 10, Level::P95, PLANNED_POWER).unwrap();
    assert!((0.065..0.073).contains(&seen), "{seen}");
}
