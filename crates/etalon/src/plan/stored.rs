//! What an experiment keeps of its plan, so that it can be gone on with and repeated.

use std::path::PathBuf;

use anyhow::bail;
use etalon_model::ExperimentHeader;
use serde::{Deserialize, Serialize};

use super::Overrides;
use crate::exit::BadUsage;

/// The settings of an experiment that a plan made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Stored {
    /// How it was called.
    pub(crate) name: String,
    /// The plan's text.
    pub(crate) plan: String,
    /// The file, where it was one.
    pub(crate) file: Option<PathBuf>,
    /// What the command line said.
    pub(crate) given: Overrides,
    /// The precision that it asked for, in percent.
    pub(crate) precision: Option<f64>,
    /// What tells it from the same plan elsewhere.
    pub(crate) label: Option<String>,
    /// What each target was when the plan was begun; empty in older stores.
    #[serde(default)]
    pub(crate) storage: Vec<String>,
}

impl Stored {
    /// Those of an experiment.
    pub(crate) fn of(header: &ExperimentHeader) -> anyhow::Result<Stored> {
        let found = serde_json::from_value::<Stored>(header.begun.settings.clone());
        match found {
            Ok(mut stored) => {
                let precision = stored
                    .precision
                    .map(|p| etalon_units::Percent::from_fraction(p / 100.0));
                stored.given.precision = precision;
                Ok(stored)
            }
            Err(_) => bail!(BadUsage(format!(
                "experiment {} was made by `etalon {}`, not by a plan; `etalon plan from {}` writes one",
                header.id, header.begun.kind, header.id
            ))),
        }
    }

    /// Whether the plan's file says something else by now.
    pub(crate) fn has_changed(&self) -> bool {
        let file = self
            .file
            .as_ref()
            .and_then(|file| std::fs::read_to_string(file).ok());
        file.is_some_and(|text| text != self.plan)
    }
}

/// The label of an experiment of any kind, by its settings.
pub(crate) fn label_of(settings: &serde_json::Value) -> Option<&str> {
    let label = settings.get("label")?.as_str()?;
    (!label.is_empty()).then_some(label)
}

/// The settings with this label.
pub(crate) fn labelled(settings: serde_json::Value, label: &str) -> serde_json::Value {
    let mut map = match settings {
        serde_json::Value::Object(map) => map,
        _ => serde_json::Map::new(),
    };
    map.insert("label".to_owned(), label.into());
    serde_json::Value::Object(map)
}

/// The key of settings that says that the experiment was made in a guest of the laboratory.
const IN_GUEST: &str = "in_guest";

/// Writes down in an experiment's settings that it was made in a guest, whose devices are none of this machine.
pub(crate) fn in_guest(settings: &mut serde_json::Value) {
    if !settings.is_object() {
        *settings = serde_json::Map::new().into();
    }
    settings[IN_GUEST] = true.into();
}

/// Whether an experiment was made in a guest.
pub(crate) fn is_of_guest(header: &ExperimentHeader) -> bool {
    let said = header.begun.settings.get(IN_GUEST);
    said.and_then(serde_json::Value::as_bool).unwrap_or(false)
}

/// Refuses to do anew here what was done in a guest.
///
/// # Errors
/// [`BadUsage`].
pub(crate) fn refuse_of_guest(header: &ExperimentHeader) -> anyhow::Result<()> {
    match is_of_guest(header) {
        false => Ok(()),
        true => bail!(BadUsage(format!(
            "experiment {} was made in a guest, whose disks are not here: make it again by etalon lab run",
            header.id
        ))),
    }
}
