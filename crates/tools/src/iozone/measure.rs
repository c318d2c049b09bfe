//! One operation at one row, on one file or on several: a run, and all its runs.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::thread;

use etalon_file_ops::{
    FileOp, FileOpError, Lists, Pass, Placed, Remount, Settings, TogetherOptions, run_pass,
    run_together,
};
use etalon_model::Ended;
use etalon_stats::Sample;
use etalon_units::{Bytes, Nanos, per_second};

use super::repeat::Repeat;
use super::{Options, Row};

/// One run of one operation, on one file or on several.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measured {
    pub(crate) passes: Vec<Pass>,
    /// From the start to the last worker's end.
    pub(crate) elapsed: Nanos,
}

impl Measured {
    /// The workers' rates added up, in bytes per second.
    pub(crate) fn rate(&self) -> f64 {
        self.worker_rates().iter().sum()
    }

    /// Each worker's rate over its own time.
    pub(crate) fn worker_rates(&self) -> Vec<f64> {
        self.passes
            .iter()
            .map(|pass| per_second(pass.bytes.get(), pass.elapsed()))
            .collect()
    }

    /// All bytes over the time from the common start to the last end.
    pub(crate) fn parent_rate(&self) -> f64 {
        per_second(self.bytes().get(), self.elapsed)
    }

    pub(crate) fn bytes(&self) -> Bytes {
        Bytes(self.passes.iter().map(|pass| pass.bytes.get()).sum())
    }

    pub(crate) fn cpu(&self) -> Nanos {
        Nanos(self.passes.iter().map(|pass| pass.cpu.0).sum())
    }

    /// The first worker's trouble.
    pub(crate) fn cut(&self) -> Option<Ended> {
        self.passes
            .iter()
            .map(|pass| &pass.ended)
            .find(|ended| **ended != Ended::Complete)
            .cloned()
    }
}

/// All runs of one operation at one size.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    pub(crate) op: FileOp,
    pub(crate) measured: Vec<Measured>,
    /// Whether it is to be measured again.
    pub(crate) open: bool,
}

impl Series {
    pub(crate) fn new(op: FileOp) -> Series {
        Series {
            op,
            measured: Vec::new(),
            open: true,
        }
    }

    /// The rates of its runs; `None` before the first.
    pub(crate) fn sample(&self) -> Option<Sample> {
        Sample::new(self.measured.iter().map(Measured::rate).collect()).ok()
    }

    /// How its last run ended, where it did not end well.
    pub(crate) fn cut(&self) -> Option<Ended> {
        self.measured.last().and_then(Measured::cut)
    }
}

/// What the runs of a row need beside its sizes.
pub(crate) struct Bench<'a> {
    pub(crate) options: &'a Options,
    pub(crate) repeat: Repeat,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) remount: Option<Remount>,
    /// `None` for one file without a group.
    pub(crate) together: Option<TogetherOptions>,
    /// What the sequential tests go by, where they do not go by records.
    pub(crate) lists: Lists,
    /// Passes so far.
    pub(crate) number: u64,
    /// Seconds that earlier batches left of their time; below zero where they took more.
    pub(crate) spare_seconds: f64,
}

impl Bench<'_> {
    pub(crate) fn settings(&self, row: Row, workers: usize) -> Settings {
        let share = if self.options.constant_total {
            workers as u64
        } else {
            1
        };
        let row = row.by_records(&self.lists);
        Settings {
            size: Bytes(row.size.get() / share.max(1)),
            record: row.record,
            mapped: self.options.mapping(),
            queue: self.options.queue(),
            fill: self.options.fill(),
            lists: self.lists.clone(),
            purge: self.options.purge.then_some(self.options.cache),
            ..self.options.settings.clone()
        }
    }

    /// One run of `op`.
    ///
    /// # Errors
    /// When it cannot begin.
    pub(crate) fn once(
        &mut self,
        op: FileOp,
        settings: &Settings,
        paths: &[PathBuf],
        placed: &mut Placed,
    ) -> Result<Measured, FileOpError> {
        let measured = self.measure(op, settings, paths, placed);
        measured.map_err(FileOpError::shown)
    }

    fn measure(
        &mut self,
        op: FileOp,
        settings: &Settings,
        paths: &[PathBuf],
        placed: &mut Placed,
    ) -> Result<Measured, FileOpError> {
        if let Some(remount) = &self.remount {
            remount.cycle()?;
        }
        if !self.options.pause.is_zero() && self.number > 0 {
            thread::sleep(self.options.pause);
        }
        for (index, path) in paths.iter().enumerate() {
            if op.creates() || (writes(op) && !path.exists()) {
                placed.renew(index, settings)?;
            }
        }
        if writes(op) {
            placed.wrote_all();
        }
        self.number += 1;
        match (&self.together, paths) {
            (Some(together), _) => {
                let group = run_together(op, paths, settings, together, self.number, self.stop)?;
                Ok(Measured {
                    elapsed: group.elapsed,
                    passes: group.passes,
                })
            }
            (None, [path, ..]) => {
                let pass = run_pass(op, path, settings, self.number, self.stop)?;
                Ok(Measured {
                    elapsed: pass.elapsed(),
                    passes: vec![pass],
                })
            }
            (None, []) => Err(FileOpError::FileCount {
                files: 0,
                workers: 1,
            }),
        }
    }
}

/// Whether any worker of the operation writes.
pub(crate) fn writes(op: FileOp) -> bool {
    op == FileOp::Mixed || op.direction() == etalon_file_ops::Direction::Write
}
