//! `--op`: read by the operation's own words, with its names for completions.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use etalon_model::Operation;

/// Reads an operation of the engine.
#[derive(Clone)]
pub(crate) struct OperationParser;

impl TypedValueParser for OperationParser {
    type Value = Operation;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Operation, Error> {
        let by_name = StringValueParser::new().try_map(|text| text.parse::<Operation>());
        by_name.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = Operation::ALL.into_iter().map(Operation::name);
        Some(Box::new(names.map(PossibleValue::new)))
    }
}
