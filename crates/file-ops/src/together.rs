//! The same operation on several files at once, with a common start.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use etalon_host::clock::now;
use etalon_host::processor;
use etalon_units::{Bytes, Nanos};

use super::error::WorkerTrouble;
use super::halt::Halt;
use super::launch::WorkerProcess;
use super::pass::Pass;
use super::prepare::{WorkerJob, prepare};
use super::ready::ReadyWorker;
use super::rendezvous::{Rendezvous, Signal};
use super::start::{bind, sleep_until};
use super::{ClockWitness, FileOp, FileOpError, Mix, Settings, WorkerProgram};

/// Between the last worker's getting ready and the start, so that every worker is awake by then.
const LEAD: Nanos = Nanos(1_000_000);

/// What carries out the work of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Workers {
    /// A thread of this process.
    Threads,
    /// A process of its own.
    Processes(WorkerProgram),
}

/// How a group works together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TogetherOptions {
    /// Threads or processes.
    pub workers: Workers,
    /// Whether the first worker's end is the end for all.
    pub stonewall: bool,
    /// From one worker's start to the next one's.
    pub release_delay: Duration,
    /// The processor of the first worker; the next has the next one, and so on.
    pub first_cpu: Option<usize>,
    /// Who reads in a mixed operation.
    pub mix: Mix,
}

/// What a group came to.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupResult {
    /// What was done.
    pub op: FileOp,
    /// Each worker's part, in the order of the files.
    pub passes: Vec<Pass>,
    /// From the common start to the last worker's end.
    pub elapsed: Nanos,
}

impl GroupResult {
    /// Bytes moved by all.
    pub fn bytes(&self) -> Bytes {
        Bytes(self.passes.iter().map(|pass| pass.bytes.get()).sum())
    }
}

/// Carries out `op` on each of `paths` at once; see [`run_pass`](super::run_pass) for `number` and
/// the witness.
///
/// # Errors
/// When one of the workers cannot begin; then none does.
pub fn run_together(
    op: FileOp,
    paths: &[PathBuf],
    settings: &Settings,
    options: &TogetherOptions,
    number: u64,
    (stop, witness): (&AtomicBool, &dyn ClockWitness),
) -> Result<GroupResult, FileOpError> {
    let meeting = Rendezvous::default();
    let wall = AtomicBool::new(false);
    let refused = Mutex::new(None);
    let unready = AtomicUsize::new(0);
    let crew = Crew {
        options,
        meeting: &meeting,
        wall: &wall,
        stop,
        refused: &refused,
        unready: &unready,
    };
    let mut start = Nanos::ZERO;
    let passes = thread::scope(|scope| {
        let jobs = paths.iter().enumerate().map(|(index, path)| WorkerJob {
            op: op.for_worker((index, paths.len()), options.mix),
            path: path.clone(),
            settings: Settings {
                seed: settings.seed.wrapping_add(index as u64),
                // Workers on one file write the same.
                fill: settings.fill.of_file(
                    paths
                        .iter()
                        .position(|other| other == path)
                        .unwrap_or(index),
                ),
                ..settings.clone()
            },
            number,
        });
        let workers = paths.len();
        let handles: Vec<_> = jobs
            .enumerate()
            .map(|(index, job)| scope.spawn(move || crew.work(index, workers, &job)))
            .collect();
        meeting.wait_for(workers);
        let all_ready = unready.load(Ordering::SeqCst) == 0;
        if all_ready {
            witness.starts();
        }
        start = Nanos(now().0 + LEAD.0);
        meeting.give(if all_ready {
            Signal::StartAt(start)
        } else {
            Signal::GiveUp
        });
        handles
            .into_iter()
            .map(|handle| handle.join().ok().flatten())
            .collect::<Vec<_>>()
    });
    witness.stopped();
    if let Some(error) = refused.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let workers = passes.len();
    let passes = passes
        .into_iter()
        .enumerate()
        .map(|(index, pass)| {
            pass.ok_or(FileOpError::Worker {
                index,
                workers,
                what: WorkerTrouble::Vanished,
            })
        })
        .collect::<Result<Vec<Pass>, _>>()?;
    let last = passes
        .iter()
        .map(|pass| pass.stopped.0)
        .max()
        .unwrap_or(start.0);
    Ok(GroupResult {
        op,
        passes,
        elapsed: Nanos(last.saturating_sub(start.0)),
    })
}

/// What the workers of a group share.
#[derive(Clone, Copy)]
struct Crew<'a> {
    options: &'a TogetherOptions,
    meeting: &'a Rendezvous,
    wall: &'a AtomicBool,
    stop: &'a AtomicBool,
    refused: &'a Mutex<Option<FileOpError>>,
    unready: &'a AtomicUsize,
}

/// A worker before its start.
enum Prepared {
    Thread(Box<ReadyWorker>),
    Process(WorkerProcess),
}

impl Crew<'_> {
    /// One worker from its making to its end; `None` when it could not begin.
    fn work(self, index: usize, workers: usize, job: &WorkerJob) -> Option<Pass> {
        let prepared = self.make_ready(index, workers, job);
        if prepared.is_err() {
            self.unready.fetch_add(1, Ordering::SeqCst);
        }
        let signal = self.meeting.arrive();
        match (prepared, signal) {
            (Ok(prepared), Signal::StartAt(start)) => {
                let delay = self.options.release_delay.as_nanos() as u64;
                let start = Nanos(start.0 + delay.saturating_mul(index as u64));
                self.start(prepared, start, index, workers)
            }
            (Ok(_), Signal::GiveUp) => None,
            (Err(error), _) => self.refuse(error),
        }
    }

    fn make_ready(
        self,
        index: usize,
        workers: usize,
        job: &WorkerJob,
    ) -> Result<Prepared, FileOpError> {
        let cpu = self
            .options
            .first_cpu
            .map(|first| (first + index) % processor::count());
        match &self.options.workers {
            Workers::Threads => {
                if let Some(cpu) = cpu {
                    bind(cpu, job)?;
                }
                Ok(Prepared::Thread(Box::new(prepare(job)?)))
            }
            Workers::Processes(program) => {
                let trouble = |what| FileOpError::Worker {
                    index,
                    workers,
                    what,
                };
                program
                    .start(job, cpu, self.stop)
                    .map(Prepared::Process)
                    .map_err(trouble)
            }
        }
    }

    fn start(self, prepared: Prepared, start: Nanos, index: usize, workers: usize) -> Option<Pass> {
        let wall = self.options.stonewall.then_some(self.wall);
        let pass = match prepared {
            Prepared::Thread(ready) => {
                sleep_until(start);
                let stop = self.stop;
                Ok(ready.go(Halt { stop, wall }, &()))
            }
            Prepared::Process(process) => process.run(start, self.stop, wall),
        };
        self.wall.store(true, Ordering::Relaxed);
        match pass {
            Ok(pass) => Some(pass),
            Err(what) => self.refuse(FileOpError::Worker {
                index,
                workers,
                what,
            }),
        }
    }

    fn refuse(self, error: FileOpError) -> Option<Pass> {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.get_or_insert(error);
        None
    }
}
