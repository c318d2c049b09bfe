//! From a workload and a target to a plan in which nothing is left open.

mod check;
mod limits;
mod place;
mod queue_limits;

use std::path::PathBuf;

use etalon_model::{Backend, End, Fallback, FileLayout, IoWorkload};

use etalon_units::Bytes;

use crate::PlanError;
use crate::affinity::Affinity;
use crate::backend::{ZonedPart, probe_ring};
use crate::data::MAX_BLOCKS;
use crate::offsets::Share;

/// Where the work is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetPlace {
    /// A private directory, in which files `f0`, `f1` … are made; nothing else may use it.
    Directory(PathBuf),
    /// An existing file; jobs share it.
    File {
        /// The file.
        path: PathBuf,
        /// Whether its content may be overwritten.
        writable: bool,
    },
    /// A block device.
    BlockDevice {
        /// The device.
        path: PathBuf,
        /// Whether it may be written to; who says so holds it for exclusive use.
        writable: bool,
    },
}

/// A workload that was checked against a target: every size known, every conflict refused.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) workload: IoWorkload,
    pub(crate) place: TargetPlace,
    /// One file per job, or one that all share; none for `null` and `fake`.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) file_size: u64,
    /// Size of the largest operation.
    pub(crate) block: u64,
    /// Distance between two offsets at which an operation may start: `block` where all are of one
    /// size, and otherwise the greatest size that divides all of them.
    pub(crate) pitch: u64,
    /// The sizes of operations with their weights; none where all have `block`.
    pub(crate) sizes: Vec<(Bytes, u32)>,
    /// Byte offset of the used range in each file.
    pub(crate) base: u64,
    /// Offsets in the used range of each file from which the largest operation fits: whole blocks
    /// where all are of one size.
    pub(crate) blocks: u64,
    pub(crate) backend: Backend,
    pub(crate) direct: bool,
    pub(crate) depth: usize,
    pub(crate) batch: usize,
    pub(crate) gather: usize,
    pub(crate) fallbacks: Vec<Fallback>,
    /// Processors and memory of the jobs.
    pub(crate) affinity: Affinity,
    /// The zones that a device is written by, where it has to be.
    pub(crate) zoned: Option<ZonedPart>,
    /// Bytes of a huge page, where the buffers are to lie in such.
    pub(crate) huge_page: Option<usize>,
}

impl Plan {
    /// Checks `workload` against `place`.
    ///
    /// Reads from the target what it must know; on a directory it also tries `O_DIRECT` with a
    /// nameless file. What the kernel refuses and a run can do without becomes a fallback of the
    /// measurement.
    ///
    /// ```
    /// use etalon_engine::{Plan, TargetPlace};
    /// use etalon_model::IoWorkload;
    ///
    /// let place = TargetPlace::Directory("/nowhere".into());
    /// let workload = IoWorkload { jobs: 0, ..IoWorkload::default() };
    /// let refused = Plan::resolve(&workload, &place).map(drop);
    /// assert!(refused.is_err_and(|error| error.to_string().contains("jobs is 0")));
    /// ```
    ///
    /// # Errors
    /// [`PlanError`], whose text says what was given and what would be accepted.
    pub fn resolve(workload: &IoWorkload, place: &TargetPlace) -> Result<Plan, PlanError> {
        check::numbers(workload)?;
        check::conflicts(workload)?;
        let sizes = match workload.block_size.is_mix() {
            true => workload.block_size.weights()?,
            false => Vec::new(),
        };
        let mut plan = Plan {
            workload: workload.clone(),
            place: place.clone(),
            files: Vec::new(),
            file_size: 0,
            block: workload.block_size.largest().get(),
            pitch: check::pitch(workload, &sizes),
            sizes,
            base: workload.offset.get(),
            blocks: 0,
            backend: workload.backend,
            direct: workload.direct,
            depth: workload.queue_depth as usize,
            batch: 1,
            gather: 1,
            fallbacks: Vec::new(),
            affinity: Affinity::of(workload)?,
            zoned: None,
            huge_page: None,
        };
        if plan.touches_target() {
            place::look(&mut plan)?;
        } else {
            plan.file_size = place::imagined_size(workload);
        }
        plan.choose_backend();
        plan.cut_range()?;
        check::verified_writes(&plan)?;
        limits::memory(&plan)?;
        plan.huge_page = limits::huge_page(&plan)?;
        limits::descriptors(&plan)?;
        Ok(plan)
    }

    /// The workload as it was given.
    pub fn workload(&self) -> &IoWorkload {
        &self.workload
    }

    /// Where the work is done.
    pub fn place(&self) -> &TargetPlace {
        &self.place
    }

    /// What was asked for and cannot be had.
    pub fn fallbacks(&self) -> &[Fallback] {
        &self.fallbacks
    }

    /// The files or the device that the run uses.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Size of each file, in bytes.
    pub fn file_size(&self) -> u64 {
        self.file_size
    }

    /// True when files or devices are opened at all.
    pub(crate) fn touches_target(&self) -> bool {
        !matches!(self.workload.backend, Backend::Null | Backend::Fake)
    }

    /// True when jobs share one range.
    pub(crate) fn shared(&self) -> bool {
        self.workload.layout == FileLayout::Shared
            || !matches!(self.place, TargetPlace::Directory(_))
    }

    /// Which blocks of its file job `job` visits.
    pub(crate) fn share(&self, job: u32) -> Share {
        if self.shared() {
            let of = u64::from(self.workload.jobs);
            Share {
                blocks: self.blocks,
                index: u64::from(job),
                of,
            }
        } else {
            Share {
                blocks: self.blocks,
                index: 0,
                of: 1,
            }
        }
    }

    /// Bytes from the start of the first operation to the end of the last.
    pub(crate) fn span(&self) -> u64 {
        let starts = self.blocks.saturating_sub(1);
        starts.saturating_mul(self.pitch).saturating_add(self.block)
    }

    fn choose_backend(&mut self) {
        if self.backend == Backend::IoUring
            && let Err(error) = probe_ring()
        {
            self.fallbacks.push(Fallback::IoUringRefused {
                errno: error.raw_os_error(),
            });
            self.backend = Backend::Sync;
        }
        let deep = matches!(
            self.backend,
            Backend::IoUring | Backend::Null | Backend::Fake
        );
        if !deep && self.depth > 1 {
            self.fallbacks.push(Fallback::DepthOne {
                asked: self.workload.queue_depth,
            });
            self.depth = 1;
        }
        (self.batch, self.gather) = match self.workload.batch as usize {
            // None waits for another: the block layer holds a batch back until it is complete, and
            // a virtual disk served a tenth fewer requests so.
            0 => (1, 1),
            asked => (asked.min(self.depth), asked.min(self.depth)),
        };
    }

    fn cut_range(&mut self) -> Result<(), PlanError> {
        let jobs = u64::from(self.workload.jobs);
        let range = match self.workload.range.get() {
            0 => self.file_size.saturating_sub(self.base),
            range => range,
        };
        let end = self.base.checked_add(range);
        if range == 0 || end.is_none_or(|end| end > self.file_size) {
            return Err(PlanError::PastTheEnd {
                offset: Bytes(self.base),
                range: Bytes(range),
                size: Bytes(self.file_size),
            });
        }
        let Some(past_first) = range.checked_sub(self.block) else {
            return Err(PlanError::BlockTooLarge {
                block: Bytes(self.block),
                range: Bytes(range),
            });
        };
        self.blocks = past_first / self.pitch + 1;
        let blocks = self.blocks;
        if self.workload.verify && self.workload.operation.writes() && blocks > MAX_BLOCKS {
            return Err(PlanError::TooManyToVerify {
                blocks,
                limit: MAX_BLOCKS,
            });
        }
        if self.shared() && self.blocks < jobs {
            return Err(PlanError::TooFewBlocks {
                blocks: self.blocks,
                jobs: self.workload.jobs,
            });
        }
        Ok(())
    }

    /// Operations after which job `job` ends, or units of the pitch where they differ in size;
    /// `per_pass` is its share of one pass.
    pub(crate) fn limit(&self, job: u64, per_pass: u64) -> Option<u64> {
        let blocks = match self.workload.end {
            End::Time(_) => return None,
            End::Pass => per_pass,
            End::Bytes(bytes) => {
                let jobs = u64::from(self.workload.jobs);
                let blocks = bytes.get().div_ceil(self.pitch);
                blocks / jobs + u64::from(job < blocks % jobs)
            }
        };
        let of_each = 1 + u64::from(self.workload.operation.is_paired());
        Some(blocks.saturating_mul(of_each))
    }
}
