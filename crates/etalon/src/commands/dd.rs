//! `etalon dd OPERANDS`.

use std::ffi::OsString;

use etalon_model::ExperimentKind;
use etalon_tools::dd::main_like;

use crate::exit::Exit;
use crate::kept::Kept;
use crate::output;

pub(crate) fn run(words: &[OsString]) -> Exit {
    let mut kept = Kept::of_tool(ExperimentKind::Dd, words);
    let status = main_like(
        words,
        &mut output::out(),
        &mut output::err_with_progress(),
        &mut kept,
    );
    kept.close(Exit::of_code(status.code()))
}
