//! One job from its thread's first instruction to its report.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};

use etalon_model::{
    Backend as BackendName, End, Fallback, FsyncPolicy, Operation, Order, SyncMode,
};
use rustix::io::Errno;

use super::gate::StartGate;
use crate::backend::{
    Backend, Buffers, FakeBackend, MappedFile, NullBackend, OneAtATime, RingBackend, RingOptions,
    StdioStream, SyncCall, SyncFile, Zones,
};
use crate::clock::{Clock, MonotonicClock, VirtualClock};
use crate::data::{Expected, Ledger};
use crate::offsets::{Offsets, Visit};
use crate::pacing::{Mixer, Pacer};
use crate::recorder::OpKind;
use crate::worker::{
    JobOutcome, OpChoice, Seat, SizeDraw, Task, Varied, Verify, Worker, WorkerLink,
};
use crate::{Control, EngineError, Plan, Prepared, TargetPlace};

/// What a job tells the coordinator.
pub(super) enum Message {
    /// Set up and waiting for the start.
    Ready,
    /// At its end.
    Done(u32, Box<Result<Report, EngineError>>),
}

/// What one job hands back.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) outcome: JobOutcome,
    pub(super) backend: BackendName,
    pub(super) fallbacks: Vec<Fallback>,
}

/// One job before, at and after the common start.
pub(super) struct Job {
    pub(super) prepared: Arc<Prepared>,
    /// One per file, where this run keeps track of what it writes.
    pub(super) ledgers: Arc<Vec<Ledger>>,
    pub(super) number: u32,
    pub(super) gate: Arc<StartGate>,
    pub(super) control: Control,
    pub(super) published: Arc<Mutex<Option<JobOutcome>>>,
    pub(super) seat: Seat,
    pub(super) messages: Sender<Message>,
}

impl Job {
    /// Works and reports.
    pub(super) fn run(self) {
        let result = self.pin().and_then(|()| self.set_up_and_work());
        // The coordinator may have gone on without a job that hung.
        let _ = self
            .messages
            .send(Message::Done(self.number, Box::new(result)));
    }

    fn plan(&self) -> &Plan {
        &self.prepared.plan
    }

    /// Makes the job's backend, then waits for the others and works.
    fn set_up_and_work(&self) -> Result<Report, EngineError> {
        let plan = self.plan();
        match plan.backend {
            BackendName::Null => self.drive(NullBackend::new(plan.depth, self.buffers()?)),
            BackendName::Fake => {
                let clock = VirtualClock::default();
                let device = plan.workload.fake;
                let mut backend = FakeBackend::new(device, clock.clone(), self.lazy_buffers()?);
                self.begin()?;
                Ok(self.work(&mut backend, &clock, 0, plan.depth))
            }
            BackendName::Sync => self.drive(OneAtATime::new(self.open_sync()?, self.buffers()?)),
            BackendName::IoUring => self.drive_ring(),
            BackendName::Mmap => {
                let writes = plan.workload.operation.writes();
                let made = MappedFile::new(self.open()?, plan.file_size, writes);
                let mapped = made.map_err(|error| self.failed("map", error))?;
                self.drive(OneAtATime::new(mapped, self.buffers()?))
            }
            BackendName::Stdio => {
                let made = StdioStream::new(self.open()?, plan.workload.operation.writes());
                let stream = made.map_err(|error| self.failed("make a stream of", error))?;
                self.drive(OneAtATime::new(stream, self.buffers()?))
            }
        }
    }

    /// A kernel that gave a ring a moment ago may still refuse a larger one.
    fn drive_ring(&self) -> Result<Report, EngineError> {
        let plan = self.plan();
        let options = RingOptions {
            depth: plan.depth,
            batch: plan.batch.min(plan.depth),
            block: plan.block as usize,
            huge_page: plan.huge_page,
            poll: plan.workload.poll,
            sqpoll: plan.workload.sqpoll,
        };
        match RingBackend::new(self.open()?, options) {
            Ok((backend, fallbacks)) => {
                let mut report = self.drive(backend)?;
                report.fallbacks = fallbacks;
                Ok(report)
            }
            Err(Errno::NOMEM) if plan.huge_page.is_some() => Err(self.no_huge_pages(Errno::NOMEM)),
            Err(error) => {
                let mut backend = OneAtATime::new(self.open_sync()?, self.buffers()?);
                let start = self.begin()?;
                let mut report = self.work(&mut backend, &MonotonicClock, start, 1);
                report.backend = BackendName::Sync;
                report.fallbacks = vec![Fallback::IoUringRefused {
                    errno: error.raw_os_error(),
                }];
                if options.depth > 1 {
                    let asked = plan.workload.queue_depth;
                    report.fallbacks.push(Fallback::DepthOne { asked });
                }
                Ok(report)
            }
        }
    }

    /// Takes the processors and the memory that the plan has for this job.
    fn pin(&self) -> Result<(), EngineError> {
        self.plan()
            .affinity
            .take(self.number)
            .map_err(|source| EngineError::Affinity {
                job: self.number,
                source: source.into(),
            })
    }

    /// The memory of the job's requests.
    fn buffers(&self) -> Result<Buffers, EngineError> {
        let plan = self.plan();
        let (depth, block) = (plan.depth, plan.block as usize);
        match plan.huge_page {
            None => Ok(Buffers::new(depth, block)),
            Some(page) => {
                Buffers::huge(depth, block, page).map_err(|error| self.no_huge_pages(error))
            }
        }
    }

    /// For a modelled device, which moves nothing: clearing a deep queue's memory took longer than a short run on it.
    fn lazy_buffers(&self) -> Result<Buffers, EngineError> {
        let plan = self.plan();
        match Buffers::lazy(plan.depth, plan.block as usize) {
            Ok(buffers) if plan.huge_page.is_none() => Ok(buffers),
            _ => self.buffers(),
        }
    }

    fn no_huge_pages(&self, error: Errno) -> EngineError {
        EngineError::HugePages {
            job: self.number,
            source: error.into(),
        }
    }

    /// Waits for the other jobs; the moment is the same for all.
    fn begin(&self) -> Result<u64, EngineError> {
        let _ = self.messages.send(Message::Ready);
        self.gate.pass().ok_or(EngineError::Stopped)
    }

    fn drive<B: Backend>(&self, mut backend: B) -> Result<Report, EngineError> {
        let start = self.begin()?;
        Ok(self.work(&mut backend, &MonotonicClock, start, self.plan().depth))
    }

    fn work<B: Backend, C: Clock>(
        &self,
        backend: &mut B,
        clock: &C,
        start: u64,
        depth: usize,
    ) -> Report {
        let plan = self.plan();
        let w = &plan.workload;
        let offsets = self.offsets();
        let task = self.task(offsets.per_pass(), depth);
        let pacer = match w.think {
            Some(think) => Pacer::thinking(think, start),
            None => Pacer::new(w.arrival, start, w.seed, self.number, w.jobs),
        };
        let link = WorkerLink {
            control: &self.control,
            published: &self.published,
            seat: &self.seat,
        };
        let worker = Worker::new(&task, (offsets, pacer), backend, clock, link, start);
        Report {
            outcome: worker.work(),
            backend: plan.backend,
            fallbacks: Vec::new(),
        }
    }

    fn offsets(&self) -> Offsets {
        let plan = self.plan();
        let w = &plan.workload;
        let own = if plan.shared() {
            0
        } else {
            u64::from(self.number) << 40
        };
        let visit = Visit {
            order: w.operation.order(),
            distribution: w.distribution,
            stride: w.stride,
            seed: w.seed ^ own,
            fresh: self.begins_anywhere(),
        };
        Offsets::new(visit, plan.share(self.number))
    }

    /// Whether a stream need not begin at the beginning: reads that end by the clock, all of one size.
    fn begins_anywhere(&self) -> bool {
        let (plan, w) = (self.plan(), &self.plan().workload);
        !w.operation.changes() && matches!(w.end, End::Time(_)) && plan.sizes.is_empty()
    }

    fn task(&self, per_pass: u64, depth: usize) -> Task<'_> {
        let plan = self.plan();
        let w = &plan.workload;
        Task {
            depth,
            batch: plan.batch.min(depth),
            gather: plan.gather.min(depth),
            length: plan.block as u32,
            pitch: plan.pitch,
            base: plan.base,
            file: self.file(),
            choice: choice(plan, self.number),
            limit: plan.limit(u64::from(self.number), per_pass),
            time: match w.end {
                End::Time(time) => Some(time.get()),
                _ => None,
            },
            warm_up: w.warm_up.get(),
            durable_warm_up: w.fsync != FsyncPolicy::Never && w.operation.writes(),
            fsync: w.fsync,
            sync_call: if w.fdatasync {
                SyncCall::Data
            } else {
                SyncCall::All
            },
            pattern: &self.prepared.pattern,
            epoch: self.prepared.epoch,
            verify: self.verify(),
        }
    }

    fn verify(&self) -> Verify<'_> {
        let plan = self.plan();
        // What a device held before nobody wrote down.
        let is_laid_out = matches!(plan.place, TargetPlace::Directory(_));
        match self.ledgers.get(self.file() as usize) {
            _ if !plan.workload.verify => Verify::Off,
            Some(ledger) if is_laid_out => Verify::Ledger {
                ledger,
                unwritten: Expected::Exactly(0),
            },
            Some(ledger) => Verify::Ledger {
                ledger,
                unwritten: Expected::Any,
            },
            None if is_laid_out => Verify::Layout,
            None => Verify::Stamps,
        }
    }

    fn file(&self) -> u32 {
        if self.plan().shared() { 0 } else { self.number }
    }

    fn path(&self) -> &Path {
        self.plan()
            .files
            .get(self.file() as usize)
            .map_or(Path::new(""), |path| path)
    }

    fn failed(&self, action: &'static str, error: Errno) -> EngineError {
        EngineError::Io {
            action,
            path: self.path().to_owned(),
            source: error.into(),
        }
    }

    fn open(&self) -> Result<File, EngineError> {
        open(self.plan(), self.path())
    }

    /// The same, zones emptied where it is written by them: before the common start.
    fn open_sync(&self) -> Result<SyncFile, EngineError> {
        let file = self.open()?;
        let emptied = self.plan().zoned.map(|part| Zones::emptied(&file, part));
        let zones = emptied.transpose().map_err(|source| EngineError::Io {
            action: "reset the zones of",
            path: self.path().to_owned(),
            source,
        })?;
        Ok(SyncFile { file, zones })
    }
}

fn choice(plan: &Plan, job: u32) -> OpChoice {
    let w = &plan.workload;
    if w.operation.is_paired() {
        return OpChoice::Paired(None);
    }
    let mixer = w
        .operation
        .is_mixed()
        .then(|| Mixer::new(w.read_percent, w.seed, job));
    if !plan.sizes.is_empty() {
        return OpChoice::Varied(Box::new(Varied {
            kind: kind(w.operation),
            mixer,
            sizes: SizeDraw::new(&plan.sizes, w.seed, job),
            in_line: w.operation.order() != Order::Random,
        }));
    }
    mixer.map_or(OpChoice::Only(kind(w.operation)), OpChoice::Mixed)
}

/// Whether the run makes its file; a device is there.
fn makes_file(plan: &Plan) -> bool {
    let is_device = matches!(plan.place, TargetPlace::BlockDevice { .. });
    plan.workload.operation == Operation::Write && !is_device
}

/// What an operation that is not mixed does each time.
fn kind(operation: Operation) -> OpKind {
    match (operation.reads(), operation.trims()) {
        (true, _) => OpKind::Read,
        (_, true) => OpKind::Trim,
        (false, false) => OpKind::Write,
    }
}

/// Opens a file as the workload says; reading leaves its access time alone where the file's owner
/// or root asks for it (`O_NOATIME`, open(2)). Mappings and streams that write must be able to read
/// too.
fn open(plan: &Plan, path: &Path) -> Result<File, EngineError> {
    let w = &plan.workload;
    let mut flags = match w.sync {
        SyncMode::None => 0,
        SyncMode::DSync => libc::O_DSYNC,
        SyncMode::Sync => libc::O_SYNC,
    };
    if plan.direct {
        flags |= libc::O_DIRECT;
    }
    let both = matches!(plan.backend, BackendName::Mmap | BackendName::Stdio);
    let reads = w.operation.reads() || both;
    let with = |flags| {
        OpenOptions::new()
            .read(reads)
            .write(w.operation.changes())
            .create(makes_file(plan))
            .custom_flags(flags)
            .open(path)
    };
    let kept = with(flags | libc::O_NOATIME);
    match kept {
        Err(error) if error.raw_os_error() == Some(libc::EPERM) => with(flags),
        other => other,
    }
    .map_err(|source| EngineError::Io {
        action: "open",
        path: path.to_owned(),
        source,
    })
}
