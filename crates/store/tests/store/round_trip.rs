//! What is stored comes back as it was, and damage to it does not go unseen.

use crate::common::{cell, new_experiment, run};
use etalon_model::{Choice, ExperimentState, SCHEMA_VERSION, SeriesPoint};
use etalon_store::{Store, StoreError};
use etalon_units::{Bytes, Nanos};
use tempfile::TempDir;

#[test]
fn an_experiment_comes_back_exactly() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("deep/er/store.sqlite");
    let mut store = Store::open(&path).unwrap();
    let id = store.begin_experiment(&new_experiment()).unwrap();
    let runs: Vec<_> = (0..5).map(run).collect();
    for run in &runs {
        store.append_run(id, run).unwrap();
    }
    let cells = vec![cell("b"), cell("a")];
    store.append_cells(id, &cells).unwrap();
    store
        .finish_experiment(id, 1_700_000_001_000_000_000, ExperimentState::Finished)
        .unwrap();
    let choices = vec![
        Choice::RunLength {
            run_ns: Nanos::secs(1),
        },
        Choice::Dropped {
            rows: vec!["create files".to_owned()],
            least_runs: 6,
            needed_ns: Nanos::secs(9),
            budget_ns: Nanos::secs(120),
        },
    ];
    store.set_choices(id, &[Choice::note("at first")]).unwrap();
    store.set_choices(id, &choices).unwrap();
    store.set_elapsed(id, Nanos::secs(70)).unwrap();
    drop(store);

    let stored = Store::open_read_only(&path)
        .unwrap()
        .experiment(id)
        .unwrap();
    assert_eq!(stored.runs, runs);
    assert_eq!(stored.cells, cells);
    assert_eq!(stored.header.begun, new_experiment());
    assert_eq!(stored.header.choices, choices);
    assert_eq!(stored.header.elapsed_ns, Some(Nanos::secs(70)));
    assert_eq!(stored.header.state, ExperimentState::Finished);
    assert_eq!(stored.header.schema_version, SCHEMA_VERSION);
    assert_eq!(stored.header.ended_unix_ns, Some(1_700_000_001_000_000_000));
}

#[test]
fn the_runs_of_one_cell_come_back_whole_and_in_their_order() {
    let home = TempDir::new().unwrap();
    let mut store = Store::open(&home.path().join("s")).unwrap();
    let id = store.begin_experiment(&new_experiment()).unwrap();
    let of_cell = |position: u32, cell: &str| etalon_model::Run {
        cell: cell.to_owned(),
        ..run(position)
    };
    let runs = [of_cell(2, "a"), of_cell(0, "a"), of_cell(1, "b")];
    for run in &runs {
        store.append_run(id, run).unwrap();
    }
    let own = store.runs_of_cell(id, "a").unwrap();
    assert_eq!(own, [runs[1].clone(), runs[0].clone()]);
    assert_eq!(store.runs_of_cell(id, "c").unwrap(), []);
    assert_eq!(store.runs_of_cell(id + 1, "a").unwrap(), []);
}

#[test]
fn what_each_cell_does_is_what_its_first_run_says() {
    let home = TempDir::new().unwrap();
    let mut store = Store::open(&home.path().join("s")).unwrap();
    let id = store.begin_experiment(&new_experiment()).unwrap();
    let cells = [(0, "a"), (1, "b"), (2, "a")];
    let runs = cells.map(|(position, cell)| etalon_model::Run {
        cell: cell.to_owned(),
        ..run(position)
    });
    store.append_runs(id, &runs).unwrap();
    let first = [&runs[0], &runs[1]].map(|run| (run.cell.clone(), run.workload.clone()));
    assert_eq!(store.workloads(id).unwrap(), first.into());
    assert!(store.workloads(id + 1).unwrap().is_empty());
    for torn in ["'[]'", "'{}'"] {
        let raw = rusqlite::Connection::open(home.path().join("s")).unwrap();
        let sql = format!("UPDATE run SET record_json = {torn} WHERE cell = 'b'");
        assert_eq!(raw.execute(&sql, []).unwrap(), 1);
        let error = store.workloads(id).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    }
}

#[test]
fn an_abridged_experiment_is_the_whole_one_but_for_its_series() {
    let home = TempDir::new().unwrap();
    let mut store = Store::open(&home.path().join("s")).unwrap();
    let id = store.begin_experiment(&new_experiment()).unwrap();
    store.append_cells(id, &[cell("a")]).unwrap();
    for position in 0..3 {
        let mut run = run(position);
        // Of many pages, of one point, and none.
        let points = [5000, 1, 0][position as usize];
        run.measurement.series = vec![run.measurement.series[0]; points];
        store.append_run(id, &run).unwrap();
    }
    let all = 5001 * 32;
    let abridged = |id, few| store.abridged_experiment(id, Bytes(few), 2).unwrap();
    assert!(abridged(id, all).is_none() && abridged(id + 1, 0).is_none());
    // A file that is smaller as a whole holds no more of them.
    assert!(abridged(id, 64 << 20).is_none());
    let found = abridged(id, all - 1).unwrap();
    assert_eq!(found.series, Bytes(all));
    assert!(found.experiment.damaged.is_empty());
    let mut whole = store.experiment(id).unwrap();
    for run in &mut whole.runs {
        run.measurement.series.truncate(2);
        run.measurement.series.fill(SeriesPoint::default());
    }
    assert_eq!(found.experiment.records, whole);
}

#[test]
fn a_broken_histogram_is_damage_in_an_abridged_experiment_too() {
    let home = TempDir::new().unwrap();
    let mut store = Store::open(&home.path().join("s")).unwrap();
    let id = store.begin_experiment(&new_experiment()).unwrap();
    store.append_runs(id, &[run(0), run(1), run(2)]).unwrap();
    let raw = rusqlite::Connection::open(home.path().join("s")).unwrap();
    // The header is whole, and the last count is cut off in its middle.
    let mut bytes = run(1).measurement.reads.latency.to_bytes();
    *bytes.last_mut().unwrap() = 0x80;
    let sql = "UPDATE run SET read_histogram = ?1 WHERE position = 1";
    assert_eq!(raw.execute(sql, [bytes]).unwrap(), 1);
    let found = store.abridged_experiment(id, Bytes::ZERO, 2).unwrap();
    let found = found.unwrap().experiment;
    let positions = found.records.runs.iter().map(|run| run.position);
    assert_eq!(positions.collect::<Vec<u32>>(), [0, 2]);
    let told = found.whole().unwrap_err().to_string();
    assert!(told.contains("read_histogram"), "{told}");
}

#[test]
fn the_list_counts_runs_and_cells() {
    let home = TempDir::new().unwrap();
    let mut store = Store::open(&home.path().join("s")).unwrap();
    assert_eq!(store.list().unwrap(), []);
    let first = store.begin_experiment(&new_experiment()).unwrap();
    let second = store.begin_experiment(&new_experiment()).unwrap();
    store.append_run(second, &run(0)).unwrap();
    store.append_cells(second, &[cell("a"), cell("b")]).unwrap();
    let list = store.list().unwrap();
    assert_eq!(list.len(), 2);
    assert_eq!((list[0].id, list[0].runs, list[0].cells), (first, 0, 0));
    assert_eq!((list[1].id, list[1].runs, list[1].cells), (second, 1, 2));
    assert_eq!(list[1].valid_cells, 0);
    assert_eq!(list[1].state, ExperimentState::Running);
    assert_eq!(list[1].owner.as_deref(), Some("here 1 2 3"));
}

#[test]
fn a_cell_judged_again_takes_its_own_place() {
    let home = TempDir::new().unwrap();
    let mut store = Store::open(&home.path().join("s")).unwrap();
    let id = store.begin_experiment(&new_experiment()).unwrap();
    store.append_cells(id, &[cell("a"), cell("b")]).unwrap();
    let again = etalon_model::Cell {
        device_share: None,
        ..cell("a")
    };
    store
        .append_cells(id, std::slice::from_ref(&again))
        .unwrap();
    assert_eq!(store.experiment(id).unwrap().cells, [again, cell("b")]);
}

#[test]
fn an_unknown_experiment_is_named() {
    let home = TempDir::new().unwrap();
    let mut store = Store::open(&home.path().join("s")).unwrap();
    let error = store.append_run(7, &run(0)).unwrap_err();
    assert!(matches!(error, StoreError::NoSuchExperiment { id: 7, .. }));
    let error = store.experiment(7).unwrap_err();
    assert!(error.to_string().contains("no experiment 7"), "{error}");
}

#[test]
fn parts_of_the_record_can_be_queried() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("s");
    let mut store = Store::open(&path).unwrap();
    let id = store.begin_experiment(&new_experiment()).unwrap();
    store.append_run(id, &run(0)).unwrap();
    let raw = rusqlite::Connection::open(&path).unwrap();
    let found: (String, String, String, i64) = raw
        .query_row(
            "SELECT workload_json ->> 'operation', findings_json ->> '$[0].code', cell, \
             json_extract(device_json, '$.read_bytes') - device_read_bytes FROM run",
            [],
            |row| row.try_into(),
        )
        .unwrap();
    let cell = run(0).cell;
    assert_eq!(found, ("randread".into(), "page-cache".into(), cell, 0));
}

/// Each column of a run that is read back, changed behind the store's back.
#[test]
fn a_changed_record_is_not_handed_out() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("s");
    let mut store = Store::open(&path).unwrap();
    let id = store.begin_experiment(&new_experiment()).unwrap();
    store.append_run(id, &run(0)).unwrap();
    store.append_cells(id, &[cell("a")]).unwrap();
    drop(store);
    let open = |path| {
        (
            Store::open(path).unwrap(),
            rusqlite::Connection::open(path).unwrap(),
        )
    };
    let (mut store, mut raw) = open(&path);
    for change in [
        "run SET read_histogram = write_histogram",
        "run SET write_histogram = read_histogram",
        "run SET metadata_histogram = read_histogram",
        "run SET lag_histogram = NULL",
        "run SET series = substr(series, 33)",
        "run SET record_json = replace(record_json, '1000', '1001')",
        "cell SET record_json = replace(record_json, '0.7', '0.8')",
    ] {
        let sound = std::fs::read(&path).unwrap();
        assert_eq!(raw.execute(&format!("UPDATE {change}"), []).unwrap(), 1);
        let error = store.experiment(id).unwrap_err();
        assert!(
            matches!(error, StoreError::Damaged { experiment, .. } if experiment == id),
            "{change}: {error}"
        );
        drop((store, raw));
        std::fs::write(&path, sound).unwrap();
        (store, raw) = open(&path);
        assert_eq!(store.experiment(id).unwrap().runs, [run(0)], "{change}");
    }
}
