//! The experiments of a report.

use anyhow::bail;
use etalon_report::Subject;

use crate::arms::NamedArm;
use crate::cli::StoreArgs;
use crate::commands::compare::SideBySide;
use crate::commands::list::local_time;
use crate::exit::BadUsage;
use crate::stores;

/// What a report is about: as the report takes it, and whole where it is to be compared.
pub(super) struct Subjects {
    pub(super) subjects: Vec<Subject>,
    named: Vec<NamedArm>,
}

impl Subjects {
    /// Reads what was named, or the newest experiment.
    pub(super) fn read(typed: &[String], store: &StoreArgs) -> anyhow::Result<Subjects> {
        let typed = match typed.is_empty() {
            true => vec![newest(store)?],
            false => typed.to_vec(),
        };
        let named = typed.iter().map(|text| NamedArm::read(text, store));
        let named: Vec<NamedArm> = named.collect::<anyhow::Result<_>>()?;
        let when = |arm: &NamedArm| local_time(arm.experiment.header.begun.started_unix_ns);
        let subjects = named
            .iter()
            .map(|arm| Subject::of(&arm.experiment, when(arm)));
        Ok(Subjects {
            subjects: subjects.collect(),
            named,
        })
    }

    pub(super) fn first_id(&self) -> i64 {
        self.subjects[0].header().id
    }

    /// The experiments held against the first; `None` of a single one.
    pub(super) fn side_by_side(&self) -> anyhow::Result<Option<SideBySide>> {
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
