//! The door: from words to how it ended.

use std::cell::OnceCell;
use std::ffi::OsString;
use std::io::{self, Write};

use etalon_model::ExperimentKind;
use etalon_units::visible;

use super::files::Files;
use super::session::{Control, IozoneRequest, IozoneSession, sites};
use super::{IozoneError, IozoneGrid, Options, asked, group, header, single, telemetry};
use crate::{Exit, Tool, ToolContext};

/// `etalon iozone`. A stop ends it within a record; `keeper` is handed each cell when it is judged.
#[derive(Debug)]
pub struct Iozone;

impl Tool for Iozone {
    const KIND: ExperimentKind = ExperimentKind::Iozone;

    fn help() -> String {
        asked::help()
    }

    fn run(words: &[OsString], mut context: ToolContext<'_>) -> Exit {
        match Options::parse(words) {
            Ok(options) => match serve(&options, words, &mut context) {
                Ok(exit) => exit,
                Err(error) => exit_of(&error, context.err),
            },
            Err(error) => complain(&error, Exit::Usage, context.err),
        }
    }
}

fn exit_of(error: &IozoneError, err: &mut dyn Write) -> Exit {
    match error {
        // A reader that went away, as `head` does, has what it wanted.
        IozoneError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        IozoneError::Work(work) if work.is_dangerous() => complain(error, Exit::Refused, err),
        IozoneError::Refused(_) => complain(error, Exit::Refused, err),
        _ => complain(error, Exit::Failed, err),
    }
}

fn complain(error: &dyn std::fmt::Display, exit: Exit, err: &mut dyn Write) -> Exit {
    // Where it cannot be written, the code has to say it alone.
    let _ = writeln!(err, "etalon iozone: {}", visible(&error.to_string()));
    exit
}

fn serve(
    options: &Options,
    words: &[OsString],
    context: &mut ToolContext<'_>,
) -> Result<Exit, IozoneError> {
    let ToolContext {
        help,
        out,
        err,
        stop,
        journal,
        worker,
        keeper,
    } = context;
    if let Some(ask) = options.ask {
        out.write_all(asked::answer(ask, help).as_bytes())?;
        return Ok(Exit::Done);
    }
    // -l, -t and -n were checked together when the options were read.
    let Ok(grid) = IozoneGrid::new(options) else {
        return Ok(Exit::Usage);
    };
    let lists = telemetry::load(options)?;
    let grid = IozoneGrid::of_lists(&lists).unwrap_or(grid);
    let request = IozoneRequest {
        options,
        grid,
        lists,
        files: Files::claim(options)?,
    };
    if let Err(exit) = keeper.claim(&sites(options).iter().collect::<Vec<_>>()) {
        return Ok(exit);
    }
    let control = Control {
        stop,
        worker: *worker,
        journal: *journal,
    };
    let site = OnceCell::new();
    let mut session = IozoneSession::new(request, control, *keeper, &site)?;
    if options.workers().is_some() && !options.threads && control.worker.is_none() {
        writeln!(
            err,
            "etalon iozone: worker processes are not available here; the workers are threads"
        )?;
    }
    for ignored in options.ignored() {
        writeln!(err, "etalon iozone: {ignored}")?;
    }
    header::write(out, options, words)?;
    let done = match options.workers() {
        None => single::run(&mut session, out, err),
        Some(workers) => group::run(&mut session, &workers, out),
    };
    session.close(out, &header::command_line(words), done)
}
