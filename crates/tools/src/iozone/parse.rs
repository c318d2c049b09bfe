//! From words to [`Options`].

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use super::specs::{Effect, Spec, Takes};
use super::table::SPECS;
use super::{IozoneUsage, Options};

impl Options {
    /// Reads the words after `iozone`.
    ///
    /// Letters may stand together and a value may follow its letter at once, as getopt(3) has it:
    /// `-Rb out.wks`, `-s1024M`. A plus sign begins a name of two letters: `-+u`.
    ///
    /// # Errors
    /// The first word that makes no sense, or options that do not go together.
    pub fn parse(args: &[OsString]) -> Result<Options, IozoneUsage> {
        let mut options = Options::default();
        let mut words = Words { args, next: 0 };
        while let Some(word) = words.take() {
            let bytes = word.as_bytes();
            match bytes {
                [b'-', b'-', ..] => long(&mut options, word, &mut words)?,
                [b'-', rest @ ..] if !rest.is_empty() => cluster(&mut options, rest, &mut words)?,
                _ => {
                    return Err(IozoneUsage::Stray {
                        text: word.to_string_lossy().into_owned(),
                    });
                }
            }
        }
        options.check()?;
        Ok(options)
    }
}

/// The words not yet read.
struct Words<'a> {
    args: &'a [OsString],
    next: usize,
}

impl<'a> Words<'a> {
    fn take(&mut self) -> Option<&'a OsStr> {
        let word = self.args.get(self.next)?;
        self.next += 1;
        Some(word)
    }

    /// The next word unless it begins another option.
    fn take_name(&mut self) -> Option<&'a OsStr> {
        let word = self.args.get(self.next)?;
        if word.as_bytes().first() == Some(&b'-') {
            return None;
        }
        self.take()
    }
}

fn long(options: &mut Options, word: &OsStr, words: &mut Words<'_>) -> Result<(), IozoneUsage> {
    let bytes = &word.as_bytes()[1..];
    let (name, attached) = match bytes.iter().position(|&byte| byte == b'=') {
        Some(at) => (&bytes[..at], Some(&bytes[at + 1..])),
        None => (bytes, None),
    };
    let spec = find(name)?;
    apply(options, spec, attached.unwrap_or_default(), words)
}

/// Letters that stand together behind one dash.
fn cluster(
    options: &mut Options,
    mut rest: &[u8],
    words: &mut Words<'_>,
) -> Result<(), IozoneUsage> {
    while !rest.is_empty() {
        let length = if rest[0] == b'+' {
            2.min(rest.len())
        } else {
            letter_length(rest)
        };
        let (name, after) = rest.split_at(length);
        let spec = find(name)?;
        if spec.takes == Takes::Nothing {
            apply(options, spec, &[], words)?;
            rest = after;
        } else {
            return apply(options, spec, after, words);
        }
    }
    Ok(())
}

/// The bytes of the first letter, which may lie beyond ASCII.
fn letter_length(rest: &[u8]) -> usize {
    let text = String::from_utf8_lossy(rest);
    text.chars()
        .next()
        .map_or(1, |letter| letter.len_utf8().min(rest.len()))
}

fn find(name: &[u8]) -> Result<&'static Spec, IozoneUsage> {
    let known = SPECS.iter().find(|spec| spec.name.as_bytes() == name);
    known.ok_or_else(|| {
        let name = String::from_utf8_lossy(name).into_owned();
        IozoneUsage::Unknown {
            near: near(&name),
            given: format!("-{name}"),
        }
    })
}

/// Options with the same letter in the other case or with a plus sign more or less, or whose long
/// name begins alike.
fn near(name: &str) -> Vec<String> {
    let bare = |name: &str| name.trim_start_matches(['+', '-']).to_lowercase();
    let wanted = bare(name);
    let is_long = name.starts_with('-');
    let close = |spec: &&Spec| {
        let found = bare(spec.name);
        match (is_long, spec.name.starts_with('-')) {
            (true, true) => found.chars().next() == wanted.chars().next(),
            (false, false) => found == wanted,
            _ => false,
        }
    };
    SPECS
        .iter()
        .filter(close)
        .map(|spec| format!("-{}", spec.name))
        .collect()
}

fn apply(
    options: &mut Options,
    spec: &Spec,
    attached: &[u8],
    words: &mut Words<'_>,
) -> Result<(), IozoneUsage> {
    let option = format!("-{}", spec.name);
    let read = match spec.effect {
        Effect::NotOffered(reason) => return Err(IozoneUsage::NotOffered { option, reason }),
        Effect::Sets(set) => {
            set(options);
            return Ok(());
        }
        Effect::Reads(read) => read,
    };
    let attached = (!attached.is_empty()).then(|| OsString::from_vec(attached.to_vec()));
    let mut values: Vec<OsString> = Vec::new();
    let what = match spec.takes {
        Takes::Nothing => "nothing",
        Takes::Value(what) => {
            values.extend(attached.or_else(|| words.take().map(OsStr::to_owned)));
            what
        }
        Takes::Names(what) => {
            values.extend(attached);
            while let Some(name) = words.take_name() {
                values.push(name.to_owned());
            }
            what
        }
    };
    if values.is_empty() {
        return Err(IozoneUsage::NoValue { option, what });
    }
    values.iter().try_for_each(|value| {
        read(options, value).map_err(|expected| IozoneUsage::BadValue {
            option: option.clone(),
            value: value.to_string_lossy().into_owned(),
            expected,
        })
    })
}
