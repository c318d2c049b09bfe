//! fdtree's command line.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use etalon_workload::tree::TreeSettings;

use super::error::FdtreeUsage;

/// Everything one call is asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The tree, where it stands, `-o`, and what is done to it.
    pub tree: TreeSettings,
    /// Whether each step is told on the error output, `-D`.
    pub debug: bool,
    /// How many times everything is done, `--runs`.
    pub runs: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            tree: TreeSettings::default(),
            debug: false,
            runs: 1,
        }
    }
}

/// What a command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FdtreeLine {
    /// Do the work.
    Run(Options),
    /// Print the help.
    Help,
}

/// The options of one letter that take a value.
const VALUED: [(u8, &str); 5] = [
    (b'd', "-d"),
    (b'f', "-f"),
    (b'l', "-l"),
    (b'o', "-o"),
    (b's', "-s"),
];

impl FdtreeLine {
    /// Reads the words after the program's name, as getopts(1) does: flags may be joined (`-CD`) and
    /// a value may follow its letter directly (`-l4`).
    ///
    /// # Errors
    /// [`FdtreeUsage`] quoting the word that is wrong, or the figures of a shape that cannot be.
    pub fn parse<S: AsRef<OsStr>>(words: &[S]) -> Result<FdtreeLine, FdtreeUsage> {
        let mut options = Options::default();
        (options.tree.create, options.tree.remove) = (false, false);
        let mut words = words.iter().map(AsRef::as_ref);
        while let Some(word) = words.next() {
            match word.as_bytes() {
                b"--help" | b"-h" => return Ok(FdtreeLine::Help),
                b"--sync" => options.tree.sync = true,
                b"--zero" => options.tree.zero = true,
                b"--runs" => {
                    let value = words.next().ok_or(FdtreeUsage::NoValue("--runs"))?;
                    options.runs = number("--runs", value, 1, 1000)? as u32;
                }
                [b'-', letters @ ..] if !letters.is_empty() && letters[0] != b'-' => {
                    read_letters(&mut options, letters, &mut words)?;
                }
                [b'-', ..] => {
                    return Err(FdtreeUsage::Unknown(word.to_string_lossy().into_owned()));
                }
                _ => {
                    return Err(FdtreeUsage::Stray(word.to_string_lossy().into_owned()));
                }
            }
        }
        if options.tree.create == options.tree.remove {
            (options.tree.create, options.tree.remove) = (true, true);
        } else if options.runs > 1 {
            return Err(FdtreeUsage::HalfRepeated("--runs"));
        }
        options.tree.shape.check()?;
        Ok(FdtreeLine::Run(options))
    }
}

fn read_letters<'a>(
    options: &mut Options,
    letters: &'a [u8],
    words: &mut impl Iterator<Item = &'a OsStr>,
) -> Result<(), FdtreeUsage> {
    for (at, &letter) in letters.iter().enumerate() {
        match letter {
            b'C' => options.tree.create = true,
            b'R' => options.tree.remove = true,
            b'D' => options.debug = true,
            _ => {
                let (_, name) = *VALUED.iter().find(|(l, _)| *l == letter).ok_or_else(|| {
                    let shown = String::from_utf8_lossy(&letters[at..]);
                    FdtreeUsage::Unknown(format!("-{}", shown.chars().next().unwrap_or('?')))
                })?;
                let rest = OsStr::from_bytes(&letters[at + 1..]);
                let value = if rest.is_empty() {
                    words.next()
                } else {
                    Some(rest)
                };
                return assign(options, name, value.ok_or(FdtreeUsage::NoValue(name))?);
            }
        }
    }
    Ok(())
}

fn assign(options: &mut Options, name: &'static str, value: &OsStr) -> Result<(), FdtreeUsage> {
    let most = u64::from(u32::MAX);
    match name {
        "-d" => options.tree.shape.directories = number(name, value, 0, most)? as u32,
        "-f" => options.tree.shape.files = number(name, value, 0, most)? as u32,
        "-l" => options.tree.shape.levels = number(name, value, 0, most)? as u32,
        "-s" => options.tree.shape.blocks = number(name, value, 0, u64::MAX)?,
        _ => options.tree.start = PathBuf::from(OsString::from(value)),
    }
    Ok(())
}

fn number(option: &'static str, value: &OsStr, least: u64, most: u64) -> Result<u64, FdtreeUsage> {
    let digits = value
        .to_str()
        .filter(|text| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()));
    digits
        .and_then(|text| text.parse().ok())
        .filter(|n| (least..=most).contains(n))
        .ok_or_else(|| FdtreeUsage::Number {
            option,
            value: value.to_string_lossy().into_owned(),
            least,
            most,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_workload::tree::TreeShape;
    use proptest::prelude::*;

    fn options(line: &str) -> Options {
        let words: Vec<&str> = line.split_whitespace().collect();
        match FdtreeLine::parse(&words).unwrap() {
            FdtreeLine::Run(options) => options,
            FdtreeLine::Help => panic!("help"),
        }
    }

    fn refusal(line: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        FdtreeLine::parse(&words).unwrap_err().to_string()
    }

    #[test]
    fn the_usual_line() {
        let read = options("-d 8 -l 4 -f 16 -s 1");
        assert_eq!(
            read.tree.shape,
            TreeShape {
                levels: 4,
                directories: 8,
                files: 16,
                blocks: 1
            }
        );
        assert!(read.tree.create && read.tree.remove && !read.debug);
    }

    #[test]
    fn letters_join_and_values_stick() {
        let read = options("-CDl2 -o/tmp/x -d3");
        assert!(read.tree.create && !read.tree.remove && read.debug);
        assert_eq!(
            (read.tree.shape.levels, read.tree.shape.directories),
            (2, 3)
        );
        assert_eq!(read.tree.start, PathBuf::from("/tmp/x"));
        assert!(options("-C -R").tree.create && options("-CR").tree.remove);
    }

    #[test]
    fn wrong_words_are_quoted() {
        assert!(refusal("-F 3").contains("'-F'"));
        assert!(refusal("--fast").contains("'--fast'"));
        assert!(refusal("-l").contains("-l needs a value"));
        assert!(refusal("-l -1").contains("'-1'"));
        assert!(refusal("-s 4k").contains("'4k'"));
        assert!(refusal("-d 5000000000").contains("4294967295"));
        assert!(refusal("here").contains("'here'"));
        assert!(refusal("-C --runs 3").contains("--runs"));
        assert!(refusal("--runs 0").contains("from 1 to 1000"));
        assert!(refusal("-d 10000 -l 100").contains("more than 2^128"));
    }

    proptest! {
        #[test]
        fn no_line_panics(words in prop::collection::vec("-?-?[CDRFdflos0-9a-z=]{0,6}", 0..6)) {
            let _ = FdtreeLine::parse(&words);
        }

        #[test]
        fn numbers_survive(l in 0u32..4, d in 0u32..9, f in 0u32..99, s in 0u64..999) {
            let read = options(&format!("-l {l} -d{d} -f {f} -s{s}"));
            prop_assert_eq!(read.tree.shape, TreeShape { levels: l, directories: d, files: f, blocks: s });
        }
    }
}
