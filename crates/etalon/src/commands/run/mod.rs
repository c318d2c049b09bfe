//! `etalon run PLAN|PRESET [TARGET..]`, and what goes on with and repeats it.

mod again;
mod carried;
mod later;
mod presets;
mod unit;
mod writing;

use clap::Args;
use etalon_tools::Exit;

use super::subcommand::{Activity, Subcommand};
use crate::cli::{LookArgs, StoreArgs, StrictArgs, WaitArgs};
use crate::plan::{Overrides, Stored, text_of};
use carried::{Carried, How};
use later::BeginTime;

pub(super) use again::{RerunArgs, ResumeArgs};
pub(super) use carried::{refuse, tell_plan};
pub(super) use presets::PresetsArgs;
pub(super) use writing::PlanArgs;

/// Carry out a plan: one thing varied, in random blocks, and put back
///
/// A plan is a file (TOML, docs/plans.md) or the name of a preset (`etalon presets`). What is killed
/// goes on with `etalon resume`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon run scheduler-duel /srv --dry-run   what would happen, and for how long
  etalon run scheduler-duel /srv --budget 30m
  etalon run plan.toml --seed 7
  etalon run plan.toml --at 22:00            begin tonight
  etalon resume                              go on after a kill or a reboot")]
pub(crate) struct RunArgs {
    /// A plan's file, or the name of a preset
    #[arg(value_name = "PLAN")]
    plan: String,
    #[command(flatten)]
    given: Overrides,
    #[command(flatten)]
    how: HowArgs,
    /// Only say what would be done: cells, order, changes, space and time
    #[arg(long)]
    dry_run: bool,
    /// With --dry-run: make one run of each workload that has no time, which tells how long it takes; nothing is set, and no device is written
    #[arg(long, requires = "dry_run")]
    pilot: bool,
    /// Keep this with the result, to tell it from the same plan elsewhere
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
}

/// What running, going on and repeating have in common.
#[derive(Debug, Clone, Args)]
pub(super) struct HowArgs {
    #[command(flatten)]
    wait: WaitArgs,
    /// Begin at this time of day, today or else tomorrow, or at a moment such as 2026-11-27T22:00
    #[arg(long, value_name = "TIME")]
    at: Option<BeginTime>,
    /// The manual step that the plan waits for (factor pause) is done, so that nobody is asked about it
    #[arg(long)]
    done: bool,
    /// Print one JSON document instead of the page
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    strict: StrictArgs,
    #[command(flatten)]
    store: StoreArgs,
}

impl Subcommand for RunArgs {
    const NAME: &'static str = "run";
    const ACTIVITY: Activity = Activity::MakesFiles;

    fn run(&self) -> anyhow::Result<Exit> {
        let (plan, file) = text_of(&self.plan)?;
        let stored = Stored {
            name: self.plan.clone(),
            plan,
            file,
            precision: self.given.precision.map(|p| p.fraction() * 100.0),
            given: self.given.clone(),
            label: self.label.clone(),
            storage: Vec::new(),
        };
        let how = How {
            how: &self.how,
            dry_run: self.dry_run,
            pilot: self.pilot,
        };
        Carried::new(stored)?.run(&how)
    }
}
