//! One job's loop: fill the queue, hand it over, book what comes back.

use std::collections::VecDeque;

use etalon_model::{Ended, FsyncPolicy};
use rustix::io::Errno;

use crate::Control;
use crate::backend::{Backend, Completion, Request};
use crate::clock::Clock;
use crate::data::Pattern;
use crate::offsets::Offsets;
use crate::pacing::{Mixer, OVERLOAD, Pacer};
use crate::recorder::{Kind, Recorder};

/// How often the progress is shown, in nanoseconds.
const SHOW: u64 = 10_000_000;

/// How long one wait for completions lasts before the stop flag is looked at again.
const PATIENCE: u64 = 100_000_000;

/// How long requests in flight are waited for after the stop flag was seen.
const FAREWELL: u64 = 300_000_000;

/// Everything that one job does, fixed before the common start.
#[derive(Debug)]
pub(crate) struct Task<'a> {
    pub(crate) depth: usize,
    pub(crate) batch: usize,
    pub(crate) block: usize,
    /// Byte offset of block 0 within the file.
    pub(crate) base: u64,
    /// The file's number, part of what is written.
    pub(crate) file: u32,
    pub(crate) kind: Choice,
    /// Operations after which the job ends.
    pub(crate) limit: Option<u64>,
    /// Nanoseconds after the common start at which the job ends.
    pub(crate) time: Option<u64>,
    pub(crate) warm_up: u64,
    pub(crate) fsync: FsyncPolicy,
    pub(crate) pattern: &'a Pattern,
    /// Generation of the first pass of writes.
    pub(crate) generation: u32,
}

/// What each operation of a job does.
#[derive(Debug, Clone)]
pub(crate) enum Choice {
    Only(Kind),
    Mixed(Mixer),
}

/// What one job did.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) recorder: Recorder,
    pub(crate) ended: Ended,
    /// When the last operation or the closing `fsync` ended, on the worker's clock.
    pub(crate) finished: u64,
    pub(crate) final_fsync: u64,
    pub(crate) fsyncs: u64,
    /// Bytes moved in all, warm-up included.
    pub(crate) bytes: u64,
    /// Processor time at the start of the timed part: user and system nanoseconds.
    pub(crate) cpu_at_start: (u64, u64),
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    request: Request,
    /// Where the latency counts from.
    from: u64,
}

/// The loop's state; generic over how I/O is done and how time passes.
pub(crate) struct Worker<'a, B, C> {
    task: &'a Task<'a>,
    backend: &'a mut B,
    clock: &'a C,
    control: &'a Control,
    offsets: Offsets,
    choice: Choice,
    pacer: Pacer,
    recorder: Recorder,
    slots: Vec<Slot>,
    free: Vec<usize>,
    queued: Vec<usize>,
    again: VecDeque<usize>,
    now: u64,
    start: u64,
    /// Nothing but the stop flag needs a look before this moment.
    next_event: u64,
    deadline: u64,
    warm_at: Option<u64>,
    shown_at: u64,
    issued: u64,
    in_flight: usize,
    writes_since_fsync: u32,
    ending: Option<Ended>,
    stop_seen: Option<u64>,
    unshown: (u64, u64),
    bytes: u64,
    fsyncs: u64,
    cpu_at_start: (u64, u64),
}

impl<'a, B: Backend, C: Clock> Worker<'a, B, C> {
    /// A worker whose common start lies at `start`.
    pub(crate) fn new(
        task: &'a Task<'a>,
        offsets: Offsets,
        pacer: Pacer,
        backend: &'a mut B,
        clock: &'a C,
        control: &'a Control,
        start: u64,
    ) -> Self {
        let idle = Request {
            kind: Kind::Read,
            offset: 0,
            length: 0,
            done: 0,
        };
        let mut worker = Worker {
            task,
            backend,
            clock,
            control,
            offsets,
            choice: task.kind.clone(),
            recorder: Recorder::new(start, pacer.is_open()),
            pacer,
            slots: vec![
                Slot {
                    request: idle,
                    from: 0
                };
                task.depth
            ],
            free: (0..task.depth).rev().collect(),
            queued: Vec::with_capacity(task.batch),
            again: VecDeque::new(),
            now: start,
            start,
            next_event: 0,
            deadline: task
                .time
                .map_or(u64::MAX, |time| start.saturating_add(time)),
            warm_at: (task.warm_up > 0).then(|| start.saturating_add(task.warm_up)),
            shown_at: start,
            issued: 0,
            in_flight: 0,
            writes_since_fsync: 0,
            ending: None,
            stop_seen: None,
            unshown: (0, 0),
            bytes: 0,
            fsyncs: 0,
            cpu_at_start: thread_cpu(),
        };
        worker.plan_event();
        worker
    }

    /// Works until the end, whichever it is.
    pub(crate) fn work(mut self) -> Outcome {
        loop {
            self.fill();
            if self.in_flight == 0 && !self.wait_for_work() {
                break;
            }
            if self.in_flight > 0 {
                self.exchange();
            }
            if self
                .stop_seen
                .is_some_and(|seen| self.now > seen + FAREWELL)
            {
                break;
            }
        }
        self.finish()
    }

    /// Queues requests until the batch is full or nothing more can be queued.
    #[inline]
    fn fill(&mut self) {
        self.queued.clear();
        while self.queued.len() < self.task.batch {
            if let Some(slot) = self.again.pop_front() {
                self.backend.push(slot, self.slots[slot].request);
                continue;
            }
            if self.ending.is_some() || self.fsync_due() {
                break;
            }
            let Some(&slot) = self.free.last() else { break };
            if self.task.limit.is_some_and(|limit| self.issued >= limit) {
                self.ending = Some(Ended::Complete);
                break;
            }
            let intended = self.pacer.intended();
            if intended.is_some_and(|at| at > self.now || at >= self.deadline) {
                break;
            }
            self.free.pop();
            self.start_one(slot, intended);
        }
        if !self.queued.is_empty() {
            self.stamp_starts();
        }
    }

    #[inline]
    fn start_one(&mut self, slot: usize, intended: Option<u64>) {
        let pass = self.offsets.pass();
        let block = self.offsets.next_block();
        let kind = match &mut self.choice {
            Choice::Only(kind) => *kind,
            Choice::Mixed(mixer) => {
                if mixer.reads() {
                    Kind::Read
                } else {
                    Kind::Write
                }
            }
        };
        let offset = self.task.base + block * self.task.block as u64;
        let request = Request {
            kind,
            offset,
            length: self.task.block,
            done: 0,
        };
        if kind == Kind::Write {
            let generation = self.task.generation.wrapping_add(pass as u32);
            let memory = self.backend.buffer(slot);
            self.task
                .pattern
                .fill(memory, self.task.file, offset, generation);
            self.writes_since_fsync += 1;
        }
        self.slots[slot] = Slot {
            request,
            from: intended.unwrap_or(u64::MAX),
        };
        self.pacer.advance(self.now);
        self.backend.push(slot, request);
        self.queued.push(slot);
        self.issued += 1;
        self.in_flight += 1;
    }

    /// Gives every request of the batch its start. A read through a blocking backend starts when
    /// the one before it ended; whatever took time since then needs a look at the clock.
    #[inline]
    fn stamp_starts(&mut self) {
        let back_to_back = B::BLOCKING
            && matches!(self.choice, Choice::Only(Kind::Read | Kind::Metadata))
            && matches!(self.pacer, Pacer::Closed);
        if !back_to_back {
            self.now = self.clock.now();
        }
        for &slot in &self.queued {
            let from = &mut self.slots[slot].from;
            if self.pacer.is_open() {
                self.recorder.record_lag(self.now.saturating_sub(*from));
            } else {
                *from = self.now;
            }
        }
    }

    /// True when a write was the last before an `fsync` that must come before any other request.
    #[inline]
    fn fsync_due(&self) -> bool {
        matches!(self.task.fsync, FsyncPolicy::Every(n) if self.writes_since_fsync >= n)
    }

    /// With nothing in flight: syncs or waits for the next arrival; false when the job is over.
    fn wait_for_work(&mut self) -> bool {
        if self.fsync_due() && self.ending.is_none() {
            self.sync_now();
            return true;
        }
        if self.ending.is_some() || !self.again.is_empty() {
            return self.ending.is_none();
        }
        if let Some(at) = self.pacer.intended() {
            if at >= self.deadline {
                self.ending = Some(Ended::Complete);
                return false;
            }
            self.clock.wait_until(at, self.control);
        }
        self.now = self.clock.now();
        self.look_around();
        self.ending.is_none()
    }

    /// Hands the batch over and books every answer that is there.
    #[inline]
    fn exchange(&mut self) {
        let patience = self.patience();
        if let Err(error) = self.backend.submit(patience) {
            self.fail("submit", 0, error);
            self.stop_seen = Some(0);
            return;
        }
        self.now = self.clock.now();
        while let Some(completion) = self.backend.completion() {
            self.settle(completion);
        }
        self.look_around();
    }

    /// How long to wait for a completion: not at all while more can be queued.
    #[inline]
    fn patience(&self) -> Option<u64> {
        let more = !self.free.is_empty() && self.ending.is_none() && !self.fsync_due();
        match self.pacer.intended() {
            _ if !more => Some(PATIENCE),
            None => None,
            Some(at) => {
                let left = at.saturating_sub(self.now);
                (left > C::SPIN).then(|| (left - C::SPIN).min(PATIENCE))
            }
        }
    }

    #[inline]
    fn settle(&mut self, completion: Completion) {
        let slot = completion.slot;
        let Slot { request, from } = self.slots[slot];
        match completion.result {
            Ok(moved) if moved == request.length => {
                let bytes = (request.done + request.length) as u64;
                self.warm_up();
                let latency = self.now.saturating_sub(from);
                self.recorder.record(request.kind, self.now, latency, bytes);
                self.bytes += bytes;
                self.unshown.0 += 1;
                self.unshown.1 += bytes;
                self.release(slot);
            }
            other => self.settle_rest(slot, other),
        }
    }

    #[inline]
    fn release(&mut self, slot: usize) {
        self.free.push(slot);
        self.in_flight -= 1;
    }

    /// A short answer goes on where it stopped; an error ends the job.
    #[cold]
    fn settle_rest(&mut self, slot: usize, result: Result<usize, Errno>) {
        let request = &mut self.slots[slot].request;
        match result {
            Ok(0) => {
                let error = if request.kind == Kind::Read {
                    Errno::NODATA
                } else {
                    Errno::IO
                };
                let (kind, offset) = (request.kind, request.offset);
                self.release(slot);
                self.fail(name(kind), offset, error);
            }
            Ok(moved) => {
                request.done += moved;
                request.offset += moved as u64;
                request.length = request.length.saturating_sub(moved);
                self.again.push_back(slot);
            }
            Err(Errno::INTR | Errno::AGAIN) => self.again.push_back(slot),
            Err(error) => {
                let (kind, offset) = (request.kind, request.offset);
                self.release(slot);
                self.fail(name(kind), offset, error);
            }
        }
    }

    fn fail(&mut self, operation: &str, offset: u64, error: Errno) {
        let ended = if error == Errno::NOSPC || error == Errno::DQUOT {
            Ended::DiskFull
        } else {
            Ended::Failed {
                operation: operation.to_owned(),
                offset,
                errno: error.raw_os_error(),
            }
        };
        if matches!(self.ending, None | Some(Ended::Complete)) {
            self.ending = Some(ended);
        }
    }

    /// Looks at the stop flag, and at the clock's milestones when one is reached.
    #[inline]
    fn look_around(&mut self) {
        if self.control.stopped() && self.stop_seen.is_none() {
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
        if self.now >= self.deadline && self.ending.is_none() && !self.pacer.is_open() {
            self.ending = Some(Ended::Complete);
        }
        if let (true, Some(at)) = (self.pacer.is_open(), self.pacer.intended())
            && self.now.saturating_sub(at) > OVERLOAD
            && self.ending.is_none()
        {
            self.ending = Some(Ended::Overload);
        }
        self.show();
        self.plan_event();
    }

    /// Forgets the warm-up once it is over.
    #[inline]
    fn warm_up(&mut self) {
        if let Some(at) = self.warm_at
            && self.now >= at
        {
            self.warm_at = None;
            self.recorder.restart(at);
            self.cpu_at_start = thread_cpu();
        }
    }

    fn plan_event(&mut self) {
        let mut next = self.shown_at.saturating_add(SHOW);
        if self.ending.is_none() {
            next = next.min(self.deadline);
        }
        self.next_event = self.warm_at.map_or(next, |at| next.min(at));
    }

    fn show(&mut self) {
        use std::sync::atomic::Ordering::Relaxed;
        let (operations, bytes) = std::mem::take(&mut self.unshown);
        self.control
            .progress
            .operations
            .fetch_add(operations, Relaxed);
        self.control.progress.bytes.fetch_add(bytes, Relaxed);
        self.shown_at = self.now;
    }

    fn sync_now(&mut self) {
        if let Err(error) = self.backend.fsync() {
            self.fail("fsync", 0, error);
        }
        self.fsyncs += 1;
        self.writes_since_fsync = 0;
        self.now = self.clock.now();
        self.look_around();
    }

    fn finish(mut self) -> Outcome {
        let before = self.now;
        let wanted = self.task.fsync != FsyncPolicy::Never && self.writes_since_fsync > 0;
        if wanted && self.stop_seen.is_none() && self.ending == Some(Ended::Complete) {
            self.sync_now();
        }
        self.show();
        let start = self.start + self.task.warm_up;
        Outcome {
            recorder: if self.warm_at.is_some() {
                Recorder::new(start, self.pacer.is_open())
            } else {
                self.recorder
            },
            ended: self.ending.unwrap_or(Ended::Complete),
            finished: self.now,
            final_fsync: self.now - before,
            fsyncs: self.fsyncs,
            bytes: self.bytes,
            cpu_at_start: self.cpu_at_start,
        }
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "read",
        Kind::Write => "write",
        Kind::Metadata => "metadata",
    }
}

/// User and system time of the calling thread, in nanoseconds (getrusage(2), `RUSAGE_THREAD`).
pub(crate) fn thread_cpu() -> (u64, u64) {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    getrusage(UsageWho::RUSAGE_THREAD).map_or((0, 0), |usage| {
        let nanos = |time: nix::sys::time::TimeVal| {
            u64::try_from(time.num_microseconds()).unwrap_or(0) * 1_000
        };
        (nanos(usage.user_time()), nanos(usage.system_time()))
    })
}
