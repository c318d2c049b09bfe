//! What a command line comes to: its files, its figures and how it ends.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_experiment::Site;
use etalon_experiment::run::Observer;
use etalon_factor::{Hold, Journal, JournalError};
use etalon_file_ops::{
    FileId, FileOpError, Lists, Mix, Placed, Remount, SpaceLeft, Terms, TogetherOptions,
    WorkerProgram, Workers, room,
};
use etalon_model::{self as model, Ended, Finding, Run};
use etalon_units::Bytes;

use super::files::Files;
use super::findings::{CommonFacts, directory_of};
use super::measure::{Bench, writes};
use super::{Cell, GridRow, IozoneError, IozoneGrid, Options};
use super::{findings, verdict_text};
use crate::{Exit, RunKeeper};

/// What steers the work from outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Control<'a> {
    pub(super) stop: &'a AtomicBool,
    pub(super) worker: Option<&'a WorkerProgram>,
    pub(super) journal: Result<&'a Journal, &'a JournalError>,
}

impl<'a> Control<'a> {
    fn journal(&self) -> Result<&'a Journal, FileOpError> {
        let unusable = |error: &JournalError| FileOpError::NoJournal(error.to_string());
        self.journal.map_err(unusable)
    }
}

/// What a command line asks for.
pub(super) struct IozoneRequest<'a> {
    pub(super) options: &'a Options,
    pub(super) grid: IozoneGrid,
    pub(super) lists: Lists,
    pub(super) files: Files,
}

/// A row of the table and what became of its operations.
pub(crate) type RowCells = (GridRow, Vec<Cell>);

/// What is known so far.
pub(crate) struct IozoneSession<'a> {
    pub(crate) options: &'a Options,
    pub(crate) grid: IozoneGrid,
    pub(crate) cells: Vec<Cell>,
    /// Passes of the batches that were judged: those of two batches are no common blocks, since one batch was measured after
    /// the other.
    pub(super) passes: u32,
    pub(crate) bench: Bench<'a>,
    pub(crate) in_memory: bool,
    /// What is written beside the measured files.
    pub(crate) files: Files,
    /// Files that smaller groups have left there.
    pub(crate) made: Vec<FileId>,
    /// Where the first file lies.
    directory: PathBuf,
    control: Control<'a>,
    keeper: &'a mut dyn RunKeeper,
    /// What lies beneath the files; filled once they are placed, and none where it cannot be looked
    /// at.
    site: &'a OnceCell<Option<Site>>,
    pub(crate) observer: Option<Observer<'a>>,
}

impl<'a> IozoneSession<'a> {
    pub(super) fn new(
        request: IozoneRequest<'a>,
        control: Control<'a>,
        keeper: &'a mut dyn RunKeeper,
        site: &'a OnceCell<Option<Site>>,
    ) -> Result<IozoneSession<'a>, IozoneError> {
        let IozoneRequest {
            options,
            grid,
            lists,
            files,
        } = request;
        let workers = match control.worker {
            Some(program) if !options.threads => Workers::Processes(program.clone()),
            _ => Workers::Threads,
        };
        let together = options.workers().map(|_| TogetherOptions {
            workers,
            stonewall: options.stonewall,
            release_delay: options.release_delay,
            first_cpu: options.first_cpu,
            mix: Mix {
                read_percent: options.read_percent,
                sequential: options.sequential_mix,
            },
        });
        let most = options.most_workers().unwrap_or(1);
        let paths = file_names(options, most);
        let remount = options.remount.as_deref();
        let remount = remount.map(|point| Remount::new(point, &paths, control.journal()?));
        let remount = remount.transpose()?;
        let in_memory = paths.iter().all(|path| findings::in_memory(path));
        let directory = paths
            .first()
            .map_or(Path::new("."), |path| directory_of(path));
        let directory = directory.to_owned();
        let bench = Bench {
            options,
            stop: control.stop,
            remount,
            together,
            lists,
            number: 0,
            spare_seconds: 0.0,
        };
        Ok(IozoneSession {
            options,
            grid,
            cells: Vec::new(),
            passes: 0,
            bench,
            in_memory,
            files,
            made: Vec::new(),
            directory,
            control,
            keeper,
            site,
            observer: None,
        })
    }

    /// Takes the files of `workers` workers.
    pub(crate) fn place(&self, workers: usize) -> Result<Placed, FileOpError> {
        let options = self.options;
        let journal = self.control.journal()?;
        let terms = Terms {
            writes: options.operations().iter().any(|&op| writes(op)),
            overwrite: &options.overwrite,
            made: &self.made,
            keep: options.keep,
            // A held directory would keep its filesystem from being unmounted.
            hold: match options.remount {
                Some(_) => Hold::No,
                None => Hold::Yes,
            },
            journal: Some(journal),
        };
        Placed::new(&file_names(options, workers), &terms)
    }

    /// Whether the files of `row` fit on their filesystem.
    pub(crate) fn room(&self, row: GridRow, placed: &Placed) -> Result<(), FileOpError> {
        let writing = self.options.operations().iter().any(|&op| writes(op));
        if self.options.fill || !writing {
            return Ok(());
        }
        let paths = placed.paths();
        let files = if self.options.shared {
            1
        } else {
            paths.len() as u64
        };
        let needed = Bytes(row.size.get().saturating_mul(files));
        let Some(path) = paths.first() else {
            return Ok(());
        };
        let SpaceLeft { available, reserve } = room(path)?;
        if (SpaceLeft { available, reserve }).fits(needed) {
            return Ok(());
        }
        Err(FileOpError::NoRoom {
            path: placed.directory(),
            needed,
            available,
            reserve,
        })
    }

    /// Looks at what lies beneath the files, the first time.
    pub(crate) fn look(&mut self, placed: &Placed) {
        if self.site.get().is_some() {
            return;
        }
        let reads_only = !self.options.operations().into_iter().any(writes);
        let paths = placed.paths();
        let targets: Vec<PathBuf> = match paths.as_slice() {
            // What others have written is looked at itself.
            [file] if reads_only => vec![file.clone()],
            all => all
                .iter()
                .map(|path| directory_of(path).to_owned())
                .collect(),
        };
        let site = self
            .site
            .get_or_init(|| Site::look_at_all(&targets).ok().flatten());
        self.observer = site.as_ref().map(|site| Observer::new([site], true));
    }

    /// Hands judged cells and their runs on, unless nobody could look at what they ran on.
    pub(crate) fn keep(&mut self, cells: Vec<model::Cell>, runs: Vec<Run>) {
        if self.observer.is_some() {
            self.keeper.keep_judged(&self.directory, cells, runs);
        }
    }

    /// What the figures have in common.
    pub(crate) fn common_facts(&self) -> CommonFacts<'a> {
        CommonFacts {
            options: self.options,
            in_memory: self.in_memory,
        }
    }

    /// Whether the work ends here: the user said so, or a cell did not end well.
    pub(crate) fn is_over(&self) -> bool {
        self.stopped() || self.cells.iter().any(|cell| cell.cut.is_some())
    }

    /// The findings that hold for all cells.
    pub(crate) fn general(&self) -> Vec<Finding> {
        let memory = findings::memory(self.in_memory).into_iter();
        memory.chain(findings::own_work(self.options)).collect()
    }

    fn stopped(&self) -> bool {
        self.control.stop.load(Ordering::Relaxed)
    }

    /// Workbook, verdicts and status, whatever became of the work.
    pub(super) fn close(
        mut self,
        out: &mut dyn Write,
        command: &str,
        done: Result<(), IozoneError>,
    ) -> Result<Exit, IozoneError> {
        let (cells, grid, options) = (&self.cells, &self.grid, self.options);
        let book = |path: &Path| super::sheet::bytes(path, command, cells, grid, options);
        self.files.write_workbook(book)?;
        verdict_text::write(out, &self.cells, &self.general(), self.options)?;
        out.flush()?;
        done?;
        Ok(self.exit())
    }

    fn exit(&self) -> Exit {
        let interrupted = self
            .cells
            .iter()
            .any(|cell| cell.cut == Some(Ended::Interrupted));
        if interrupted || self.stopped() {
            Exit::Interrupted
        } else if self.cells.iter().any(|cell| cell.cut.is_some()) {
            Exit::Failed
        } else {
            Exit::of_cells(self.cells.iter().map(|cell| &cell.judged))
        }
    }
}

/// The directories of the files, each once.
pub(super) fn sites(options: &Options) -> Vec<Site> {
    let most = options.most_workers().unwrap_or(1);
    let files = file_names(options, most);
    let directories: BTreeSet<&Path> = files.iter().map(|f| findings::directory_of(f)).collect();
    let looked = directories.into_iter().map(Site::look);
    looked.filter_map(Result::ok).collect()
}

/// The files of so many workers: those that were named, else iozone's own names.
fn file_names(options: &Options, workers: usize) -> Vec<PathBuf> {
    if options.shared && workers > 1 {
        let one = file_names(options, 1);
        return one.into_iter().cycle().take(workers).collect();
    }
    if options.workers().is_some() {
        if !options.files.is_empty() {
            return options.files.iter().take(workers).cloned().collect();
        }
        let base = options
            .file
            .clone()
            .unwrap_or_else(|| PathBuf::from("iozone.DUMMY"));
        let name = |index: usize| {
            let mut name = base.clone().into_os_string();
            name.push(format!(".{index}"));
            PathBuf::from(name)
        };
        return (0..workers).map(name).collect();
    }
    let named = options
        .file
        .clone()
        .or_else(|| options.files.first().cloned());
    vec![named.unwrap_or_else(|| PathBuf::from("iozone.tmp"))]
}

/// The line that programs wait for; `begun` tells whether everything could begin.
pub(crate) fn complete(
    out: &mut dyn Write,
    session: &IozoneSession<'_>,
    begun: bool,
) -> io::Result<()> {
    if session.is_over() || !begun {
        return writeln!(out, "\niozone test ended early: what follows is partial.");
    }
    writeln!(out, "\niozone test complete.")
}
