//! `etalon resume` and `etalon rerun`: a plan gone on with, and one repeated.

use anyhow::bail;
use clap::Args;
use etalon_factor::{Liveness, ProcessStamp};
use etalon_model::{ExperimentHeader, ExperimentKind, ExperimentState, RunId};
use etalon_store::Store;
use etalon_tools::Exit;

use super::carried::{Carried, How};
use super::unit::unit;
use super::{HowArgs, Subcommand};
use crate::commands::subcommand::Activity;
use crate::exit::BadUsage;
use crate::plan::{Overrides, Stored, is_of_guest, refuse_of_guest};
use crate::{output, put_back, stores};

/// Go on with a plan that was killed or interrupted
///
/// What was changed is put back first; runs that were kept are not made again.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon resume       the newest plan that did not come to its end
  etalon resume 7
  etalon resume --print-unit     a unit of systemd that does so after reboots")]
pub(crate) struct ResumeArgs {
    /// The number of the experiment [default: the newest that was interrupted]
    #[arg(value_name = "ID", value_parser = crate::names::experiment)]
    pub(super) id: Option<RunId>,
    /// Go on with the plan as it was, where its file says something else by now
    #[arg(long)]
    as_begun: bool,
    /// Go on only with a plan that was interrupted before the machine was started anew, and end well where there is none
    #[arg(long)]
    after_reboot: bool,
    /// Print a unit of systemd that does so at each start of the machine, and how it is installed
    #[arg(long)]
    print_unit: bool,
    #[command(flatten)]
    pub(super) how: HowArgs,
}

/// Repeat the plan of an experiment here, under a new number
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon rerun 7 && etalon compare 7 8")]
pub(crate) struct RerunArgs {
    /// The number of the experiment
    #[arg(value_name = "ID", value_parser = crate::names::experiment)]
    id: RunId,
    #[command(flatten)]
    given: Overrides,
    #[command(flatten)]
    how: HowArgs,
}

impl Subcommand for ResumeArgs {
    const NAME: &'static str = "resume";
    const ACTIVITY: Activity = Activity::MakesFiles;

    fn run(&self) -> anyhow::Result<Exit> {
        if self.print_unit {
            output::print(&unit(self)?)?;
            return Ok(Exit::Done);
        }
        put_back::before_a_run();
        let mut store = stores::open_existing(&self.how.store)?;
        stores::close_what_died(&mut store)?;
        let Some(header) = self.interrupted(&store)? else {
            output::print("no plan was interrupted before this start of the machine\n")?;
            return Ok(Exit::Done);
        };
        let stored = Stored::of(&header)?;
        if stored.has_changed() && !self.as_begun {
            bail!(BadUsage(format!(
                "'{}' was changed since experiment {} was begun: run it anew, or go on with the plan as it was by --as-begun",
                stored.name, header.id
            )));
        }
        let experiment = store.experiment(header.id)?;
        drop(store);
        let carried = Carried::new(stored)?;
        carried.begun(experiment).run(&how(&self.how))
    }
}

impl Subcommand for RerunArgs {
    const NAME: &'static str = "rerun";
    const ACTIVITY: Activity = Activity::MakesFiles;

    fn run(&self) -> anyhow::Result<Exit> {
        let store = stores::open_read_only(&self.how.store)?;
        let header = store.header(self.id)?;
        refuse_of_guest(&header)?;
        let mut stored = match header.begun.kind {
            ExperimentKind::Plan => Stored::of(&header)?,
            _ => super::writing::written(&store, self.id)?,
        };
        drop(store);
        let before = std::mem::replace(&mut stored.given, self.given.clone());
        let given = &mut stored.given;
        if given.targets.is_empty() {
            given.targets = before.targets;
        }
        given.budget = given.budget.or(before.budget);
        given.blocks = given.blocks.or(before.blocks);
        given.precision = given.precision.or(before.precision);
        given.seed = given.seed.or(Some(header.begun.seed));
        stored.precision = given.precision.map(|p| p.fraction() * 100.0);
        Carried::new(stored)?.run(&how(&self.how))
    }
}

fn how(how: &HowArgs) -> How<'_> {
    How {
        how,
        dry_run: false,
        pilot: false,
    }
}

impl ResumeArgs {
    /// Options that the unit's command has too.
    pub(super) fn options(&self) -> Vec<String> {
        let flags = [("--as-begun", self.as_begun), ("--done", self.how.done)];
        let typed = flags.iter().filter(|(_, is_typed)| *is_typed);
        let mut typed: Vec<String> = typed.map(|(flag, _)| (*flag).to_owned()).collect();
        typed.extend(self.how.wait.wait.map(|wait| format!("--wait={wait}")));
        typed
    }

    /// The plan to go on with; none where only one of an earlier boot is wanted and there is none.
    fn interrupted(&self, store: &Store) -> anyhow::Result<Option<ExperimentHeader>> {
        let all = store.list_sound()?.records;
        let open = all.iter().rev().filter(|experiment| {
            let is_plan = experiment.kind == ExperimentKind::Plan;
            let is_open = is_plan && experiment.state == ExperimentState::Interrupted;
            let is_meant = self.id.is_none_or(|id| id == experiment.id);
            is_open && is_meant && is_of_an_earlier_boot(experiment.owner.as_deref())
        });
        if self.after_reboot {
            let mut found = open.filter_map(|experiment| store.header(experiment.id).ok());
            return Ok(found.find(|header| !is_of_guest(header)));
        }
        interrupted(store, self.id).map(Some)
    }
}

/// Whether a process made it that ended with an earlier boot of this machine.
fn is_of_an_earlier_boot(owner: Option<&str>) -> bool {
    let stamp = owner.and_then(|owner| owner.parse::<ProcessStamp>().ok());
    stamp.is_some_and(|stamp| stamp.liveness() == Liveness::Dead && !stamp.is_of_this_boot())
}

/// The plan to go on with.
fn interrupted(store: &Store, id: Option<RunId>) -> anyhow::Result<ExperimentHeader> {
    let id = match id {
        Some(id) => id,
        None => {
            let all = store.list_sound()?.records;
            let open = all.iter().rev().find(|experiment| {
                let is_plan = experiment.kind == ExperimentKind::Plan;
                let is_open = is_plan && experiment.state == ExperimentState::Interrupted;
                is_open
                    && store
                        .header(experiment.id)
                        .is_ok_and(|header| !is_of_guest(&header))
            });
            match open {
                Some(experiment) => experiment.id,
                None => bail!(BadUsage(
                    "no plan was interrupted: there is nothing to go on with".to_owned()
                )),
            }
        }
    };
    let header = store.header(id)?;
    refuse_of_guest(&header)?;
    match header.state {
        ExperimentState::Interrupted => Ok(header),
        state => bail!(BadUsage(format!(
            "experiment {id} is {state}: only what was interrupted is gone on with"
        ))),
    }
}
