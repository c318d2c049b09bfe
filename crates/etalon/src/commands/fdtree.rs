//! `etalon fdtree OPTIONS`.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use etalon_factor::Journal;
use etalon_model::ExperimentKind;
use etalon_tools::fdtree::main_like;

use crate::exit::Exit;
use crate::kept::Kept;
use crate::output;
use crate::signals;

pub(crate) fn run(words: &[OsString]) -> anyhow::Result<Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    signals::ask_to_stop_on_signal(&stop)?;
    let mut kept = Kept::of_tool(ExperimentKind::Fdtree, words);
    let code = main_like(
        words,
        &mut output::out(),
        &mut output::err(),
        &stop,
        Journal::open().as_ref(),
        &mut kept,
    );
    Ok(kept.close(Exit::of_code(code)))
}
