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

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use lab::{Lab, Report};
use table::{Row, TABLE};

/// Tries of a trap and of a twin: other users of the machine may really disturb one, as the findings
/// then say. A check that is blind stays so in every try.
const TRIES: usize = 3;

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

fn walk(lab: &Lab, row: &Row) -> Result<(), String> {
    let mut missed = None;
    for _ in 0..TRIES {
        let trap = (row.trap)(lab);
        let found = trap.severity(row.code);
        missed =
            (found != Some(row.severity)).then(|| format!("{found:?} for {}: {trap}", row.code));
        if missed.is_none() {
            break;
        }
    }
    if let Some(missed) = missed {
        return Err(format!("the trap gave {missed}"));
    }
    let mut last: Option<Report> = None;
    for _ in 0..TRIES {
        let twin = (row.twin)(lab);
        if twin.severity(row.code).is_none() {
            return Ok(());
        }
        last = Some(twin);
    }
    let last = last.map_or_else(String::new, |twin| twin.to_string());
    Err(format!("the honest twin was accused: {last}"))
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
