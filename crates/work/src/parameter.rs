//! Parameters of real work: one definition each, and typed values from what was typed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use etalon_units::Bytes;

/// One thing that can be set.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What a value may be.
    pub kind: Kind,
    /// The value when nothing is given, as it would be typed; empty for none.
    pub default: &'static str,
    /// What it means.
    pub help: &'static str,
}

/// What a value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number of bytes from 1, as `64M`.
    Size,
    /// A whole number, both ends included.
    Count(u64, u64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A path, or empty for none.
    Path,
    /// Any text, or empty for none.
    Text,
    /// Any text, as often as wanted.
    Texts,
}

/// Why a parameter is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// There is no such parameter.
    #[error("unknown parameter '{name}'; available: {known}")]
    Unknown {
        /// What was typed.
        name: String,
        /// All names.
        known: String,
    },
    /// A parameter that stands once was given again.
    #[error("parameter {0} was given twice")]
    Twice(&'static str),
    /// The value is not of the parameter's kind.
    #[error("parameter {name}: '{value}' is not {wanted}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// What was typed.
        value: String,
        /// What it may be.
        wanted: String,
    },
    /// A value is needed and there is no default.
    #[error("parameter {name} must be given: {help}")]
    Missing {
        /// The parameter.
        name: &'static str,
        /// What it means.
        help: &'static str,
    },
}

impl Kind {
    /// In words.
    pub fn wanted(self) -> String {
        match self {
            Kind::Size => "a size of at least one byte, such as 4096, 64K or 1G".to_owned(),
            Kind::Count(least, most) => format!("a whole number from {least} to {most}"),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::Path => "a path".to_owned(),
            Kind::Text | Kind::Texts => "a text without a zero byte".to_owned(),
        }
    }

    /// Whether a value may be that.
    pub fn accepts(self, value: &str) -> bool {
        match self {
            Kind::Size => value
                .parse::<Bytes>()
                .is_ok_and(|size| size > Bytes::ZERO && size.get() < 1 << 63),
            Kind::Count(least, most) => value
                .parse()
                .is_ok_and(|n: u64| (least..=most).contains(&n)),
            Kind::Choice(words) => words.contains(&value),
            Kind::Path | Kind::Text | Kind::Texts => !value.contains('\0'),
        }
    }
}

/// The values of all parameters of one work, each of its parameter's kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<&'static str, Vec<String>>);

impl Values {
    /// Checks what was typed against the parameters.
    ///
    /// # Errors
    /// [`ParameterError`] quoting the first name or value that is wrong.
    pub fn parse(
        parameters: &'static [Parameter],
        given: &[(String, String)],
    ) -> Result<Values, ParameterError> {
        let mut values: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        for (name, value) in given {
            let parameter = parameters.iter().find(|p| p.name == name).ok_or_else(|| {
                ParameterError::Unknown {
                    name: name.clone(),
                    known: parameters
                        .iter()
                        .map(|p| p.name)
                        .collect::<Vec<_>>()
                        .join(", "),
                }
            })?;
            if !parameter.kind.accepts(value) {
                return Err(ParameterError::Value {
                    name: parameter.name,
                    value: value.clone(),
                    wanted: parameter.kind.wanted(),
                });
            }
            let list = values.entry(parameter.name).or_default();
            if !list.is_empty() && parameter.kind != Kind::Texts {
                return Err(ParameterError::Twice(parameter.name));
            }
            list.push(value.clone());
        }
        Ok(Values(values))
    }

    /// Refuses these `parameters` where they are not left as they are, which has to be so for the reason in `why`.
    ///
    /// # Errors
    /// [`ParameterError`] quoting the first that was changed.
    pub fn only_defaults<'p>(
        &self,
        parameters: impl IntoIterator<Item = &'p Parameter>,
        why: &str,
    ) -> Result<(), ParameterError> {
        let changed = |parameter: &&Parameter| self.text(parameter) != parameter.default;
        match parameters.into_iter().find(changed) {
            Some(parameter) => Err(ParameterError::Value {
                name: parameter.name,
                value: self.text(parameter).to_owned(),
                wanted: why.to_owned(),
            }),
            None => Ok(()),
        }
    }

    /// Refuses a size below `least`, which is what the program takes at least.
    ///
    /// # Errors
    /// [`ParameterError`] quoting both.
    pub fn at_least(&self, parameter: &Parameter, least: Bytes) -> Result<(), ParameterError> {
        if self.size(parameter) >= least {
            return Ok(());
        }
        let (number, unit) = least.in_whole_units();
        Err(ParameterError::Value {
            name: parameter.name,
            value: self.text(parameter).to_owned(),
            wanted: format!("a size of at least {number} {unit}"),
        })
    }

    /// Every parameter with its values, defaults filled in.
    pub fn resolved(&self, parameters: &[Parameter]) -> BTreeMap<String, Vec<String>> {
        let of = |p: &Parameter| match self.0.get(p.name) {
            Some(values) => values.clone(),
            None if p.default.is_empty() => Vec::new(),
            None => vec![p.default.to_owned()],
        };
        parameters
            .iter()
            .map(|p| (p.name.to_owned(), of(p)))
            .collect()
    }

    /// Puts what a value of [`Kind::Count`] came to in its place.
    pub(crate) fn resolve(&mut self, parameter: &'static Parameter, value: u64) {
        self.0.insert(parameter.name, vec![value.to_string()]);
    }

    /// The value as text; empty when there is neither a value nor a default.
    pub fn text(&self, parameter: &Parameter) -> &str {
        self.0
            .get(parameter.name)
            .and_then(|values| values.first())
            .map_or(parameter.default, String::as_str)
    }

    /// All values of a parameter that may be repeated.
    pub fn texts(&self, parameter: &Parameter) -> &[String] {
        self.0.get(parameter.name).map_or(&[], Vec::as_slice)
    }

    /// The value of a parameter of [`Kind::Count`].
    pub fn count(&self, parameter: &Parameter) -> u64 {
        // Values were checked against their kind, and a test checks every default.
        self.text(parameter).parse().unwrap_or_default()
    }

    /// The value of a parameter of [`Kind::Size`].
    pub fn size(&self, parameter: &Parameter) -> Bytes {
        self.text(parameter).parse().unwrap_or_default()
    }

    /// The value of a parameter of [`Kind::Path`]; `None` when it is empty.
    pub fn path(&self, parameter: &Parameter) -> Option<PathBuf> {
        Some(self.text(parameter))
            .filter(|text| !text.is_empty())
            .map(PathBuf::from)
    }

    /// True when the value is `yes`.
    pub fn yes(&self, parameter: &Parameter) -> bool {
        self.text(parameter) == "yes"
    }
}

/// The words of a parameter that is on or off.
pub const YES_NO: Kind = Kind::Choice(&["yes", "no"]);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static PARAMETERS: [Parameter; 4] = [
        Parameter {
            name: "size",
            kind: Kind::Size,
            default: "64M",
            help: "",
        },
        Parameter {
            name: "jobs",
            kind: Kind::Count(1, 8),
            default: "2",
            help: "",
        },
        Parameter {
            name: "format",
            kind: Kind::Choice(&["gzip", "xz"]),
            default: "gzip",
            help: "",
        },
        Parameter {
            name: "step",
            kind: Kind::Texts,
            default: "",
            help: "",
        },
    ];

    fn parse(given: &[(&str, &str)]) -> Result<Values, ParameterError> {
        let given: Vec<_> = given
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect();
        Values::parse(&PARAMETERS, &given)
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        let values = parse(&[("jobs", "3"), ("step", "a"), ("step", "b")]).unwrap();
        assert_eq!(values.count(&PARAMETERS[1]), 3);
        assert_eq!(values.size(&PARAMETERS[0]), Bytes::mib(64));
        assert_eq!(values.texts(&PARAMETERS[3]), ["a", "b"]);
        assert_eq!(values.resolved(&PARAMETERS)["size"], ["64M"]);
    }

    #[test]
    fn a_size_below_the_least_is_refused_with_it() {
        let (size, least) = (&PARAMETERS[0], Bytes::mib(6));
        let told = |value| parse(&[("size", value)]).unwrap().at_least(size, least);
        let error = told("5M").unwrap_err().to_string();
        assert_eq!(
            error,
            "parameter size: '5M' is not a size of at least 6 MiB"
        );
        assert_eq!(told("6M"), Ok(()));
    }

    #[test]
    fn wrong_names_and_values_are_quoted() {
        let told = |given: &[(&str, &str)]| parse(given).unwrap_err().to_string();
        assert!(
            told(&[("sise", "1")]).contains("'sise'") && told(&[("sise", "1")]).contains("format")
        );
        assert!(told(&[("size", "0")]).contains("'0'"));
        assert!(told(&[("size", "-1")]).contains("'-1'"));
        assert!(told(&[("jobs", "9")]).contains("from 1 to 8"));
        assert!(told(&[("format", "lha")]).contains("gzip, xz"));
        assert!(told(&[("jobs", "1"), ("jobs", "2")]).contains("twice"));
        assert!(told(&[("step", "a\0")]).contains("zero byte"));
    }

    proptest! {
        #[test]
        fn nothing_typed_panics(given in prop::collection::vec(("(size|jobs|format|step|x)", "\\PC{0,12}"), 0..5)) {
            let given: Vec<_> = given;
            let _ = Values::parse(&PARAMETERS, &given);
        }
    }
}
