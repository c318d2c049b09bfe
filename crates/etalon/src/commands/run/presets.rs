//! `etalon presets`.

use std::fmt::Write as _;

use clap::Args;
use etalon_exchange::{DocumentFormat, Envelope, ListedPreset, PresetsBody};
use etalon_report::fitted;
use etalon_tools::Exit;

use super::Subcommand;
use crate::cli::LookArgs;
use crate::exit::BadUsage;
use crate::output;
use crate::plan::{PRESETS, Preset, Told};

/// List the plans that come with etalon, or print one
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon presets
  etalon presets --json
  etalon presets scheduler-duel > plan.toml      to change it")]
pub(crate) struct PresetsArgs {
    /// Print the plan of this preset
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print one JSON document, with the plans
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    look: LookArgs,
}

impl Subcommand for PresetsArgs {
    const NAME: &'static str = "presets";

    fn run(&self) -> anyhow::Result<Exit> {
        match self.chosen()? {
            chosen if self.json => output::print(&document(chosen)?)?,
            Some(preset) => output::print(preset.text)?,
            None => {
                let look = output::look();
                let listed = look.speak(|| list().map(|text| fitted(&text, look.width)))?;
                output::print_page(&listed)?;
            }
        }
        Ok(Exit::Done)
    }
}

impl PresetsArgs {
    /// The one that was named.
    fn chosen(&self) -> Result<Option<&'static Preset>, BadUsage> {
        let Some(name) = &self.name else {
            return Ok(None);
        };
        let unknown = || {
            BadUsage(format!(
                "unknown preset '{name}'; `etalon presets` lists them"
            ))
        };
        Preset::of(name).map(Some).ok_or_else(unknown)
    }
}

/// That preset, or all.
fn document(chosen: Option<&'static Preset>) -> anyhow::Result<String> {
    let all = || PRESETS.iter().collect();
    let presets: Vec<&Preset> = chosen.map_or_else(all, |preset| vec![preset]);
    let listed = |preset: &Preset| -> anyhow::Result<ListedPreset> {
        Ok(ListedPreset {
            name: preset.name,
            question: preset.question()?,
            time: preset.time,
            space: preset.space,
            rights: preset.rights,
            risk: preset.risk,
            plan: preset.text,
        })
    };
    let presets = presets.into_iter().map(listed);
    let body = PresetsBody {
        presets: presets.collect::<anyhow::Result<_>>()?,
    };
    Ok(Envelope::new(DocumentFormat::Presets, PresetsArgs::NAME, body).to_text()?)
}

fn list() -> anyhow::Result<String> {
    let mut text = String::new();
    for preset in PRESETS {
        let Told {
            question,
            time,
            space,
            rights,
            risk,
        } = preset.told()?;
        let name = preset.name;
        writeln!(
            text,
            "{name}: {question}\n    {time}, {space}, {rights}; {risk}",
        )?;
    }
    Ok(text)
}
