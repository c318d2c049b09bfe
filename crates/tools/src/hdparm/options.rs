//! The command line of `etalon hdparm`.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;

use etalon_stats::MIN_RUNS_LAB;
use etalon_units::Bytes;

use etalon_workload::raw_read::Part;

/// `etalon hdparm --help`.
pub(super) const HELP: &str = "\
Usage: etalon hdparm [-t] [-T] [--direct] [--offset GIB] [--runs N] [--seed N]
                     [--wait] [--json] [--store FILE] DEVICE...

Times reads as hdparm(8) does, several times over, and gives the interval.
Nothing is written. Each line of etalon's own begins with 'etalon:'.

  -t             sequential read of the device for 3 seconds
  -T             the first 2 MiB again and again for 2 seconds: memory, not the
                 device
  --direct       past the page cache (O_DIRECT)
  --offset GIB   -t starts so many GiB into the device
  --runs N       how often (6); several devices are taken in random order within
                 each run
  --seed N       decides that order
  --wait         wait for another etalon that measures on the same devices
  --json         one JSON document on standard output
  --store FILE   keep the runs in this store
  --help         this text
";

/// How often when nobody says: the fewest for which a median has a 95 % interval.
const DEFAULT_RUNS: NonZeroU32 = NonZeroU32::new(MIN_RUNS_LAB as u32).unwrap();

/// What is to be measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HdparmOptions {
    /// What is read, in hdparm's order: cache, then disk.
    pub parts: Vec<Part>,
    /// `--direct`.
    pub direct: bool,
    /// `--offset`.
    pub offset: Bytes,
    /// The devices.
    pub devices: Vec<PathBuf>,
    /// How often.
    pub runs: NonZeroU32,
    /// Decides the order of devices; drawn when absent.
    pub seed: Option<u64>,
    /// `--json`.
    pub json: bool,
    /// `--help`.
    pub help: bool,
}

/// Why a command line makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HdparmUsage {
    /// An option that is not offered.
    #[error(
        "option '{0}' is not offered: this command only times reads, with -t, -T, --direct and --offset"
    )]
    NotOffered(String),
    /// An option without its value.
    #[error("option '{0}' needs a value; see etalon hdparm --help")]
    NoValue(&'static str),
    /// A value that is no number.
    #[error("'{text}' is not a number for {option}: write a whole number{}", if *option == "--runs" { " from 1 on" } else { "" })]
    Number {
        /// The option.
        option: &'static str,
        /// Its value.
        text: String,
    },
    /// Neither `-t` nor `-T`.
    #[error("nothing to measure: give -t (the device), -T (memory) or both")]
    NoTiming,
    /// No device.
    #[error("no device: name one, for example etalon hdparm -t /dev/sda")]
    NoDevice,
}

impl HdparmOptions {
    /// Reads a command line.
    ///
    /// # Errors
    /// The first word that makes no sense, then what is missing.
    pub fn parse(args: &[OsString]) -> Result<HdparmOptions, HdparmUsage> {
        let mut options = HdparmOptions {
            parts: Vec::new(),
            direct: false,
            offset: Bytes::ZERO,
            devices: Vec::new(),
            runs: DEFAULT_RUNS,
            seed: None,
            json: false,
            help: false,
        };
        let mut args = args.iter();
        let mut only_devices = false;
        while let Some(arg) = args.next() {
            let text = arg.to_str().unwrap_or("");
            if only_devices || !text.starts_with('-') || text == "-" {
                options.devices.push(arg.into());
                continue;
            }
            let (name, inline) = match text.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (text, None),
            };
            let mut number = |option| {
                let next = || args.next().map(|next| next.to_string_lossy().into_owned());
                let text = inline.clone().or_else(next);
                let text = text.ok_or(HdparmUsage::NoValue(option))?;
                match text.parse::<u64>() {
                    Ok(number) => Ok(number),
                    Err(_) => Err(HdparmUsage::Number { option, text }),
                }
            };
            match name {
                "--" => only_devices = true,
                "--direct" => options.direct = true,
                "--json" => options.json = true,
                "--help" => options.help = true,
                "--offset" => options.offset = gibibytes(number("--offset")?)?,
                "--seed" => options.seed = Some(number("--seed")?),
                "--runs" => options.runs = runs(number("--runs")?)?,
                _ => options.timings(text)?,
            }
        }
        if options.help {
            return Ok(options);
        }
        if options.parts.is_empty() {
            return Err(HdparmUsage::NoTiming);
        }
        if options.devices.is_empty() {
            return Err(HdparmUsage::NoDevice);
        }
        options.parts.sort();
        options.parts.dedup();
        Ok(options)
    }

    /// `-t`, `-T`, `-tT`.
    fn timings(&mut self, text: &str) -> Result<(), HdparmUsage> {
        let letters = text.strip_prefix('-').unwrap_or(text);
        for letter in letters.chars() {
            self.parts.push(match letter {
                't' => Part::Disk,
                'T' => Part::Cache,
                _ => return Err(HdparmUsage::NotOffered(text.to_owned())),
            });
        }
        Ok(())
    }
}

fn runs(number: u64) -> Result<NonZeroU32, HdparmUsage> {
    let small = u32::try_from(number).ok().and_then(NonZeroU32::new);
    small.ok_or_else(|| HdparmUsage::Number {
        option: "--runs",
        text: number.to_string(),
    })
}

fn gibibytes(number: u64) -> Result<Bytes, HdparmUsage> {
    let bytes = number.checked_mul(Bytes::gib(1).get());
    let fits = bytes.filter(|&bytes| i64::try_from(bytes).is_ok());
    fits.map(Bytes).ok_or_else(|| HdparmUsage::Number {
        option: "--offset",
        text: number.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<HdparmOptions, HdparmUsage> {
        let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        HdparmOptions::parse(&args)
    }

    #[test]
    fn reads_hdparms_own_words() {
        let options = parse("-tT --direct /dev/sda /dev/sdb --offset 3").unwrap();
        assert_eq!(options.parts, [Part::Cache, Part::Disk]);
        assert!(options.direct);
        assert_eq!(options.offset, Bytes::gib(3));
        assert_eq!(options.devices.len(), 2);
        assert_eq!(options.runs.get(), 6);
        assert_eq!(parse("-t --runs=2 d --seed 7").unwrap().seed, Some(7));
    }

    #[test]
    fn refuses_the_rest_by_name() {
        for (line, part) in [
            ("-i /dev/sda", "'-i'"),
            ("-tW /dev/sda", "'-tW'"),
            ("--security-erase x /dev/sda", "'--security-erase'"),
            ("-t", "no device"),
            ("/dev/sda", "-t"),
            ("-t --runs 0 d", "'0'"),
            ("-t --runs x d", "'x'"),
            ("-t d --offset", "--offset"),
            ("-t d --offset 99999999999999", "'99999999999999'"),
        ] {
            let text = parse(line).unwrap_err().to_string();
            assert!(text.contains(part), "{line}: {text}");
        }
    }
}
