//! `etalon import FILE`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use etalon_exchange::{Change, ChangedExperiment, read_published};
use etalon_judge::{Goal, judge_cells};
use etalon_model::{
    Experiment, ExperimentHeader, ExperimentKind, ExperimentState, NewExperiment, Run,
    SCHEMA_VERSION, TargetRecord,
};
use etalon_store::Remark;
use etalon_tools::Exit;

use super::changed::tell;
use super::subcommand::Subcommand;
use crate::cli::StoreArgs;
use crate::stores::now_unix_ns;
use crate::{digests, documents, stores, typed};

/// Take an exported experiment, or what another program printed, into the store under a new number
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon import results.etalon
  etalon import experiment.json --store all.sqlite
  etalon import fio.json
  etalon import iozone.txt

A bundle of `etalon export --bundle` comes back byte for byte; of `etalon export --json` the interval of \
mean or median that does not speak for a cell is not kept.

Texts of dd, hdparm, iozone, fio (JSON too), bonnie++, sysbench, fdtree, \
elbencho (CSV), the Phoronix Test Suite (XML), sar and iostat are read, English \
and French, also saved web pages, and the CSV and fio's JSON of `etalon export`. \
Their experiment is of the kind 'imported': no figure of it is called valid, \
because no check could look at how it was measured. `etalon review FILE` judges \
the text.")]
pub(super) struct ImportArgs {
    /// A bundle, a document of `etalon export --json`, or a text; - is a text from standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

impl Subcommand for ImportArgs {
    const NAME: &'static str = "import";

    fn run(&self) -> anyhow::Result<Exit> {
        let experiment = match published(&self.file)? {
            Some(runs) => of_others(&self.file, runs),
            None => read(&self.file)?,
        };
        let mut store = stores::open(&self.store)?;
        let id = store.import(&experiment, &Remark::default())?;
        digests::keep(&mut store, id);
        let changed = vec![ChangedExperiment {
            id,
            from: None,
            target_path: experiment.header.begun.target.path.clone(),
            change: Change::Merged,
        }];
        tell(Self::NAME, changed, self.json)?;
        Ok(Exit::Done)
    }
}

/// The experiment of a bundle or of a document.
fn read(path: &Path) -> anyhow::Result<Experiment> {
    match documents::read(path)? {
        Some(experiment) => Ok(experiment),
        None => bundle(path),
    }
}

/// The experiment of a bundle.
pub(super) fn bundle(path: &Path) -> anyhow::Result<Experiment> {
    let cannot = || format!("cannot read '{}'", path.display());
    let mut bytes = Vec::new();
    documents::open(path)?
        .read_to_end(&mut bytes)
        .with_context(cannot)?;
    etalon_exchange::from_bundle(&bytes).with_context(|| format!("'{}'", path.display()))
}

/// The runs of a text of others; `None` for what only etalon writes.
fn published(path: &Path) -> anyhow::Result<Option<Vec<Run>>> {
    let is_piped = path == Path::new("-");
    if !is_piped && is_own(&documents::begin(path)?) {
        return Ok(None);
    }
    let bytes = documents::page_bytes(path)?;
    if bytes.contains(&0) || is_own(&bytes) {
        bail!(
            "'{}' is no text, and no file that `etalon export` wrote as a bundle or a document",
            path.display()
        );
    }
    let runs = read_published(&documents::text_of(&bytes), now_unix_ns());
    let runs = runs.with_context(|| format!("'{}'", path.display()))?;
    Ok(Some(runs))
}

/// How a frame of Zstandard begins (RFC 8878, section 3.1.1): a bundle is one.
const BUNDLE: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Whether a file is a bundle or a document that is not fio's.
fn is_own(bytes: &[u8]) -> bool {
    let begin = bytes.trim_ascii_start();
    let names = |key: &[u8]| bytes.windows(key.len()).any(|part| part == key);
    bytes.starts_with(&BUNDLE) || begin.starts_with(b"{") && !names(b"\"fio version\"")
}

/// An experiment of what others measured: when, by which seed and on what it stood is not known.
fn of_others(path: &Path, runs: Vec<Run>) -> Experiment {
    let now = now_unix_ns();
    let programs = runs
        .iter()
        .filter_map(|run| run.circumstances.published.as_ref());
    let mut programs: Vec<&str> = programs.map(|figure| figure.program.as_str()).collect();
    programs.sort_unstable();
    programs.dedup();
    let programs = programs.join(", ");
    Experiment {
        header: ExperimentHeader {
            id: 0,
            schema_version: SCHEMA_VERSION,
            state: ExperimentState::Finished,
            ended_unix_ns: Some(now),
            elapsed_ns: None,
            choices: Vec::new(),
            begun: NewExperiment {
                kind: ExperimentKind::Imported,
                started_unix_ns: now,
                target: TargetRecord {
                    path: path.display().to_string(),
                    beneath: format!("measured by {programs}; the storage stack is not known"),
                    ..TargetRecord::default()
                },
                settings: serde_json::json!({ "command": typed::command() }),
                seed: 0,
                tool_version: env!("CARGO_PKG_VERSION").to_owned(),
                owner: None,
            },
        },
        cells: judge_cells(&runs, &Goal::default()),
        runs,
    }
}
