//! `etalon import FILE`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use etalon_exchange::{Change, ChangedExperiment};
use etalon_model::Experiment;
use etalon_store::Remark;
use etalon_tools::Exit;

use super::changed::tell;
use super::subcommand::Subcommand;
use crate::cli::StoreArgs;
use crate::documents;
use crate::stores;

/// Take an exported experiment into the store, under a new number
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon import results.etalon
  etalon import experiment.json --store all.sqlite

A bundle of `etalon export --bundle` comes back byte for byte. A document of `etalon export --json` holds one \
interval a cell, of the mean or of the median; the other one is not kept.")]
pub(super) struct ImportArgs {
    /// A bundle, or a document of `etalon export --json`
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
        let experiment = read(&self.file)?;
        let mut store = stores::open(&self.store)?;
        let id = store.import(&experiment, &Remark::default())?;
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
pub(super) fn read(path: &Path) -> anyhow::Result<Experiment> {
    if let Some(experiment) = documents::read(path)? {
        return Ok(experiment);
    }
    let cannot = || format!("cannot read '{}'", path.display());
    let mut bytes = Vec::new();
    documents::open(path)?
        .read_to_end(&mut bytes)
        .with_context(cannot)?;
    etalon_exchange::from_bundle(&bytes).with_context(|| format!("'{}'", path.display()))
}
