//! Carrying copies out, alone or several at once.

use std::io;
use std::path::Path;
use std::sync::PoisonError;

use rustix::io::Errno;

use super::Console;
use super::copy_run::CopyRun;
use super::options::DdOptions;
use super::report::statistics;
use super::signals::Signals;
use super::terminal::Terminal;
use crate::{Exit, way_out_of_denied};
use etalon_workload::copy::{
    CopyCounters, CopySettings, Descriptor, Ends, Notice, Observer, OpenError, StatusLevel, open,
};
use etalon_workload::{PartWitness, copy};

/// Copies that are made at the same time.
pub(super) struct Copies<'a, 'c> {
    pub(super) options: &'a DdOptions,
    pub(super) settings: &'a [CopySettings],
    console: &'a Console<'c>,
    ready: Vec<OpenCopy>,
    pub(super) copied: Copied,
}

/// What became of the copies.
pub(super) struct Copied {
    /// Every pass so far: each copy once.
    pub(super) passes: Vec<Vec<CopyRun>>,
    pub(super) status: Exit,
    /// Set where a copy never began.
    pub(super) not_begun: Option<Exit>,
    /// Whether what was to be said could be written.
    pub(super) output: io::Result<()>,
}

/// A copy whose files are open.
struct OpenCopy {
    before: CopyCounters,
    ends: Ends,
    signals: Signals,
}

impl<'a, 'c> Copies<'a, 'c> {
    pub(super) fn new(
        options: &'a DdOptions,
        settings: &'a [CopySettings],
        console: &'a Console<'c>,
    ) -> Copies<'a, 'c> {
        Copies {
            options,
            settings,
            console,
            ready: Vec::new(),
            copied: Copied {
                passes: Vec::new(),
                status: Exit::Done,
                not_begun: None,
                output: Ok(()),
            },
        }
    }

    /// Opens all files; whether that could be done.
    pub(super) fn open(&mut self) -> bool {
        self.ready.clear();
        for settings in self.settings {
            let before = CopyCounters::of(settings);
            let opened = open(settings, self.options.destroy.as_deref());
            let ready = opened.map(|ends| (ends, Signals::listen()));
            match ready {
                Ok((ends, Ok(signals))) => self.ready.push(OpenCopy {
                    before,
                    ends,
                    signals,
                }),
                Ok((_, Err(error))) => {
                    self.copied.output = Err(error);
                    return false;
                }
                Err(error) => {
                    let refused = refused(&error, self.console);
                    self.copied.not_begun = refused.as_ref().ok().copied();
                    self.copied.output = refused.map(drop);
                    return false;
                }
            }
        }
        true
    }

    /// Makes all copies; each is told to `witness` by its number.
    pub(super) fn copy(&mut self, witness: &(dyn PartWitness + Sync)) {
        let ready = std::mem::take(&mut self.ready);
        let all = (1..).zip(self.settings.iter().zip(ready));
        let console = self.console;
        let one = |(number, (settings, ready)): (usize, (&CopySettings, OpenCopy))| {
            run(settings, ready, console, (&number.to_string(), witness))
        };
        for number in 1..=self.settings.len() {
            witness.begins(&number.to_string());
        }
        let together: Result<Vec<CopyRun>, Exit> = if self.settings.len() == 1 {
            // Alone in its thread: file descriptors shared between threads cost each call more.
            all.map(one).collect()
        } else {
            std::thread::scope(|scope| {
                let threads: Vec<_> = all
                    .map(|copy| {
                        let one = &one;
                        scope.spawn(move || one(copy))
                    })
                    .collect();
                let joined = threads.into_iter().map(|thread| {
                    let defect = Err(Exit::Failed);
                    thread.join().unwrap_or(defect)
                });
                joined.collect()
            })
        };
        match together {
            Ok(together) => {
                for run in &together {
                    self.copied.status = self.copied.status.and(run.status());
                }
                self.copied.passes.push(together);
            }
            Err(status) => self.copied.not_begun = Some(status),
        }
    }

    /// Whether no other pass may follow.
    pub(super) fn is_over(&self) -> bool {
        let is_stopped = self.copied.status == Exit::Interrupted;
        is_stopped || self.copied.not_begun.is_some() || self.copied.output.is_err()
    }
}

/// The device that this user may not open.
fn denied_device(notice: &Notice) -> Option<&Path> {
    match notice {
        Notice::OpenFailed(name, Errno::ACCESS) => {
            Some(Path::new(name)).filter(|path| path.starts_with("/dev"))
        }
        _ => None,
    }
}

fn refused(error: &OpenError, console: &Console<'_>) -> io::Result<Exit> {
    let mut err = console.lock().unwrap_or_else(PoisonError::into_inner);
    match error {
        OpenError::Failed(notice) => {
            writeln!(err, "dd: {notice}")?;
            if let Some(device) = denied_device(notice) {
                writeln!(err, "etalon: {}", way_out_of_denied(device))?;
            }
            Ok(Exit::Failed)
        }
        OpenError::Refused(refusal) => {
            writeln!(err, "etalon dd: {refusal}")?;
            Ok(Exit::Refused)
        }
    }
}

fn run(
    settings: &CopySettings,
    ready: OpenCopy,
    console: &Console<'_>,
    (part, witness): (&str, &(dyn PartWitness + Sync)),
) -> Result<CopyRun, Exit> {
    let OpenCopy {
        before,
        ends,
        signals,
    } = ready;
    let mut terminal = Terminal::new(console, &signals, settings.status);
    let copied: Result<copy::Copied<Descriptor>, Notice> =
        copy::copy(settings, ends.source, ends.sink, &mut terminal);
    // What follows makes the output durable, which is no part of the copy.
    witness.ended(part);
    let mut copied = match copied {
        Ok(copied) => copied,
        Err(notice) => {
            terminal.notice(&notice);
            return Err(Exit::Failed);
        }
    };
    if settings.status != StatusLevel::None {
        terminal.lines(&statistics(&copied.counts, copied.elapsed, settings.status));
    }
    Ok(CopyRun {
        settings: settings.clone(),
        counts: copied.counts,
        elapsed: copied.elapsed,
        failed: copied.failed(),
        failure: copied.failure.as_ref().map(ToString::to_string),
        interrupted: copied.stopped,
        observed: before.after(settings, &copied.counts, &mut copied.sink),
    })
}
