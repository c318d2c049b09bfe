//! What a worker does now and then: look at the stop flag, cut the warm-up, show progress, sync,
//! and come to an end.

use std::sync::atomic::Ordering::Relaxed;

use etalon_host::processor;
use etalon_model::{Ended, FsyncPolicy};

use super::{CpuTimes, JobOutcome, Verify, Worker};
use crate::backend::Backend;
use crate::clock::Clock;
use crate::pacing::OVERLOAD;
use crate::recorder::Recorder;

/// How often the progress is shown, in nanoseconds.
const SHOW: u64 = 10_000_000;

/// How often the figures are published, in nanoseconds.
const PUBLISH: u64 = 1_000_000_000;

impl<B: Backend, C: Clock> Worker<'_, B, C> {
    /// Looks at the stop flag, and at the clock's milestones when one is reached.
    #[inline]
    pub(super) fn look_around(&mut self) {
        if self.link.control.stopped() && self.stop_seen.is_none() {
            self.stop_seen = Some(self.now);
            if self.ending.is_none() {
                self.ending = Some(Ended::Interrupted);
            }
        }
        if self.now >= self.next_event {
            self.milestones();
        }
    }

    #[cold]
    fn milestones(&mut self) {
        self.warm_up();
        if self.ending.is_none() {
            match self.pacer.intended().filter(|_| self.pacer.is_open()) {
                None if self.now >= self.deadline => self.ending = Some(Ended::Complete),
                Some(at) if self.now.saturating_sub(at) > OVERLOAD => {
                    self.ending = Some(Ended::Overload);
                }
                _ => {}
            }
        }
        self.show();
        if self.now >= self.published_at.saturating_add(PUBLISH) {
            self.publish();
        }
        self.plan_event();
        if self.ending.is_none() {
            // A read starts where the one before it ended, and not before all of this.
            self.now = self.clock.now();
        }
    }

    pub(super) fn plan_event(&mut self) {
        let mut next = self.shown_at.saturating_add(SHOW);
        if self.ending.is_none() && self.now < self.deadline {
            next = next.min(self.deadline);
        }
        self.next_event = self.beginning.due().map_or(next, |at| next.min(at));
    }

    fn show(&mut self) {
        let operations = std::mem::take(&mut self.unshown);
        let bytes = self.bytes - std::mem::replace(&mut self.shown_bytes, self.bytes);
        let progress = &self.link.control.progress;
        progress.operations.fetch_add(operations, Relaxed);
        progress.bytes.fetch_add(bytes, Relaxed);
        self.shown_at = self.now;
    }

    fn publish(&mut self) {
        let outcome = self.outcome();
        if let Ok(mut published) = self.link.published.lock() {
            *published = Some(outcome);
        }
        self.published_at = self.now;
    }

    /// Syncs between two writes; in the timed part it has a latency of its own.
    pub(super) fn sync_between(&mut self) {
        let took = self.sync_now();
        if !self.beginning.is_ahead() {
            let latency = self.fsync_latency.get_or_insert_default();
            latency.record(took);
        }
    }

    /// Syncs, and says how long that took.
    pub(super) fn sync_now(&mut self) -> u64 {
        let before = self.now;
        let call = self.task.sync_call;
        if let Err(error) = self.backend.sync(call) {
            self.fail(call.name(), 0, error);
        }
        self.fsyncs += 1;
        self.writes_since_fsync = 0;
        self.now = self.clock.now();
        let took = self.now.saturating_sub(before);
        self.look_around();
        took
    }

    /// What a full end asks for still belongs to the timed part: what the backend holds back, and
    /// the closing `fsync`.
    pub(super) fn finish(mut self) -> JobOutcome {
        let complete = self.ending == Some(Ended::Complete) && self.stop_seen.is_none();
        if complete && self.writes_since_fsync > 0 {
            if let Err(error) = self.backend.flush() {
                self.fail("flush", 0, error);
            }
            self.now = self.clock.now();
            if self.task.fsync != FsyncPolicy::Never {
                self.publish();
                self.now = self.clock.now();
                self.final_fsync = self.sync_now();
            }
        }
        self.show();
        self.outcome()
    }

    /// Processor time so far: the thread's, and in the kernel's part that of its helpers.
    pub(super) fn cpu(&self) -> CpuTimes {
        let (user, system) = processor::thread_time();
        CpuTimes {
            user: user.get(),
            system: system.get().saturating_add(self.backend.helpers_cpu()),
            waited: processor::thread_waited().get(),
        }
    }

    fn outcome(&self) -> JobOutcome {
        let now = self.cpu();
        let begun = self.beginning.begun();
        let (cpu, recorder) = match begun {
            None => (
                CpuTimes::default(),
                Recorder::new(self.now, self.pacer.is_open()),
            ),
            Some(_) => (now.since(self.cpu_at_start), self.recorder.snapshot()),
        };
        JobOutcome {
            recorder,
            ended: self.ending.clone().unwrap_or(Ended::Complete),
            begun: begun.unwrap_or(self.now),
            finished: self.now,
            final_fsync: self.final_fsync,
            fsyncs: self.fsyncs,
            fsync_latency: self.fsync_latency.clone(),
            bytes: self.bytes,
            cpu,
            verify: (!matches!(self.task.verify, Verify::Off)).then(|| self.report.clone()),
        }
    }
}
