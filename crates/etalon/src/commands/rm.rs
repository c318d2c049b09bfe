//! `etalon rm ID ...`.

use anyhow::bail;
use clap::Args;
use etalon_exchange::{Change, ChangedExperiment};
use etalon_model::ExperimentState;
use etalon_tools::Exit;

use super::changed::tell;
use super::subcommand::Subcommand;
use crate::cli::StoreArgs;
use crate::exit::BadUsage;
use crate::names;
use crate::stores;

/// Remove experiments from the store, for good
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon rm 7
  etalon rm 7 8 9 --store /srv/results.sqlite

All of them are removed or none. An experiment that still runs is refused. `etalon export ID --json` \
before it keeps a copy that `etalon compare` reads.")]
pub(super) struct RmArgs {
    /// The experiments' numbers, as `etalon list` shows them
    #[arg(required = true, value_name = "ID", value_parser = names::experiment)]
    ids: Vec<i64>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

impl Subcommand for RmArgs {
    const NAME: &'static str = "rm";

    fn run(&self) -> anyhow::Result<Exit> {
        let mut store = stores::open_existing(&self.store)?;
        stores::close_what_died(&mut store)?;
        let mut ids = self.ids.clone();
        ids.sort_unstable();
        ids.dedup();
        let listed = store.list_sound()?.records;
        let mut changed = Vec::new();
        for id in &ids {
            let known = listed.iter().find(|experiment| experiment.id == *id);
            if known.is_some_and(|e| e.state == ExperimentState::Running) {
                bail!(BadUsage(format!(
                    "experiment {id} still runs; stop it, or wait for its end, and remove it then"
                )));
            }
            changed.push(ChangedExperiment {
                id: *id,
                from: None,
                target_path: known.map_or_else(String::new, |e| e.target_path.clone()),
                change: Change::Removed,
            });
        }
        store.remove(&ids)?;
        tell(Self::NAME, changed, self.json)?;
        Ok(Exit::Done)
    }
}
