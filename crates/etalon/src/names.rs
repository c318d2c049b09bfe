//! Choices and numbers as they are typed, and what is said of a wrong one.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use etalon_experiment::plan::MOST_BLOCKS;
use etalon_model::{BlockSizes, BlockSizesError, Distribution, FsyncPolicy, SyncMode, UnknownName};
use etalon_stats::{MIN_RUNS_LAB, Margin};
use etalon_units::{Bytes, ParsePercentError, Percent};
use etalon_workload::metadata::Durability;

/// More processors than this no kernel has (`CONFIG_NR_CPUS`).
const MAX_CPUS: u32 = 8192;

/// Why a number on the command line cannot be used; each text quotes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BadNumber {
    Percent(ParsePercentError),
    Precision(String),
    Whole(String),
    Runs(String),
    Blocks(String),
    MinRuns(String),
    Rate(String),
    Cpus(String),
    Experiment(String),
}

impl fmt::Display for BadNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadNumber::Percent(error) => error.fmt(f),
            BadNumber::Precision(input) => write!(
                f,
                "'{input}' is not a precision; write more than 0% and less than 100%, for example 2.5%"
            ),
            BadNumber::Whole(input) => write!(
                f,
                "'{input}' is not a whole number in range; write one such as 32"
            ),
            BadNumber::Runs(input) => write!(
                f,
                "'{input}' is not a number of runs; write one or more, for example {MIN_RUNS_LAB}"
            ),
            BadNumber::Blocks(input) => write!(
                f,
                "'{input}' is not a number of blocks; write a whole number from 1 to {MOST_BLOCKS}, for example 8"
            ),
            BadNumber::MinRuns(input) => write!(
                f,
                "'{input}' is too few; write {MIN_RUNS_LAB} or more, the fewest runs with a 95 % interval of the median"
            ),
            BadNumber::Rate(input) => write!(
                f,
                "'{input}' is not a rate; write operations per second, 0.001 to 1000000000, or bytes per second, for example 50MiB/s"
            ),
            BadNumber::Cpus(input) => write!(
                f,
                "'{input}' is not a list of processors; write numbers and ranges below {MAX_CPUS}, for example 0-3,8"
            ),
            BadNumber::Experiment(input) => write!(
                f,
                "'{input}' is not the number of an experiment; write one that `etalon list` shows, for example 7"
            ),
        }
    }
}

impl std::error::Error for BadNumber {}

/// Reads a share that a figure can be precise to.
pub(crate) fn precision(text: &str) -> Result<Percent, BadNumber> {
    let percent: Percent = text.parse().map_err(BadNumber::Percent)?;
    if percent.fraction() > 0.0 && percent.fraction() < 1.0 {
        Ok(percent)
    } else {
        Err(BadNumber::Precision(text.to_owned()))
    }
}

/// Reads a list of percentiles, such as `50,99,99.9`.
pub(crate) fn percentiles(text: &str) -> Result<Percentiles, String> {
    let percent = |part: &str| {
        let number = part.trim().trim_end_matches('%').trim().parse().ok();
        let number = number.filter(|percent: &f64| *percent > 0.0 && *percent < 100.0);
        number.ok_or_else(|| {
            format!(
                "'{part}' is not a percentile; write numbers above 0 and below 100, for example 50,99,99.9"
            )
        })
    };
    let list: Result<Vec<f64>, String> = text.split(',').map(percent).collect();
    list.map(Percentiles)
}

/// The margin of every comparison that names no other, as it is typed: `2%`.
pub(crate) fn usual_margin() -> &'static str {
    static TYPED: LazyLock<String> =
        LazyLock::new(|| format!("{}%", Margin::default().get() * 100.0));
    &TYPED
}

/// Percentiles, in percent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Percentiles(pub(crate) Vec<f64>);

/// Reads a whole number of zero or more.
pub(crate) fn whole<T: FromStr>(text: &str) -> Result<T, BadNumber> {
    text.parse().map_err(|_| BadNumber::Whole(text.to_owned()))
}

/// Reads a number of runs.
pub(crate) fn runs(text: &str) -> Result<usize, BadNumber> {
    match text.parse() {
        Ok(0) | Err(_) => Err(BadNumber::Runs(text.to_owned())),
        Ok(runs) => Ok(runs),
    }
}

/// Reads a number of a plan's blocks.
pub(crate) fn blocks(text: &str) -> Result<usize, BadNumber> {
    let blocks = text.parse().ok();
    blocks
        .filter(|blocks| (1..=MOST_BLOCKS).contains(blocks))
        .map(|blocks: u32| blocks as usize)
        .ok_or_else(|| BadNumber::Blocks(text.to_owned()))
}

/// Reads a number of runs that can have an interval.
pub(crate) fn min_runs(text: &str) -> Result<usize, BadNumber> {
    match whole(text)? {
        runs if runs < MIN_RUNS_LAB => Err(BadNumber::MinRuns(text.to_owned())),
        runs => Ok(runs),
    }
}

/// The block sizes of a sweep, a cell each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BlockList(pub(crate) Vec<BlockSizes>);

/// Reads block sizes with commas between; a comma between weights belongs to a mix.
pub(crate) fn block_sizes(text: &str) -> Result<BlockList, BlockSizesError> {
    let sizes = match text.contains(':') {
        true => vec![text.parse()?],
        false => text.split(',').map(str::parse).collect::<Result<_, _>>()?,
    };
    Ok(BlockList(sizes))
}

/// How often operations start, over all jobs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RateChoice {
    /// Operations per second.
    Operations(f64),
    /// Bytes per second.
    Bytes(Bytes),
}

impl RateChoice {
    /// Operations per second where each moves `bytes` on the average.
    pub(crate) fn operations(self, bytes: f64) -> f64 {
        match self {
            RateChoice::Operations(rate) => rate,
            RateChoice::Bytes(rate) => rate.as_f64() / bytes,
        }
    }
}

/// Reads operations per second, or bytes per second such as `50MiB/s`.
pub(crate) fn rate(text: &str) -> Result<RateChoice, BadNumber> {
    let in_bytes = |size: &str| size.parse().ok().filter(|size| *size > Bytes::ZERO);
    let rate = match text.strip_suffix("/s") {
        Some(size) => in_bytes(size).map(RateChoice::Bytes),
        None => {
            let rate = text.parse().ok();
            let rate = rate.filter(|rate| (0.001..=1e9).contains(rate));
            rate.map(RateChoice::Operations)
        }
    };
    rate.ok_or_else(|| BadNumber::Rate(text.to_owned()))
}

/// Numbers of processors in the order given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CpuList(pub(crate) Vec<u32>);

/// Reads processors such as `0-3,8`.
pub(crate) fn cpus(text: &str) -> Result<CpuList, BadNumber> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        (first <= last && last < MAX_CPUS).then_some(first..=last)
    };
    let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
    let list = ranges.map(|ranges| CpuList(ranges.into_iter().flatten().collect()));
    list.ok_or_else(|| BadNumber::Cpus(text.to_owned()))
}

/// Reads the number of an experiment.
pub(crate) fn experiment(text: &str) -> Result<i64, BadNumber> {
    text.parse()
        .ok()
        .filter(|id| *id > 0)
        .ok_or_else(|| BadNumber::Experiment(text.to_owned()))
}

/// Reads `permutation`, `uniform`, `zipf:THETA` or `pareto:H`.
pub(crate) fn distribution(text: &str) -> Result<Distribution, UnknownName> {
    let unknown = || {
        UnknownName {
        what: "distribution",
        input: text.to_owned(),
        choices: "permutation, uniform, zipf:THETA (THETA above 0, for example zipf:1.1) or pareto:H (H between 0.5 and 1, for example pareto:0.8)".to_owned(),
    }
    };
    match text.split_once(':') {
        None if text == "permutation" => Ok(Distribution::Permutation),
        None if text == "uniform" => Ok(Distribution::Uniform),
        Some(("zipf", theta)) => theta
            .parse()
            .ok()
            .filter(|theta: &f64| *theta > 0.0 && theta.is_finite())
            .map(|theta| Distribution::Zipf { theta })
            .ok_or_else(unknown),
        Some(("pareto", h)) => h
            .parse()
            .ok()
            .filter(|h: &f64| *h > 0.5 && *h < 1.0)
            .map(|h| Distribution::Pareto { h })
            .ok_or_else(unknown),
        _ => Err(unknown()),
    }
}

/// Reads `never`, `end` or a number of writes.
pub(crate) fn fsync(text: &str) -> Result<FsyncPolicy, UnknownName> {
    match text {
        "never" => Ok(FsyncPolicy::Never),
        "end" => Ok(FsyncPolicy::End),
        number => number
            .parse()
            .ok()
            .filter(|&n: &u32| n > 0)
            .map(FsyncPolicy::Every)
            .ok_or_else(|| UnknownName {
                what: "moment for fsync",
                input: text.to_owned(),
                choices: "never, end, or a number of writes, for example 16".to_owned(),
            }),
    }
}

/// Reads `none`, `dsync` or `sync`.
pub(crate) fn sync_mode(text: &str) -> Result<SyncMode, UnknownName> {
    match text {
        "none" => Ok(SyncMode::None),
        "dsync" => Ok(SyncMode::DSync),
        "sync" => Ok(SyncMode::Sync),
        _ => Err(UnknownName {
            what: "sync mode",
            input: text.to_owned(),
            choices: "none, dsync, sync".to_owned(),
        }),
    }
}

/// Reads `never`, `phase` or `each`.
pub(crate) fn durability(text: &str) -> Result<Durability, UnknownName> {
    match text {
        "never" => Ok(Durability::Never),
        "phase" => Ok(Durability::Phase),
        "each" => Ok(Durability::Each),
        _ => Err(UnknownName {
            what: "durability",
            input: text.to_owned(),
            choices: "never, phase, each".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_numbers_read_and_bad_ones_are_quoted() {
        assert_eq!(
            distribution("zipf:1.1"),
            Ok(Distribution::Zipf { theta: 1.1 })
        );
        assert_eq!(
            distribution("pareto:0.8"),
            Ok(Distribution::Pareto { h: 0.8 })
        );
        for text in [
            "zipf",
            "zipf:0",
            "zipf:-1",
            "zipf:x",
            "pareto:0.5",
            "pareto:1",
            "gauss",
        ] {
            assert!(distribution(text).unwrap_err().to_string().contains(text));
        }
        assert_eq!(fsync("16"), Ok(FsyncPolicy::Every(16)));
        assert!(fsync("0").is_err() && fsync("always").is_err());
        assert!(sync_mode("osync").is_err());
        assert_eq!(durability("phase"), Ok(Durability::Phase));
        assert!(durability("always").is_err());
    }

    #[test]
    fn block_sizes_are_swept_or_mixed() {
        let sweep = |text| block_sizes(text).map(|list| list.0.len());
        assert_eq!(sweep("4k,64k,4k-16k").unwrap(), 3);
        assert_eq!(sweep("4k:60,64k:40").unwrap(), 1);
        assert!(sweep("4k,4q").unwrap_err().to_string().contains("'4q'"));
        for text in ["-4k", "4q", "4k:50,8k:49", "4k-7k"] {
            let error = block_sizes(text).unwrap_err().to_string();
            assert!(error.contains(&format!("'{text}'")), "{error}");
        }
    }

    #[test]
    fn numbers_read_and_bad_ones_are_quoted() {
        assert_eq!(whole("0"), Ok(0_u32));
        assert_eq!(min_runs("6"), Ok(6));
        assert_eq!(blocks("1000"), Ok(1000));
        for text in ["0", "1001", "18446744073709551615", "-8", "many"] {
            let error = blocks(text).unwrap_err().to_string();
            assert!(
                error.contains(&format!("'{text}'")) && error.contains("1 to 1000"),
                "{error}"
            );
        }
        assert_eq!(rate("0.5"), Ok(RateChoice::Operations(0.5)));
        assert_eq!(rate("50MiB/s"), Ok(RateChoice::Bytes(Bytes::mib(50))));
        assert_eq!(RateChoice::Bytes(Bytes::mib(1)).operations(4096.0), 256.0);
        assert_eq!(experiment("7"), Ok(7));
        assert_eq!(cpus("0-2,5"), Ok(CpuList(vec![0, 1, 2, 5])));
        for text in ["", "2-1", "0,", "a", "-1", "0-99999"] {
            let error = cpus(text).unwrap_err().to_string();
            assert!(error.contains(&format!("'{text}'")), "{error}");
        }
        assert_eq!(precision("2.5%"), Ok(Percent::from_fraction(0.025)));
        let quoted =
            |error: BadNumber, text: &str| error.to_string().contains(&format!("'{text}'"));
        for text in ["-1", "99999999999", "x", "", "1.5"] {
            assert!(quoted(whole::<u32>(text).unwrap_err(), text));
        }
        for text in ["0", "-1", "nan", "inf", "1e300", "x", "50MiB", "0/s", "/s"] {
            assert!(quoted(rate(text).unwrap_err(), text));
        }
        assert_eq!(percentiles("50, 99.9%"), Ok(Percentiles(vec![50.0, 99.9])));
        for wrong in ["0", "100", "x", "-1", "NaN", ""] {
            let error = percentiles(&format!("50,{wrong}")).unwrap_err();
            assert!(error.contains(&format!("'{wrong}'")), "{error}");
        }
        for text in ["0%", "100%", "5", "-5%"] {
            assert!(quoted(precision(text).unwrap_err(), text));
        }
        let margin = Percent::from_fraction(Margin::default().get());
        assert_eq!(usual_margin().parse(), Ok(margin));
        assert!(quoted(min_runs("5").unwrap_err(), "5"));
        assert!(quoted(runs("0").unwrap_err(), "0"));
        assert!(quoted(experiment("0").unwrap_err(), "0"));
    }
}
