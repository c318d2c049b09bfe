//! `etalon dd OPERANDS`.

use std::ffi::OsString;
use std::io::{stderr, stdout};

use etalon_workload::dd::main_like;
use etalon_workload::guard::check;

use crate::exit::Exit;

pub(crate) fn run(words: &[OsString]) -> Exit {
    let status = main_like(words, &mut stdout(), &mut stderr(), &check);
    Exit::of_code(status.code())
}
