//! `etalon hdparm`: the timings of hdparm(8), repeated, with what they are worth.
//!
//! [`run_cli`] is all a program needs to call. Only `-t`, `-T`, `--direct` and `--offset` are
//! taken from hdparm: nothing here changes or writes to a device.

mod kept;
mod options;
mod session;
mod summary;

use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_experiment::Site;
use etalon_experiment::run::{self, Schedule};
use etalon_model::Run;
use etalon_units::visible;
use etalon_workload::raw_read::RawReading;
use serde::Serialize;

use crate::exit::ExitStatus;
use crate::keeper::{Keeping, RunKeeper};
use session::Session;

pub use options::{HELP, HdparmOptions, OptionError};

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

/// Runs `etalon hdparm ARGS`: one line of hdparm for each device and timing, then etalon's, on `out` (with `--json` a document
/// instead), messages on `err`; `keeper` is handed each reading. Set `stop` to end after the measurement
/// under way.
pub fn run_cli(
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
    let devices = options.devices.iter();
    let sites: Vec<Option<Site>> = devices.map(|device| Site::look(device).ok()).collect();
    let known: Vec<&Site> = sites.iter().flatten().collect();
    if let Err(status) = keeper.claim(&known) {
        return Ok(status);
    }
    let mut session = Session::new(options, seed, &sites, &mut *err, stop);
    let target = options.devices.first().cloned().unwrap_or_default();
    let mut keeping = Keeping { target, keeper };
    let order = Schedule::Shuffled(seed);
    let mut runs = Vec::new();
    let made = run::repeat(&mut session, order, stop, &mut keeping, &mut runs);
    let Session {
        found,
        status,
        output,
        ..
    } = session;
    output?;
    made.map_err(io::Error::other)?;
    finish((options, seed), (&found, &runs), out)?;
    // A stop between two readings cut none of them short.
    Ok(match stop.load(Ordering::Relaxed) {
        true => status.and(ExitStatus::Interrupted),
        false => status,
    })
}

/// What the runs so far gave.
#[derive(Default)]
struct Found {
    readings: Vec<DeviceReading>,
    failures: Vec<DeviceFailure>,
}

fn finish(
    (options, seed): (&HdparmOptions, u64),
    (found, runs): (&Found, &[Run]),
    out: &mut dyn Write,
) -> io::Result<()> {
    if options.json {
        let runs = options.runs.get();
        let document = Document {
            seed,
            runs,
            readings: &found.readings,
            failures: &found.failures,
        };
        serde_json::to_writer_pretty(&mut *out, &document)?;
        return writeln!(out);
    }
    summary::write((options, seed), &found.readings, runs, out)
}
