//! The lines of fdtree, and the lines that follow them.

use std::io::{self, Write};
use std::path::Path;

use etalon_model::Run;
use etalon_stats::{Estimate, MIN_RUNS_LAB, Sample};
use etalon_units::{Bytes, Nanos, visible_name};
use etalon_workload::tree::{Phase, PhaseRecord, TreeShape};
use jiff::Zoned;

use super::options::Options;
use crate::keeper::judged;

/// What scripts that read fdtree's output look for.
const VERSION: &str = "1.0.2";

/// fdtree's heading, padded as it pads.
fn heading(phase: Phase) -> &'static str {
    match phase {
        Phase::CreateDirectories => "DIRECTORY CREATE TIME IN, OUT, TOTAL =",
        Phase::CreateFiles => "FILE CREATE TIME IN, OUT, TOTAL      =",
        Phase::RemoveFiles => "FILE REMOVE TIME IN, OUT, TOTAL      =",
        Phase::RemoveDirectories => "DIRECTORY REMOVE TIME IN, OUT, TOTAL =",
    }
}

/// fdtree's name of the rate, padded as it pads.
fn rate_label(phase: Phase) -> &'static str {
    match phase {
        Phase::CreateDirectories => "Directory creates per second =",
        Phase::CreateFiles => "File creates per second      =",
        Phase::RemoveFiles => "File removals per second     =",
        Phase::RemoveDirectories => "Directory removals per second =",
    }
}

pub(super) fn show(
    options: &Options,
    phases: &[PhaseRecord],
    origin: &Zoned,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<()> {
    for phase in phases {
        self::phase(out, origin, phase)?;
        if options.debug {
            let (name, begin, end) = (phase.phase, phase.begin.get(), phase.end.get());
            // What is lost here is a remark.
            let _ = writeln!(
                err,
                "fdtree: {name:?}: {} from {begin} ns to {end} ns",
                phase.count
            );
        }
    }
    Ok(())
}

pub(super) fn levels(err: &mut dyn Write, shape: &TreeShape) -> io::Result<()> {
    for levels in 0..=shape.levels {
        let total = TreeShape { levels, ..*shape }.total_directories();
        writeln!(err, "fdtree: {total} directories down to level {levels}")?;
    }
    Ok(())
}

pub(super) fn header(out: &mut dyn Write, root: &Path, shape: &TreeShape) -> io::Result<()> {
    writeln!(out, "fdtree-{VERSION}: starting at {}/", visible_name(root))?;
    let (levels, fan) = (shape.levels, shape.directories);
    writeln!(
        out,
        "\tcreating/deleting {levels} directory levels with {fan} directories at each level"
    )?;
    writeln!(
        out,
        "\tfor a total of {} directories",
        shape.total_directories()
    )?;
    let kib = shape.file_size().get() / 1024;
    writeln!(
        out,
        "\twith {} files of size {kib}KiB per directory",
        shape.files
    )?;
    let total = shape.total_bytes().get() / 1024;
    writeln!(
        out,
        "\tfor a total of {} files and {total}KiB",
        shape.total_files()
    )
}

/// The four lines of one phase. `origin` is the moment at which the run's clock stood at zero.
pub(super) fn phase(out: &mut dyn Write, origin: &Zoned, record: &PhaseRecord) -> io::Result<()> {
    writeln!(out, "{}", date(origin, record.begin))?;
    writeln!(out, "{}", date(origin, record.end))?;
    let seconds = |t: Nanos| format!("{:.6}", t.as_secs_f64());
    let (begin, end, total) = (
        seconds(record.begin),
        seconds(record.end),
        seconds(record.elapsed()),
    );
    writeln!(out, "{} {begin}, {end}, {total}", heading(record.phase))?;
    writeln!(
        out,
        "\t{}  {}",
        rate_label(record.phase),
        rate(record.per_second())
    )?;
    if record.phase == Phase::CreateFiles {
        let kib = record.bytes_per_second() / 1024.0;
        writeln!(out, "\tKiB per second               =  {}", rate(kib))?;
    }
    Ok(())
}

/// What the runs together say: of each phase the figures that its cell is judged by.
pub(super) struct Rates {
    /// Of each phase that was carried out, how many a second in every run that counts.
    pub(super) of_phases: Vec<(Phase, Vec<f64>)>,
    pub(super) file_size: Bytes,
}

impl Rates {
    pub(super) fn of(runs: &[Run], shape: &TreeShape) -> Rates {
        let cells = judged(runs);
        let rates = |phase: Phase| {
            let cell = cells.iter().find(|cell| cell.name == phase.words())?;
            Some((phase, cell.values.clone()))
        };
        let is_carried_out =
            |(_, values): &(Phase, Vec<f64>)| values.iter().any(|rate| *rate > 0.0);
        Rates {
            of_phases: Phase::ALL
                .into_iter()
                .filter_map(rates)
                .filter(is_carried_out)
                .collect(),
            file_size: shape.file_size(),
        }
    }

    fn fewest(&self) -> usize {
        let counts = self.of_phases.iter().map(|(_, values)| values.len());
        counts.min().unwrap_or(0)
    }
}

/// What several runs together say of each rate.
pub(super) fn summary(out: &mut dyn Write, rates: &Rates) -> io::Result<()> {
    writeln!(out)?;
    for (phase, values) in &rates.of_phases {
        let told = spread(values.clone(), "per second");
        writeln!(out, "etalon: {}: {told}", phase.words())?;
        if *phase == Phase::CreateFiles {
            let kib = rates.file_size.as_f64() / 1024.0;
            let written = values.iter().map(|files| files * kib).collect();
            writeln!(out, "etalon: data written: {}", spread(written, "KiB/s"))?;
        }
    }
    if rates.fewest() < MIN_RUNS_LAB {
        writeln!(
            out,
            "etalon: an interval needs {MIN_RUNS_LAB} runs or more: --runs {MIN_RUNS_LAB}"
        )?;
    }
    Ok(())
}

/// What stands for the run that an error or a signal ended: how far it came, then the runs before.
pub(super) fn partial(
    out: &mut dyn Write,
    (done, all): (usize, usize),
    rates: &Rates,
) -> io::Result<()> {
    writeln!(
        out,
        "\netalon: partial: the last run ended within phase {} of {all}, which is in no rate below",
        (done + 1).min(all)
    )?;
    if rates.of_phases.is_empty() {
        return writeln!(out, "etalon: no whole phase, and so no rate to judge");
    }
    summary(out, rates)
}

fn spread(rates: Vec<f64>, unit: &str) -> String {
    let Ok(sample) = Sample::new(rates) else {
        return "no rate".to_owned();
    };
    let median = Estimate::of_runs(&sample);
    let value = rate(median.value);
    let runs = match median.n {
        1 => "1 run".to_owned(),
        n => format!("{n} runs"),
    };
    match median.interval {
        Some(i) => format!(
            "median {value} {unit}, 95 % interval {} to {}, {runs}",
            rate(i.low),
            rate(i.high)
        ),
        None if median.n == 1 => format!("{value} {unit}, {runs}, spread unknown"),
        None => format!(
            "median {value} {unit}, {} to {}, {runs}, no interval",
            rate(sample.min()),
            rate(sample.max())
        ),
    }
}

/// Whole numbers as fdtree prints them, and decimals where whole numbers would say little.
fn rate(value: f64) -> String {
    match value {
        v if v <= 0.0 => "0".to_owned(),
        v if v < 100.0 => format!("{v:.2}"),
        v => format!("{v:.0}"),
    }
}

/// date(1)'s default format in the C locale.
fn date(origin: &Zoned, offset: Nanos) -> String {
    let nanos = i64::try_from(offset.get()).unwrap_or(i64::MAX);
    let moment = origin.checked_add(jiff::SignedDuration::from_nanos(nanos));
    let moment = moment.unwrap_or_else(|_| origin.clone());
    moment.strftime("%a %b %e %H:%M:%S %Z %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(phase: Phase, count: u64, millis: u64) -> PhaseRecord {
        let end = Nanos::millis(1000 + millis);
        PhaseRecord {
            phase,
            begin: Nanos::secs(1),
            end,
            count,
            bytes: Bytes::kib(count * 4),
            sync: Nanos::ZERO,
        }
    }

    #[test]
    fn the_lines_have_the_scripts_words_and_honest_figures() {
        let instant: jiff::Timestamp = "2026-03-05T10:00:00Z".parse().unwrap();
        let origin = instant.to_zoned(jiff::tz::TimeZone::UTC);
        let mut out = Vec::new();
        phase(&mut out, &origin, &record(Phase::CreateFiles, 500, 250)).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "Thu Mar  5 10:00:01 UTC 2026\nThu Mar  5 10:00:01 UTC 2026\n\
             FILE CREATE TIME IN, OUT, TOTAL      = 1.000000, 1.250000, 0.250000\n\
             \tFile creates per second      =  2000\n\tKiB per second               =  8000\n"
        );
    }

    #[test]
    fn several_runs_have_an_interval_and_one_says_that_it_has_none() {
        let rate = |millis| record(Phase::RemoveFiles, 100, millis).per_second();
        let text = |values: &[f64]| {
            let mut out = Vec::new();
            let rates = Rates {
                of_phases: vec![(Phase::RemoveFiles, values.to_vec())],
                file_size: Bytes::kib(4),
            };
            summary(&mut out, &rates).unwrap();
            String::from_utf8(out).unwrap()
        };
        let six = [100, 110, 120, 130, 140, 150].map(rate);
        assert!(
            text(&six).contains(
                "files removed: median 801 per second, 95 % interval 667 to 1000, 6 runs"
            ),
            "{}",
            text(&six)
        );
        assert!(
            text(&six[..1]).contains("1 run, spread unknown")
                && text(&six[..1]).contains("--runs 6")
        );
    }
}
