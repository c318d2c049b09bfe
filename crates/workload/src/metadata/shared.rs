//! What all jobs of a run see, and how they end a phase together.

use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Barrier, Mutex, PoisonError};
use std::time::Instant;

use rustix::fs::syncfs;
use rustix::io::Errno;

use super::operation::MetadataOperation as Op;
use super::record::MetadataEnd;
use super::settings::{Durability, MetadataWorkload};
use crate::PartWitness;

/// The directory of a run.
#[derive(Clone, Copy)]
pub(super) struct OpenDirectory<'a> {
    /// Open.
    pub(super) place: &'a OwnedFd,
    /// Its path with a closing slash.
    pub(super) base: &'a [u8],
}

/// What all jobs of a run see.
pub(super) struct Shared<'a> {
    pub(super) workload: &'a MetadataWorkload,
    /// The run's directory, open.
    pub(super) place: &'a OwnedFd,
    /// Its path with a closing slash.
    pub(super) base: &'a [u8],
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

impl<'a> Shared<'a> {
    /// For jobs that work in this directory.
    pub(super) fn new(
        workload: &'a MetadataWorkload,
        directory: OpenDirectory<'a>,
        stop: &'a AtomicBool,
        witness: &'a (dyn PartWitness + Sync),
    ) -> Shared<'a> {
        Shared {
            workload,
            place: directory.place,
            base: directory.base,
            barrier: Barrier::new(workload.jobs as usize),
            stop,
            halt: AtomicBool::new(false),
            go_on: AtomicBool::new(true),
            sync_end: AtomicU64::new(0),
            failure: Mutex::new(None),
            origin: Instant::now(),
            witness,
        }
    }

    /// What failed first, once all jobs have ended.
    pub(super) fn into_failure(self) -> Option<MetadataEnd> {
        let failure = self.failure.into_inner();
        failure.unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the witness that a phase is about to begin, while all other jobs wait.
    pub(super) fn begins(&self, operation: Op) {
        self.witness.begins(operation.name());
    }

    /// When the phase that was closed last had ended, its closing sync included; nanoseconds since
    /// the run's origin.
    pub(super) fn sync_end(&self) -> u64 {
        self.sync_end.load(Ordering::Relaxed)
    }

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
    pub(super) fn close_phase(&self, job: u32, operation: Op) -> bool {
        self.barrier.wait();
        if job == 0 {
            if self.workload.durability == Durability::Phase
                && let Err(errno) = syncfs(self.place)
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
