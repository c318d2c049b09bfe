//! `etalon hdparm OPTIONS DEVICE…`.

use std::ffi::OsString;
use std::io::{stderr, stdout};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use etalon_workload::hdparm::main_like;

use crate::exit::Exit;
use crate::signals;

pub(crate) fn run(words: &[OsString]) -> anyhow::Result<Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    signals::ask_to_stop_on_signal(&stop)?;
    let status = main_like(words, &mut stdout(), &mut stderr(), &stop);
    Ok(Exit::of_code(status.code()))
}
