//! `etalon dd OPERANDS`.

use std::ffi::OsString;
use std::io::{stderr, stdout};

use etalon_model::ExperimentKind;
use etalon_tools::dd::main_like;
use etalon_workload::guard::check;

use crate::exit::Exit;
use crate::kept::Kept;

pub(crate) fn run(words: &[OsString]) -> Exit {
    let mut kept = Kept::of_tool(ExperimentKind::Dd, words);
    let status = main_like(words, &mut stdout(), &mut stderr(), &check, &mut kept);
    kept.close(Exit::of_code(status.code()))
}
