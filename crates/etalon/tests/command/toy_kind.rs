//! A new kind of work takes one implementation of `Measurable`: the loop, the judge, the store and the
//! page are there already.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use etalon_experiment::run::{Observer, Schedule, Session, Step, repeat};
use etalon_experiment::{Event, ExperimentError, Site, Witness, WitnessError};
use etalon_judge::{Goal, judge_cells};
use etalon_model::{
    ExperimentKind, ExperimentState, Measurement, NewExperiment, Run, RunId, TaskFigure,
    TaskWorkload,
};
use etalon_store::Store;
use etalon_units::Nanos;
use etalon_workload::measurable::{EndedPart, PartReport, PassReport};
use etalon_workload::{Measurable, PartWitness};

use crate::common::{Ground, Home};

/// Writes a file, and reads it again.
struct Toy {
    file: PathBuf,
}

impl Measurable for Toy {
    type Error = Infallible;

    fn carry_out(&mut self, witness: &(dyn PartWitness + Sync)) -> Result<(), Infallible> {
        witness.begins("scribble");
        std::fs::write(&self.file, "toy").unwrap();
        witness.ended("scribble");
        witness.begins("look");
        std::fs::read(&self.file).unwrap();
        witness.ended("look");
        Ok(())
    }

    fn report(&mut self, ended: &[EndedPart]) -> PassReport {
        let parts = ended.iter().map(|part| {
            let (step, figure) = (&part.part, TaskFigure::Time);
            let workload = TaskWorkload::of_texts("toy", step, figure, Default::default());
            let measurement = Measurement::of_nothing(part.elapsed);
            PartReport::alone(step, workload.into(), measurement)
        });
        PassReport {
            parts: parts.collect(),
            ..PassReport::default()
        }
    }
}

struct Toys<'a> {
    toy: Toy,
    observer: Observer<'a>,
}

impl Session for Toys<'_> {
    fn open(
        &mut self,
        block: u32,
        _runs: &[Run],
        _witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError> {
        Ok(if block < 6 { vec![0] } else { Vec::new() })
    }

    fn pass(
        &mut self,
        step: Step,
        _witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let observed = self.observer.observe(&mut self.toy, step.begun, None)?;
        Ok(observed.runs)
    }
}

/// Keeps each run the moment that it ends.
struct StoreWitness {
    store: Store,
    id: RunId,
}

impl StoreWitness {
    fn begin(home: &Home, site: &Site) -> StoreWitness {
        let mut store = Store::open(&home.store()).unwrap();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let new = NewExperiment {
            kind: ExperimentKind::Work,
            started_unix_ns: i64::try_from(now.unwrap().as_nanos()).unwrap(),
            target: site.record.clone(),
            settings: serde_json::json!({}),
            seed: 1,
            tool_version: "0.1.0".to_owned(),
            owner: None,
        };
        let id = store.begin_experiment(&new).unwrap();
        StoreWitness { store, id }
    }

    fn end(&mut self, runs: &[Run]) {
        let cells = judge_cells(runs, &Goal::new(None, 6, 30).unwrap());
        self.store.append_cells(self.id, &cells).unwrap();
        let state = ExperimentState::Finished;
        let now = runs.last().unwrap().started_unix_ns;
        self.store.finish_experiment(self.id, now, state).unwrap();
    }
}

impl Witness for StoreWitness {
    fn event(&mut self, event: Event<'_>) -> Result<(), WitnessError> {
        if let Event::Ended { run } = event {
            self.store.append_run(self.id, run).unwrap();
        }
        Ok(())
    }
}

/// The runs of six passes of the toy in `place`, kept in the home's store.
fn measured(home: &Home, place: &Path) -> Vec<Run> {
    let site = Site::look(place).unwrap();
    let mut toys = Toys {
        toy: Toy {
            file: place.join("toy"),
        },
        observer: Observer::new([&site], true),
    };
    let (mut keeping, mut runs) = (StoreWitness::begin(home, &site), Vec::new());
    let stop = AtomicBool::new(false);
    repeat(&mut toys, Schedule::Rows, &stop, &mut keeping, &mut runs).unwrap();
    keeping.end(&runs);
    runs
}

#[test]
fn a_toy_is_observed_repeated_kept_and_shown_like_every_other_kind() {
    let (home, ground) = (Home::new(), Ground::new());
    let runs = measured(&home, ground.path());
    let places: Vec<(&str, u32, u32)> = runs
        .iter()
        .map(|run| (run.cell.as_str(), run.block, run.position))
        .collect();
    let first = [
        ("scribble", 0, 0),
        ("look", 0, 1),
        ("scribble", 1, 2),
        ("look", 1, 3),
    ];
    assert_eq!(places[..4], first);
    assert_eq!(runs.len(), 12);
    for run in &runs {
        assert!(run.circumstances.environment.is_some(), "{}", run.cell);
        assert!(run.circumstances.counters.is_some(), "{}", run.cell);
        assert!(run.elapsed > Nanos::ZERO);
    }
    let page = home.run(["show", "1"]);
    assert_eq!(page.code, Some(0), "{page:?}");
    for cell in ["scribble", "look"] {
        let row = page.out.lines().find(|line| line.starts_with(cell));
        assert!(row.is_some_and(|row| row.contains(" 6")), "{page:?}");
    }
    let table = home.run(["export", "1", "--csv"]).out;
    assert_eq!(table.lines().count(), 13, "{table}");
    let checks = home.run(["show", "1", "--findings", "--json"]).json();
    assert!(checks["cells"][0]["checks"].is_array(), "{checks}");
}
