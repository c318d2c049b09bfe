//! A machine that lies: each row of one table sets a trap on real loop devices, zram, filesystems
//! and control groups, in which the figure is not what it seems, and an honest twin that differs in
//! that alone. The trap must be found with the right code and severity, the twin must not.
//!
//! It guards against checks that are sound on records made by hand and blind on a real kernel.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of a test fail by panicking, and say how long rows took"
)]

mod actors;
mod at_cap;
mod ends;
mod honest;
mod killed;
mod lab;
#[path = "../../../stack/tests/machine/mod.rs"]
mod machine;
mod records;
mod services;
mod shared;
mod table;
mod tries;

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use lab::Lab;
use table::{Lane, Row, TABLE};
use tries::{Excuse, Not, tried};

/// Rows that the machine may leave unsettled, by disturbing nearly all tries of one; they are named.
const MOST_UNSETTLED: usize = 3;

/// The tests that keep the machine busy, or are judged by how busy it is, take turns.
static TURN: Mutex<()> = Mutex::new(());

#[test]
fn every_trap_is_caught_and_its_honest_twin_is_not() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let test = "every_trap_is_caught_and_its_honest_twin_is_not";
    let Some(lab) = Lab::new_for(test) else {
        return;
    };
    let found = Mutex::new(Found::default());
    walk_all(&lab, None, &found);
    std::thread::scope(|scope| {
        for lane in [Lane::Waiting, Lane::Events, Lane::Cached, Lane::Rates] {
            // Devices of its own.
            let found = &found;
            scope.spawn(move || Lab::new_for(test).map(|lab| walk_all(&lab, Some(lane), found)));
        }
        walk_all(&lab, Some(Lane::Facts), &found);
    });
    let Found {
        played,
        wrong,
        unsettled,
    } = found.into_inner().unwrap();
    assert!(rows().count() >= 20, "only {} rows", rows().count());
    assert_eq!(played, rows().filter(is_wanted).count(), "rows in no lane");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(unsettled <= MOST_UNSETTLED, "{unsettled} rows unsettled");
}

/// What the rows gave.
#[derive(Default)]
struct Found {
    played: usize,
    wrong: Vec<String>,
    unsettled: usize,
}

/// Some rows alone while their check is written.
fn is_wanted(row: &&Row) -> bool {
    row.name
        .contains(&std::env::var("ETALON_ROW").unwrap_or_default())
}

/// Plays the rows of a lane one after the other, or those that have none.
#[expect(clippy::print_stdout, reason = "a test tells where its time goes")]
fn walk_all(lab: &Lab, lane: Option<Lane>, found: &Mutex<Found>) {
    for row in rows().filter(|row| row.lane == lane).filter(is_wanted) {
        let begun = Instant::now();
        let outcome = walk(lab, row);
        println!("{:<44} {:>6.1?} {}", row.name, begun.elapsed(), row.code);
        let mut found = found.lock().unwrap();
        found.played += 1;
        match outcome {
            Ok(()) => {}
            Err(Not::Right(why)) => found.wrong.push(format!("{}: {why}", row.name)),
            Err(Not::Settled(why)) => {
                // .ci/tests names these lines at its end.
                println!("unsettled: {}: {why}", row.name);
                found.unsettled += 1;
            }
        }
    }
}

#[test]
fn every_trap_of_a_modelled_or_copied_machine_is_caught_and_its_twin_is_not() {
    let mut wrong = Vec::new();
    for row in records::TABLE {
        let found = |part: fn() -> Vec<etalon_model::Finding>| {
            let of_code = part().into_iter().find(|found| found.code == row.code);
            of_code.map(|found| format!("{:?}", found.severity).to_lowercase())
        };
        let (trap, twin) = (found(row.trap), found(row.twin));
        if trap.as_deref() != Some(row.severity) || twin.is_some() {
            wrong.push(format!("{}: trap {trap:?}, honest twin {twin:?}", row.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn rows() -> impl Iterator<Item = &'static Row> {
    TABLE.iter().chain(services::TABLE).chain(ends::TABLE)
}

/// Plays the trap until it is found, then the twin until it is not accused.
fn walk(lab: &Lab, row: &Row) -> Result<(), Not> {
    let (code, severity) = (row.code, row.severity);
    tried(lab, row.trap, code, Excuse::OtherFindings, |report| {
        report.severity(code) == Some(severity)
    })
    .map_err(|not| not.map(|said| format!("the trap gave no {severity} of {code}: {said}")))?;
    let excuse = match row.lane {
        Some(_) => Excuse::OtherFindings,
        None => Excuse::BusyMachine,
    };
    tried(lab, row.twin, code, excuse, |report| {
        report.severity(code).is_none()
    })
    .map_err(|not| not.map(|said| format!("the honest twin was accused: {said}")))
}

#[test]
fn the_table_names_known_checks_and_no_row_twice() {
    let modelled = records::TABLE.iter().map(|row| (row.name, row.code));
    let all: Vec<(&str, &str)> = rows()
        .map(|row| (row.name, row.code))
        .chain(modelled)
        .collect();
    for (index, (name, code)) in all.iter().enumerate() {
        let known = etalon_judge::check_of(code).is_some();
        assert!(known, "{code}");
        assert!(
            all[..index].iter().all(|(other, _)| other != name),
            "{name}"
        );
    }
}
