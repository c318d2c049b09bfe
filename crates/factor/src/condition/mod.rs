//! Factors: what a plan varies on the machine, and how each level is set and put back.
//!
//! A [`Factor`] reads levels as a plan writes them; a [`Level`] says what it needs and what it would
//! change, and is applied to a [`Ground`]; what comes of that is [`Applied`], which can be read back
//! and is put back when it is dropped. Everything is entered into the journal before it is made, so
//! that [`crate::restore`] puts it back after a kill. [`FACTORS`] lists them all.

mod aging;
mod array;
mod booted;
mod cache_state;
mod command;
mod discard;
mod disk;
mod filesystem;
mod formatted;
mod governor;
mod guest_kernel;
mod io_limit;
mod kernel_modules;
mod kernel_values;
mod machine;
mod mount_options;
mod pause;
mod queue;
mod region;
mod scheduler;
mod sysctl;
mod table;

use std::fmt::Debug;
use std::path::Path;

use etalon_model::{IoWorkload, LevelFact, RebuildRecord};
use etalon_units::Bytes;
use serde_json::Value;

pub use crate::error::{FactorError, LevelError};
pub use crate::ground::{Ground, GroundDisk};
pub use crate::manual_steps::ManualSteps;
pub use crate::need::Need;
pub use crate::read_ahead::ReadAhead;
pub use booted::{block_mark, booted_block};
pub use command::due_at_the_end;
pub(crate) use command::put_back as put_back_command;
pub use guest_kernel::{KernelLevel, unfit as unfit_parameters};
pub(crate) use kernel_values::put_back as put_back_values;
pub use kernel_values::{KernelValues, ValueToSet};
pub use machine::{GuestImage, ImageCache, ImageFormat, MachineLevel};
pub(crate) use mount_options::{options_of as mount_options_of, put_back as put_back_mount};
pub use table::LevelTable;

pub use crate::saved_value::SavedValue;

/// Every factor, in the order in which they are applied.
pub const FACTORS: &[&dyn Factor] = &[
    &guest_kernel::GuestKernel,
    &machine::Machine,
    &pause::Pause,
    &disk::DiskFactor,
    &array::ArrayFactor,
    &filesystem::FilesystemFactor,
    &mount_options::MountOptions,
    &scheduler::Scheduler,
    &queue::READ_AHEAD,
    &queue::NR_REQUESTS,
    &queue::MAX_SECTORS,
    &queue::NOMERGES,
    &queue::RQ_AFFINITY,
    &queue::WBT_LATENCY,
    &queue::WRITE_CACHE,
    &queue::IO_POLL,
    &sysctl::Sysctl,
    &governor::Governor,
    &io_limit::IoLimit,
    &command::UserCommand,
    &discard::Discard,
    &region::Region,
    &cache_state::CacheState,
];

/// The factor of this name.
pub fn factor(name: &str) -> Option<&'static dyn Factor> {
    FACTORS.iter().copied().find(|factor| factor.name() == name)
}

/// Something that a plan can vary.
pub trait Factor: Sync {
    /// How plans call it.
    fn name(&self) -> &'static str;

    /// What it is, in one line.
    fn summary(&self) -> &'static str;

    /// What a level looks like, with an example.
    fn accepted(&self) -> &'static str;

    /// What it costs to go from one level to the next.
    fn cost(&self) -> Cost {
        Cost::Cheap
    }

    /// How far beneath the workload it works: what lies deeper is applied first.
    fn depth(&self) -> Depth {
        Depth::Machine
    }

    /// Reads a level: a text, a number, a truth value, or a table with the key `value` and options.
    ///
    /// # Errors
    /// [`LevelError`], which quotes the level and says what is accepted.
    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError>;
}

/// Whether the factor makes or chooses what inner factors and workloads work on, so that it is not the target as it was
/// given.
pub fn makes_the_target(factor: &dyn Factor) -> bool {
    let depth = factor.depth();
    (Depth::Devices..=Depth::Filesystem).contains(&depth)
}

/// What it costs to go from one level of a factor to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// Files are lost or seconds pass: it is changed seldom, outside of the cheap ones.
    Expensive,
    /// It is changed before each run.
    Cheap,
}

/// Where in the stack a factor works, from the bottom up; the order in which factors are applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// It is the kernel that everything runs on.
    Kernel,
    /// A person changes it.
    Manual,
    /// It makes or chooses the devices.
    Devices,
    /// It joins devices.
    Array,
    /// It makes a filesystem.
    Filesystem,
    /// It changes how a filesystem is mounted.
    Mount,
    /// It changes what the kernel does with requests.
    Machine,
    /// It changes what a run does, or the state that a run begins in.
    Run,
}

/// One value of a factor.
pub trait Level: Debug + Send + Sync {
    /// How cells and pages call it.
    fn name(&self) -> String;

    /// Whether it can be in force as long as this machine is not started anew.
    fn is_due(&self, _ground: &Ground) -> bool {
        true
    }

    /// What is missing before it could be applied; nothing when all is there.
    fn needs(&self, _ground: &Ground) -> Vec<Need> {
        Vec::new()
    }

    /// What would be changed, made and destroyed.
    ///
    /// # Errors
    /// [`FactorError`] where that cannot be found out.
    fn describe(&self, ground: &Ground) -> Result<Description, FactorError>;

    /// Sets it, entered into the journal first, and reads it back.
    ///
    /// # Errors
    /// [`FactorError`], with everything as it was before.
    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError>;
}

/// What a level would do, a line each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Description {
    /// What is changed and put back.
    pub changes: Vec<String>,
    /// What is made and removed again.
    pub makes: Vec<String>,
    /// What is lost for good.
    pub destroys: Vec<String>,
    /// Space that it takes on the filesystem of the plan's target.
    pub space: Bytes,
    /// Memory that it may take.
    pub memory: Bytes,
    /// How long it takes to set and to put back, as far as that is known.
    pub seconds: f64,
    /// Devices of the user's own that are written, which the guard judges before anything is done.
    pub writes: Vec<std::path::PathBuf>,
}

/// A level that is in force. Dropping it puts the machine back; what cannot be put back stays in the
/// journal.
pub trait Applied: Debug + Send {
    /// Where inner factors and workloads now work; none when that stays as it was.
    fn target(&self) -> Option<&Path> {
        None
    }

    /// Devices that inner factors may build on; none when those stay as they were.
    fn devices(&self) -> Option<Vec<std::path::PathBuf>> {
        None
    }

    /// Changes what a run does.
    fn adjust(&self, _workload: &mut IoWorkload) {}

    /// The parameter of a real work that it sets, with its value.
    fn setting(&self) -> Option<(&'static str, &str)> {
        None
    }

    /// Brings about the state that each run begins in.
    ///
    /// # Errors
    /// [`FactorError`] where it cannot be had.
    fn before_run(&mut self) -> Result<(), FactorError> {
        Ok(())
    }

    /// Whether the machine is still so, read back.
    ///
    /// # Errors
    /// [`FactorError::NotSo`] with what was found.
    fn verify(&self) -> Result<(), FactorError>;

    /// What came of it, for the record: names with figures or words.
    fn facts(&self) -> Vec<LevelFact> {
        Vec::new()
    }

    /// The rebuild that runs are to be beside, as it is now.
    fn rebuild(&self) -> Option<RebuildRecord> {
        None
    }

    /// Puts the machine back.
    ///
    /// # Errors
    /// [`FactorError`]; the entry then stays in the journal.
    fn restore(self: Box<Self>) -> Result<(), FactorError>;
}

#[cfg(test)]
mod tests;
