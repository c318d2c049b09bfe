//! One run of an operation at one row, on one file or on several.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use etalon_file_ops::{
    ClockWitness, FileOp, FileOpError, Lists, Placed, Remount, Settings, TogetherOptions, run_pass,
    run_together,
};
use etalon_units::Bytes;

use super::series::Measured;
use super::{GridRow, Options};

/// A test of this much is long enough to be counted whatever it does: what a cold processor cache costs
/// (some microseconds) is below 1 % of it.
const COUNTED: Bytes = Bytes::mib(4);

/// How long a pause lasts before it looks whether the user has stopped the work.
const LOOK: Duration = Duration::from_millis(10);

/// What the runs of a row need beside its sizes.
pub(crate) struct Bench<'a> {
    pub(crate) options: &'a Options,
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
    pub(crate) fn settings(&self, row: GridRow) -> Settings {
        let row = row.by_records(&self.lists);
        Settings {
            size: row.size,
            record: row.record,
            mapped: self.options.mapping(),
            queue: self.options.queue(),
            fill: self.options.fill(),
            lists: self.lists.clone(),
            purge: self.options.purge.then_some(self.options.cache),
            ..self.options.settings.clone()
        }
    }

    /// Whether the counters of the storage are read around `op`. Reading them takes little, and yet what
    /// the processor's caches hold is gone afterwards: a test that moves little and stays in the page
    /// cache would be slower for it, and what it leaves there shows without them.
    pub(crate) fn is_counted(&self, op: FileOp, row: GridRow) -> bool {
        let settings = &self.options.settings;
        let waits = settings.direct || self.remount.is_some() || self.options.durable(op);
        waits || self.together.is_some() || row.by_records(&self.lists).size >= COUNTED
    }

    /// Remounts and pauses, where that is asked for before a run; false when the user stopped the work.
    ///
    /// # Errors
    /// When the filesystem cannot be unmounted and mounted again.
    pub(crate) fn come_to_rest(&self) -> Result<bool, FileOpError> {
        if let Some(remount) = &self.remount {
            remount.cycle().map_err(FileOpError::shown)?;
        }
        if self.number > 0 {
            self.pause(self.options.pause);
        }
        Ok(!self.stop.load(Ordering::Relaxed))
    }

    fn pause(&self, pause: Duration) {
        let begun = Instant::now();
        while !self.stop.load(Ordering::Relaxed) {
            let left = pause.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return;
            }
            thread::sleep(left.min(LOOK));
        }
    }

    /// One run of an operation; `clock` is told around its clock.
    ///
    /// # Errors
    /// When it cannot begin.
    pub(crate) fn once(
        &mut self,
        work: (FileOp, &Settings),
        paths: &[PathBuf],
        placed: &mut Placed,
        clock: &dyn ClockWitness,
    ) -> Result<Measured, FileOpError> {
        let measured = self.measure(work, paths, placed, clock);
        measured.map_err(FileOpError::shown)
    }

    fn measure(
        &mut self,
        (op, settings): (FileOp, &Settings),
        paths: &[PathBuf],
        placed: &mut Placed,
        clock: &dyn ClockWitness,
    ) -> Result<Measured, FileOpError> {
        for (index, path) in paths.iter().enumerate() {
            if op.creates() || (writes(op) && !path.exists()) {
                placed.renew(index, settings)?;
            }
        }
        if writes(op) {
            placed.wrote_all();
        }
        if settings.close_in_clock && !op.creates() {
            // What the test before left in memory goes to storage, before it is counted what goes there.
            rustix::fs::sync();
        }
        self.number += 1;
        let (number, told) = (self.number, (self.stop, clock));
        match (&self.together, paths) {
            (Some(together), _) => {
                let group = run_together(op, paths, settings, together, number, told)?;
                Ok(Measured {
                    elapsed: group.elapsed,
                    passes: group.passes,
                })
            }
            (None, [path, ..]) => {
                let pass = run_pass(op, path, settings, number, told)?;
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

#[cfg(test)]
mod tests {
    use super::super::tests::parsed;
    use super::*;

    fn bench<'a>(options: &'a Options, stop: &'a AtomicBool, number: u64) -> Bench<'a> {
        Bench {
            options,
            stop,
            remount: None,
            together: None,
            lists: Lists::default(),
            number,
            spare_seconds: 0.0,
        }
    }

    #[test]
    fn a_stop_ends_a_pause_at_once() {
        let (options, stop) = (parsed("-+q 60"), AtomicBool::new(false));
        let begun = Instant::now();
        assert!(bench(&options, &stop, 0).come_to_rest().unwrap());
        assert!(begun.elapsed().as_secs() < 30, "none before the first test");
        let goes_on = thread::scope(|scope| {
            let pausing = scope.spawn(|| bench(&options, &stop, 1).come_to_rest().unwrap());
            thread::sleep(LOOK * 3);
            assert!(!pausing.is_finished(), "the pause is on");
            stop.store(true, Ordering::Relaxed);
            pausing.join().unwrap()
        });
        assert!(!goes_on && begun.elapsed().as_secs() < 30);
    }

    #[test]
    fn a_pause_lasts_as_long_as_it_was_asked_for() {
        let (options, stop) = (parsed("-+q 1"), AtomicBool::new(false));
        let begun = Instant::now();
        assert!(bench(&options, &stop, 1).come_to_rest().unwrap());
        assert!(begun.elapsed() >= Duration::from_secs(1));
    }
}
