//! `--op`: read by the operation's own words, with its names for completions.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};

use crate::cli::MeasuredOperation;

/// Reads an operation on data or on names.
#[derive(Clone)]
pub(crate) struct OperationParser;

impl TypedValueParser for OperationParser {
    type Value = MeasuredOperation;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<MeasuredOperation, Error> {
        let by_name = StringValueParser::new().try_map(|text| text.parse::<MeasuredOperation>());
        by_name.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            MeasuredOperation::all().map(|op| PossibleValue::new(op.name())),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completions_offer_data_and_names_and_each_is_read() {
        let offered = OperationParser.possible_values().unwrap();
        let offered: Vec<String> = offered.map(|value| value.get_name().to_owned()).collect();
        for word in ["read", "stridewrite", "mkdir", "create", "unlink", "rmdir"] {
            assert!(offered.contains(&word.to_owned()), "{offered:?}");
        }
        for (at, word) in offered.iter().enumerate() {
            assert_eq!(word.parse::<MeasuredOperation>().unwrap().name(), word);
            assert!(!offered[..at].contains(word), "{word} twice");
        }
    }
}
