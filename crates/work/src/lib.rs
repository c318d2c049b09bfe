//! Real work: what people do with storage all day, set up, timed step by step, and cleaned up.
//!
//! Each workload is a file that implements [`RealWork`] and one line in [`REGISTRY`]; its help and
//! its parameters hang on that entry. [`RealWork::run`] makes a private directory below the place
//! it is given, lets the workload set itself up and time its steps, and removes everything, also
//! when a step fails or the [`Context`]'s stop flag is set. The figures come as a [`WorkRecord`]
//! with one [`StepRecord`] per step.
//!
//! Before each step all filesystems in use are synced outside the clock, so that a step does not
//! pay for the one before; after it they are synced inside a second clock. A step's `elapsed` is
//! when the work returned, `elapsed + sync` is when it was durable.

mod archive;
mod attributes;
mod backup;
mod build;
pub mod cache;
mod codec;
mod command;
mod compare;
mod context;
mod copy_tree;
mod delete_tree;
mod end;
mod error;
mod grep_tree;
mod input;
mod job;
mod parameter;
mod preserve;
pub mod process;
mod program;
mod record;
mod reserve;
mod site;
mod stamps;
mod startup;
mod step;
mod tree;
mod watch;
mod without_effect;

use std::collections::BTreeMap;

pub use context::{Context, TARGET};
pub use error::WorkError;
pub use input::{Distribution, InputEntry, InputPlan};
pub use job::Job;
pub use parameter::{Kind, Parameter, ParameterError, Values, YES_NO};
pub use record::{InputRecord, RateRecord, StepDetails, StepRecord, WorkEnd, WorkRecord};
pub use step::{Step, StopFlag};

/// Every real work of this crate, in the order of the help text.
pub static REGISTRY: [&dyn RealWork; 8] = [
    &archive::Archive,
    &build::Build,
    &copy_tree::CopyTree,
    &delete_tree::DeleteTree,
    &grep_tree::GrepTree,
    &backup::Backup,
    &startup::Startup,
    &command::CommandWork,
];

/// The real work of that name.
pub fn find(name: &str) -> Option<&'static dyn RealWork> {
    REGISTRY.into_iter().find(|work| work.name() == name)
}

/// One kind of real work.
pub trait RealWork: Sync {
    /// The name on the command line and in records.
    fn name(&self) -> &'static str;

    /// What it does, in one line.
    fn summary(&self) -> &'static str;

    /// What can be set, with defaults and help.
    fn parameters(&self) -> &'static [Parameter];

    /// The parameters that have no effect beside these values: they are left as they are, and not told as conditions.
    fn without_effect(&self, _values: &Values) -> &'static [Parameter] {
        &[]
    }

    /// Refuses values that cannot be worked with, before anything is made.
    ///
    /// # Errors
    /// [`WorkError`] that quotes what is wrong.
    fn check(&self, _values: &Values) -> Result<(), WorkError> {
        Ok(())
    }

    /// Sets up and times its steps by `Job::step`; what it makes lies within the job's directories.
    ///
    /// # Errors
    /// [`WorkError`]; what was timed before is kept.
    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError>;

    /// Does the whole work below the context's directory and leaves nothing behind.
    ///
    /// # Errors
    /// [`WorkError`] when it ends before any step was timed. A failure after that, also to remove
    /// what it made, is told by [`WorkRecord::ended`].
    fn run(&self, context: &Context<'_>) -> Result<WorkRecord, WorkError> {
        let values = Values::parse(self.parameters(), context.given)?;
        self.check(&values)?;
        let mut job = Job::begin(context, values)?;
        let worked = self.work(&mut job);
        let (done, cleaned) = job.finish();
        let ended = end::end_of(worked, cleaned, !done.steps.is_empty())?;
        let idle = self.without_effect(&done.values);
        let mut parameters: BTreeMap<String, Vec<String>> = done.values.resolved(self.parameters());
        parameters.retain(|name, _| idle.iter().all(|parameter| parameter.name != name));
        Ok(WorkRecord {
            work: self.name().to_owned(),
            parameters,
            seed: context.seed,
            input: done.input,
            setup: done.setup,
            steps: done.steps,
            cleanup: done.cleanup,
            ended,
        })
    }
}

#[cfg(test)]
mod tests;
