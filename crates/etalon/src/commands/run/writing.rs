//! `etalon plan from ID`.

use clap::{Args, Subcommand as ClapSubcommand};
use etalon_model::{ExperimentKind, RunId};
use etalon_store::Store;
use etalon_tools::Exit;

use super::Subcommand;
use crate::cli::StoreArgs;
use crate::plan::{Overrides, Stored, plan_of};
use crate::{output, stores};

/// Write the plan of an experiment
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon plan from 7 > plan.toml")]
pub(crate) struct PlanArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Clone, ClapSubcommand)]
enum What {
    /// Print the plan of an experiment, also of one that was made by hand
    From {
        /// The number of the experiment
        #[arg(value_name = "ID", value_parser = crate::names::experiment)]
        id: RunId,
        #[command(flatten)]
        store: StoreArgs,
    },
}

impl Subcommand for PlanArgs {
    const NAME: &'static str = "plan";

    fn run(&self) -> anyhow::Result<Exit> {
        let What::From { id, store } = &self.what;
        let store = stores::open_read_only(store)?;
        output::print(&written(&store, *id)?.plan)?;
        Ok(Exit::Done)
    }
}

/// The plan of any experiment.
pub(super) fn written(store: &Store, id: RunId) -> anyhow::Result<Stored> {
    let header = store.header(id)?;
    if header.begun.kind == ExperimentKind::Plan {
        return Stored::of(&header);
    }
    Ok(Stored {
        name: format!("the plan of experiment {id}"),
        plan: plan_of(&store.experiment(id)?)?,
        file: None,
        given: Overrides::default(),
        precision: None,
        label: None,
        storage: Vec::new(),
    })
}
