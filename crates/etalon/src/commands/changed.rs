//! What the commands that change the store's experiments tell.

use etalon_exchange::{Change, ChangedBody, ChangedExperiment, DocumentFormat, Envelope};
use etalon_units::visible;

use crate::output;

/// Prints the changes, a line each or as one document.
pub(super) fn tell(
    command: &str,
    changed: Vec<ChangedExperiment>,
    json: bool,
) -> anyhow::Result<()> {
    if !json {
        let lines: String = changed.iter().map(line).collect();
        return output::print(&lines);
    }
    let body = ChangedBody { changed };
    output::print(&Envelope::new(DocumentFormat::Changed, command, body).to_text()?)
}

fn line(changed: &ChangedExperiment) -> String {
    let id = changed.id;
    let from = changed.from.unwrap_or_default();
    let target = visible(&changed.target_path);
    match changed.change {
        Change::Removed => format!("removed experiment {id} ({target})\n"),
        Change::Noted => format!("experiment {id} has a new note\n"),
        Change::Tagged => format!("experiment {id} is tagged\n"),
        Change::Untagged => format!("experiment {id} is no longer tagged\n"),
        Change::Merged if changed.from.is_none() => format!("kept as experiment {id} ({target})\n"),
        Change::Merged => format!("experiment {from} is now experiment {id} ({target})\n"),
        Change::AlreadyThere => {
            format!("experiment {from} is experiment {id} already ({target})\n")
        }
    }
}
