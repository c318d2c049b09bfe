//! fdtree as a program: words in, lines out, an exit code.

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use etalon_experiment::Site;
use etalon_experiment::run::{self, Observer, Schedule};
use etalon_model::ExperimentKind;
use etalon_units::visible;
use etalon_workload::tree::TreeError;

use super::options::{FdtreeLine, Options};
use super::output;
use super::refusal::refusal;
use super::session::{Failure, FdtreeSession};
use crate::keeper::{RunForwarder, RunKeeper};
use crate::{Exit, Tool, ToolContext};

const HELP: &str = "\
Usage: fdtree [-C] [-R] [-D] [-l LEVELS] [-d DIRS] [-f FILES] [-s BLOCKS]
              [-o DIR] [--runs N] [--sync] [--zero] [--wait] [--json]
              [--store FILE]

Creates a tree of directories and files, removes it, and prints how many of them
per second. Each line of etalon's own begins with 'etalon:'.

  -l LEVELS  levels of directories below the root (4)
  -d DIRS    directories in each directory above the last level (10)
  -f FILES   files in each directory (10)
  -s BLOCKS  size of each file in blocks of 4096 bytes (10)
  -o DIR     where the tree is made (.), or the tree itself with -R
  -C         create only, and leave the tree
  -R         remove only: the tree that -C left in DIR, of the same -l -d -f
  -D         say what is done, with every time in nanoseconds
  --runs N   do it N times; from 6 on each rate has its 95 % interval
  --sync     end each phase with syncfs inside its clock: what is counted is on
             the disk
  --wait     wait for another etalon that measures on the same devices
  --json     one JSON document on standard output
  --store FILE  keep the runs in this store
  --zero     fill the files with zeros and not with data that do not compress

The number of directories grows as DIRS to the power of LEVELS; what does not
fit is refused.
Example: fdtree -d 8 -l 4 -f 16 -s 1
";

/// `etalon fdtree`. A tree is entered into the journal before it is made; a stop removes what was created.
#[derive(Debug)]
pub struct Fdtree;

impl Tool for Fdtree {
    const KIND: ExperimentKind = ExperimentKind::Fdtree;

    fn help() -> String {
        HELP.to_owned()
    }

    fn run(words: &[OsString], context: ToolContext<'_>) -> Exit {
        match FdtreeLine::parse(words) {
            Ok(FdtreeLine::Run(options)) => serve(&options, context),
            Ok(FdtreeLine::Help) => {
                finish(context.out.write_all(context.help.as_bytes()), context.err)
            }
            Err(error) => complain(&error, Exit::Usage, context.err),
        }
    }
}

fn serve(options: &Options, context: ToolContext<'_>) -> Exit {
    let ToolContext {
        out,
        err,
        stop,
        journal,
        keeper,
        ..
    } = context;
    let journal = match journal {
        Ok(journal) => Some(journal),
        // What stands only to be removed needs no entry.
        Err(_) if !options.tree.create => None,
        Err(error) => return complain(error, Exit::Failed, err),
    };
    let site = Site::look(&options.tree.start).ok();
    let known: Vec<&Site> = site.iter().collect();
    if let Err(exit) = keeper.claim(&known) {
        return exit;
    }
    let session = FdtreeSession {
        options,
        observer: site.as_ref().map(|site| Observer::new([site], true)),
        out,
        err: &mut *err,
        stop,
        journal,
        output: Ok(()),
        failure: None,
    };
    match runs(session, keeper) {
        Ok(written) => finish(written, err),
        Err(error @ TreeError::Stopped) => complain(&refusal(&error), Exit::Interrupted, err),
        Err(error) => complain(&refusal(&error), Exit::Failed, err),
    }
}

/// The outer result is the work's, the inner one the output's.
fn runs(
    mut session: FdtreeSession<'_>,
    keeper: &mut dyn RunKeeper,
) -> Result<io::Result<()>, TreeError> {
    let options = session.options;
    let tree = &options.tree;
    let target = tree.start.clone();
    let mut keeping = RunForwarder { target, keeper };
    let mut runs = Vec::new();
    let made = run::repeat(
        &mut session,
        Schedule::Rows,
        // A tree that was stopped says so itself.
        &AtomicBool::new(false),
        &mut keeping,
        &mut runs,
    );
    let rates = output::Rates::of(&runs, &tree.shape);
    let FdtreeSession {
        out,
        output,
        failure,
        ..
    } = session;
    if let Err(error) = output.and(made.map_err(io::Error::other)) {
        return Ok(Err(error));
    }
    match failure {
        Some(Failure { error, phases }) => {
            if let Some(phases) = phases {
                // The error says more than whether its partial figures could be printed.
                let halves = usize::from(tree.create) + usize::from(tree.remove);
                let _ = output::partial(out, (phases, 2 * halves), &rates);
            } else if !rates.of_phases.is_empty() {
                // What could not be begun takes nothing from the runs before.
                let _ = output::summary(out, &rates);
            }
            Err(error)
        }
        None => Ok(output::summary(out, &rates)),
    }
}

fn complain(error: &dyn std::fmt::Display, exit: Exit, err: &mut dyn Write) -> Exit {
    // Where it cannot be written, the code has to say it alone.
    let _ = writeln!(err, "fdtree: {}", visible(&error.to_string()));
    exit
}

fn finish(written: io::Result<()>, err: &mut dyn Write) -> Exit {
    match written {
        Ok(()) => Exit::Done,
        Err(error) => Exit::of_output("fdtree", &error, err),
    }
}
