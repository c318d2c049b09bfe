//! A work in progress: its directories, its input, the steps done so far.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use etalon_model::{CacheHeld, CacheMode, LatencyHistogram};
use etalon_units::{Bytes, Nanos};

use super::context::Context;
use super::error::{WorkError, with_cleanup};
use super::input::{self, InputPlan};
use super::parameter::{Parameter, Values};
use super::record::{InputRecord, StepDetails, StepRecord};
use super::site::WorkSite;
use super::step::Step;
use super::watch::{Tally, Watch, since};
use etalon_workload::room;

/// How long a user's own cleanup may go on after a stop.
const CLEANUP_TIMEOUT: Duration = Duration::from_millis(500);

/// How often its end is looked for.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// What ends a step within its clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closing {
    Sync,
    None,
}

/// A work in progress; what it makes goes away with it.
pub struct Job<'a> {
    context: Context<'a>,
    values: Values,
    /// The private directory, and further ones on other targets.
    sites: Vec<WorkSite>,
    begun: Instant,
    setup: Option<Nanos>,
    input: Option<InputRecord>,
    steps: Vec<StepRecord>,
    /// Of a step that is to begin cold: what the page cache holds of its input, where that can be told.
    cold: Option<Option<CacheHeld>>,
    /// How the user's own cleaning up has gone so far.
    cleaned: Result<(), WorkError>,
}

/// What is left of a job when it is over.
pub(super) struct EndedJob {
    pub(super) values: Values,
    pub(super) input: Option<InputRecord>,
    pub(super) setup: Nanos,
    pub(super) steps: Vec<StepRecord>,
    pub(super) cleanup: Nanos,
}

impl<'a> Job<'a> {
    pub(super) fn begin(context: &Context<'a>, values: Values) -> Result<Job<'a>, WorkError> {
        let site = WorkSite::new(context.directory)?;
        Ok(Job {
            context: *context,
            values,
            sites: vec![site],
            begun: Instant::now(),
            setup: None,
            input: None,
            steps: Vec::new(),
            cold: None,
            cleaned: Ok(()),
        })
    }

    /// What was set.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Puts what a value came to in its place, for the record.
    pub(super) fn resolve(&mut self, parameter: &'static Parameter, value: u64) {
        self.values.resolve(parameter, value);
    }

    /// Set once the work is to stop.
    pub fn stop(&self) -> &'a AtomicBool {
        self.context.stop
    }

    /// What decides every random choice.
    pub fn seed(&self) -> u64 {
        self.context.seed
    }

    /// A path within the private directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.sites[0].path().join(name)
    }

    /// A path within a private directory on another target, or within the first one for `None`.
    pub(super) fn path_on(
        &mut self,
        target: Option<&Path>,
        name: &str,
    ) -> Result<PathBuf, WorkError> {
        if let Some(target) = target {
            let site = WorkSite::new(self.context.elsewhere.unwrap_or(target))?;
            let path = site.path().join(name);
            self.sites.push(site);
            return Ok(path);
        }
        Ok(self.path(name))
    }

    /// Refuses to write the input once more for each of `copies`, when those on one filesystem do not fit there.
    pub(super) fn check_room_for(&self, copies: &[&Path]) -> Result<(), WorkError> {
        let mut on_each: BTreeMap<u64, (&Path, u64)> = BTreeMap::new();
        for place in copies.iter().filter_map(|copy| copy.parent()) {
            let meta = fs::metadata(place).map_err(WorkError::io("find", place))?;
            on_each.entry(meta.dev()).or_insert((place, 0)).1 += 1;
        }
        let Some(input) = &self.input else {
            return Ok(());
        };
        for (place, times) in on_each.into_values() {
            let bytes = Bytes(input.bytes.get().saturating_mul(times));
            room::check(place, 0, input.files.saturating_mul(times), bytes)?;
        }
        Ok(())
    }

    /// Notes what is worked on.
    pub fn set_input(&mut self, input: InputRecord) {
        self.input = Some(input);
    }

    /// The next step is to find nothing of its input in the page cache, which holds so much of it, where that can be told.
    pub(super) fn begin_cold(&mut self, held: Option<CacheHeld>) {
        self.cold = Some(held);
    }

    /// A step outside of the figures: part of the setup, or a check between steps.
    ///
    /// # Errors
    /// Those of `act`, and [`WorkError::Stopped`].
    pub fn untimed<T>(
        &mut self,
        act: impl FnOnce(&mut Step<'_>) -> Result<T, WorkError>,
    ) -> Result<T, WorkError> {
        let mut step = Step {
            stop: self.context.stop,
            tally: Tally::default(),
        };
        step.go_on()?;
        act(&mut step)
    }

    /// Takes a step of the user's own cleaning up: outside of the figures, also when the work is to stop, which then
    /// gets half a second. What fails keeps no other from being taken, and is told at the end.
    pub(super) fn clean_up(&mut self, act: impl FnOnce(&mut Step<'_>) -> Result<(), WorkError>) {
        let cleaned = self.always(act);
        let before = std::mem::replace(&mut self.cleaned, Ok(()));
        self.cleaned = with_cleanup(before, cleaned);
    }

    fn always<T>(
        &self,
        act: impl FnOnce(&mut Step<'_>) -> Result<T, WorkError>,
    ) -> Result<T, WorkError> {
        let (stop, late) = (self.context.stop, AtomicBool::new(false));
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut stopped = None;
                while !over.load(Ordering::Relaxed) {
                    if stop.load(Ordering::Relaxed)
                        && stopped.get_or_insert_with(Instant::now).elapsed() > CLEANUP_TIMEOUT
                    {
                        break;
                    }
                    std::thread::park_timeout(POLL_INTERVAL);
                }
                late.store(true, Ordering::Relaxed);
            });
            let result = act(&mut Step {
                stop: &late,
                tally: Tally::default(),
            });
            over.store(true, Ordering::Relaxed);
            result
        })
    }

    /// Writes the files of a plan below `root`, and notes them as the input.
    pub(super) fn make_input(&mut self, plan: &InputPlan, root: &Path) -> Result<(), WorkError> {
        self.untimed(|step| input::write_tree(plan, root, step))?;
        self.set_input(plan.record());
        Ok(())
    }

    /// Times one step: syncs, acts, syncs again inside a clock of its own. Each has a name of its own: steps of one
    /// name in several passes are repetitions.
    ///
    /// # Errors
    /// Those of `act`, the kernel's about the sync, and [`WorkError::RepeatedStep`].
    pub fn step<T>(
        &mut self,
        name: &str,
        act: impl FnOnce(&mut Step<'_>) -> Result<T, WorkError>,
    ) -> Result<T, WorkError> {
        self.witnessed(name, Closing::Sync, act)
    }

    /// Times a step that writes nothing: there is nothing to sync after it.
    ///
    /// # Errors
    /// Those of `act`, the kernel's about the sync before, and [`WorkError::RepeatedStep`].
    pub fn reading<T>(
        &mut self,
        name: &str,
        act: impl FnOnce(&mut Step<'_>) -> Result<T, WorkError>,
    ) -> Result<T, WorkError> {
        self.witnessed(name, Closing::None, act)
    }

    fn witnessed<T>(
        &mut self,
        name: &str,
        closing: Closing,
        act: impl FnOnce(&mut Step<'_>) -> Result<T, WorkError>,
    ) -> Result<T, WorkError> {
        if self.steps.iter().any(|step| step.name == name) {
            return Err(WorkError::RepeatedStep(name.to_owned()));
        }
        self.sync()?;
        self.setup.get_or_insert_with(|| since(self.begun));
        self.context.witness.begins(name);
        let result = self.timed(name, closing, act);
        self.context.witness.ended(name);
        result
    }

    /// Adds to the step that has just ended what is known of it besides its time.
    pub fn add_to_last(&mut self, details: StepDetails) {
        if let Some(last) = self.steps.last_mut() {
            last.service = details.service;
            last.latency = details.latency;
            last.lag = details.lag;
            last.rate = details.rate;
        }
    }

    /// Adds to the step that has just ended the latencies of its operations, where they are read after it.
    pub fn set_latency_of_last(&mut self, latency: LatencyHistogram) {
        if let Some(last) = self.steps.last_mut() {
            last.latency = Some(latency);
        }
    }

    fn timed<T>(
        &mut self,
        name: &str,
        closing: Closing,
        act: impl FnOnce(&mut Step<'_>) -> Result<T, WorkError>,
    ) -> Result<T, WorkError> {
        let mut step = Step {
            stop: self.context.stop,
            tally: Tally::default(),
        };
        step.go_on()?;
        let cold = self.cold.take();
        let watch = Watch::start();
        let value = act(&mut step)?;
        let mut record = watch.stop(name, step.tally);
        record.cache = cold.map(|_| CacheMode::Cold);
        record.cache_before = cold.flatten();
        if closing == Closing::Sync {
            let syncing = Instant::now();
            self.sync()?;
            record.sync = since(syncing);
        }
        self.steps.push(record);
        Ok(value)
    }

    fn sync(&self) -> Result<(), WorkError> {
        self.sites.iter().try_for_each(WorkSite::sync)
    }

    /// Removes everything; also says how the user's own cleaning up went.
    pub(super) fn finish(self) -> (EndedJob, Result<(), WorkError>) {
        let setup = self.setup.unwrap_or_else(|| since(self.begun));
        let cleaning = Instant::now();
        // One that fails does not keep the others from being removed.
        let removed = self.sites.iter().map(WorkSite::remove);
        let cleaned = removed.fold(self.cleaned, with_cleanup);
        let cleanup = since(cleaning);
        let done = EndedJob {
            values: self.values,
            input: self.input,
            setup,
            steps: self.steps,
            cleanup,
        };
        (done, cleaned)
    }
}
