//! The shell script fdtree: the trees must be the same, the rates need not.
//!
//! The script counts whole seconds, so the moments at which its lines arrive are taken instead;
//! etalon prints its rates exactly.
#![expect(clippy::print_stdout, reason = "it prints its figures")]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use etalon_benches::{Figures, LoopFilesystem, Pair, Ratio};

use crate::{Options, text};

/// The tree's shape: 85 directories, 1360 files of 4 blocks.
const SHAPE: [&str; 8] = ["-l", "3", "-d", "4", "-f", "16", "-s", "4"];

const PHASES: [&str; 4] = [
    "dirs created",
    "files created",
    "files removed",
    "dirs removed",
];

pub(crate) fn compare(options: &Options) -> anyhow::Result<()> {
    let place = LoopFilesystem::new(options.device_bytes())?;
    let script = || {
        let mut command = options.command(Path::new("bash"));
        command.arg(&options.fdtree).args(SHAPE);
        command
    };
    let ours = count(options.etalon("fdtree")?.args(SHAPE), place.path())?;
    let theirs = count(&mut script(), place.path())?;
    println!("etalon left {ours}\nthe script left {theirs}");
    ensure!(ours == theirs, "the trees differ");
    let counts = counts(&ours)?;
    let pair = Pair {
        title: "fdtree".to_owned(),
        unit: "per second",
        judge: |ratio| match ratio {
            Ratio { low: 20.0.., .. } => "at least 20 x faster",
            Ratio { high: 20.0.., .. } => "undecided whether 20 x faster",
            Ratio { .. } => "less than 20 x faster",
        },
        ours: Box::new(|| {
            let text = text(
                options
                    .etalon("fdtree")?
                    .args(SHAPE)
                    .arg("-o")
                    .arg(place.path()),
                &[0],
            )?;
            let rates = printed(&text).with_context(|| format!("no rates in: {text}"))?;
            Ok(figures(rates, counts))
        }),
        theirs: Box::new(|| {
            let rates = clocked(script().arg("-o").arg(place.path()), counts)?;
            Ok(figures(rates, counts))
        }),
        prepare: Box::new(|| place.forget()),
    };
    pair.compare(options.blocks)
}

/// Entries per second, phase by phase.
type Rates = [f64; 4];

/// The rate of all phases together, beside those of each.
const WHOLE: &str = "whole tree";

/// Makes a tree with `-C`, counts what stands there, removes it.
fn count(command: &mut Command, place: &Path) -> anyhow::Result<String> {
    let directory = tempfile::tempdir_in(place)?;
    text(command.arg("-C").arg("-o").arg(directory.path()), &[0])?;
    let listed = text(
        Command::new("find")
            .arg(directory.path())
            .args(["-mindepth", "1", "-printf", "%y %s\\n"]),
        &[0],
    )?;
    let (mut directories, mut files, mut bytes) = (0u64, 0u64, 0u64);
    for line in listed.lines() {
        match line.split_once(' ') {
            Some(("d", _)) => directories += 1,
            Some(("f", size)) => {
                files += 1;
                bytes += size.parse::<u64>()?;
            }
            _ => {}
        }
    }
    Ok(format!(
        "{directories} directories, {files} files, {bytes} bytes"
    ))
}

/// How many entries each phase is about, from what [`count`] says.
fn counts(counted: &str) -> anyhow::Result<Rates> {
    let mut numbers = counted.split(' ').filter_map(|word| word.parse().ok());
    let mut next = || numbers.next().context("a count is missing");
    let (directories, files) = (next()?, next()?);
    Ok([directories, files, files, directories])
}

/// The rates by name, and that of the whole: all entries over the time of all phases.
fn figures(rates: Rates, counts: Rates) -> Figures {
    let seconds: f64 = counts
        .iter()
        .zip(rates)
        .map(|(count, rate)| count / rate)
        .sum();
    let whole = counts.iter().sum::<f64>() / seconds;
    let named = PHASES.iter().zip(rates).chain([(&WHOLE, whole)]);
    named
        .map(|(name, rate)| ((*name).to_owned(), rate))
        .collect()
}

/// etalon's rates from its lines `etalon: files created: 221261 per second, …`.
fn printed(text: &str) -> Option<Rates> {
    let words = [
        "directories created",
        "files created",
        "files removed",
        "directories removed",
    ];
    let rate = |what: &str| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(&format!("etalon: {what}: ")))?;
        line.split(' ').next()?.parse::<f64>().ok()
    };
    let mut rates = [0.0; 4];
    for (slot, what) in rates.iter_mut().zip(words) {
        *slot = rate(what)?;
    }
    Some(rates)
}

/// The script's rates: between two lines of date(1) lies a phase.
fn clocked(command: &mut Command, counts: Rates) -> anyhow::Result<Rates> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let lines = BufReader::new(child.stdout.take().context("no output")?).lines();
    let mut dates = Vec::new();
    for line in lines {
        let days = ["Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "];
        let line = line?;
        if days.iter().any(|day| line.starts_with(day)) {
            dates.push(Instant::now());
        }
    }
    let status = child.wait()?;
    ensure!(status.success(), "{command:?}: {status}");
    ensure!(
        dates.len() == 8,
        "{} dates where 8 were expected",
        dates.len()
    );
    let mut rates = counts;
    for (rate, pair) in rates.iter_mut().zip(dates.chunks(2)) {
        *rate /= (pair[1] - pair[0]).as_secs_f64();
    }
    Ok(rates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rates_that_etalon_prints() {
        let text = "etalon: directories created: 168672 per second, 1 run, spread unknown\n\
                    etalon: files created: 221261 per second, 1 run, spread unknown\n\
                    etalon: files removed: 356789 per second, 1 run, spread unknown\n\
                    etalon: directories removed: 522466 per second, 1 run, spread unknown\n";
        assert_eq!(
            printed(text),
            Some([168_672.0, 221_261.0, 356_789.0, 522_466.0])
        );
    }

    #[test]
    fn the_whole_is_all_entries_over_all_time() {
        let counts = counts("10 directories, 40 files, 2 bytes").unwrap();
        assert_eq!(counts, [10.0, 40.0, 40.0, 10.0]);
        let figures = figures([10.0, 40.0, 40.0, 5.0], counts);
        assert_eq!(figures[1], ("files created".to_owned(), 40.0));
        assert_eq!(figures[4], (WHOLE.to_owned(), 100.0 / 5.0));
    }
}
