//! `etalon tag ID WORD`.

use anyhow::bail;
use clap::Args;
use etalon_exchange::{Change, ChangedExperiment};
use etalon_tools::Exit;

use super::changed::tell;
use super::subcommand::Subcommand;
use crate::cli::StoreArgs;
use crate::exit::BadUsage;
use crate::names;
use crate::stores;

/// Longer words are no tags.
const LONGEST: usize = 64;

/// Tag an experiment, so that `list --tag` finds it
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon tag 7 baseline
  etalon list --tag baseline
  etalon tag 7 baseline --remove")]
pub(super) struct TagArgs {
    /// The experiment's number, as `etalon list` shows it
    #[arg(value_name = "ID", value_parser = names::experiment, allow_hyphen_values = true)]
    id: i64,
    /// The tag: one word
    #[arg(value_name = "TAG")]
    word: String,
    /// Take the tag away
    #[arg(long)]
    remove: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

impl Subcommand for TagArgs {
    const NAME: &'static str = "tag";

    fn run(&self) -> anyhow::Result<Exit> {
        let word = &self.word;
        let is_plain = |c: char| !c.is_whitespace() && !c.is_control();
        if word.is_empty() || word.len() > LONGEST || !word.chars().all(is_plain) {
            bail!(BadUsage(format!(
                "'{word}' is not a tag; write one word of at most {LONGEST} bytes without spaces, for example 'baseline'"
            )));
        }
        let mut store = stores::open_existing(&self.store)?;
        store.set_tag(self.id, word, !self.remove)?;
        let changed = ChangedExperiment {
            id: self.id,
            from: None,
            target_path: stores::target_of(&store, self.id)?,
            change: match self.remove {
                true => Change::Untagged,
                false => Change::Tagged,
            },
        };
        tell(Self::NAME, vec![changed], self.json)?;
        Ok(Exit::Done)
    }
}
