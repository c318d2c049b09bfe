//! What of a plan takes another machine for each level: its kernel, or whether it is this machine or a guest of it.

use anyhow::bail;
use etalon_experiment::plan::PlanText;
use etalon_factor::condition::{KernelLevel, MachineLevel};
use serde_json::Value;

use super::kernel::ChosenKernel;
use super::run_args::{LabRunArgs, kernel_factor};
use crate::exit::BadUsage;

/// The factor that is this machine or a guest of it.
const MACHINE: &str = "machine";

/// One level, ready to be booted.
pub(super) enum PartLevel {
    /// A guest with this kernel.
    Kernel(KernelLevel, ChosenKernel),
    /// A guest whose disk is an image in the directory that is measured, or this machine.
    Machine(MachineLevel, ChosenKernel),
}

impl PartLevel {
    /// How cells call it.
    pub(super) fn name(&self) -> &str {
        match self {
            PartLevel::Kernel(level, _) => &level.name,
            PartLevel::Machine(level, _) => &level.name,
        }
    }

    /// The word by which a machine is known for this level's.
    pub(super) fn mark(&self) -> String {
        match self {
            PartLevel::Kernel(level, _) => level.mark(),
            PartLevel::Machine(level, _) => level.mark(),
        }
    }

    /// Who takes part, for the line that tells what goes on.
    pub(super) fn part(&self) -> String {
        match self {
            PartLevel::Kernel(level, _) => format!("kernel {} boots", level.name),
            PartLevel::Machine(level, _) if level.image.is_none() => level.name.clone(),
            PartLevel::Machine(level, _) => format!("{} boots", level.name),
        }
    }
}

/// The factor of a plan that takes another machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartFactor {
    /// The kernel, by the factor's number.
    Kernel(usize),
    /// This machine or a guest of it.
    Machine(usize),
}

impl PartFactor {
    /// That of a plan; none of one that needs one guest alone.
    pub(super) fn of(plan: &PlanText) -> anyhow::Result<Option<PartFactor>> {
        match (kernel_factor(plan), machine_factor(plan)) {
            (None, None) => Ok(None),
            (Some(number), None) => Ok(Some(PartFactor::Kernel(number))),
            (None, Some(number)) => Ok(Some(PartFactor::Machine(number))),
            (Some(_), Some(_)) => bail!(BadUsage(
                "the plan varies the kernel and the machine: leave one of them out".to_owned()
            )),
        }
    }

    /// Its levels as they are written, each with what boots it.
    pub(super) fn levels(
        self,
        args: &LabRunArgs,
        parsed: &PlanText,
    ) -> anyhow::Result<Vec<PartLevel>> {
        let (PartFactor::Kernel(number) | PartFactor::Machine(number)) = self;
        let levels = parsed.plan.factor[number].levels.iter();
        match self {
            PartFactor::Kernel(_) => levels.map(kernel).collect(),
            PartFactor::Machine(_) => {
                let chosen = args.guest.kernel()?;
                let level = |level: &Value| {
                    Ok(PartLevel::Machine(MachineLevel::of(level)?, chosen.clone()))
                };
                levels.map(level).collect()
            }
        }
    }
}

fn kernel(level: &Value) -> anyhow::Result<PartLevel> {
    let level = KernelLevel::of(level)?;
    let chosen = ChosenKernel::of(&level)?;
    Ok(PartLevel::Kernel(level, chosen))
}

fn machine_factor(plan: &PlanText) -> Option<usize> {
    let mut factors = plan.factors.iter();
    factors.position(|chosen| chosen.factor.name() == MACHINE)
}
