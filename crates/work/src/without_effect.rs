//! Parameters that have no effect beside the values of others, and their refusal where they are typed all the same.

use super::codec::LEVEL;
use super::parameter::{Parameter, ParameterError, Values};
use super::tree::{FILES, INPUT, SIZE};

const BESIDE_INPUT: &str =
    "left as it is with input: nothing is generated there, so that it would have no effect";
const UNCOMPRESSED: &str =
    "left as it is with format=none, which does not compress, so that it would have no effect";

static GENERATED: [Parameter; 2] = [FILES, SIZE];
static COMPRESSED: [Parameter; 1] = [LEVEL];
static BOTH: [Parameter; 3] = [FILES, SIZE, LEVEL];

/// Those of a work on a tree, which is generated where there is no input.
pub(super) fn beside_input(values: &Values) -> &'static [Parameter] {
    match values.path(&INPUT) {
        Some(_) => &GENERATED,
        None => &[],
    }
}

/// Those of a work that packs, by `format`, also what is the user's.
pub(super) fn of_packing(values: &Values, format: &Parameter) -> &'static [Parameter] {
    let is_packed_only = values.text(format) == "none";
    match (values.path(&INPUT), is_packed_only) {
        (Some(_), true) => &BOTH,
        (None, true) => &COMPRESSED,
        _ => beside_input(values),
    }
}

/// Refuses those of [`beside_input`].
pub(super) fn refuse_beside_input(values: &Values) -> Result<(), ParameterError> {
    values.only_defaults(beside_input(values), BESIDE_INPUT)
}

/// Refuses those of [`of_packing`].
pub(super) fn refuse_of_packing(values: &Values, format: &Parameter) -> Result<(), ParameterError> {
    refuse_beside_input(values)?;
    match values.text(format) {
        "none" => values.only_defaults(&COMPRESSED, UNCOMPRESSED),
        _ => Ok(()),
    }
}
