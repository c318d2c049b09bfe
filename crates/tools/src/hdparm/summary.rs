//! One line of hdparm for each device and timing, and etalon's own lines below.

use std::io::{self, Write};

use etalon_model::{Cell, Run};
use etalon_stats::{Estimate, Level, MIN_RUNS_LAB, Sample};
use etalon_units::{Bytes, Nanos, Percent, visible_name};
use etalon_workload::raw_read::{Part, RawReading};

use super::line::line;
use super::{DeviceReading, HdparmOptions, kept};
use crate::keeper::judged;
use crate::reasons::write_reasons;

/// The readings of one device and timing.
struct Timing<'a> {
    name: String,
    part: Part,
    readings: Vec<&'a RawReading>,
    /// In the unit below.
    rates: Option<Sample>,
    /// `MB`, or `kB` where hdparm would write it.
    unit: &'static str,
    cell: Option<&'a Cell>,
}

/// hdparm's lines, then one of etalon's for each device and timing: rate with interval and verdict;
/// then what spoils it.
pub(super) fn write(
    (options, seed): (&HdparmOptions, u64),
    readings: &[DeviceReading],
    runs: &[Run],
    out: &mut dyn Write,
) -> io::Result<()> {
    let cells = judged(runs);
    let timings = timings(options, readings, &cells);
    for (device, of_device) in options.devices.iter().zip(&timings) {
        writeln!(out, "\n{}:", visible_name(device))?;
        for reading in of_device.iter().filter_map(Timing::headline) {
            writeln!(out, "{}", line(&reading))?;
        }
    }
    if readings.is_empty() {
        return out.flush();
    }
    writeln!(out)?;
    timings
        .iter()
        .flatten()
        .try_for_each(|one| one.write(out))?;
    if options.devices.len() > 1 {
        writeln!(out, "etalon: order of devices by --seed {seed}")?;
    }
    out.flush()
}

/// Of each device, in hdparm's order.
fn timings<'a>(
    options: &HdparmOptions,
    readings: &'a [DeviceReading],
    cells: &'a [Cell],
) -> Vec<Vec<Timing<'a>>> {
    let of = |device| {
        let parts = options.parts.iter();
        parts.map(move |part| {
            let name = kept::cell(device, *part, options);
            let of = readings
                .iter()
                .filter(|r| r.device == *device && r.reading.read.part == *part);
            Timing::new(
                format!("{} {}", visible_name(device), kept::step(*part)),
                *part,
                of.map(|r| &r.reading).collect(),
                cells.iter().find(|cell| cell.name == name),
            )
        })
    };
    options
        .devices
        .iter()
        .map(|device| of(device).collect())
        .collect()
}

impl<'a> Timing<'a> {
    fn new(
        name: String,
        part: Part,
        readings: Vec<&'a RawReading>,
        cell: Option<&'a Cell>,
    ) -> Timing<'a> {
        // The runs that count, where they are judged: what is left out there is in no figure here.
        let counted = cell.map(|cell| cell.values.clone());
        let all = || readings.iter().map(|reading| reading.rate().0).collect();
        let rates: Vec<f64> = counted.unwrap_or_else(all);
        let rates: Vec<f64> = rates
            .iter()
            .map(|rate| rate / Bytes::mib(1).as_f64())
            .collect();
        // As hdparm chooses between the two.
        let is_slow = rates.iter().all(|rate| *rate <= 1.0);
        let (factor, unit) = if is_slow { (1024.0, "kB") } else { (1.0, "MB") };
        Timing {
            name,
            part,
            readings,
            rates: Sample::new(rates.iter().map(|rate| rate * factor).collect()).ok(),
            unit,
            cell,
        }
    }

    /// What hdparm's line shows: the amount of the run in the middle, in the time in which its rate is the
    /// figure of all runs. Of an even number of runs that is between the two in the middle.
    fn headline(&self) -> Option<RawReading> {
        let mut readings = self.readings.clone();
        readings.sort_by(|one, other| one.rate().0.total_cmp(&other.rate().0));
        let middle = readings.get(readings.len().saturating_sub(1) / 2)?;
        let mut shown = RawReading::clone(middle);
        if let Some(cell) = self.cell.filter(|cell| cell.estimate().value > 0.0) {
            let seconds = shown.bytes.as_f64() / cell.estimate().value;
            shown.elapsed = Nanos::from_secs_f64(seconds);
        }
        Some(shown)
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let name = &self.name;
        let Some(sample) = &self.rates else {
            return writeln!(out, "etalon: {name}: not measured");
        };
        writeln!(out, "etalon: {name}: {}", self.rate(sample))?;
        if let Some(cell) = self.cell {
            writeln!(out, "etalon: {name}: {}", cell.verdict)?;
            write_reasons(&format!("etalon: {name}"), cell, out)?;
        }
        match self.part {
            Part::Disk => self.sources(out),
            Part::Cache => Ok(()),
        }
    }

    /// With the interval, and below the fewest runs of one without.
    fn rate(&self, sample: &Sample) -> String {
        let (n, unit) = (sample.n(), self.unit);
        let summary = sample.summary(Level::REPORTED);
        let (min, max) = (summary.min, summary.max);
        let made = self.readings.len();
        if n < made && n < MIN_RUNS_LAB {
            return format!(
                "{min:.2} to {max:.2} {unit}/sec; {n} of {made} runs count, and an interval takes {MIN_RUNS_LAB}"
            );
        }
        if n == 1 {
            return "one run has no spread; without --runs there are 6".to_owned();
        }
        if n < MIN_RUNS_LAB {
            return format!(
                "{min:.2} to {max:.2} {unit}/sec; {n} runs are too few for an interval, without --runs there are 6"
            );
        }
        let headline = Estimate::of_runs(sample);
        let cv = match summary.cv {
            Some(cv) => format!("CV {}", Percent::from_fraction(cv)),
            None => "no CV".to_owned(),
        };
        format!("{headline:.2} {unit}/sec, {min:.2} to {max:.2}, {cv}")
    }

    /// What served the reads of `-t`: the device should have, the page cache should not.
    fn sources(&self, out: &mut dyn Write) -> io::Result<()> {
        let label = &self.name;
        let shares = self.readings.iter().map(|reading| reading.device_share);
        match shares.collect::<Option<Vec<Percent>>>() {
            Some(shares) => {
                let least = shares.into_iter().map(Percent::fraction);
                let least = Percent::from_fraction(least.fold(f64::INFINITY, f64::min));
                writeln!(
                    out,
                    "etalon: {label}: the device delivered at least {least} of the bytes read in every run"
                )?;
            }
            None => writeln!(
                out,
                "etalon: {label}: what the device delivered was not counted"
            )?,
        }
        let cached = self.readings.iter().map(|reading| reading.cached_before);
        match cached.collect::<Option<Vec<Bytes>>>() {
            Some(cached) => match cached.into_iter().max() {
                Some(most) if most > Bytes::ZERO => writeln!(
                    out,
                    "etalon: {label}: up to {most} of the device were still in the page cache before a run"
                ),
                _ => Ok(()),
            },
            None => writeln!(
                out,
                "etalon: {label}: whether the page cache was empty before each run is not known"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::span::timed_read;
    use super::*;
    use crate::reasons::tests::one_left_out;

    #[test]
    fn a_reading_that_is_left_out_is_told_and_not_blamed_on_an_option() {
        let reading = RawReading {
            read: timed_read(Part::Disk, false, Bytes::ZERO),
            bytes: Bytes::mib(300),
            elapsed: Nanos::secs(3),
            cached_before: Some(Bytes::ZERO),
            device_share: Some(Percent::from_fraction(1.0)),
        };
        let cell = one_left_out();
        let readings = vec![&reading; 6];
        let timing = Timing::new("/dev/sdx -t".to_owned(), Part::Disk, readings, Some(&cell));
        let mut out = Vec::new();
        timing.write(&mut out).unwrap();
        let said = String::from_utf8(out).unwrap();
        for part in [
            "B/sec; 5 of 6 runs count, and an interval takes 6\n",
            "etalon: /dev/sdx -t: 1 of 6 runs left out [page-cache] ",
        ] {
            assert!(said.contains(part), "no {part}: {said}");
        }
    }
}
