//! From words to [`Options`].

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use etalon_units::Nanos;
use etalon_workload::file_ops::WriteBack;

use super::error::Conflict;
use super::specs::{Effect, SPECS, Spec, Takes};
use super::{Grid, OptionError, Options, Unit};

impl Options {
    /// Reads the words after `iozone`.
    ///
    /// Letters may stand together and a value may follow its letter at once, as getopt(3) has it:
    /// `-Rb out.wks`, `-s1024M`. A plus sign begins a name of two letters: `-+u`.
    ///
    /// # Errors
    /// The first word that makes no sense, or options that do not go together.
    pub fn parse(args: &[OsString]) -> Result<Options, OptionError> {
        let mut options = Options::default();
        let mut words = Words { args, next: 0 };
        while let Some(word) = words.take() {
            let bytes = word.as_bytes();
            match bytes {
                [b'-', b'-', ..] => long(&mut options, word, &mut words)?,
                [b'-', rest @ ..] if !rest.is_empty() => cluster(&mut options, rest, &mut words)?,
                _ => {
                    return Err(OptionError::Stray {
                        text: word.to_string_lossy().into_owned(),
                    });
                }
            }
        }
        options.check()?;
        Ok(options)
    }

    /// What no single option can see.
    fn check(&self) -> Result<(), OptionError> {
        let together = self.workers();
        let conflict = |conflict| Err(OptionError::Conflict(conflict));
        if let Some(workers) = &together {
            let (least, most) = (*workers.start(), *workers.end());
            if least > most {
                return conflict(Conflict::Workers { least, most });
            }
            let names = self.files.len();
            if names != 0 && names < most {
                return conflict(Conflict::Names {
                    names,
                    workers: most,
                });
            }
            if self.unit == Unit::Microseconds {
                return conflict(Conflict::MicrosTogether);
            }
        } else if self.tests.contains(&8) {
            return conflict(Conflict::MixedAlone);
        }
        let of_a_mapping = [
            (self.write_back == WriteBack::Asked, "-D"),
            (self.write_back == WriteBack::Awaited, "-G"),
            (self.mapped_mixed, "-Z"),
        ];
        if let Some((_, option)) = of_a_mapping.iter().find(|(given, _)| *given)
            && !self.mapped
        {
            return conflict(Conflict::NotMapped { option });
        }
        self.check_queue().map_err(OptionError::Conflict)?;
        self.check_lists().map_err(OptionError::Conflict)?;
        if self.mapped && self.settings.direct {
            return conflict(Conflict::MappedDirect);
        }
        if self.operations().is_empty() {
            return conflict(Conflict::NothingToDo);
        }
        Grid::new(self).map(drop).map_err(OptionError::Conflict)
    }
}

impl Options {
    /// What does not go with several records under way.
    fn check_queue(&self) -> Result<(), Conflict> {
        let option = match (self.copying_queue, self.plain_queue) {
            (None, None) => return Ok(()),
            (Some(_), Some(_)) => return Err(Conflict::TwoQueues),
            (Some(_), None) => "-H",
            (None, Some(_)) => "-k",
        };
        if self.mapped {
            return Err(Conflict::MappedQueue { option });
        }
        let by_call = |test: &u8| matches!(test, 6 | 7 | 9..);
        let beside = [
            (
                self.tests.iter().any(by_call),
                "-i 6, -i 7 and -i 9 to -i 12",
            ),
            (self.extension, "the tests of -E"),
            (self.settings.jitter, "the short reads of -K"),
        ];
        let think = self.settings.think;
        let pauses = [
            (think.compute > Nanos::ZERO, "the computing of -J"),
            (think.burst.is_some(), "the sleep of -+b"),
            (self.write_list.is_some(), "the computing of -X"),
            (self.read_list.is_some(), "the computing of -Y"),
        ];
        if let Some(&(_, what)) = pauses.iter().find(|(given, _)| *given)
            && !think.counted
        {
            return Err(Conflict::ThinkQueued { option, what });
        }
        match beside.iter().find(|(given, _)| *given) {
            Some((_, what)) => Err(Conflict::NotQueued { option, what }),
            None => Ok(()),
        }
    }
}

impl Options {
    /// What a list of accesses says itself, and which tests go by it.
    fn check_lists(&self) -> Result<(), Conflict> {
        let Some(option) = self.list_option() else {
            return Ok(());
        };
        let by_list = |test: &u8| matches!(test, 0 | 1 | 9 | 10);
        let beside = [
            (self.auto, "-a"),
            (self.size.is_some(), "-s"),
            (self.record.is_some(), "-r"),
            (self.constant_total, "-+k"),
            (
                !self.tests.iter().all(by_list),
                "tests other than -i 0, -i 1, -i 9 and -i 10",
            ),
        ];
        match beside.iter().find(|(given, _)| *given) {
            Some((_, what)) => Err(Conflict::Listed { option, what }),
            None => Ok(()),
        }
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

fn long(options: &mut Options, word: &OsStr, words: &mut Words<'_>) -> Result<(), OptionError> {
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
) -> Result<(), OptionError> {
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

fn find(name: &[u8]) -> Result<&'static Spec, OptionError> {
    let known = SPECS.iter().find(|spec| spec.name.as_bytes() == name);
    known.ok_or_else(|| {
        let name = String::from_utf8_lossy(name).into_owned();
        OptionError::Unknown {
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
) -> Result<(), OptionError> {
    let option = format!("-{}", spec.name);
    let read = match spec.effect {
        Effect::NotOffered(reason) => return Err(OptionError::NotOffered { option, reason }),
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
        return Err(OptionError::NoValue { option, what });
    }
    values.iter().try_for_each(|value| {
        read(options, value).map_err(|expected| OptionError::BadValue {
            option: option.clone(),
            value: value.to_string_lossy().into_owned(),
            expected,
        })
    })
}
