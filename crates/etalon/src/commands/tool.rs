//! The tools whose command lines etalon understands, each as a subcommand.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write, stderr, stdout};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use etalon_factor::Journal;
use etalon_file_ops::WorkerProgram;
use etalon_language::translation;
use etalon_tools::dd::Dd;
use etalon_tools::fdtree::Fdtree;
use etalon_tools::hdparm::Hdparm;
use etalon_tools::iozone::Iozone;
use etalon_tools::{Exit, Tool, ToolContext};

use super::iozone_worker::WORKER;
use super::subcommand::{Activity, Subcommand};
use crate::aside::Aside;
use crate::cli::ToolArgs;
use crate::help::{COMMAND, OPTIONS};
use crate::kept::{JSON, Kept, WAIT, store_among, without};
use crate::output;
use crate::signals;

/// `ARGS: TOOL, EXAMPLES` is the subcommand of a tool; the doc comment is what the help says of it.
macro_rules! subcommands {
    ($($(#[$about:meta])* $args:ident: $tool:ident, $examples:literal;)+) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Args)]
        #[command(disable_help_flag = true, after_help = $examples)]
        pub(crate) struct $args {
            #[command(flatten)]
            passed: ToolArgs,
        }

        impl Subcommand for $args {
            const NAME: &'static str = $tool::KIND.name();
            const ACTIVITY: Activity = Activity::Tool;

            fn options_text() -> Option<String> {
                Some($tool::help())
            }

            fn run(&self) -> anyhow::Result<Exit> {
                run::<$tool>(&self.passed.words)
            }
        }
    )+};
}

subcommands! {
    /// Copy as dd does, with dd's operands, and say what of it is durable
    DdArgs: Dd, "Examples:
  etalon dd if=/dev/zero of=/mnt/test bs=1M count=1024 conv=fsync
  etalon dd --help      (dd's operands)";

    /// Read devices as hdparm -t, -T and --direct do, repeated and with intervals
    HdparmArgs: Hdparm, "Examples:
  etalon hdparm -t /dev/sda
  etalon hdparm --help      (its options)";

    /// Run iozone's tests with iozone's options, its layout and its spreadsheet
    IozoneArgs: Iozone, "Examples:
  etalon iozone -i 0 -i 2 -s 1g -r 1m -f /mnt/test
  etalon iozone --help      (iozone's options)";

    /// Create and remove a tree of directories and files, with fdtree's options
    FdtreeArgs: Fdtree, "Examples:
  etalon fdtree -d 5 -l 3 -f 10 -s 2
  etalon fdtree --help  (fdtree's options)";
}

fn run<T: Tool>(words: &[OsString]) -> anyhow::Result<Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    if !T::OWN_SIGNALS {
        signals::ask_to_stop_on_signal(&stop)?;
    }
    let (words, store) = store_among(words)?;
    let (words, wait) = without(WAIT, &words);
    let mut kept = Kept::of_tool(T::KIND, &words, store).waiting(wait, &stop);
    let (own, json) = without(JSON, &words);
    let words = if T::HAS_DOCUMENT { words } else { own };
    let mut written = Vec::new();
    let mut out = output::out();
    let out: &mut dyn Write = if json { &mut written } else { &mut out };
    let exit = carry_out::<T>(&words, out, &stop, &mut kept);
    match json {
        true => kept.close_with_document(exit, &written),
        false => Ok(kept.close(exit)),
    }
}

/// The program that runs, also where another has taken its name since (proc_pid_exe(5)); a child that is not yet another
/// program has the same one.
const OWN_PROGRAM: &str = "/proc/self/exe";

/// A tool that is silent is said to be at work, but for one whose data may go to the terminal itself.
fn aside<T: Tool>(words: &[OsString]) -> Aside {
    let names_output = |word: &OsString| word.as_encoded_bytes().starts_with(b"of=");
    match T::KIND == Dd::KIND && !words.iter().any(names_output) {
        true => Aside::silent(T::KIND.name()),
        false => Aside::on_terminal(T::KIND.name()),
    }
}

/// In the language of its reader.
fn help<T: Tool>() -> String {
    let id = format!("{COMMAND}-{}", T::KIND.name());
    let translated = output::look().speak(|| translation(&id, Some(OPTIONS)));
    translated.map_or_else(T::help, |text| text + "\n")
}

fn carry_out<T: Tool>(
    words: &[OsString],
    out: &mut dyn Write,
    stop: &AtomicBool,
    kept: &mut Kept,
) -> Exit {
    let journal = Journal::open();
    // Where it cannot start itself again groups are threads.
    let own = Path::new(OWN_PROGRAM);
    let worker = own.exists().then(|| WorkerProgram {
        program: own.to_path_buf(),
        arguments: vec![OsString::from(WORKER)],
    });
    let aside = aside::<T>(words);
    let context = ToolContext {
        help: &help::<T>(),
        out: &mut aside.before(out, stdout().is_terminal()),
        err: &mut aside.before(output::err(T::HAS_PROGRESS), stderr().is_terminal()),
        stop,
        journal: journal.as_ref(),
        worker: worker.as_ref(),
        keeper: kept,
    };
    T::run(words, context)
}
