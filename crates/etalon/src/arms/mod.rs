//! What `compare` is given: experiments, single cells, some of their runs, or other stores.

mod runs;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use etalon_model::{Experiment, RunId};
use etalon_report::display_name;
use etalon_store::Store;

use crate::cli::StoreArgs;
use crate::documents;
use crate::exit::BadUsage;
use crate::stores;
use crate::unjudged;
use runs::Choice;

/// One arm as it was typed, and the experiment that it names.
pub(crate) struct NamedArm {
    /// What the user typed.
    pub(crate) typed: String,
    /// Tells apart equal numbers of different stores.
    pub(crate) session: String,
    pub(crate) experiment: Experiment,
    /// The one cell that was named; `None` for all.
    pub(crate) cell: Option<String>,
}

/// `[FILE:]ID[/CELL][@RUNS]`, or a file alone.
#[derive(Debug, PartialEq, Eq)]
struct Reference {
    file: Option<PathBuf>,
    id: Option<RunId>,
    cell: Option<String>,
    runs: Option<Choice>,
}

impl NamedArm {
    /// The whole experiment of that number in the store; a file that is called like the number is none.
    pub(crate) fn of_store(id: RunId, store: &StoreArgs) -> anyhow::Result<NamedArm> {
        let reference = Reference {
            file: None,
            id: Some(id),
            cell: None,
            runs: None,
        };
        let (experiment, session) = find(&reference, store)?;
        Ok(NamedArm {
            typed: id.to_string(),
            session,
            experiment,
            cell: None,
        })
    }

    pub(crate) fn read(text: &str, default: &StoreArgs) -> anyhow::Result<NamedArm> {
        let reference = parse(text)?;
        let (mut experiment, session) = find(&reference, default)?;
        let id = experiment.header.id;
        let cell = reference.cell.as_deref();
        let cell = cell
            .map(|cell| cell_called(cell, id, &experiment))
            .transpose()?;
        if let Some(choice) = &reference.runs {
            runs::keep(&mut experiment, cell.as_deref(), choice)?;
        }
        Ok(NamedArm {
            typed: text.to_owned(),
            session,
            experiment,
            cell,
        })
    }
}

/// The name of the cell that is meant: its own, or the one that pages print.
fn cell_called(typed: &str, id: RunId, experiment: &Experiment) -> anyhow::Result<String> {
    let names: Vec<&str> = experiment.cells.iter().map(|c| c.name.as_str()).collect();
    let own = names.iter().find(|name| **name == typed);
    let printed = || names.iter().find(|name| display_name(name) == typed);
    match own.or_else(printed) {
        Some(name) => Ok((*name).to_owned()),
        None => bail!(BadUsage(format!(
            "experiment {id} has no cell '{typed}'; its cells are: {}",
            names.join("; ")
        ))),
    }
}

/// The experiment that is meant, as it is by now, and what tells it apart from those of the same number elsewhere.
fn find(reference: &Reference, default: &StoreArgs) -> anyhow::Result<(Experiment, String)> {
    let session = |file: &Path, id| format!("{}:{id}", file.display());
    if let Some(file) = &reference.file
        && let Some(experiment) = documents::read(file)?
    {
        let session = session(file, experiment.header.id);
        return Ok((unjudged::as_it_is(experiment), session));
    }
    let store = match &reference.file {
        Some(file) => Store::open_read_only(file)?,
        None => stores::open_read_only(default)?,
    };
    let id = match reference.id {
        Some(id) => id,
        None => newest(&store)?,
    };
    let experiment = unjudged::as_it_is(store.experiment(id)?);
    Ok((experiment, session(store.path(), id)))
}

fn newest(store: &Store) -> anyhow::Result<RunId> {
    let last = store
        .list_sound()?
        .records
        .pop()
        .map(|experiment| experiment.id);
    last.with_context(|| format!("{} holds no experiment", store.path().display()))
}

fn parse(text: &str) -> anyhow::Result<Reference> {
    if Path::new(text).is_file() {
        return Ok(Reference {
            file: Some(PathBuf::from(text)),
            id: None,
            cell: None,
            runs: None,
        });
    }
    let (file, rest) = match text.split_once(':') {
        Some((file, rest)) if Path::new(file).is_file() => (Some(PathBuf::from(file)), rest),
        _ => (None, text),
    };
    let (rest, runs) = match rest.rsplit_once('@') {
        Some((rest, words)) => match Choice::parse(words) {
            Some(choice) => (rest, Some(choice)),
            None => bail!(BadUsage(format!(
                "'@{words}' in '{text}' names no runs; write numbers from 1 and stretches of them, as in @3 or @1-6"
            ))),
        },
        None => (rest, None),
    };
    let (id, cell) = match rest.split_once('/') {
        Some((id, cell)) => (id, Some(cell.to_owned())),
        None => (rest, None),
    };
    match id.parse() {
        Ok(id) => Ok(Reference {
            file,
            id: Some(id),
            cell,
            runs,
        }),
        Err(_) => bail!(BadUsage(format!(
            "'{text}' names nothing to compare; write the number of an experiment (`etalon list` shows them), ID/CELL, ID@RUNS, or a store's FILE or FILE:ID"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_cells_and_files_are_told_apart() {
        let plain = |id, cell: Option<&str>| Reference {
            file: None,
            id: Some(id),
            cell: cell.map(str::to_owned),
            runs: None,
        };
        assert_eq!(parse("7").unwrap(), plain(7, None));
        assert_eq!(
            parse("7/streaming read").unwrap(),
            plain(7, Some("streaming read"))
        );
        let some = parse("7/streaming read@1-6").unwrap();
        assert_eq!(some.runs, Choice::parse("1-6"));
        assert_eq!(some.cell.as_deref(), Some("streaming read"));
        let error = parse("7@x").unwrap_err().to_string();
        assert!(error.contains("'@x'"));
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().display().to_string();
        assert_eq!(parse(&path).unwrap().id, None);
        assert_eq!(parse(&format!("{path}:3")).unwrap().id, Some(3));
        let error = parse("nothing").unwrap_err().to_string();
        assert!(error.contains("'nothing'"));
    }
}
