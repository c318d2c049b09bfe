//! SQLite from its first row to its last step, in a directory of a test.

pub(crate) mod measured;
pub(crate) mod trial;

use std::sync::atomic::AtomicBool;

use etalon_work::{Context, RealWork, StepRecord, WorkEnd, WorkError, WorkRecord};
use tempfile::TempDir;

const SMALL: [(&str, &str); 4] = [
    ("rows", "2000"),
    ("inserts", "100"),
    ("commits", "5"),
    ("transactions", "20"),
];

fn go(place: &TempDir, more: &[(&str, &str)], stop: bool) -> Result<WorkRecord, WorkError> {
    let given = SMALL.iter().chain(more);
    let given: Vec<_> = given
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
        .collect();
    crate::sqlite::Sqlite.run(&Context {
        directory: place.path(),
        elsewhere: None,
        seed: 7,
        given: &given,
        stop: &AtomicBool::new(stop),
        witness: &(),
    })
}

fn volatile(record: &WorkRecord) -> Vec<String> {
    let step = record.step("insert, one commit each");
    let service = step.and_then(|step| step.service.clone()).unwrap();
    assert_eq!((service.commits, service.clients), (5, 1));
    service.volatile
}

#[test]
fn every_step_is_timed_and_nothing_is_left() {
    let place = TempDir::new().unwrap();
    // Without a write-ahead log a checkpoint would have nothing to do.
    for (journal, count, last) in [
        ("wal", 17, "checkpoint"),
        ("delete", 16, "vacuum"),
        ("truncate", 16, "vacuum"),
        ("persist", 16, "vacuum"),
    ] {
        let record = go(&place, &[("journal", journal), ("cache", "cold")], false).unwrap();
        assert_eq!(record.ended, WorkEnd::Complete);
        let names: Vec<&str> = record.steps.iter().map(|step| &*step.name).collect();
        assert_eq!(names.len(), count, "{names:?}");
        assert_eq!((names[0], names[count - 1]), ("load", last));
        let settings = &record.steps[0].service.as_ref().unwrap().settings;
        assert_eq!(settings["journal_mode"], journal);
        assert_eq!(settings.len(), 8, "{settings:?}");
        let is_cold = |step: &StepRecord| step.service.as_ref().unwrap().cold;
        assert_eq!(record.steps.iter().filter(|step| is_cold(step)).count(), 9);
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }
}

#[test]
fn transactions_of_clients_at_once_come_at_a_rate_and_their_latency_counts_from_the_intended_moment()
 {
    let place = TempDir::new().unwrap();
    for (journal, rate) in [("wal", "0"), ("wal", "200"), ("delete", "200")] {
        let record = go(&place, &[("journal", journal), ("rate", rate)], false).unwrap();
        assert_eq!(record.ended, WorkEnd::Complete, "{journal} {rate}");
        let step = record.step("transactions").unwrap();
        let service = step.service.as_ref().unwrap();
        assert_eq!((service.clients, service.commits), (4, 20));
        assert_eq!(step.latency.as_ref().unwrap().count(), 20);
        let lag = step.lag.as_ref().map(|lag| lag.count());
        assert_eq!(lag, (rate != "0").then_some(20));
        // The last of twenty arrives after 95 ms.
        let took = step.rate.unwrap().duration;
        assert!(
            rate == "0" || took >= etalon_units::Nanos::millis(95),
            "{took:?}"
        );
    }
}

#[test]
fn levels_that_do_not_wait_are_named() {
    let place = TempDir::new().unwrap();
    for (journal, level, found) in [
        ("wal", "off", &["synchronous=off"][..]),
        ("delete", "off", &["synchronous=off"]),
        ("wal", "normal", &["synchronous=normal with wal"]),
        ("delete", "normal", &["synchronous=normal with delete"]),
        ("delete", "full", &["synchronous=full with delete"]),
        ("truncate", "normal", &["synchronous=normal with truncate"]),
        ("truncate", "full", &[]),
        ("persist", "normal", &[]),
        ("wal", "full", &[]),
        ("delete", "extra", &[]),
    ] {
        let record = go(
            &place,
            &[("journal", journal), ("synchronous", level)],
            false,
        )
        .unwrap();
        assert_eq!(volatile(&record), found, "{journal} {level}");
    }
}

#[test]
fn a_stop_ends_it_before_its_first_step_and_leaves_nothing() {
    let place = TempDir::new().unwrap();
    let record = go(&place, &[], true).unwrap();
    assert_eq!(
        (record.ended, record.steps.len()),
        (WorkEnd::Interrupted, 0)
    );
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn too_many_rows_are_refused_before_anything_is_written() {
    let place = TempDir::new().unwrap();
    let error = go(&place, &[], false).map(|_| ()).and_then(|()| {
        let given = [("rows".to_owned(), "9000000000".to_owned())];
        let stop = AtomicBool::new(false);
        let context = Context {
            directory: place.path(),
            elsewhere: None,
            seed: 7,
            given: &given,
            stop: &stop,
            witness: &(),
        };
        crate::sqlite::Sqlite.run(&context).map(|_| ())
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("ask for less"), "{error}");
}

#[test]
fn every_default_is_of_its_kind() {
    for work in crate::WORKS {
        for parameter in work.parameters() {
            let given = [(parameter.name.to_owned(), parameter.default.to_owned())];
            let typed = etalon_work::Values::parse(work.parameters(), &given);
            assert!(
                parameter.default.is_empty() || typed.is_ok(),
                "{}",
                parameter.name
            );
        }
    }
}
