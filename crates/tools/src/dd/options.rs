//! Etalon's own options of `etalon dd`, and the groups of operands between them.

use std::ffi::{OsStr, OsString};
use std::num::NonZeroU32;

use etalon_workload::copy::CopySettings;

/// `etalon dd --help`.
pub(super) const HELP: &str = "\
Usage: etalon dd [OPERAND]...
       etalon dd --parallel [OPERAND]... -- [OPERAND]... [-- ...]

Copies as dd(1) does, prints its three lines on standard error, then what dd
does not tell: the time until the data was durable, data left in memory, what
each disk moved. Each line of etalon's own begins with 'etalon'.

Operands: if= of= bs= ibs= obs= cbs= count= skip= iseek= seek= oseek= conv=
          iflag= oflag= status=
  conv=    fsync fdatasync notrunc sparse noerror sync excl nocreat swab lcase
           ucase ascii ebcdic ibm block unblock
           (with cbs=, the length of a record)
  iflag=   append direct directory dsync sync fullblock nonblock noatime
           nocache noctty nofollow count_bytes skip_bytes
  oflag=   the same without fullblock, and seek_bytes
  status=  none noxfer progress
  Numbers: c=1 w=2 b=512 kB=1000 K=1024 MB M GB G T P E; a number with B counts
           bytes

Options of etalon's own:
  --runs N         do it N times and give the interval of the rate (needs if=
                   and of=)
  --parallel       several copies at once, their operands separated by --
  --destroy NAME   write to the block device with this serial number or by-id
                   name, although it carries data; what is mounted or held is
                   refused
  --wait           with --runs: wait for another etalon that measures on the
                   same devices
  --json           one JSON document on standard output (needs of=)
  --store FILE     with --runs: keep them in this store
  --help           this text

A block device is written to only when nothing uses it and no signature stands
on it.
";

/// Etalon's own options, and the operands of each copy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DdOptions {
    /// Operands, one list per copy; one list without `--parallel`.
    pub groups: Vec<Vec<OsString>>,
    /// How often; once unless told.
    pub runs: Option<NonZeroU32>,
    /// `--destroy`.
    pub destroy: Option<String>,
    /// `--json`.
    pub json: bool,
    /// `--help`.
    pub help: bool,
}

/// Why etalon's own options make no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DdUsage {
    /// An option that does not exist.
    #[error("unrecognized option '{0}'; see etalon dd --help")]
    Unknown(String),
    /// An option without what it needs.
    #[error("option '{0}' needs a value, for example {0} {1}")]
    NoValue(&'static str, &'static str),
    /// A count that is none.
    #[error("'{0}' is not a number of runs: write a whole number from 1 on, for example --runs 6")]
    Runs(String),
    /// `--parallel` with an empty group.
    #[error("--parallel needs operands on each side of every --")]
    EmptyGroup,
    /// `--runs` with a stream.
    #[error("--runs needs if= and of=: a stream cannot be read or written a second time")]
    RunsOfStream,
    /// `--json` with data on standard output.
    #[error("--json needs of=: without it standard output carries the data")]
    JsonAndData,
}

impl DdOptions {
    /// Splits a command line.
    ///
    /// # Errors
    /// The first option that makes no sense.
    pub fn parse(args: &[OsString]) -> Result<DdOptions, DdUsage> {
        let mut options = DdOptions::default();
        let mut parallel = false;
        let mut groups = vec![Vec::new()];
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let Some(name) = own_option(arg) else {
                if let Some(group) = groups.last_mut() {
                    group.push(arg.clone());
                }
                continue;
            };
            let (name, inline) = match name.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (name, None),
            };
            let mut value = || {
                inline.clone().or_else(|| {
                    let next = args.next()?;
                    Some(next.to_string_lossy().into_owned())
                })
            };
            match name {
                "--" => groups.push(Vec::new()),
                "--parallel" => parallel = true,
                "--json" => options.json = true,
                "--help" => options.help = true,
                "--runs" => {
                    let text = value().ok_or(DdUsage::NoValue("--runs", "6"))?;
                    let runs = text.parse().map_err(|_| DdUsage::Runs(text))?;
                    options.runs = Some(runs);
                }
                "--destroy" => {
                    let text = value().ok_or(DdUsage::NoValue("--destroy", "SERIAL"))?;
                    options.destroy = Some(text);
                }
                _ => return Err(DdUsage::Unknown(arg.to_string_lossy().into_owned())),
            }
        }
        options.groups = match parallel {
            true if groups.iter().any(Vec::is_empty) => return Err(DdUsage::EmptyGroup),
            true => groups,
            // Like dd, a lone `--` ends the options and is no operand.
            false => vec![groups.concat()],
        };
        Ok(options)
    }

    /// Whether the options suit the copies.
    ///
    /// # Errors
    /// [`DdUsage::RunsOfStream`] or [`DdUsage::JsonAndData`].
    pub fn fits(&self, copies: &[CopySettings]) -> Result<(), DdUsage> {
        let repeated = self.runs.is_some_and(|runs| runs.get() > 1);
        let streams = |c: &CopySettings| c.input.is_none() || c.output.is_none();
        if repeated && copies.iter().any(streams) {
            return Err(DdUsage::RunsOfStream);
        }
        if self.json && copies.iter().any(|c| c.output.is_none()) {
            return Err(DdUsage::JsonAndData);
        }
        Ok(())
    }
}

/// `--…`, and `-x`, which dd refuses as well.
fn own_option(arg: &OsStr) -> Option<&str> {
    arg.to_str().filter(|text| text.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<DdOptions, DdUsage> {
        let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        DdOptions::parse(&args)
    }

    #[test]
    fn groups_are_split_in_parallel_only() {
        let options = parse("--parallel if=a of=b -- if=c of=d").unwrap();
        assert_eq!(options.groups, [["if=a", "of=b"], ["if=c", "of=d"]]);
        let options = parse("-- if=a of=b --runs 3").unwrap();
        assert_eq!(options.groups, [["if=a", "of=b"]]);
        assert_eq!(options.runs.map(NonZeroU32::get), Some(3));
    }

    #[test]
    fn what_makes_no_sense_is_quoted() {
        for (line, part) in [
            ("--foo", "'--foo'"),
            ("-x", "'-x'"),
            ("--runs", "--runs 6"),
            ("--runs 0", "'0'"),
            ("--runs=many", "'many'"),
            ("--parallel if=a --", "each side"),
            ("--destroy", "--destroy SERIAL"),
        ] {
            let text = parse(line).unwrap_err().to_string();
            assert!(text.contains(part), "{line}: {text}");
        }
    }
}
