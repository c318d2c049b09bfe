//! One job's loop: fill the queue, hand it over, book what comes back.

mod answers;
mod beginning;
mod meeting;
mod milestones;
mod varied;

use std::collections::VecDeque;
use std::sync::Mutex;

use etalon_model::{Ended, FsyncPolicy, LatencyHistogram, VerifyReport};

use crate::Control;
use crate::backend::{Backend, Patience, Request, SyncCall};
use crate::clock::Clock;
use crate::data::{Expected, Ledger, Pattern, generation};
use crate::offsets::Offsets;
use crate::pacing::{Mixer, Pacer};
use crate::recorder::{OpKind, Recorder};
use beginning::Beginning;
pub(crate) use meeting::{Seat, seats};
pub(crate) use varied::{SizeDraw, Varied};

/// How long one wait for completions lasts before the stop flag is looked at again.
const STOP_POLL_NS: u64 = 100_000_000;

/// How long requests in flight are waited for after the stop flag was seen.
const DRAIN_TIMEOUT_NS: u64 = 300_000_000;

/// Everything that one job does, fixed before the common start.
#[derive(Debug)]
pub(crate) struct Task<'a> {
    pub(crate) depth: usize,
    pub(crate) batch: usize,
    /// Completions waited for at once when the queue is full.
    pub(crate) gather: usize,
    /// Bytes of one operation where all are alike.
    pub(crate) length: u32,
    /// Distance between the offsets of two neighbouring blocks: `length` where all operations are
    /// alike.
    pub(crate) pitch: u64,
    /// Offset of block 0.
    pub(crate) base: u64,
    /// The file's number, part of what is written.
    pub(crate) file: u32,
    pub(crate) choice: OpChoice,
    /// Operations after which the job ends, or units of the pitch where they differ in size.
    pub(crate) limit: Option<u64>,
    /// Nanoseconds after the common start at which the job ends.
    pub(crate) time: Option<u64>,
    pub(crate) warm_up: u64,
    /// Whether what the warm-up writes is made durable before the timed part, as the closing `fsync` does it
    /// for what is written after.
    pub(crate) durable_warm_up: bool,
    pub(crate) fsync: FsyncPolicy,
    pub(crate) sync_call: SyncCall,
    pub(crate) pattern: &'a Pattern,
    /// Number of the run among those that wrote to the file.
    pub(crate) epoch: u16,
    pub(crate) verify: Verify<'a>,
}

/// What each operation of a job does.
#[derive(Debug, Clone)]
pub(crate) enum OpChoice {
    Only(OpKind),
    Mixed(Mixer),
    /// A trim of each block, then a write of the same: the block that is to be written next.
    Paired(Option<u64>),
    /// Operations of several sizes.
    Varied(Box<Varied>),
}

/// What is known of the data that a job reads.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Verify<'a> {
    /// Nothing is compared.
    Off,
    /// The file is as it was laid out.
    Layout,
    /// What bears a stamp is right whatever its generation; the rest was never written by etalon.
    Stamps,
    /// The ledger says what this run has written; the rest is what `unwritten` expects.
    Ledger {
        ledger: &'a Ledger,
        unwritten: Expected,
    },
}

/// What a job's thread had of the processors, and how long it waited for one, in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct CpuTimes {
    pub(crate) user: u64,
    pub(crate) system: u64,
    /// Ready to run while something else had the processor.
    pub(crate) waited: u64,
}

impl CpuTimes {
    fn since(self, earlier: CpuTimes) -> CpuTimes {
        CpuTimes {
            user: self.user.saturating_sub(earlier.user),
            system: self.system.saturating_sub(earlier.system),
            waited: self.waited.saturating_sub(earlier.waited),
        }
    }
}

/// What one job did.
#[derive(Debug, Clone)]
pub(crate) struct JobOutcome {
    pub(crate) recorder: Recorder,
    pub(crate) ended: Ended,
    /// When the timed part began, on the worker's clock; `finished` where it never did.
    pub(crate) begun: u64,
    /// When the last operation or the closing `fsync` ended, on the worker's clock.
    pub(crate) finished: u64,
    pub(crate) final_fsync: u64,
    pub(crate) fsyncs: u64,
    /// Of those between the writes of the timed part.
    pub(crate) fsync_latency: Option<LatencyHistogram>,
    /// Bytes moved in all, warm-up included.
    pub(crate) bytes: u64,
    /// Processor time of the timed part.
    pub(crate) cpu: CpuTimes,
    pub(crate) verify: Option<VerifyReport>,
}

/// What comes next of blocks that are trimmed and then written: the write of the one that was trimmed, or a trim of another.
fn next_of_pair(trimmed: &mut Option<u64>, next: impl FnOnce() -> u64) -> (u64, OpKind) {
    if let Some(block) = trimmed.take() {
        return (block, OpKind::Write);
    }
    let block = next();
    *trimmed = Some(block);
    (block, OpKind::Trim)
}

/// Where a worker looks for orders and leaves its figures.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorkerLink<'a> {
    pub(crate) control: &'a Control,
    /// The figures of about a second ago, for the case that the job hangs in the kernel.
    pub(crate) published: &'a Mutex<Option<JobOutcome>>,
    /// Where the worker waits for those of the other jobs.
    pub(crate) seat: &'a Seat,
}

/// Half a cache line: a worker that shares its caches with the device's work finds most of its
/// slots gone from the nearest one.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// What is in flight.
    request: Option<Request>,
    /// Where the latency counts from.
    from: u64,
}

/// The loop's state; generic over how I/O is done and how time passes.
pub(crate) struct Worker<'a, B, C> {
    task: &'a Task<'a>,
    backend: &'a mut B,
    clock: &'a C,
    link: WorkerLink<'a>,
    offsets: Offsets,
    choice: OpChoice,
    pacer: Pacer,
    recorder: Recorder,
    slots: Vec<Slot>,
    free: Vec<usize>,
    queued: Vec<usize>,
    again: VecDeque<usize>,
    /// An operation that must wait until the block it shares with one in flight is free.
    held: Option<Request>,
    now: u64,
    /// Nothing but the stop flag needs a look before this moment.
    next_event: u64,
    deadline: u64,
    beginning: Beginning,
    shown_at: u64,
    published_at: u64,
    issued: u64,
    in_flight: usize,
    writes_since_fsync: u32,
    ending: Option<Ended>,
    stop_seen: Option<u64>,
    /// Operations and bytes that the progress does not show yet and shows already.
    unshown: u64,
    shown_bytes: u64,
    bytes: u64,
    fsyncs: u64,
    fsync_latency: Option<LatencyHistogram>,
    final_fsync: u64,
    cpu_at_start: CpuTimes,
    report: VerifyReport,
}

impl<'a, B: Backend, C: Clock> Worker<'a, B, C> {
    /// A worker whose common start lies at `start`.
    pub(crate) fn new(
        task: &'a Task<'a>,
        (offsets, pacer): (Offsets, Pacer),
        backend: &'a mut B,
        clock: &'a C,
        link: WorkerLink<'a>,
        start: u64,
    ) -> Self {
        let idle = Slot {
            request: None,
            from: 0,
        };
        let mut worker = Worker {
            task,
            backend,
            clock,
            link,
            offsets,
            choice: task.choice.clone(),
            recorder: Recorder::new(start, pacer.is_open()),
            pacer,
            slots: vec![idle; task.depth],
            free: (0..task.depth).rev().collect(),
            queued: Vec::with_capacity(task.batch),
            again: VecDeque::new(),
            held: None,
            now: clock.now(),
            next_event: 0,
            deadline: task
                .time
                .map_or(u64::MAX, |time| start.saturating_add(time)),
            beginning: Beginning::of(task, start),
            shown_at: start,
            published_at: start,
            issued: 0,
            in_flight: 0,
            writes_since_fsync: 0,
            ending: None,
            stop_seen: None,
            unshown: 0,
            shown_bytes: 0,
            bytes: 0,
            fsyncs: 0,
            fsync_latency: None,
            final_fsync: 0,
            cpu_at_start: CpuTimes::default(),
            report: VerifyReport::default(),
        };
        worker.cpu_at_start = worker.cpu();
        worker.now = clock.now();
        worker.plan_event();
        worker
    }

    /// Works until the end, whichever it is.
    pub(crate) fn work(mut self) -> JobOutcome {
        loop {
            self.fill();
            if self.in_flight > 0 {
                self.exchange();
            } else if !self.wait_for_work() {
                break;
            }
            if self
                .stop_seen
                .is_some_and(|seen| self.now > seen + DRAIN_TIMEOUT_NS)
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
        while let Some(slot) = self.again.pop_front() {
            if let Some(request) = self.slots[slot].request {
                self.backend.push(slot, request);
            }
        }
        if self.ending.is_some() || self.beginning.holds_back() {
            return;
        }
        while self.queued.len() < self.task.batch && !self.fsync_due() {
            let Some(&slot) = self.free.last() else { break };
            if self.task.limit.is_some_and(|limit| self.issued >= limit) {
                self.ending = Some(Ended::Complete);
                break;
            }
            let intended = self.pacer.intended();
            if intended.is_some_and(|at| at > self.now || at >= self.deadline) {
                break;
            }
            if !self.start_one(slot, intended) {
                break;
            }
        }
        if !self.queued.is_empty() {
            self.stamp_starts();
        }
    }

    /// Queues the next operation in `slot`; false when it must wait for one in flight.
    #[inline]
    fn start_one(&mut self, slot: usize, intended: Option<u64>) -> bool {
        let pass = self.offsets.pass();
        let request = match self.held.take() {
            Some(held) => held,
            None => self.draw(),
        };
        if let Verify::Ledger { .. } = self.task.verify
            && self.is_in_flight(self.block(request))
        {
            self.held = Some(request);
            return false;
        }
        if request.kind == OpKind::Write {
            self.fill_buffer(slot, request.offset, request.length, pass);
        }
        self.slots[slot] = Slot {
            request: Some(request),
            from: intended.unwrap_or(0),
        };
        self.free.pop();
        self.pacer.advance(self.now);
        self.backend.push(slot, request);
        self.queued.push(slot);
        self.issued += 1;
        self.in_flight += 1;
        true
    }

    /// The block that a request began with.
    fn block(&self, request: Request) -> u64 {
        self.block_at(request.offset - u64::from(request.done))
    }

    fn block_at(&self, offset: u64) -> u64 {
        (offset - self.task.base) / u64::from(self.task.length)
    }

    fn is_in_flight(&self, block: u64) -> bool {
        let mut requests = self.slots.iter().filter_map(|slot| slot.request);
        requests.any(|request| self.block(request) == block)
    }

    #[inline(always)]
    fn draw(&mut self) -> Request {
        let same = self.task.length;
        let (block, kind, length) = match &mut self.choice {
            OpChoice::Only(kind) => (self.offsets.next_block(), *kind, same),
            OpChoice::Mixed(mixer) => (self.offsets.next_block(), mixer.draw(), same),
            OpChoice::Paired(trimmed) => {
                let (block, kind) = next_of_pair(trimmed, || self.offsets.next_block());
                (block, kind, same)
            }
            OpChoice::Varied(varied) => {
                let block = self.offsets.next_block();
                let drawn = varied.draw();
                self.reach(drawn);
                (block, drawn.kind, drawn.length)
            }
        };
        Request {
            kind,
            offset: self.task.base + block * self.task.pitch,
            length,
            done: 0,
        }
    }

    /// Takes the request's parts, not the request: what is handed over whole must lie in memory.
    fn fill_buffer(&mut self, slot: usize, offset: u64, length: u32, pass: u64) {
        let writes = match self.task.verify {
            Verify::Ledger { ledger, .. } => ledger.writes(self.block_at(offset)),
            _ => pass as u32,
        };
        let generation = generation(self.task.epoch, writes.wrapping_add(1));
        let memory = &mut self.backend.buffer(slot)[..length as usize];
        self.task
            .pattern
            .fill(memory, self.task.file, offset, generation);
        self.writes_since_fsync = self.writes_since_fsync.saturating_add(1);
    }

    /// Gives every request of the batch its start. A read through a blocking backend starts when
    /// the one before it ended; whatever took time since then needs a look at the clock.
    #[inline]
    fn stamp_starts(&mut self) {
        let back_to_back = B::BLOCKING
            && matches!(self.choice, OpChoice::Only(OpKind::Read))
            && matches!(self.pacer, Pacer::Closed)
            && matches!(self.task.verify, Verify::Off);
        if !back_to_back {
            self.now = self.clock.now();
        }
        let open = self.pacer.is_open();
        for &slot in &self.queued {
            let from = &mut self.slots[slot].from;
            if open {
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
        if self.ending.is_some() {
            return false;
        }
        if self.beginning.holds_back() {
            self.make_durable();
            return self.ending.is_none();
        }
        if self.fsync_due() {
            self.sync_between();
            return true;
        }
        self.pacer.pause(self.now);
        if let Some(at) = self.pacer.intended() {
            let warm = self.beginning.due().unwrap_or(u64::MAX);
            let until = at.min(self.deadline).min(warm);
            self.clock.wait_until(until, self.link.control);
        }
        self.now = self.clock.now();
        self.look_around();
        if self.ending.is_none() && self.is_through() {
            self.ending = Some(Ended::Complete);
        }
        self.ending.is_none()
    }

    /// Whether the time is up and nothing was meant to start within it any more. The last gap or pause belongs
    /// to it as the others do: without it, a run of few operations seems faster than its pace.
    fn is_through(&self) -> bool {
        let intended = self.pacer.intended();
        self.now >= self.deadline && intended.is_some_and(|at| at >= self.deadline)
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

    /// How long to wait for completions: not at all while more can be queued.
    #[inline]
    fn patience(&self) -> Patience {
        let nothing_more = self.ending.is_some() || self.beginning.holds_back();
        if nothing_more || self.held.is_some() || self.fsync_due() {
            return Patience {
                count: 1,
                nanos: STOP_POLL_NS,
            };
        }
        if self.free.is_empty() {
            return Patience {
                count: self.task.gather,
                nanos: STOP_POLL_NS,
            };
        }
        let nanos = match self.pacer.intended() {
            None => return Patience::NONE,
            Some(at) if at >= self.deadline => STOP_POLL_NS,
            Some(at) => at
                .saturating_sub(self.now)
                .saturating_sub(C::SPIN)
                .min(STOP_POLL_NS),
        };
        Patience {
            count: usize::from(nanos > 0),
            nanos,
        }
    }
}

#[cfg(test)]
mod tests;
