//! The door of every tool: words in, lines out, how it ended.

use std::ffi::OsString;
use std::io::Write;
use std::sync::atomic::AtomicBool;

use etalon_factor::{Journal, JournalError};
use etalon_file_ops::WorkerProgram;
use etalon_model::ExperimentKind;

use crate::{Exit, RunKeeper};

/// A program of old whose command line etalon understands.
pub trait Tool {
    /// What its experiments are; its name too.
    const KIND: ExperimentKind;
    /// Whether it writes a document of its own where it is asked for JSON.
    const HAS_DOCUMENT: bool = false;
    /// Whether signals are its own matter: nobody else listens to them while it runs.
    const OWN_SIGNALS: bool = false;
    /// Whether it begins a line anew to tell how far it is.
    const HAS_PROGRESS: bool = false;

    /// What `--help` says of it, in English.
    fn help() -> String;

    /// Carries out the words behind its name.
    fn run(words: &[OsString], context: ToolContext<'_>) -> Exit;
}

/// What the surrounding program provides.
pub struct ToolContext<'a> {
    /// What it prints for `--help`: [`Tool::help`], or the same in another language.
    pub help: &'a str,
    /// For what it prints. Copied data do not pass through here: they go to standard output itself.
    pub out: &'a mut dyn Write,
    /// For its messages.
    pub err: &'a mut (dyn Write + Send),
    /// Set at Ctrl-C: the work stops soon, what was measured is printed, files go.
    pub stop: &'a AtomicBool,
    /// Where files are entered before they are made, or why nothing may be made.
    pub journal: Result<&'a Journal, &'a JournalError>,
    /// What runs as a worker process, ending in [`worker_main`](etalon_file_ops::worker_main); without it
    /// groups of workers are threads.
    pub worker: Option<&'a WorkerProgram>,
    /// Is handed each run.
    pub keeper: &'a mut dyn RunKeeper,
}
