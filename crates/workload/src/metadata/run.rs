//! The phases of a run: a common start, a common end, and what the jobs did put together.

use std::collections::BTreeSet;
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Barrier, Mutex, PoisonError};
use std::time::Instant;

use etalon_host::processor;
use etalon_model::LatencyHistogram;
use etalon_units::{Bytes, Nanos};
use rustix::fs::{Mode, OFlags, syncfs};
use rustix::io::Errno;

use super::error::MetadataError;
use super::job::{Booking, Job};
use super::operation::MetadataOperation as Op;
use super::record::{JobShare, MetadataEnd, MetadataRecord, Outcome, PhaseRecord};
use super::settings::{Durability, MetadataWorkload};
use crate::{PartWitness, room};

/// Numbers the runs of one process, so that two at once stand side by side.
static RUNS: AtomicU32 = AtomicU32::new(1);

/// What all jobs of a run see.
pub(super) struct Shared<'a> {
    pub(super) workload: &'a MetadataWorkload,
    /// The run's directory, open.
    pub(super) place: OwnedFd,
    /// Its path with a closing slash.
    pub(super) base: Vec<u8>,
    pub(super) barrier: Barrier,
    stop: &'a AtomicBool,
    halt: AtomicBool,
    /// Written by the first job between two barriers.
    go_on: AtomicBool,
    sync_end: AtomicU64,
    failure: Mutex<Option<MetadataEnd>>,
    origin: Instant,
    witness: &'a (dyn PartWitness + Sync),
}

impl Shared<'_> {
    /// Nanoseconds since the run's origin.
    #[inline]
    pub(super) fn now(&self) -> u64 {
        self.origin.elapsed().as_nanos() as u64
    }

    #[inline]
    pub(super) fn halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    /// Ends the run; the first failure is the one that is told.
    pub(super) fn fail(&self, operation: Op, path: PathBuf, errno: Errno) {
        self.halt.store(true, Ordering::Relaxed);
        let number = errno.raw_os_error();
        let end = if errno == Errno::NOSPC || errno == Errno::DQUOT {
            MetadataEnd::DiskFull {
                operation,
                path,
                errno: number,
            }
        } else {
            MetadataEnd::Failed {
                operation,
                path,
                errno: number,
            }
        };
        self.failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(end);
    }

    /// Ends a phase: all have come, the filesystem is synced when asked for, and all learn whether
    /// to go on.
    fn close_phase(&self, job: u32, operation: Op) -> bool {
        self.barrier.wait();
        if job == 0 {
            if self.workload.durability == Durability::Phase
                && let Err(errno) = syncfs(&self.place)
            {
                self.fail(operation, PathBuf::new(), errno);
            }
            self.sync_end.store(self.now(), Ordering::Relaxed);
            self.witness.ended(operation.name());
            self.go_on.store(!self.halted(), Ordering::Relaxed);
        }
        self.barrier.wait();
        self.go_on.load(Ordering::Relaxed)
    }
}

/// Carries out `workload` in a new directory below `place`, which is removed in the end, also when
/// the run fails or `stop` is set; a stop is noticed within one operation of each job. The witness
/// is told of each phase, also of those that only make what others need, while all jobs wait.
///
/// # Errors
/// [`MetadataError`] when the run could not begin, or its directory not be removed after a run in
/// which nothing failed. What fails within it is told by [`MetadataRecord::ended`], with all figures
/// until then; its directory may then be left, as on a disk that is gone.
pub fn run(
    workload: &MetadataWorkload,
    place: &Path,
    stop: &AtomicBool,
    witness: &(dyn PartWitness + Sync),
) -> Result<MetadataRecord, MetadataError> {
    workload.check()?;
    let names = workload.total_files().saturating_mul(extra_names(workload));
    let bytes = if workload.operations.contains(&Op::Write) {
        workload.file_size.get()
    } else {
        0
    };
    let bytes = Bytes(workload.total_files().saturating_mul(bytes));
    room::check(place, workload.total_directories(), names, bytes)?;
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    let root = place.join(format!("metadata.{}.{number}", std::process::id()));
    let failed = |what, source| MetadataError::Place {
        what,
        path: root.clone(),
        source,
    };
    fs::create_dir(&root).map_err(|e| failed("create the directory", e))?;
    let result = run_in(workload, &root, stop, witness);
    let removed = fs::remove_dir_all(&root).map_err(|e| failed("remove the directory", e));
    let record = result?;
    match record.ended {
        // What failed first is told, not what that left behind.
        MetadataEnd::DiskFull { .. } | MetadataEnd::Failed { .. } => {}
        MetadataEnd::Complete | MetadataEnd::Interrupted => removed?,
    }
    Ok(record)
}

/// Inodes per file: a symbolic link has one of its own.
fn extra_names(workload: &MetadataWorkload) -> u64 {
    1 + u64::from(workload.operations.contains(&Op::Symlink))
}

fn run_in(
    workload: &MetadataWorkload,
    root: &Path,
    stop: &AtomicBool,
    witness: &(dyn PartWitness + Sync),
) -> Result<MetadataRecord, MetadataError> {
    let failed = |what, source| MetadataError::Place {
        what,
        path: root.to_owned(),
        source,
    };
    for tree in 0..workload.trees() {
        fs::create_dir(root.join(format!("t{tree}"))).map_err(|e| failed("create a tree in", e))?;
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let place =
        rustix::fs::open(root, flags, Mode::empty()).map_err(|e| failed("open", e.into()))?;
    let mut base = root.as_os_str().as_bytes().to_vec();
    base.push(b'/');
    let shared = Shared {
        workload,
        place,
        base,
        barrier: Barrier::new(workload.jobs as usize),
        stop,
        halt: AtomicBool::new(false),
        go_on: AtomicBool::new(true),
        sync_end: AtomicU64::new(0),
        failure: Mutex::new(None),
        origin: Instant::now(),
        witness,
    };
    let phases = phases(workload);
    let done = all_jobs(&shared, &phases)?;
    let records = gather(&phases, done, workload);
    let failure = shared
        .failure
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let ended = match failure {
        Some(end) => end,
        None if stop.load(Ordering::Relaxed) && !is_whole(&records, workload) => {
            MetadataEnd::Interrupted
        }
        None => MetadataEnd::Complete,
    };
    Ok(MetadataRecord {
        workload: workload.clone(),
        phases: records,
        ended,
    })
}

/// What is asked for, and what that needs.
fn phases(workload: &MetadataWorkload) -> Vec<Op> {
    let mut phases: BTreeSet<Op> = workload.operations.iter().copied().collect();
    phases.insert(Op::Mkdir);
    if phases
        .iter()
        .any(|op| !op.is_on_directories() || *op == Op::Readdir)
    {
        phases.insert(Op::Create);
    }
    if phases.contains(&Op::GetXattr) {
        phases.insert(Op::SetXattr);
    }
    if phases.contains(&Op::Rmdir) && phases.contains(&Op::Create) {
        phases.insert(Op::Unlink);
    }
    phases.into_iter().collect()
}

/// One phase of one job, and when its closing sync had ended.
type Done = (Booking, u64);

fn all_jobs(shared: &Shared<'_>, phases: &[Op]) -> Result<Vec<Vec<Done>>, MetadataError> {
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..shared.workload.jobs)
            .map(|number| scope.spawn(move || one_job(shared, number, phases)))
            .collect();
        handles
            .into_iter()
            .map(|handle| handle.join().map_err(|_| MetadataError::Defect))
            .collect()
    })
}

fn one_job(shared: &Shared<'_>, number: u32, phases: &[Op]) -> Vec<Done> {
    let mut job = Job::new(shared, number);
    let mut done = Vec::with_capacity(phases.len());
    for &operation in phases {
        let mut booking = Booking::new();
        if number == 0 {
            shared.witness.begins(operation.name());
        }
        shared.barrier.wait();
        let before = processor::thread_time();
        job.work(operation, &mut booking);
        let after = processor::thread_time();
        booking.cpu = (
            after.0.get() - before.0.get(),
            after.1.get() - before.1.get(),
        );
        let go_on = shared.close_phase(number, operation);
        done.push((booking, shared.sync_end.load(Ordering::Relaxed)));
        if !go_on {
            break;
        }
    }
    done
}

/// Puts the jobs' parts of each phase together; phases that nobody asked for are left out.
fn gather(phases: &[Op], jobs: Vec<Vec<Done>>, workload: &MetadataWorkload) -> Vec<PhaseRecord> {
    let mut jobs: Vec<_> = jobs.into_iter().map(Vec::into_iter).collect();
    let mut records = Vec::new();
    for &operation in phases {
        let parts: Vec<Done> = jobs.iter_mut().filter_map(Iterator::next).collect();
        if !parts.is_empty() && workload.operations.contains(&operation) {
            records.push(phase_record(operation, &parts, workload));
        }
    }
    records
}

fn phase_record(operation: Op, parts: &[Done], workload: &MetadataWorkload) -> PhaseRecord {
    let start = parts.iter().map(|(b, _)| b.begin).min().unwrap_or(0);
    let end = parts.iter().map(|(b, _)| b.end).max().unwrap_or(start);
    let synced = match workload.durability {
        Durability::Phase => parts.first().map_or(end, |(_, at)| *at),
        _ => end,
    };
    let mut latency = LatencyHistogram::new();
    parts.iter().for_each(|(b, _)| latency.merge(&b.latency));
    let sum = |of: fn(&Booking) -> u64| parts.iter().map(|(b, _)| of(b)).sum::<u64>();
    let since = |moment: u64| Nanos(moment - start);
    let share = |b: &Booking| JobShare {
        count: b.count,
        begin: since(b.begin),
        end: since(b.end),
    };
    let mut record = PhaseRecord {
        operation,
        outcome: Outcome::Partial,
        count: sum(|b| b.count),
        entries: sum(|b| b.entries),
        bytes: Bytes(sum(|b| b.bytes)),
        duration: since(synced),
        sync: Nanos(synced - end),
        latency,
        cpu_user: Nanos(sum(|b| b.cpu.0)),
        cpu_system: Nanos(sum(|b| b.cpu.1)),
        jobs: parts.iter().map(|(b, _)| share(b)).collect(),
    };
    let refused = parts.iter().find_map(|(b, _)| b.refused);
    record.outcome = match refused {
        Some(errno) => Outcome::Unsupported {
            errno: errno.raw_os_error(),
        },
        None if record.count >= least(operation, workload) => Outcome::Complete,
        None => Outcome::Partial,
    };
    record
}

/// Fewest operations of a whole phase; removing links comes on top of it.
fn least(operation: Op, workload: &MetadataWorkload) -> u64 {
    let directories = workload.total_directories();
    match operation {
        Op::Readdir => directories + u64::from(workload.trees()),
        Op::Mkdir | Op::Rmdir => directories,
        _ => workload.total_files(),
    }
}

fn is_whole(records: &[PhaseRecord], workload: &MetadataWorkload) -> bool {
    let wanted: BTreeSet<Op> = workload.operations.iter().copied().collect();
    records.len() == wanted.len() && records.iter().all(|r| r.outcome != Outcome::Partial)
}
