//! `etalon dd OPERANDS`.

use std::ffi::OsString;
use std::io::Write;

use etalon_model::ExperimentKind;
use etalon_tools::dd::main_like;

use crate::exit::Exit;
use crate::kept::{JSON, Kept};
use crate::output;

pub(crate) fn run(words: &[OsString]) -> anyhow::Result<Exit> {
    let mut kept = Kept::of_tool(ExperimentKind::Dd, words);
    let mut written = Vec::new();
    let (mut out, mut err) = (output::out(), output::err_with_progress());
    let json = words.iter().any(|word| word == JSON);
    // With --json no data go to standard output: dd itself refuses that.
    let out: &mut dyn Write = if json { &mut written } else { &mut out };
    let exit = Exit::of_code(main_like(words, out, &mut err, &mut kept).code());
    match json {
        true => kept.close_with_document(exit, &written),
        false => Ok(kept.close(exit)),
    }
}
