//! Carrying copies out: once or several times, alone or several at once.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use etalon_units::Nanos;
use serde::Serialize;

use super::Console;
use super::added;
use super::kept;
use super::options::DdOptions;
use super::signals::Signals;
use super::terminal::Terminal;
use crate::exit::ExitStatus;
use crate::keeper::RunKeeper;
use etalon_workload::copy::{
    Around, Before, Copied, CopySettings, Counts, Descriptor, Ends, Notice, Observer, OpenError,
    StatusLevel, copy, open, statistics,
};

/// One copy carried out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CopyRun {
    /// What was asked for.
    pub settings: CopySettings,
    /// What was moved.
    pub counts: Counts,
    /// From the first positioning until the end, with fsync where `conv=` asks.
    pub elapsed: Nanos,
    /// Whether something failed; what was copied until then is counted.
    pub failed: bool,
    /// Whether the user ended it early.
    pub interrupted: bool,
    /// What dd does not tell.
    pub around: Around,
}

impl CopyRun {
    fn status(&self) -> ExitStatus {
        match (self.interrupted, self.failed) {
            (true, _) => ExitStatus::Interrupted,
            (_, true) => ExitStatus::Failed,
            _ => ExitStatus::Done,
        }
    }
}

/// A copy that never began.
struct NotBegun(ExitStatus);

/// All runs of all copies, with everything that is printed about them.
pub(crate) fn repeat(
    options: &DdOptions,
    copies: &[CopySettings],
    (out, err): (&mut dyn Write, &mut (dyn Write + Send)),
    keeper: &mut dyn RunKeeper,
) -> io::Result<ExitStatus> {
    let runs = options.runs.map_or(1, std::num::NonZeroU32::get);
    let mut done: Vec<Vec<CopyRun>> = Vec::new();
    let mut status = ExitStatus::Done;
    let console = Mutex::new(err);
    for block in 0..runs {
        let together = match once(options, copies, &console)? {
            Ok(together) => together,
            Err(NotBegun(status)) => return Ok(status),
        };
        kept::hand_on(options, &together, block, keeper);
        for run in &together {
            status = status.and(run.status());
        }
        done.push(together);
        if status == ExitStatus::Interrupted {
            break;
        }
    }
    let err = console.into_inner().unwrap_or_else(PoisonError::into_inner);
    added::write(&done, err)?;
    if options.json {
        serde_json::to_writer_pretty(&mut *out, &done)?;
        writeln!(out)?;
    }
    Ok(status)
}

/// Every copy once, all at the same time.
fn once(
    options: &DdOptions,
    copies: &[CopySettings],
    console: &Console<'_>,
) -> io::Result<Result<Vec<CopyRun>, NotBegun>> {
    let mut ready = Vec::new();
    for settings in copies {
        let before = Before::of(settings);
        match open(settings, options.destroy.as_deref()) {
            Ok(ends) => ready.push((settings, before, ends, Signals::listen()?)),
            Err(error) => return refused(&error, console).map(Err),
        }
    }
    if ready.len() == 1 {
        // Alone in its thread: file descriptors shared between threads cost each call more.
        let alone = ready.into_iter().map(|(settings, before, ends, signals)| {
            run(settings, before, ends, &signals, console)
        });
        return Ok(alone.collect());
    }
    Ok(std::thread::scope(|scope| {
        let threads: Vec<_> = ready
            .into_iter()
            .map(|(settings, before, ends, signals)| {
                scope.spawn(move || run(settings, before, ends, &signals, console))
            })
            .collect();
        let joined = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or(Err(NotBegun(ExitStatus::Failed))));
        joined.collect()
    }))
}

fn refused(error: &OpenError, console: &Console<'_>) -> io::Result<NotBegun> {
    let mut err = console.lock().unwrap_or_else(PoisonError::into_inner);
    match error {
        OpenError::Failed(notice) => {
            writeln!(err, "dd: {notice}")?;
            Ok(NotBegun(ExitStatus::Failed))
        }
        OpenError::Refused(refusal) => {
            writeln!(err, "etalon dd: {refusal}")?;
            Ok(NotBegun(ExitStatus::Refused))
        }
    }
}

fn run(
    settings: &CopySettings,
    before: Before,
    ends: Ends,
    signals: &Signals,
    console: &Console<'_>,
) -> Result<CopyRun, NotBegun> {
    let mut terminal = Terminal::new(console, signals, settings.status);
    let copied: Result<Copied<Descriptor>, Notice> =
        copy(settings, ends.source, ends.sink, &mut terminal);
    let mut copied = match copied {
        Ok(copied) => copied,
        Err(notice) => {
            terminal.notice(&notice);
            return Err(NotBegun(ExitStatus::Failed));
        }
    };
    if settings.status != StatusLevel::None {
        terminal.lines(&statistics(&copied.counts, copied.elapsed, settings.status));
    }
    Ok(CopyRun {
        settings: settings.clone(),
        counts: copied.counts,
        elapsed: copied.elapsed,
        failed: copied.failed,
        interrupted: copied.stopped,
        around: before.after(settings, &copied.counts, &mut copied.sink),
    })
}
