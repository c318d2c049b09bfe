//! Starting the jobs together and gathering what they did.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Barrier, OnceLock};

use etalon_model::{
    Backend as BackendName, End, Ended, Fallback, JobTotals, Measurement, Operation, SyncMode,
};
use etalon_units::{Bytes, Nanos};

use crate::backend::{Backend, FakeBackend, NullBackend, RingBackend, RingOptions, SyncBackend};
use crate::clock::{Clock, MonotonicClock, VirtualClock};
use crate::offsets::{Offsets, Share, Visit};
use crate::pacing::{Mixer, Pacer};
use crate::recorder::{Figures, Kind};
use crate::worker::{Choice, Outcome, Task, Worker, thread_cpu};
use crate::{Control, EngineError, Plan, Prepared};

/// What one job hands back.
struct Report {
    outcome: Outcome,
    cpu_at_end: (u64, u64),
    start: u64,
    backend: BackendName,
    fallbacks: Vec<Fallback>,
}

/// Does the work of `prepared` and returns what was seen.
///
/// All jobs start together. The timed part lasts from the end of the warm-up to the moment when
/// the last operation of the slowest job has ended, its closing `fsync` included: operations that
/// are under way when the time is up are waited for and count. With an arrival rate, every
/// operation that was meant to start within the time is carried out.
///
/// # Errors
/// [`EngineError`] when the run could not begin. What fails once it has begun, a full disk and a
/// stop included, is told by [`Measurement::ended`], with all figures until then.
pub fn run(prepared: &Prepared, control: &Control) -> Result<Measurement, EngineError> {
    let jobs = prepared.plan.workload.jobs;
    let barrier = Barrier::new(jobs as usize);
    let start = OnceLock::new();
    let results: Vec<Result<Report, EngineError>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..jobs)
            .map(|number| {
                let (barrier, start) = (&barrier, &start);
                let job = Job {
                    prepared,
                    number,
                    barrier,
                    start,
                    control,
                };
                scope.spawn(move || job.run())
            })
            .collect();
        handles
            .into_iter()
            .enumerate()
            .map(|(job, handle)| {
                handle
                    .join()
                    .unwrap_or(Err(EngineError::Defect { job: job as u32 }))
            })
            .collect()
    });
    let reports: Vec<Report> = results.into_iter().collect::<Result<_, _>>()?;
    Ok(gather(&prepared.plan, reports))
}

/// One job before, at and after the common start.
struct Job<'a> {
    prepared: &'a Prepared,
    number: u32,
    barrier: &'a Barrier,
    start: &'a OnceLock<u64>,
    control: &'a Control,
}

impl Job<'_> {
    /// Makes the job's backend, meets the others and works. Every job reaches the barrier, also
    /// one whose file cannot be opened.
    fn run(&self) -> Result<Report, EngineError> {
        let plan = &self.prepared.plan;
        let (depth, block) = (plan.depth, plan.block as usize);
        match plan.backend {
            BackendName::Null => {
                let mut backend = NullBackend::new(depth, block);
                Ok(self.drive(&mut backend, &MonotonicClock, self.begin()))
            }
            BackendName::Fake => {
                let clock = VirtualClock::default();
                let device = plan.workload.fake;
                let mut backend = FakeBackend::new(device, clock.clone(), depth, block);
                self.begin();
                Ok(self.drive(&mut backend, &clock, 0))
            }
            BackendName::IoUring => {
                let made = open(plan, self.number).and_then(|file| self.ring(file));
                let at = self.begin();
                let (mut backend, fallbacks) = made?;
                let mut report = self.drive(&mut backend, &MonotonicClock, at);
                report.fallbacks.extend(fallbacks);
                Ok(report)
            }
            _ => {
                let file = open(plan, self.number);
                let at = self.begin();
                let mut backend = SyncBackend::new(file?, block);
                Ok(self.drive(&mut backend, &MonotonicClock, at))
            }
        }
    }

    /// Waits for the other jobs; the moment is the same for all.
    fn begin(&self) -> u64 {
        self.barrier.wait();
        *self.start.get_or_init(|| MonotonicClock.now())
    }

    fn ring(&self, file: File) -> Result<(RingBackend, Vec<Fallback>), EngineError> {
        let plan = &self.prepared.plan;
        let options = RingOptions {
            depth: plan.depth,
            block: plan.block as usize,
            poll: plan.workload.poll,
            sqpoll: plan.workload.sqpoll,
        };
        RingBackend::new(file, options).map_err(|error| EngineError::Io {
            action: "make an io_uring for",
            path: path_of(plan, self.number).to_owned(),
            source: error.into(),
        })
    }

    fn drive<B: Backend, C: Clock>(&self, backend: &mut B, clock: &C, start: u64) -> Report {
        let plan = &self.prepared.plan;
        let w = &plan.workload;
        let offsets = offsets(plan, self.number);
        let task = task(self.prepared, self.number, offsets.per_pass());
        let pacer = Pacer::new(w.arrival, start, w.seed, self.number, w.jobs);
        let worker = Worker::new(&task, offsets, pacer, backend, clock, self.control, start);
        let outcome = worker.work();
        Report {
            outcome,
            cpu_at_end: thread_cpu(),
            start,
            backend: plan.backend,
            fallbacks: Vec::new(),
        }
    }
}

fn offsets(plan: &Plan, job: u32) -> Offsets {
    let w = &plan.workload;
    let share = if plan.shared() || w.operation.is_metadata() {
        Share {
            blocks: plan.blocks,
            index: u64::from(job),
            of: u64::from(w.jobs),
        }
    } else {
        Share {
            blocks: plan.blocks,
            index: 0,
            of: 1,
        }
    };
    let own = if plan.shared() {
        0
    } else {
        u64::from(job) << 40
    };
    let visit = Visit {
        order: w
            .operation
            .order()
            .unwrap_or(etalon_model::Order::Sequential),
        distribution: w.distribution,
        stride: w.stride,
        seed: w.seed ^ own,
    };
    Offsets::new(visit, share)
}

fn task(prepared: &Prepared, job: u32, per_pass: u64) -> Task<'_> {
    let plan = &prepared.plan;
    let w = &plan.workload;
    let kind = if w.operation.is_mixed() {
        Choice::Mixed(Mixer::new(w.read_percent, w.seed, job))
    } else if w.operation.is_metadata() {
        Choice::Only(Kind::Metadata)
    } else if w.operation.reads() {
        Choice::Only(Kind::Read)
    } else {
        Choice::Only(Kind::Write)
    };
    Task {
        depth: plan.depth,
        batch: plan.batch,
        block: plan.block as usize,
        base: plan.base,
        file: if plan.shared() { 0 } else { job },
        kind,
        limit: plan.limit(u64::from(job), per_pass),
        time: match w.end {
            End::Time(time) => Some(time.get()),
            _ => None,
        },
        warm_up: w.warm_up.get(),
        fsync: w.fsync,
        pattern: &prepared.pattern,
        generation: 1,
    }
}

fn path_of(plan: &Plan, job: u32) -> &Path {
    let index = if plan.files.len() == 1 {
        0
    } else {
        job as usize
    };
    plan.files.get(index).map_or(Path::new(""), |path| path)
}

fn open(plan: &Plan, job: u32) -> Result<File, EngineError> {
    let w = &plan.workload;
    let path = path_of(plan, job);
    let mut flags = match w.sync {
        SyncMode::None => 0,
        SyncMode::DSync => libc::O_DSYNC,
        SyncMode::Sync => libc::O_SYNC,
    };
    if plan.direct {
        flags |= libc::O_DIRECT;
    }
    OpenOptions::new()
        .read(w.operation.reads())
        .write(w.operation.writes())
        .create(w.operation == Operation::Write)
        .custom_flags(flags)
        .open(path)
        .map_err(|source| EngineError::Io {
            action: "open",
            path: path.to_owned(),
            source,
        })
}

fn gather(plan: &Plan, reports: Vec<Report>) -> Measurement {
    let mut figures = Figures::default();
    let mut measurement = Measurement {
        backend: plan.backend,
        direct: plan.direct,
        fallbacks: plan.fallbacks.clone(),
        ended: Ended::Complete,
        duration: Nanos::ZERO,
        final_fsync: Nanos::ZERO,
        reads: Default::default(),
        writes: Default::default(),
        metadata: Default::default(),
        bytes_with_warm_up: Bytes::ZERO,
        fsyncs: 0,
        series: Vec::new(),
        cpu_user: Nanos::ZERO,
        cpu_system: Nanos::ZERO,
        lag: None,
        jobs: Vec::new(),
        verify: None,
    };
    for report in reports {
        add(&mut measurement, &mut figures, plan, report);
    }
    measurement.reads = figures.reads;
    measurement.writes = figures.writes;
    measurement.metadata = figures.metadata;
    measurement.series = figures.series;
    measurement.lag = figures.lag;
    measurement
}

fn add(into: &mut Measurement, figures: &mut Figures, plan: &Plan, report: Report) {
    let outcome = report.outcome;
    let begun = report.start.saturating_add(plan.workload.warm_up.get());
    let duration = Nanos(outcome.finished.saturating_sub(begun));
    let mine = outcome.recorder.finish();
    into.jobs.push(JobTotals {
        operations: mine.operations(),
        bytes: Bytes(mine.bytes()),
        duration,
    });
    figures.merge(&mine);
    into.backend = report.backend;
    into.duration = into.duration.max(duration);
    into.final_fsync = into.final_fsync.max(Nanos(outcome.final_fsync));
    into.bytes_with_warm_up.0 += outcome.bytes;
    into.fsyncs += outcome.fsyncs;
    into.cpu_user.0 += report.cpu_at_end.0.saturating_sub(outcome.cpu_at_start.0);
    into.cpu_system.0 += report.cpu_at_end.1.saturating_sub(outcome.cpu_at_start.1);
    for fallback in report.fallbacks {
        if !into.fallbacks.contains(&fallback) {
            into.fallbacks.push(fallback);
        }
    }
    if rank(&outcome.ended) > rank(&into.ended) {
        into.ended = outcome.ended;
    }
}

/// Which of two jobs' ends tells more.
fn rank(ended: &Ended) -> u8 {
    match ended {
        Ended::Complete => 0,
        Ended::Interrupted => 1,
        Ended::Overload => 2,
        Ended::DiskFull => 3,
        Ended::Failed { .. } => 4,
    }
}
