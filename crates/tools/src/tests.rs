//! Carrying out a tool in a test.

use std::ffi::OsString;
use std::sync::atomic::AtomicBool;

use etalon_factor::Journal;

use crate::{Exit, Tool, ToolContext};

/// What became of a tool in a test.
pub(crate) struct Served {
    pub(crate) exit: Exit,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) kept: Vec<etalon_model::Run>,
}

/// Carries a tool out with a journal of its own, and without worker processes.
pub(crate) fn served<T: Tool>(words: &[OsString], stop: &AtomicBool) -> Served {
    let (mut out, mut err, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    let home = tempfile::tempdir().unwrap();
    let journal = Journal::at(&home.path().join("journal")).unwrap();
    let context = ToolContext {
        help: &T::help(),
        out: &mut out,
        err: &mut err,
        stop,
        journal: Ok(&journal),
        worker: None,
        keeper: &mut kept,
    };
    let exit = T::run(words, context);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Served {
        exit,
        out: text(out),
        err: text(err),
        kept,
    }
}
