//! `etalon presets`.

use std::fmt::Write as _;

use clap::Args;
use etalon_experiment::plan::PlanText;
use etalon_report::fitted;
use etalon_tools::Exit;

use super::Subcommand;
use crate::exit::BadUsage;
use crate::output;
use crate::plan::{PRESETS, Preset};

/// List the plans that come with etalon, or print one
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon presets
  etalon presets scheduler-duel > plan.toml      to change it")]
pub(crate) struct PresetsArgs {
    /// Print the plan of this preset
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl Subcommand for PresetsArgs {
    const NAME: &'static str = "presets";

    fn run(&self) -> anyhow::Result<Exit> {
        match &self.name {
            Some(name) => {
                let unknown = || {
                    BadUsage(format!(
                        "unknown preset '{name}'; `etalon presets` lists them"
                    ))
                };
                output::print(Preset::of(name).ok_or_else(unknown)?.text)?;
            }
            None => output::print_page(&fitted(&list()?, output::width()))?,
        }
        Ok(Exit::Done)
    }
}

fn list() -> anyhow::Result<String> {
    let mut text = String::new();
    for preset in PRESETS {
        let plan = PlanText::parse(preset.text)?.plan;
        let Preset {
            name,
            time,
            rights,
            risk,
            ..
        } = preset;
        writeln!(
            text,
            "{name}: {}\n    {time}, {rights}; {risk}",
            plan.question
        )?;
    }
    Ok(text)
}
