//! `etalon hdparm`: the timings of hdparm(8), repeated, with what they are worth.
//!
//! [`main_like`] is all a program needs to call. Only `-t`, `-T`, `--direct` and `--offset` are
//! taken from hdparm: nothing here changes or writes to a device.

mod kept;
mod options;
mod summary;

use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use crate::exit::ExitStatus;
use crate::keeper::RunKeeper;
use etalon_units::{visible, visible_name};
use etalon_workload::raw_read::{RawRead, RawReadError, RawReading, read_device};

pub use options::{HdparmOptions, OptionError};

/// One device's reading in one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DeviceReading {
    /// The device.
    pub device: PathBuf,
    /// Which run, from 0.
    pub run: u32,
    /// What it gave.
    #[serde(flatten)]
    pub reading: RawReading,
}

/// All of a command.
#[derive(Debug, Clone, Serialize)]
struct Document<'a> {
    seed: u64,
    runs: u32,
    readings: &'a [DeviceReading],
    failures: &'a [DeviceFailure],
}

/// A device that failed in one run, and was not read again.
#[derive(Debug, Clone, Serialize)]
struct DeviceFailure {
    device: PathBuf,
    run: u32,
    message: String,
}

/// Runs `etalon hdparm ARGS`: hdparm's lines and etalon's on `out` (with `--json` a document
/// instead), messages on `err`; `keeper` is handed each reading. Set `stop` to end after the measurement
/// under way.
pub fn main_like(
    args: &[OsString],
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &AtomicBool,
    keeper: &mut dyn RunKeeper,
) -> ExitStatus {
    let options = match HdparmOptions::parse(args) {
        Ok(options) => options,
        Err(error) => {
            return match writeln!(err, "etalon hdparm: {}", visible(&error.to_string())) {
                Ok(()) | Err(_) => ExitStatus::Usage,
            };
        }
    };
    let served = if options.help {
        out.write_all(options::HELP.as_bytes())
            .map(|()| ExitStatus::Done)
    } else {
        serve(&options, out, err, stop, keeper)
    };
    served.unwrap_or_else(|error| ExitStatus::of_output("hdparm", &error, err))
}

/// Every run a block: all devices once, in random order.
fn serve(
    options: &HdparmOptions,
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &AtomicBool,
    keeper: &mut dyn RunKeeper,
) -> io::Result<ExitStatus> {
    let seed = options
        .seed
        .unwrap_or_else(|| RandomState::new().hash_one("order of devices"));
    let mut order = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut devices = options.devices.clone();
    let mut found = Found::default();
    let mut handed_on = 0;
    let mut status = ExitStatus::Done;
    for run in 0..options.runs.get() {
        devices.shuffle(&mut order);
        let mut measurable = Vec::new();
        for device in &devices {
            let visited = visit(options, device, run, &mut found.readings, out, stop)?;
            for reading in &found.readings[handed_on..] {
                keeper.keep(device, kept::run(reading, options, seed));
            }
            handed_on = found.readings.len();
            match visited {
                Visit::Done => measurable.push(device.clone()),
                Visit::Stopped => {
                    return finish(options, seed, &found, out, ExitStatus::Interrupted);
                }
                Visit::Failed(error) => {
                    writeln!(err, "{}", visible(&error.to_string()))?;
                    found.failures.push(DeviceFailure {
                        device: device.clone(),
                        run,
                        message: error.to_string(),
                    });
                    status = status.and(ExitStatus::Failed);
                }
            }
        }
        // A device that cannot be read now is not tried again; the others go on.
        devices = measurable;
    }
    finish(options, seed, &found, out, status)
}

/// What the runs so far gave.
#[derive(Default)]
struct Found {
    readings: Vec<DeviceReading>,
    failures: Vec<DeviceFailure>,
}

/// How one visit of one device ended.
enum Visit {
    Done,
    Stopped,
    Failed(RawReadError),
}

/// One device once, with every timing that was asked for, under its name as hdparm prints it.
fn visit(
    options: &HdparmOptions,
    device: &Path,
    run: u32,
    readings: &mut Vec<DeviceReading>,
    out: &mut dyn Write,
    stop: &AtomicBool,
) -> io::Result<Visit> {
    for (place, part) in options.parts.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            return Ok(Visit::Stopped);
        }
        let reading = match read_device(device, RawRead::new(*part, options.direct, options.offset))
        {
            Ok(reading) => reading,
            Err(error) => return Ok(Visit::Failed(error)),
        };
        if !options.json {
            if place == 0 {
                writeln!(out, "\n{}:", visible_name(device))?;
            }
            writeln!(out, "{}", reading.line())?;
            out.flush()?;
        }
        readings.push(DeviceReading {
            device: device.to_owned(),
            run,
            reading,
        });
    }
    Ok(Visit::Done)
}

fn finish(
    options: &HdparmOptions,
    seed: u64,
    found: &Found,
    out: &mut dyn Write,
    status: ExitStatus,
) -> io::Result<ExitStatus> {
    if options.json {
        let runs = options.runs.get();
        let document = Document {
            seed,
            runs,
            readings: &found.readings,
            failures: &found.failures,
        };
        serde_json::to_writer_pretty(&mut *out, &document)?;
        writeln!(out)?;
    } else {
        summary::write(options, seed, &found.readings, out)?;
    }
    Ok(status)
}
