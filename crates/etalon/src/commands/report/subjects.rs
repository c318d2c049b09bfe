//! The experiments of a report.

use anyhow::bail;
use etalon_model::{ExperimentKind, RunId};
use etalon_report::{RunSeries, Subject};

use super::planned::Planned;
use crate::arms::NamedArm;
use crate::cli::StoreArgs;
use crate::commands::compare::SideBySide;
use crate::commands::list::local_time;
use crate::exit::BadUsage;
use crate::stores;
use crate::unjudged;

/// What a report is about: as the report takes it, and whole where it is to be compared.
pub(crate) struct Subjects {
    pub(crate) subjects: Vec<Subject>,
    /// Empty for a single one.
    named: Vec<NamedArm>,
    /// What the levels of a single one did, where a plan made it.
    pub(super) planned: Option<Planned>,
}

impl Subjects {
    /// Reads what was named, or the newest experiment.
    pub(super) fn read(typed: &[String], store: &StoreArgs) -> anyhow::Result<Subjects> {
        let typed = match typed.is_empty() {
            true => vec![newest(store)?],
            false => typed.to_vec(),
        };
        if let [only] = &typed[..]
            && let Ok(id) = only.parse()
            && let Some(outlined) = outlined(id, store)?
        {
            return Ok(Subjects::one(outlined));
        }
        let named = typed.iter().map(|text| NamedArm::read(text, store));
        Ok(Subjects::held(named.collect::<anyhow::Result<_>>()?))
    }

    /// Reads experiments of the store by their numbers, at least one: no name of a file is among them.
    pub(crate) fn of_store(ids: &[RunId], store: &StoreArgs) -> anyhow::Result<Subjects> {
        if let [only] = ids
            && let Some(outlined) = outlined(*only, store)?
        {
            return Ok(Subjects::one(outlined));
        }
        let named = ids.iter().map(|id| NamedArm::of_store(*id, store));
        Ok(Subjects::held(named.collect::<anyhow::Result<_>>()?))
    }

    fn held(named: Vec<NamedArm>) -> Subjects {
        let when = |arm: &NamedArm| local_time(arm.experiment.header.begun.started_unix_ns);
        let subjects = named
            .iter()
            .map(|arm| Subject::of(&arm.experiment, when(arm)));
        Subjects {
            subjects: subjects.collect(),
            named,
            planned: None,
        }
    }

    fn one((subject, planned): (Subject, Option<Planned>)) -> Subjects {
        Subjects {
            subjects: vec![subject],
            named: Vec::new(),
            planned,
        }
    }

    pub(super) fn first_id(&self) -> i64 {
        self.subjects[0].header().id
    }

    /// The experiments held against the first; `None` of a single one.
    pub(crate) fn side_by_side(&self) -> anyhow::Result<Option<SideBySide>> {
        match self.named.len() {
            0 | 1 => Ok(None),
            _ => SideBySide::of(&self.named).map(Some),
        }
    }
}

fn newest(store: &StoreArgs) -> anyhow::Result<String> {
    let list = stores::open_read_only(store)?.list_sound()?.records;
    match list.last() {
        Some(last) => Ok(last.id.to_string()),
        None => bail!(BadUsage(
            "the store holds no experiment; `etalon quick` makes one".to_owned()
        )),
    }
}

/// A single experiment of the store: only the runs whose course is drawn are read whole. `None` of what others
/// measured, whose runs hold what their columns do not.
fn outlined(id: RunId, store: &StoreArgs) -> anyhow::Result<Option<(Subject, Option<Planned>)>> {
    let store = stores::open_read_only(store)?;
    let outline = unjudged::outline_as_it_is(&store, store.outline(id)?);
    if outline.header.begun.kind == ExperimentKind::Imported {
        return Ok(None);
    }
    let planned = Planned::of(&store, &outline);
    let when = local_time(outline.header.begun.started_unix_ns);
    let mut subject = Subject::begun(outline.header, when);
    outline
        .cells
        .into_iter()
        .for_each(|cell| subject.add_cell(cell));
    outline
        .runs
        .into_iter()
        .for_each(|run| subject.add_run(run));
    subject.environments = outline.environments;
    for cell in subject.wanted_counts() {
        let own = store.runs_of_cell(id, &cell.name)?;
        subject.leave_out(&cell, &own.iter().collect::<Vec<_>>());
    }
    for (cell, position) in subject.wanted_series() {
        let run = store.run_at(id, position)?;
        subject
            .series
            .extend(run.map(|run| RunSeries::of(&run, cell)));
    }
    Ok(Some((subject, planned)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use etalon_factor::ProcessStamp;
    use etalon_judge::{Goal, judge_cells};
    use etalon_model::{
        Ended, ExperimentState, Measurement, NewExperiment, Run, TargetRecord, TaskFigure,
        TaskWorkload,
    };
    use etalon_store::Store;
    use etalon_units::Nanos;

    use super::*;
    use crate::commands::report::Compared;

    /// A run of a step of real work, of whose operations so many were done in its second.
    fn run(work: &str, position: u32, ended: Ended) -> Run {
        let mut measurement = Measurement::of_nothing(Nanos::secs(1));
        measurement.ended = ended;
        measurement.metadata.operations = 1000 + u64::from(position);
        let latency = &mut measurement.metadata.latency;
        latency.record_n(10_000_000, 1000);
        let work = TaskWorkload::of_texts(work, "4 at once", TaskFigure::Rate, [].into());
        Run {
            position,
            ..Run::of("4 at once", work, measurement)
        }
    }

    /// A store with an experiment that its owner has begun.
    fn begun(path: &Path, owner: Option<String>) -> (Store, RunId) {
        let mut store = Store::open(path).unwrap();
        let begun = NewExperiment {
            kind: ExperimentKind::Work,
            started_unix_ns: 0,
            target: TargetRecord::default(),
            settings: serde_json::json!({}),
            seed: 1,
            tool_version: "0".to_owned(),
            owner,
        };
        let id = store.begin_experiment(&begun).unwrap();
        (store, id)
    }

    /// A store with an experiment of these runs, which ended before all of its runs were made.
    fn kept(path: &Path, runs: &[Run]) -> RunId {
        let (mut store, id) = begun(path, None);
        for run in runs {
            store.append_run(id, run).unwrap();
        }
        let goal = Goal::new(None, 6, 30).unwrap();
        store.append_cells(id, &judge_cells(runs, &goal)).unwrap();
        store
            .finish_experiment(id, 1, ExperimentState::Interrupted)
            .unwrap();
        id
    }

    #[test]
    fn what_does_not_count_is_known_without_reading_every_run() {
        for work in ["web", "build"] {
            let place = tempfile::tempdir().unwrap();
            let path = place.path().join("s.sqlite");
            let ended = |at| match at {
                6 => Ended::Interrupted,
                _ => Ended::Complete,
            };
            let runs: Vec<Run> = (0..7).map(|at| run(work, at, ended(at))).collect();
            let id = kept(&path, &runs);
            let named = StoreArgs { store: Some(path) };
            let (subject, _) = outlined(id, &named).unwrap().unwrap();
            let counts = [5, 6].map(|at| subject.counts(at));
            assert_eq!(counts, [true, false], "{work}");
        }
    }

    #[test]
    fn what_was_killed_or_runs_elsewhere_does_not_run_here_and_is_judged() {
        let own = ProcessStamp::current().unwrap();
        let dead = ProcessStamp {
            start_ticks: own.start_ticks + 1,
            ..own.clone()
        };
        let elsewhere = ProcessStamp {
            machine: "another".to_owned(),
            ..own.clone()
        };
        // Nobody has judged its runs yet, and whoever was to do it is gone.
        for (owner, state, judged) in [
            (own, ExperimentState::Running, 0),
            (dead, ExperimentState::Interrupted, 1),
            (elsewhere, ExperimentState::Interrupted, 1),
        ] {
            let place = tempfile::tempdir().unwrap();
            let path = place.path().join("s.sqlite");
            let (mut store, id) = begun(&path, Some(owner.to_string()));
            for position in 0..6 {
                let run = run("build", position, Ended::Complete);
                store.append_run(id, &run).unwrap();
            }
            drop(store);
            let named = StoreArgs { store: Some(path) };
            let (alone, _) = outlined(id, &named).unwrap().unwrap();
            let several = Subjects::of_store(&[id, id], &named).unwrap().subjects;
            for subject in [&alone, &several[0]] {
                assert_eq!(subject.header().state, state, "{owner}");
                assert_eq!(subject.cells.len(), judged, "{owner}");
            }
            let subjects = Subjects::of_store(&[id], &named).unwrap();
            let page = Compared::of(&subjects, None).report("").page();
            let is_unfinished = page.contains("The measurement was interrupted before its end.");
            assert_eq!(is_unfinished, judged > 0, "{owner}");
            assert_eq!(page.contains("4 at once"), judged > 0, "{owner}");
        }
    }
}
