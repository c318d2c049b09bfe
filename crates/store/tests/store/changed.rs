//! What people do with whole experiments: say something of them, copy them, remove them.

use etalon_model::{Choice, ExperimentState};
use etalon_store::{Remark, Store, StoreError};
use etalon_units::Nanos;

use crate::common::{cell, new_experiment, run};

fn filled(path: &std::path::Path) -> Store {
    let mut store = Store::open(path).unwrap();
    let id = store.begin_experiment(&new_experiment()).unwrap();
    store.append_runs(id, &[run(0), run(1)]).unwrap();
    store.append_cells(id, &[cell("a cell")]).unwrap();
    store
        .finish_experiment(id, 5, ExperimentState::Finished)
        .unwrap();
    store
}

fn said(note: &str, tags: &[&str]) -> Remark {
    Remark {
        note: note.to_owned(),
        tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
    }
}

#[test]
fn a_note_is_replaced_and_tags_are_added_and_taken_away() {
    let directory = tempfile::tempdir().unwrap();
    let mut store = filled(&directory.path().join("store.sqlite"));
    assert!(store.remarks().unwrap().is_empty());
    store.set_note(1, "first").unwrap();
    store.set_note(1, "second").unwrap();
    for tag in ["b", "a", "b"] {
        store.set_tag(1, tag, true).unwrap();
    }
    assert_eq!(store.remarks().unwrap()[&1], said("second", &["a", "b"]));
    store.set_note(1, "").unwrap();
    store.set_tag(1, "b", false).unwrap();
    assert_eq!(store.remarks().unwrap()[&1], said("", &["a"]));
    let missing = store.set_note(2, "x").unwrap_err();
    assert!(matches!(
        missing,
        StoreError::NoSuchExperiment { id: 2, .. }
    ));
    assert!(store.set_tag(2, "x", true).is_err());
}

#[test]
fn an_experiment_of_another_store_is_the_same_under_its_new_number() {
    let directory = tempfile::tempdir().unwrap();
    let mut from = filled(&directory.path().join("from.sqlite"));
    from.set_tag(1, "disk", true).unwrap();
    let choices = [Choice::Continued { runs: 3 }];
    from.set_choices(1, &choices).unwrap();
    from.set_elapsed(1, Nanos::secs(70)).unwrap();
    let mut store = filled(&directory.path().join("store.sqlite"));
    let experiment = from.experiment(1).unwrap();
    let remark = from.remarks().unwrap().remove(&1).unwrap();
    let id = store.import(&experiment, &remark).unwrap();
    assert_eq!(id, 2);
    let copy = store.experiment(2).unwrap();
    assert_eq!(
        (&copy.runs, &copy.cells),
        (&experiment.runs, &experiment.cells)
    );
    assert_eq!(copy.header.choices, choices);
    assert_eq!(copy.header.state, ExperimentState::Finished);
    assert_eq!(copy.header.ended_unix_ns, Some(5));
    assert_eq!(copy.header.elapsed_ns, Some(Nanos::secs(70)));
    assert_eq!(copy.header.begun.seed, experiment.header.begun.seed);
    assert_eq!(copy.header.begun.owner, None);
    assert_eq!(store.remarks().unwrap()[&2], said("", &["disk"]));
}

#[test]
fn what_runs_elsewhere_is_kept_as_interrupted() {
    let directory = tempfile::tempdir().unwrap();
    let mut from = filled(&directory.path().join("from.sqlite"));
    let running = from.begin_experiment(&new_experiment()).unwrap();
    from.append_run(running, &run(0)).unwrap();
    let running = from.experiment(running).unwrap();
    let mut store = filled(&directory.path().join("store.sqlite"));
    let id = store.import(&running, &Remark::default()).unwrap();
    let copy = store.experiment(id).unwrap();
    assert_eq!(copy.header.state, ExperimentState::Interrupted);
    assert_eq!(copy.runs, running.runs);
}

#[test]
fn an_experiment_is_gone_on_with_only_as_it_was_read() {
    let directory = tempfile::tempdir().unwrap();
    let mut store = filled(&directory.path().join("store.sqlite"));
    let is_refused = |tried: Result<(), StoreError>| {
        matches!(tried, Err(StoreError::ChangedMeanwhile { id: 1, .. }))
    };
    // It has two runs.
    assert!(is_refused(store.require_as_read(1, 1)));
    assert!(is_refused(store.go_on_with(1, 1, None)));
    let ended = store.header(1).unwrap();
    assert_eq!(ended.state, ExperimentState::Finished);
    store.require_as_read(1, 2).unwrap();
    store.go_on_with(1, 2, Some("a b 1 2 3")).unwrap();
    let running = store.header(1).unwrap();
    assert_eq!(running.state, ExperimentState::Running);
    assert_eq!(running.ended_unix_ns, None);
    assert_eq!(running.begun.owner.as_deref(), Some("a b 1 2 3"));
    // Another etalon goes on with it.
    assert!(is_refused(store.require_as_read(1, 2)));
    assert!(is_refused(store.go_on_with(1, 2, None)));
    let missing = store.go_on_with(9, 0, None).unwrap_err();
    assert!(matches!(
        missing,
        StoreError::NoSuchExperiment { id: 9, .. }
    ));
}

#[test]
fn what_is_removed_is_gone_and_its_number_is_not_given_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store.sqlite");
    let mut store = filled(&path);
    store.set_note(1, "x").unwrap();
    store.set_digest(1, 1, "gathered").unwrap();
    store.begin_experiment(&new_experiment()).unwrap();
    // All or none.
    assert!(store.remove(&[1, 9]).is_err());
    assert_eq!(store.list().unwrap().len(), 2);
    store.remove(&[1]).unwrap();
    assert_eq!(store.list().unwrap().len(), 1);
    assert!(store.remarks().unwrap().is_empty());
    assert_eq!(store.begin_experiment(&new_experiment()).unwrap(), 3);
    let raw = rusqlite::Connection::open(&path).unwrap();
    for table in ["run", "cell", "note", "tag", "digest"] {
        let sql = format!("SELECT count(*) FROM {table}");
        let rows: i64 = raw.query_row(&sql, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 0, "{table}");
    }
}

#[test]
fn cells_are_summed_up_without_their_records() {
    let directory = tempfile::tempdir().unwrap();
    let store = filled(&directory.path().join("store.sqlite"));
    let cells = store.cell_summaries(1).unwrap();
    let whole = cell("a cell");
    assert_eq!(cells.len(), 1);
    assert_eq!(cells[0].name, "a cell");
    assert_eq!(
        (cells[0].unit, cells[0].median),
        (whole.unit, whole.median.value)
    );
    assert_eq!(cells[0].verdict, whole.verdict.word());
}

#[test]
fn the_first_cell_that_is_not_invalid_speaks_for_each_experiment() {
    let directory = tempfile::tempdir().unwrap();
    let mut store = filled(&directory.path().join("store.sqlite"));
    let spoilt = |name: &str| etalon_model::Cell {
        verdict: etalon_model::Verdict::Invalid {
            reasons: vec!["page-cache".to_owned()],
        },
        ..cell(name)
    };
    let begin = |store: &mut Store| store.begin_experiment(&new_experiment()).unwrap();
    let (two, three) = (begin(&mut store), begin(&mut store));
    begin(&mut store);
    // By their place, not by their names.
    let cells = [spoilt("c"), cell("b"), cell("a")];
    store.append_cells(two, &cells).unwrap();
    store.append_cells(three, &[spoilt("c")]).unwrap();
    let first = store.first_sound_cells().unwrap();
    let mut names: Vec<_> = first.iter().map(|(id, cell)| (*id, &*cell.name)).collect();
    names.sort_unstable();
    assert_eq!(names, [(1, "a cell"), (two, "b")]);
    assert_eq!(first[&1], store.cell_summaries(1).unwrap()[0]);
}

#[test]
fn a_digest_stands_for_the_runs_that_it_was_made_of_and_for_no_others() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store.sqlite");
    let mut store = filled(&path);
    let whole = store.experiment(1).unwrap();
    let runs = whole.runs.len();
    let kept = |store: &Store| store.digested_experiment(1).unwrap();
    assert!(kept(&store).is_none());
    assert!(!store.is_worth_a_digest(1).unwrap());
    store.set_digest(1, runs, "gathered").unwrap();
    let found = kept(&store).unwrap();
    assert_eq!((found.digest.as_str(), found.runs), ("gathered", runs));
    assert_eq!(
        (found.header, found.cells.records),
        (whole.header, whole.cells.clone())
    );

    store.append_cells(1, &whole.cells).unwrap();
    assert!(kept(&store).is_none(), "judged anew");
    store.set_digest(1, runs, "gathered").unwrap();
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.execute("UPDATE digest SET digest_json = 'gothered'", [])
        .unwrap();
    assert!(kept(&store).is_none(), "damaged");
    store.set_digest(1, runs, "gathered").unwrap();
    store.append_run(1, &run(9)).unwrap();
    assert!(kept(&store).is_none(), "another run");
    assert!(store.set_digest(9, runs, "x").is_err());
}

#[test]
fn many_cells_are_read_in_their_order() {
    let directory = tempfile::tempdir().unwrap();
    let mut store = filled(&directory.path().join("store.sqlite"));
    let id = store.begin_experiment(&new_experiment()).unwrap();
    let names: Vec<String> = (0..101).map(|n| format!("cell {n}")).collect();
    let cells: Vec<_> = names.iter().map(|name| cell(name)).collect();
    store.append_cells(id, &cells).unwrap();
    let read = |cells: &[etalon_model::Cell]| -> Vec<String> {
        cells.iter().map(|cell| cell.name.clone()).collect()
    };
    assert_eq!(read(&store.outline(id).unwrap().cells), names);
    assert_eq!(read(&store.experiment(id).unwrap().cells), names);
}
