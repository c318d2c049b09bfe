//! One run over one tree: its phases under one clock, and cleaning up after a failure.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use etalon_factor::{Hold, Journal, Named, NamedError};
use etalon_units::{Bytes, Nanos};
use rustix::fs::{Mode, OFlags, open, syncfs};

use super::error::TreeError;
use super::place::{fresh_root, standing_root};
use super::record::{Phase, PhaseRecord, TreeRecord};
use super::settings::TreeSettings;
use super::walk::Walk;
use crate::file_data::FileData;
use crate::{PartWitness, room};

/// Most bytes written at once.
const PIECE: usize = 1 << 20;

/// Creates and removes the tree once, as `options` say. `which` numbers the trees of one process,
/// from 1; each gets a root of its own.
///
/// What happened so far is removed when the run fails or `stop` is set while it creates; with
/// `remove` alone, what was not yet removed stays.
///
/// # Errors
/// [`TreeError`]: a shape that cannot be, no room, no tree to remove, or the kernel's refusal with
/// the path that it was about.
pub fn run(options: &TreeSettings, which: u32, stop: &AtomicBool) -> Result<TreeRecord, TreeError> {
    options.shape.check()?;
    let root = root_of(options, which)?;
    run_in(options, root, (stop, &()), None).map_err(|(error, _)| error)
}

/// The root that [`run_in`] will use. `which` numbers the trees of one process, from 1.
///
/// # Errors
/// [`TreeError`]: no room for the tree, or no tree to remove.
pub fn root_of(options: &TreeSettings, which: u32) -> Result<PathBuf, TreeError> {
    if options.create {
        let shape = &options.shape;
        let files = (shape.total_files(), shape.total_bytes());
        room::check(&options.start, shape.total_directories(), files.0, files.1)?;
        Ok(fresh_root(&options.start, which))
    } else {
        standing_root(&options.start)
    }
}

/// [`run`] with a root already chosen, which is entered into `journal`; an error comes with the phases that were done before it.
///
/// # Errors
/// Those of [`run`].
pub fn run_in(
    options: &TreeSettings,
    root: PathBuf,
    (stop, witness): (&AtomicBool, &dyn PartWitness),
    journal: Option<&Journal>,
) -> Result<TreeRecord, (TreeError, Vec<PhaseRecord>)> {
    let data = contents(options);
    let mut run = Run {
        options,
        root,
        stop,
        witness,
        journal,
        data,
        start: Instant::now(),
        phases: Vec::new(),
        made: None,
    };
    let done = run.phases();
    let made = run.made.take();
    match done {
        Ok(()) => {
            // It stands because it was asked for, or is removed.
            if let Some(mut made) = made {
                made.keep();
            }
            Ok(TreeRecord {
                shape: options.shape,
                root: run.root,
                phases: run.phases,
            })
        }
        Err(first) => Err((clean_up(first, made), run.phases)),
    }
}

/// What files are filled with; the same bytes on every machine.
fn contents(options: &TreeSettings) -> FileData {
    let size = options.shape.file_size();
    match options.zero {
        true => FileData::zeros(size, PIECE),
        false => FileData::random(size, PIECE, options.seed),
    }
}

struct Run<'a> {
    options: &'a TreeSettings,
    root: PathBuf,
    stop: &'a AtomicBool,
    witness: &'a dyn PartWitness,
    data: FileData,
    start: Instant,
    phases: Vec<PhaseRecord>,
    journal: Option<&'a Journal>,
    /// The root, where this run creates it.
    made: Option<Named>,
}

impl Run<'_> {
    fn phases(&mut self) -> Result<(), TreeError> {
        let levels = self.options.shape.levels;
        if self.options.create {
            let begin = self.make_root()?;
            let root = self.open_root()?;
            self.phase(Phase::CreateDirectories, begin, &root, |walk| {
                walk.count += 1;
                walk.create_directories(levels)
            })?;
            let begin = self.begin(Phase::CreateFiles);
            self.phase(Phase::CreateFiles, begin, &root, |walk| {
                walk.create_files(levels)
            })?;
        }
        if self.options.remove {
            let begin = self.begin(Phase::RemoveFiles);
            let root = self.open_root()?;
            self.phase(Phase::RemoveFiles, begin, &root, |walk| {
                walk.remove_files(levels)
            })?;
            let begin = self.begin(Phase::RemoveDirectories);
            let named = self.named()?;
            self.phase(Phase::RemoveDirectories, begin, &root, |walk| {
                walk.remove_directories(levels)?;
                named
                    .remove_directory()
                    .map_err(|e| failed("remove the directory", named.path(), e))?;
                walk.count += 1;
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Creates the root, and gives when that began: what it takes to enter it into the journal is
    /// no part of the work.
    fn make_root(&mut self) -> Result<Nanos, TreeError> {
        let mut named = self.named()?;
        self.begin(Phase::CreateDirectories);
        let took = named.make_directory(self.journal, Mode::from(0o777));
        let took = took.map_err(|error| {
            let source = match error {
                NamedError::Io(source) => source,
                other => io::Error::other(other),
            };
            failed("create the directory", &self.root, source)
        })?;
        self.made = Some(named);
        Ok(self.now().saturating_sub(took.into()))
    }

    fn named(&self) -> Result<Named, TreeError> {
        Named::at(&self.root, Hold::Yes).map_err(|source| TreeError::Start {
            path: self.options.start.clone(),
            source,
        })
    }

    fn phase(
        &mut self,
        phase: Phase,
        begin: Nanos,
        root: &OwnedFd,
        act: impl FnOnce(&mut Walk<'_>) -> Result<(), TreeError>,
    ) -> Result<(), TreeError> {
        use std::os::fd::AsFd as _;
        let mut walk = Walk::new(
            (root.as_fd(), &self.root),
            self.options.shape,
            self.stop,
            &mut self.data,
        );
        act(&mut walk)?;
        let count = walk.count;
        let before_sync = self.now();
        if self.options.sync {
            // The root's descriptor stays good after its removal, and names the same filesystem.
            syncfs(root).map_err(|e| root_failed("sync the filesystem of", &self.root, e))?;
        }
        let end = self.now();
        self.witness.ended(phase.words());
        let written = if phase == Phase::CreateFiles {
            self.options.shape.total_bytes()
        } else {
            Bytes::ZERO
        };
        let sync = if self.options.sync {
            end.saturating_sub(before_sync)
        } else {
            Nanos::ZERO
        };
        self.phases.push(PhaseRecord {
            phase,
            begin,
            end,
            count,
            bytes: written,
            sync,
        });
        Ok(())
    }

    fn begin(&self, phase: Phase) -> Nanos {
        self.witness.begins(phase.words());
        self.now()
    }

    fn open_root(&self) -> Result<OwnedFd, TreeError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        open(&self.root, flags, Mode::empty()).map_err(|e| root_failed("open", &self.root, e))
    }

    fn now(&self) -> Nanos {
        Nanos(u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }
}

fn root_failed(what: &'static str, root: &Path, errno: rustix::io::Errno) -> TreeError {
    failed(what, root, errno.into())
}

fn failed(what: &'static str, path: &Path, source: io::Error) -> TreeError {
    TreeError::Operation {
        what,
        path: path.to_owned(),
        source,
    }
}

fn clean_up(first: TreeError, made: Option<Named>) -> TreeError {
    let Some(mut made) = made else {
        return first;
    };
    match made.remove() {
        Ok(()) => first,
        Err(error) => TreeError::Leftover {
            first: Box::new(first),
            path: made.path().to_owned(),
            source: io::Error::other(error),
        },
    }
}
