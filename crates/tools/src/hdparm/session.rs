//! Readings of several devices, observed and judged like every other measurement.

use std::convert::Infallible;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_experiment::run::{self, Observer, Step};
use etalon_experiment::{ExperimentError, Site, Witness};
use etalon_model::Run;
use etalon_units::visible;
use etalon_workload::measurable::{EndedPart, PassReport};
use etalon_workload::raw_read::{RawReadError, RawReading, read_device};
use etalon_workload::{Measurable, PartWitness};
use rustix::io::Errno;

use super::kept;
use super::span::timed_read;
use super::{DeviceFailure, DeviceReading, HdparmOptions, HdparmRuns};
use crate::{Exit, way_out_of_denied};

/// All devices, each a group of its own.
pub(super) struct HdparmSession<'a> {
    options: &'a HdparmOptions,
    seed: u64,
    /// Of each device; none where it cannot be looked at, which reading it will say.
    observers: Vec<Option<Observer<'a>>>,
    err: &'a mut dyn Write,
    stop: &'a AtomicBool,
    pub(super) found: HdparmRuns,
    pub(super) status: Exit,
    /// Whether the complaints could be written.
    pub(super) output: io::Result<()>,
}

impl<'a> HdparmSession<'a> {
    pub(super) fn new(
        options: &'a HdparmOptions,
        seed: u64,
        sites: &'a [Option<Site>],
        err: &'a mut dyn Write,
        stop: &'a AtomicBool,
    ) -> HdparmSession<'a> {
        let observer = |site: &'a Option<Site>| site.as_ref().map(|s| Observer::new([s], true));
        HdparmSession {
            options,
            seed,
            observers: sites.iter().map(observer).collect(),
            err,
            stop,
            found: HdparmRuns::default(),
            status: Exit::Done,
            output: Ok(()),
        }
    }

    /// A device that could not be read is not tried again; the others go on.
    fn has_failed(&self, device: &Path) -> bool {
        let mut failures = self.found.failures.iter();
        failures.any(|failure| failure.device == device)
    }

    fn close(&mut self, visit: Visited, device: &Path, run: u32) {
        let readings = visit.readings.into_iter().map(|reading| DeviceReading {
            device: device.to_owned(),
            run,
            reading,
        });
        self.found.readings.extend(readings);
        match visit.end {
            End::Done => {}
            End::Stopped => self.status = Exit::Interrupted,
            End::Failed(error) => {
                let text = error.to_string();
                if self.output.is_ok() {
                    self.output = writeln!(self.err, "{}", visible(&text));
                }
                let is_denied = matches!(
                    error,
                    RawReadError::Open { source, .. } if source == Errno::ACCESS
                );
                if is_denied && self.output.is_ok() {
                    let way_out = way_out_of_denied(device);
                    self.output = writeln!(self.err, "etalon: {way_out}");
                }
                self.found.failures.push(DeviceFailure {
                    device: device.to_owned(),
                    run,
                    message: text,
                });
                self.status = self.status.and(Exit::Failed);
            }
        }
    }
}

impl run::Session for HdparmSession<'_> {
    fn open(
        &mut self,
        block: u32,
        _runs: &[Run],
        _witness: &mut dyn Witness,
    ) -> Result<Vec<usize>, ExperimentError> {
        if block >= self.options.runs.get() {
            return Ok(Vec::new());
        }
        let devices = self.options.devices.iter().enumerate();
        let good = devices.filter(|(_, device)| !self.has_failed(device));
        Ok(good.map(|(at, _)| at).collect())
    }

    fn pass(
        &mut self,
        step: Step,
        _witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let device = &self.options.devices[step.group];
        let mut visit = Visit {
            options: self.options,
            device,
            seed: self.seed,
            stop: self.stop,
            done: Visited::default(),
        };
        let observed = match &self.observers[step.group] {
            Some(observer) => observer.observe(&mut visit, step.begun, None)?.runs,
            None => {
                visit.read(&());
                Vec::new()
            }
        };
        let done = visit.done;
        self.close(done, device, step.begun.pass.block);
        Ok(observed)
    }

    fn is_over(&self) -> bool {
        if self.output.is_err() {
            return true;
        }
        self.status == Exit::Interrupted
    }
}

/// One device once, with every timing that was asked for.
struct Visit<'v> {
    options: &'v HdparmOptions,
    device: &'v Path,
    seed: u64,
    stop: &'v AtomicBool,
    done: Visited,
}

/// What a visit gave.
struct Visited {
    readings: Vec<RawReading>,
    end: End,
}

impl Default for Visited {
    fn default() -> Visited {
        Visited {
            readings: Vec::new(),
            end: End::Done,
        }
    }
}

/// How a visit ended.
enum End {
    Done,
    Stopped,
    Failed(RawReadError),
}

impl Visit<'_> {
    fn read(&mut self, witness: &dyn PartWitness) {
        let options = self.options;
        for part in &options.parts {
            if self.stop.load(Ordering::Relaxed) {
                self.done.end = End::Stopped;
                return;
            }
            let read = timed_read(*part, options.direct, options.offset);
            witness.begins(kept::step(*part));
            let reading = read_device(self.device, read);
            witness.ended(kept::step(*part));
            match reading {
                Ok(reading) => self.done.readings.push(reading),
                Err(error) => {
                    self.done.end = End::Failed(error);
                    return;
                }
            }
        }
    }
}

impl Measurable for Visit<'_> {
    type Error = Infallible;

    fn carry_out(&mut self, witness: &(dyn PartWitness + Sync)) -> Result<(), Infallible> {
        self.read(witness);
        Ok(())
    }

    fn report(&mut self, _ended: &[EndedPart]) -> PassReport {
        let readings = self.done.readings.iter();
        let parts = readings.map(|r| kept::report(self.device, r, self.options, self.seed));
        PassReport {
            parts: parts.collect(),
            ..PassReport::default()
        }
    }
}
