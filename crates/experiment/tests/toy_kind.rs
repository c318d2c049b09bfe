//! A new kind of work takes one implementation of `Measurable`: everything else is there already.
#![expect(clippy::unwrap_used, reason = "a toy fails by panicking")]

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use etalon_experiment::run::{Observer, Schedule, Session, Step, repeat};
use etalon_experiment::{Event, ExperimentError, Site, Witness, WitnessError};
use etalon_model::{Measurement, Run, TaskFigure, TaskWorkload};
use etalon_units::Nanos;
use etalon_workload::measurable::{EndedPart, PartReport, Pass, PassReport};
use etalon_workload::{Measurable, PartWitness};

/// Writes a file, and reads it again.
struct Toy {
    file: PathBuf,
}

impl Measurable for Toy {
    type Error = Infallible;

    fn get_ready(&mut self, _pass: Pass) -> Result<(), Infallible> {
        Ok(())
    }

    fn carry_out(&mut self, witness: &(dyn PartWitness + Sync)) -> Result<(), Infallible> {
        witness.begins("write");
        std::fs::write(&self.file, "toy").unwrap();
        witness.ended("write");
        witness.begins("read");
        std::fs::read(&self.file).unwrap();
        witness.ended("read");
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
    type Error = ExperimentError;

    fn open(
        &mut self,
        block: u32,
        _runs: &[Run],
        _witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError> {
        Ok(if block < 2 { vec![0] } else { Vec::new() })
    }

    fn pass(
        &mut self,
        _step: Step,
        pass: Pass,
        _witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let whole = Instant::now();
        let observed = self.observer.observe(&mut self.toy, (pass, whole), None)?;
        Ok(observed.runs)
    }
}

struct Count(usize);

impl Witness for Count {
    fn event(&mut self, event: Event<'_>) -> Result<(), WitnessError> {
        self.0 += usize::from(matches!(event, Event::Ended { .. }));
        Ok(())
    }
}

#[test]
fn a_toy_is_observed_repeated_and_judged_like_every_other_kind() {
    let place = tempfile::tempdir().unwrap();
    let site = Site::look(place.path()).unwrap();
    let mut toys = Toys {
        toy: Toy {
            file: place.path().join("toy"),
        },
        observer: Observer::new([&site], true),
    };
    let (mut told, mut runs) = (Count(0), Vec::new());
    let stop = AtomicBool::new(false);
    repeat(&mut toys, Schedule::Rows, &stop, &mut told, &mut runs).unwrap();
    let cells: Vec<(&str, u32, u32)> = runs
        .iter()
        .map(|run| (run.cell.as_str(), run.block, run.position))
        .collect();
    let expected = [
        ("write", 0, 0),
        ("read", 0, 1),
        ("write", 1, 2),
        ("read", 1, 3),
    ];
    assert_eq!(cells, expected);
    assert_eq!(told.0, 4);
    for run in &runs {
        assert!(run.circumstances.environment.is_some(), "{}", run.cell);
        assert!(run.circumstances.counters.is_some(), "{}", run.cell);
        assert!(run.elapsed > Nanos::ZERO);
    }
}
