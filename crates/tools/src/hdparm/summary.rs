//! Etalon's own lines after those of hdparm.

use std::io::{self, Write};
use std::path::Path;

use etalon_stats::{Level, MIN_RUNS_LAB, Sample};
use etalon_units::{Bytes, Percent};

use super::{DeviceReading, HdparmOptions};
use etalon_workload::raw_read::{Part, RawReading};

/// One line for each device and timing: rate with interval, extremes, CV; then what spoils it.
pub(super) fn write(
    options: &HdparmOptions,
    seed: u64,
    readings: &[DeviceReading],
    out: &mut dyn Write,
) -> io::Result<()> {
    if readings.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    for device in &options.devices {
        for part in &options.parts {
            let of: Vec<&RawReading> = readings
                .iter()
                .filter(|r| r.device == *device && r.reading.read.part == *part)
                .map(|r| &r.reading)
                .collect();
            one(device, *part, &of, out)?;
        }
    }
    if options.devices.len() > 1 {
        writeln!(out, "etalon: order of devices by --seed {seed}")?;
    }
    Ok(())
}

fn one(device: &Path, part: Part, readings: &[&RawReading], out: &mut dyn Write) -> io::Result<()> {
    let name = device.display();
    let what = match part {
        Part::Cache => "-T",
        Part::Disk => "-t",
    };
    let rates: Vec<f64> = readings
        .iter()
        .map(|reading| reading.rate().0 / Bytes::mib(1).as_f64())
        .collect();
    let Ok(sample) = Sample::new(rates) else {
        return writeln!(out, "etalon: {name} {what}: not measured");
    };
    if sample.n() == 1 {
        writeln!(
            out,
            "etalon: {name} {what}: one run has no spread; without --runs there are {MIN_RUNS_LAB}"
        )?;
    } else {
        let summary = sample.summary(Level::REPORTED);
        let headline = sample.headline(Level::REPORTED);
        let cv = summary.cv.map_or_else(
            || "no CV".to_owned(),
            |cv| format!("CV {}", Percent::from_fraction(cv)),
        );
        writeln!(
            out,
            "etalon: {name} {what}: {headline:.1} MiB/s, {:.1} to {:.1}, {cv}",
            summary.min, summary.max
        )?;
    }
    if part == Part::Disk {
        sources(&format!("etalon: {name} {what}"), readings, out)?;
    }
    Ok(())
}

/// What served the reads of `-t`: the device should have, the page cache should not.
fn sources(label: &str, readings: &[&RawReading], out: &mut dyn Write) -> io::Result<()> {
    let shares: Option<Vec<f64>> = readings
        .iter()
        .map(|reading| reading.device_share.map(Percent::fraction))
        .collect();
    match shares {
        Some(shares) => {
            let least = shares.into_iter().fold(f64::INFINITY, f64::min);
            let least = Percent::from_fraction(least);
            writeln!(
                out,
                "{label}: the device delivered at least {least} of the bytes read in every run"
            )?;
        }
        None => writeln!(out, "{label}: what the device delivered was not counted")?,
    }
    let cached = readings.iter().map(|reading| reading.cached_before);
    match cached.collect::<Option<Vec<Bytes>>>() {
        Some(cached) => match cached.into_iter().max() {
            Some(most) if most > Bytes::ZERO => writeln!(
                out,
                "{label}: up to {most} of the device were still in the page cache before a run"
            ),
            _ => Ok(()),
        },
        None => writeln!(
            out,
            "{label}: whether the page cache was empty before each run is not known"
        ),
    }
}
