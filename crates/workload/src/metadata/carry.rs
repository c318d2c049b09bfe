//! The phases of a run: a common start, a common end, and what the jobs did put together.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_host::processor;
use etalon_model::LatencyHistogram;
use etalon_units::{Bytes, Nanos};

use super::error::MetadataError;
use super::job::{Booking, NamesJob};
use super::operation::MetadataOperation as Op;
use super::record::{JobShare, MetadataEnd, MetadataRecord, PhaseOutcome, PhaseRecord};
use super::settings::{Durability, MetadataWorkload};
use super::shared::{OpenDirectory, Shared};
use crate::PartWitness;

/// Carries out the `phases`, which come in the order of a run.
pub(super) fn carry_out(
    workload: &MetadataWorkload,
    phases: &[Op],
    directory: OpenDirectory<'_>,
    stop: &AtomicBool,
    witness: &(dyn PartWitness + Sync),
) -> Result<MetadataRecord, MetadataError> {
    let shared = Shared::new(workload, directory, stop, witness);
    let done = all_jobs(&shared, phases)?;
    let records = gather(phases, done, workload);
    let ended = match shared.into_failure() {
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

/// One phase of one job, and when its closing sync had ended.
type PhaseDone = (Booking, u64);

fn all_jobs(shared: &Shared<'_>, phases: &[Op]) -> Result<Vec<Vec<PhaseDone>>, MetadataError> {
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

fn one_job(shared: &Shared<'_>, number: u32, phases: &[Op]) -> Vec<PhaseDone> {
    let mut job = NamesJob::new(shared, number);
    let mut done = Vec::with_capacity(phases.len());
    for &operation in phases {
        let mut booking = Booking::new();
        if number == 0 {
            shared.begins(operation);
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
        done.push((booking, shared.sync_end()));
        if !go_on {
            break;
        }
    }
    done
}

/// Puts the jobs' parts of each phase together; phases that nobody asked for are left out.
fn gather(
    phases: &[Op],
    jobs: Vec<Vec<PhaseDone>>,
    workload: &MetadataWorkload,
) -> Vec<PhaseRecord> {
    let mut jobs: Vec<_> = jobs.into_iter().map(Vec::into_iter).collect();
    let mut records = Vec::new();
    for &operation in phases {
        let parts: Vec<PhaseDone> = jobs.iter_mut().filter_map(Iterator::next).collect();
        if !parts.is_empty() && workload.operations.contains(&operation) {
            records.push(phase_record(operation, &parts, workload));
        }
    }
    records
}

fn phase_record(operation: Op, parts: &[PhaseDone], workload: &MetadataWorkload) -> PhaseRecord {
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
        outcome: PhaseOutcome::Partial,
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
        Some(errno) => PhaseOutcome::Unsupported {
            errno: errno.raw_os_error(),
        },
        None if record.count >= least(operation, workload) => PhaseOutcome::Complete,
        None => PhaseOutcome::Partial,
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
    records.len() == wanted.len() && records.iter().all(|r| r.outcome != PhaseOutcome::Partial)
}
