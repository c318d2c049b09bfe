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
    let outline = store.outline(id)?;
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
    for (cell, position) in subject.wanted_series() {
        let run = store.run_at(id, position)?;
        subject
            .series
            .extend(run.map(|run| RunSeries::of(&run, cell)));
    }
    Ok(Some((subject, planned)))
}
