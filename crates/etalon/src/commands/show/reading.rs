//! What is read of an experiment for a page: as little as the page needs.

use etalon_judge::FEWEST_POINTS;
use etalon_language::say;
use etalon_model::{Experiment, TotalTime};
use etalon_report::{ExperimentChecks, PageDigest};
use etalon_store::{Sound, Store};
use etalon_tools::Exit;
use etalon_units::{Bytes, Nanos};

use super::{ShowArgs, latency_target};
use crate::digests::{self, Gathered};
use crate::stores;

/// An experiment as it was read.
pub(super) struct Reading {
    pub(super) experiment: Experiment,
    /// What was gathered of its runs, where these were not read.
    pub(super) digest: Option<PageDigest>,
    /// How many runs it has.
    pub(super) runs: usize,
    unread: Unread,
}

/// What was left unread of the runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unread {
    Nothing,
    /// So much.
    Series(Bytes),
    Runs,
}

/// Series of more bytes than these are not read for a page.
const MOST_SERIES: Bytes = Bytes(64 << 20);

impl Reading {
    /// Tells which records are damaged and left out, and gives the others.
    pub(super) fn of(args: &ShowArgs, store: &Store) -> anyhow::Result<(Reading, Exit)> {
        let gathered = match needs_runs(args) {
            true => None,
            false => digests::of(store, args.id)?,
        };
        // Which load kept a latency is told by the runs.
        let has_target =
            |of: &Gathered| latency_target::of_settings(&of.kept.header.begun.settings).is_some();
        match gathered.filter(|of| !has_target(of)) {
            Some(gathered) => Ok(Reading::gathered(gathered)),
            None => Reading::with_runs(args, store),
        }
    }

    fn gathered(gathered: Gathered) -> (Reading, Exit) {
        let Gathered { kept, digest } = gathered;
        let (cells, exit) = stores::sound(kept.cells);
        let experiment = Experiment {
            header: kept.header,
            cells,
            runs: Vec::new(),
        };
        let reading = Reading {
            experiment,
            digest: Some(digest),
            runs: kept.runs,
            unread: Unread::Runs,
        };
        (reading, exit)
    }

    fn with_runs(args: &ShowArgs, store: &Store) -> anyhow::Result<(Reading, Exit)> {
        let (found, unread) = read(args, store)?;
        let (experiment, exit) = stores::sound(found);
        let reading = Reading {
            runs: experiment.runs.len(),
            experiment,
            digest: None,
            unread,
        };
        Ok((reading, exit))
    }

    /// What became of the checks.
    pub(super) fn checks(&self) -> ExperimentChecks {
        let Experiment { cells, runs, .. } = &self.experiment;
        match &self.digest {
            Some(digest) => digest.checks().clone(),
            None => ExperimentChecks::of(cells, runs),
        }
    }

    /// How long it took: what lies between sessions, and until somebody saw that one had died, is none of it.
    pub(super) fn elapsed(&self) -> Nanos {
        let passes = match &self.digest {
            Some(digest) => digest.elapsed(),
            None => TotalTime::of(&self.experiment.runs),
        };
        self.experiment.header.elapsed(passes)
    }

    /// What was left unread, and with it the checksums.
    pub(super) fn unread(&self) -> Option<String> {
        match self.unread {
            Unread::Nothing => None,
            Unread::Series(size) => Some(say!("page-series-unread", size = size)),
            Unread::Runs => Some(say!("page-runs-unread")),
        }
    }
}

/// Whether it is asked for what only the runs tell.
fn needs_runs(args: &ShowArgs) -> bool {
    args.json || args.details || args.percentiles.is_some() || args.environment || args.stack
}

/// The experiment with its runs. That the checks of their course could be done is told by the number of points of their
/// series, so that long ones need not be read for a page.
fn read(args: &ShowArgs, store: &Store) -> anyhow::Result<(Sound<Experiment>, Unread)> {
    let abridged = match args.json {
        true => None,
        false => store.abridged_experiment(args.id, MOST_SERIES, FEWEST_POINTS)?,
    };
    Ok(match abridged {
        Some(abridged) => (abridged.experiment, Unread::Series(abridged.series)),
        None => (store.sound_experiment(args.id)?, Unread::Nothing),
    })
}
