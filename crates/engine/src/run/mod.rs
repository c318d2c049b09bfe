//! Starting the jobs together, watching over them and gathering what they did.

mod gate;
mod gather;
mod job;
mod readback;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use etalon_model::{Ended, Measurement};

use crate::clock::{Clock, MonotonicClock};
use crate::data::Ledger;
use crate::prepare::note_written;
use crate::recorder::Recorder;
use crate::worker::{CpuTimes, JobOutcome, seats};
use crate::{Control, EngineError, Plan, Prepared};
use gate::StartGate;
use gather::gather;
use job::{Job, Message, Report};

/// How often the coordinator looks at the stop flag.
const LOOK: Duration = Duration::from_millis(25);

/// How long after a stop a job that hangs in the kernel is waited for. Longer than a ring waits
/// for its requests, so that only jobs that truly hang are left behind.
const GRACE: Duration = Duration::from_millis(430);

/// Does the work of `prepared` and returns what was seen.
///
/// All jobs start together, and where they write and sync, their timed parts begin together too. The
/// timed part of the run lasts from the end of the first job's warm-up to the moment when the last
/// operation of the slowest job has ended, its closing `fsync` included: operations that are under
/// way when the time is up are waited for and count. With an arrival rate, every
/// operation that was meant to start within the time is carried out.
///
/// A stop is obeyed within half a second. A job that hangs in the kernel then is left behind with
/// its figures of at most a second ago; its thread ends when the kernel lets it.
///
/// # Errors
/// [`EngineError`] when the run could not begin, or when what it wrote could not be read back for
/// verification. What fails during the run, a full disk and a stop included, is told by
/// [`Measurement::ended`], with all figures until then.
pub fn run(prepared: &Prepared, control: &Control) -> Result<Measurement, EngineError> {
    let plan = &prepared.plan;
    let ledgers = Arc::new(ledgers(plan));
    let crew = Crew::start(prepared, &ledgers, control)?;
    let reports = crew.finish(plan, control)?;
    let written: Vec<u64> = reports.iter().map(|report| report.outcome.bytes).collect();
    let mut measurement = gather(plan, reports);
    if plan.workload.verify && !ledgers.is_empty() {
        let report = measurement.verify.get_or_insert_default();
        readback::read_back(prepared, &ledgers, control, report)?;
    }
    if measurement.ended == Ended::Complete {
        note_written(prepared, &written)?;
    }
    Ok(measurement)
}

/// One ledger per file where the run writes and verifies.
fn ledgers(plan: &Plan) -> Vec<Ledger> {
    if plan.workload.verify && plan.workload.operation.writes() {
        plan.files
            .iter()
            .map(|_| Ledger::new(plan.blocks))
            .collect()
    } else {
        Vec::new()
    }
}

/// The jobs' threads, seen from the coordinator.
struct Crew {
    messages: Receiver<Message>,
    published: Vec<Arc<Mutex<Option<JobOutcome>>>>,
    reports: Vec<Option<Report>>,
    start: u64,
}

impl Crew {
    /// Starts a thread per job and, when all are ready, lets them go.
    fn start(
        prepared: &Prepared,
        ledgers: &Arc<Vec<Ledger>>,
        control: &Control,
    ) -> Result<Self, EngineError> {
        let jobs = prepared.plan.workload.jobs;
        let gate = Arc::new(StartGate::default());
        let shared = Arc::new(prepared.clone());
        let (sender, messages) = channel();
        let mut crew = Crew {
            messages,
            published: Vec::new(),
            reports: Vec::new(),
            start: 0,
        };
        for (number, seat) in (0..jobs).zip(seats(jobs)) {
            let published = Arc::default();
            crew.published.push(Arc::clone(&published));
            crew.reports.push(None);
            let job = Job {
                prepared: Arc::clone(&shared),
                ledgers: Arc::clone(ledgers),
                number,
                gate: Arc::clone(&gate),
                control: control.clone(),
                published,
                seat,
                messages: sender.clone(),
            };
            if let Err(source) = spawn(job) {
                gate.cancel();
                return Err(EngineError::Thread {
                    job: number,
                    jobs,
                    source,
                });
            }
        }
        drop(sender);
        match crew.await_ready(jobs) {
            Ok(()) => {
                crew.start = MonotonicClock.now();
                gate.open(crew.start);
                Ok(crew)
            }
            Err(error) => {
                gate.cancel();
                Err(error)
            }
        }
    }

    fn await_ready(&mut self, jobs: u32) -> Result<(), EngineError> {
        for _ in 0..jobs {
            match self.messages.recv() {
                Ok(Message::Ready) => {}
                Ok(Message::Done(_, result)) => {
                    return Err(result.err().unwrap_or(EngineError::Stopped));
                }
                Err(_) => return Err(EngineError::Defect { job: 0 }),
            }
        }
        Ok(())
    }

    /// Waits for the jobs, and after a stop no longer than [`GRACE`].
    fn finish(mut self, plan: &Plan, control: &Control) -> Result<Vec<Report>, EngineError> {
        let mut stopped_at: Option<Instant> = None;
        while self.reports.iter().any(Option::is_none) {
            match self.messages.recv_timeout(LOOK) {
                Ok(Message::Done(number, result)) => {
                    self.reports[number as usize] = Some((*result)?);
                }
                Ok(Message::Ready) => {}
                Err(RecvTimeoutError::Timeout) => {
                    if control.stopped()
                        && stopped_at.get_or_insert_with(Instant::now).elapsed() > GRACE
                    {
                        break;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let job = self.reports.iter().position(Option::is_none).unwrap_or(0);
                    return Err(EngineError::Defect { job: job as u32 });
                }
            }
        }
        let start = self.start;
        let left = self.reports.into_iter().zip(self.published);
        Ok(left
            .map(|(report, last)| report.unwrap_or_else(|| left_behind(plan, start, &last)))
            .collect())
    }
}

fn spawn(job: Job) -> std::io::Result<thread::JoinHandle<()>> {
    let (number, messages) = (job.number, job.messages.clone());
    thread::Builder::new()
        .name(format!("job {number}"))
        .spawn(move || {
            if catch_unwind(AssertUnwindSafe(|| job.run())).is_err() {
                let defect = Box::new(Err(EngineError::Defect { job: number }));
                let _ = messages.send(Message::Done(number, defect));
            }
        })
}

/// The report of a job that hangs: what it published last.
fn left_behind(plan: &Plan, start: u64, published: &Mutex<Option<JobOutcome>>) -> Report {
    let last = published
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    let outcome = last.unwrap_or_else(|| JobOutcome {
        recorder: Recorder::new(start, false),
        ended: Ended::Interrupted,
        begun: start,
        finished: start,
        final_fsync: 0,
        fsyncs: 0,
        fsync_latency: None,
        bytes: 0,
        cpu: CpuTimes::default(),
        verify: None,
    });
    let outcome = JobOutcome {
        ended: Ended::Interrupted,
        ..outcome
    };
    Report {
        outcome,
        backend: plan.backend,
        fallbacks: Vec::new(),
    }
}
