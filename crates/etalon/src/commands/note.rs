//! `etalon note ID TEXT`.

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

/// More than this is a document, not a note.
const LONGEST: usize = 10_000;

/// Give an experiment a note, which `list --json` and `show` tell
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon note 7 'before the new firmware'
  etalon note 7 ''                            takes the note away")]
pub(super) struct NoteArgs {
    /// The experiment's number, as `etalon list` shows it
    #[arg(value_name = "ID", value_parser = names::experiment, allow_hyphen_values = true)]
    id: i64,
    /// The note, in place of the one that is there; an empty text takes it away
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: String,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

impl Subcommand for NoteArgs {
    const NAME: &'static str = "note";

    fn run(&self) -> anyhow::Result<Exit> {
        if self.text.len() > LONGEST {
            bail!(BadUsage(format!(
                "a note of {} bytes: at most {LONGEST} are kept",
                self.text.len()
            )));
        }
        let mut store = stores::open_existing(&self.store)?;
        store.set_note(self.id, &self.text)?;
        let changed = ChangedExperiment {
            id: self.id,
            from: None,
            target_path: stores::target_of(&store, self.id)?,
            change: Change::Noted,
        };
        tell(Self::NAME, vec![changed], self.json)?;
        Ok(Exit::Done)
    }
}
