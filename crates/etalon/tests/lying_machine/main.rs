//! A machine that lies: each row of one table sets a trap on real loop devices, zram, filesystems
//! and control groups, in which the figure is not what it seems, and an honest twin that differs in
//! that alone. The trap must be found with the right code and severity, the twin must not.
//!
//! It guards against checks that are sound on records made by hand and blind on a real kernel.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of a test fail by panicking, and say what was skipped and how long rows took"
)]

mod actors;
mod killed;
mod lab;
mod services;
mod table;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use etalon_testbed::Weather;
use lab::{Lab, Report, Try};
use table::{Row, TABLE};

/// Tries of a trap and of a twin on a calm machine: a check that is blind stays so in each of them.
const CALM_TRIES: usize = 3;
/// All tries: other users of the machine may really disturb one, as the findings then say.
const MOST_TRIES: u32 = 10;

/// The two tests that use devices and control groups take turns.
static TURN: Mutex<()> = Mutex::new(());

#[test]
fn every_trap_is_caught_and_its_honest_twin_is_not() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(lab) = Lab::new() else { return };
    let mut wrong = Vec::new();
    // One row alone while its check is written.
    let wanted = std::env::var("ETALON_ROW").unwrap_or_default();
    for row in rows().filter(|row| row.name.contains(&wanted)) {
        let begun = Instant::now();
        let outcome = walk(&lab, row);
        println!("{:<44} {:>6.1?} {}", row.name, begun.elapsed(), row.code);
        wrong.extend(outcome.err().map(|why| format!("{}: {why}", row.name)));
    }
    assert!(rows().count() >= 20, "only {} rows", rows().count());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn rows() -> impl Iterator<Item = &'static Row> {
    TABLE.iter().chain(services::TABLE)
}

/// Plays the trap until it is found, then the twin until it is not accused.
fn walk(lab: &Lab, row: &Row) -> Result<(), String> {
    tried(lab, row.trap, |report| {
        report.severity(row.code) == Some(row.severity)
    })
    .map_err(|said| format!("the trap gave no {} of {}: {said}", row.severity, row.code))?;
    tried(lab, row.twin, |report| report.severity(row.code).is_none())
        .map_err(|said| format!("the honest twin was accused: {said}"))
}

/// Plays a part until it is as wanted; gives what it said at last where it never was.
fn tried(lab: &Lab, part: fn(&Lab) -> Try, wanted: impl Fn(&Report) -> bool) -> Result<(), String> {
    let (mut calm, mut last) = (0, String::new());
    for number in 0..MOST_TRIES {
        let weather = Weather::now();
        match played(lab, part) {
            Ok(report) if wanted(&report) => return Ok(()),
            Ok(report) => last = report.to_string(),
            Err(why) => last = why,
        }
        calm += usize::from(weather.is_calm());
        if calm == CALM_TRIES {
            break;
        }
        sleep(Duration::from_millis(500) * number);
    }
    Err(last)
}

/// Plays a part once: a device that could not be made is a try like one without a figure.
fn played(lab: &Lab, part: fn(&Lab) -> Try) -> Try {
    let caught = catch_unwind(AssertUnwindSafe(|| part(lab)));
    caught.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(text.unwrap_or("it panicked").to_owned())
    })
}

#[test]
fn the_table_names_known_checks_and_no_row_twice() {
    for (index, row) in rows().enumerate() {
        let known = etalon_judge::CHECKS
            .iter()
            .any(|check| check.code == row.code);
        assert!(known, "{}", row.code);
        assert!(
            rows().take(index).all(|other| other.name != row.name),
            "{}",
            row.name
        );
    }
}
