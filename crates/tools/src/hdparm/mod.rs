//! `etalon hdparm`: the timings of hdparm(8), repeated, with what they are worth.
//!
//! Only `-t`, `-T`, `--direct` and `--offset` are
//! taken from hdparm: nothing here changes or writes to a device.

mod kept;
mod line;
mod options;
mod session;
mod span;
mod summary;

use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_experiment::Site;
use etalon_experiment::run::{self, Schedule};
use etalon_model::{ExperimentKind, Run};
use etalon_units::visible;
use etalon_workload::raw_read::RawReading;
use schemars::JsonSchema;
use serde::Serialize;

use crate::keeper::{RunForwarder, RunKeeper};
use crate::{Exit, Tool, ToolContext};
use session::HdparmSession;

pub use options::{HdparmOptions, HdparmUsage};

/// One device's reading in one run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReadingsDocument<'a> {
    /// Decides where readings with `--runs` begin.
    seed: u64,
    /// How often each device was read.
    runs: u32,
    /// Every reading, in the order in which they were made.
    readings: &'a [DeviceReading],
    /// Devices that failed.
    failures: &'a [DeviceFailure],
}

/// A device that failed in one run, and was not read again.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DeviceFailure {
    /// The device.
    device: PathBuf,
    /// Which run, from 0.
    run: u32,
    /// What it said.
    message: String,
}

/// `etalon hdparm`: one line of hdparm for each device and timing, then etalon's; with `--json` a document instead. A stop
/// ends it after the measurement under way.
#[derive(Debug)]
pub struct Hdparm;

impl Tool for Hdparm {
    const KIND: ExperimentKind = ExperimentKind::Hdparm;
    const HAS_DOCUMENT: bool = true;

    fn help() -> String {
        options::HELP.to_owned()
    }

    fn run(words: &[OsString], context: ToolContext<'_>) -> Exit {
        let ToolContext {
            help,
            out,
            err,
            stop,
            keeper,
            ..
        } = context;
        let served = match HdparmOptions::parse(words) {
            Ok(options) if options.help => out.write_all(help.as_bytes()).map(|()| Exit::Done),
            Ok(options) => serve(&options, out, err, stop, keeper),
            Err(error) => {
                // Where it cannot be written, the code has to say it alone.
                let _ = writeln!(err, "etalon hdparm: {}", visible(&error.to_string()));
                Ok(Exit::Usage)
            }
        };
        served.unwrap_or_else(|error| Exit::of_output("hdparm", &error, err))
    }
}

/// Every run a block: all devices once, in random order.
fn serve(
    options: &HdparmOptions,
    out: &mut dyn Write,
    err: &mut dyn Write,
    stop: &AtomicBool,
    keeper: &mut dyn RunKeeper,
) -> io::Result<Exit> {
    let seed = options
        .seed
        .unwrap_or_else(|| RandomState::new().hash_one("order of devices"));
    let devices = options.devices.iter();
    let sites: Vec<Option<Site>> = devices.map(|device| Site::look(device).ok()).collect();
    let known: Vec<&Site> = sites.iter().flatten().collect();
    if let Err(status) = keeper.claim(&known) {
        return Ok(status);
    }
    let mut session = HdparmSession::new(options, seed, &sites, &mut *err, stop);
    let target = options.devices.first().cloned().unwrap_or_default();
    let mut keeping = RunForwarder { target, keeper };
    let order = Schedule::Shuffled(seed);
    let mut runs = Vec::new();
    let made = run::repeat(&mut session, order, stop, &mut keeping, &mut runs);
    let HdparmSession {
        found,
        status,
        output,
        ..
    } = session;
    output?;
    made.map_err(io::Error::other)?;
    finish(options, seed, &found, &runs, out)?;
    // A stop between two readings cut none of them short.
    Ok(match stop.load(Ordering::Relaxed) {
        true => status.and(Exit::Interrupted),
        false => status,
    })
}

/// What the runs so far gave.
#[derive(Default)]
struct HdparmRuns {
    readings: Vec<DeviceReading>,
    failures: Vec<DeviceFailure>,
}

fn finish(
    options: &HdparmOptions,
    seed: u64,
    found: &HdparmRuns,
    runs: &[Run],
    out: &mut dyn Write,
) -> io::Result<()> {
    if options.json {
        let runs = options.runs.get();
        let document = ReadingsDocument {
            seed,
            runs,
            readings: &found.readings,
            failures: &found.failures,
        };
        return writeln!(out, "{}", serde_json::to_string_pretty(&document)?);
    }
    summary::write((options, seed), &found.readings, runs, out)
}
