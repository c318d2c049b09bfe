//! Several workloads at once, on one target or on several, each with its own figures: two readers
//! of two files on a mirror, a writer beneath readers.
//!
//! All files are laid out before anything starts; then all streams begin together. [`run`] takes
//! [`Stream`]s and returns a [`TogetherRecord`], which also tells for how long all of them were
//! really under way: outside of that time a figure is not one of streams together.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use etalon_engine::{Control, EngineError, Plan, PlanError, Prepared, TargetPlace, prepare};
use etalon_model::{IoWorkload, Measurement};
use etalon_units::Nanos;
use serde::{Deserialize, Serialize};

use crate::metadata::{self, MetadataRecord, MetadataWorkload};

/// How often a stop is looked for; far below the second within which it must be honoured.
const GLANCE: Duration = Duration::from_millis(20);

/// Most streams at once: each has a thread beside those of its jobs.
const MOST: usize = 256;

/// Numbers the directories of one process.
static DIRECTORIES: AtomicU32 = AtomicU32::new(1);

/// One of several workloads.
#[derive(Debug, Clone)]
pub struct Stream {
    /// What it is called in the record; each stream has its own name.
    pub name: String,
    /// What it does.
    pub load: Load,
}

/// What a stream does, and where.
#[derive(Debug, Clone)]
pub enum Load {
    /// Reads or writes by the engine. For [`TargetPlace::Directory`] a private directory is made
    /// within it and removed in the end.
    Io(Box<IoWorkload>, TargetPlace),
    /// Operations on names below a directory.
    Metadata(MetadataWorkload, PathBuf),
}

/// When streams end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// Each by its own workload.
    AllEnd,
    /// All when the first has come to its own end, so that none is ever alone.
    FirstEnds,
}

/// What several workloads together gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TogetherRecord {
    /// Each stream's own figures, in the order given.
    pub streams: Vec<StreamRecord>,
    /// From the first begin to the last end.
    pub span: Nanos,
    /// How long all streams were under way; zero when one had ended before another began.
    pub overlap: Nanos,
}

/// One stream's own figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StreamRecord {
    /// Its name.
    pub name: String,
    /// From the common start until its work was begun.
    pub begin: Nanos,
    /// From the common start until its work had ended, removal of its names included.
    pub end: Nanos,
    /// What it measured.
    pub result: StreamResult,
}

/// What one stream measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StreamResult {
    /// Of [`Load::Io`].
    Io(Box<Measurement>),
    /// Of [`Load::Metadata`].
    Metadata(Box<MetadataRecord>),
    /// It could not begin; the others went on.
    Failed {
        /// Why.
        message: String,
    },
}

/// Why several workloads are not begun.
#[derive(Debug, thiserror::Error)]
pub enum TogetherError {
    /// Too few or too many.
    #[error("{0} workloads cannot be run together; name 1 to {MOST}")]
    Count(usize),
    /// Two of one name.
    #[error("two of the workloads are called '{0}'; give each its own name")]
    Name(String),
    /// A workload that cannot be done there.
    #[error("'{name}': {source}")]
    Plan {
        /// The stream.
        name: String,
        /// Why.
        source: PlanError,
    },
    /// Its files could not be laid out.
    #[error("'{name}': {source}")]
    Prepare {
        /// The stream.
        name: String,
        /// Why.
        source: EngineError,
    },
    /// A metadata workload whose figures are out of range.
    #[error("'{name}': {source}")]
    Metadata {
        /// The stream.
        name: String,
        /// Why.
        source: metadata::SettingsError,
    },
    /// A private directory could not be made or removed.
    #[error("cannot {what} the directory '{}': {source}", path.display())]
    Directory {
        /// `create` or `remove`.
        what: &'static str,
        /// Which.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// A thread ended by a defect.
    #[error("a stream ended by a defect of this program; please report it")]
    Defect,
}

/// Runs all streams at once.
///
/// Set `stop` to end them all within a second; what they measured until then is kept.
///
/// # Errors
/// [`TogetherError`] when not all of them could be prepared; then none was begun. What fails in one
/// stream after that is told in its own record.
pub fn run(
    streams: &[Stream],
    until: Until,
    stop: &Arc<AtomicBool>,
) -> Result<TogetherRecord, TogetherError> {
    let names: Vec<&str> = streams.iter().map(|stream| stream.name.as_str()).collect();
    check(&names)?;
    let mut places = Vec::new();
    let ready = make_ready(streams, stop, &mut places);
    let result = ready.and_then(|ready| run_ready(&names, ready, until, stop));
    // Those after one that fails are removed as they are dropped.
    let removed = places.into_iter().try_for_each(Private::remove);
    let record = result?;
    removed.map(|()| record)
}

/// Runs several workloads at once whose files are laid out already; each ends by itself.
///
/// # Errors
/// [`TogetherError::Count`] and [`TogetherError::Name`]; what fails in one of them is told in its
/// own record.
pub fn run_prepared(
    streams: &[(&str, &Prepared)],
    stop: &Arc<AtomicBool>,
) -> Result<TogetherRecord, TogetherError> {
    let names: Vec<&str> = streams.iter().map(|(name, _)| *name).collect();
    check(&names)?;
    let ready = streams.iter().map(|(_, prepared)| Ready::Laid(prepared));
    run_ready(&names, ready.collect(), Until::AllEnd, stop)
}

fn check(names: &[&str]) -> Result<(), TogetherError> {
    if !(1..=MOST).contains(&names.len()) {
        return Err(TogetherError::Count(names.len()));
    }
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            return Err(TogetherError::Name((*name).to_owned()));
        }
    }
    Ok(())
}

/// A stream with everything laid out.
enum Ready<'s> {
    Io(Box<Prepared>),
    Laid(&'s Prepared),
    Metadata(&'s MetadataWorkload, &'s Path),
}

fn make_ready<'s>(
    streams: &'s [Stream],
    stop: &Arc<AtomicBool>,
    places: &mut Vec<Private>,
) -> Result<Vec<Ready<'s>>, TogetherError> {
    let control = Control {
        stop: Arc::clone(stop),
        ..Control::default()
    };
    let mut ready = Vec::with_capacity(streams.len());
    for Stream { name, load } in streams {
        ready.push(match load {
            Load::Io(workload, place) => {
                let place = match place {
                    TargetPlace::Directory(parent) => {
                        places.push(Private::new(parent)?);
                        TargetPlace::Directory(places[places.len() - 1].0.clone())
                    }
                    other => other.clone(),
                };
                let plan =
                    Plan::resolve(workload, &place).map_err(|source| TogetherError::Plan {
                        name: name.clone(),
                        source,
                    })?;
                let prepared =
                    prepare(&plan, &control).map_err(|source| TogetherError::Prepare {
                        name: name.clone(),
                        source,
                    })?;
                Ready::Io(Box::new(prepared))
            }
            Load::Metadata(workload, directory) => {
                workload.check().map_err(|source| TogetherError::Metadata {
                    name: name.clone(),
                    source,
                })?;
                Ready::Metadata(workload, directory)
            }
        });
    }
    Ok(ready)
}

fn run_ready(
    names: &[&str],
    ready: Vec<Ready<'_>>,
    until: Until,
    stop: &Arc<AtomicBool>,
) -> Result<TogetherRecord, TogetherError> {
    // One flag ends all; the caller's own is never set from here.
    let halt = Arc::new(AtomicBool::new(false));
    let barrier = Barrier::new(ready.len());
    let ended = AtomicUsize::new(0);
    let (count, origin) = (ready.len(), Instant::now());
    let results: Vec<Option<Timed>> = std::thread::scope(|scope| {
        let handles: Vec<_> = ready
            .iter()
            .map(|ready| {
                let (barrier, halt, ended) = (&barrier, &halt, &ended);
                scope.spawn(move || {
                    // Counted also when the thread ends by a defect: the watch below waits for it.
                    let _count = CountOnDrop(ended);
                    barrier.wait();
                    one_stream(ready, halt, origin)
                })
            })
            .collect();
        while ended.load(Ordering::Acquire) < count {
            let first = until == Until::FirstEnds && ended.load(Ordering::Acquire) > 0;
            if first || stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
            }
            std::thread::sleep(GLANCE);
        }
        handles
            .into_iter()
            .map(|handle| handle.join().ok())
            .collect()
    });
    let timed: Vec<Timed> = results
        .into_iter()
        .collect::<Option<_>>()
        .ok_or(TogetherError::Defect)?;
    Ok(put_together(names, timed))
}

/// A stream's result with its begin and end since the origin.
type Timed = (Nanos, Nanos, StreamResult);

struct CountOnDrop<'c>(&'c AtomicUsize);

impl Drop for CountOnDrop<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

fn one_stream(ready: &Ready<'_>, halt: &Arc<AtomicBool>, origin: Instant) -> Timed {
    let now = || Nanos(u64::try_from(origin.elapsed().as_nanos()).unwrap_or(u64::MAX));
    let begin = now();
    let failed = |message| StreamResult::Failed { message };
    let io = |prepared: &Prepared| {
        let control = Control {
            stop: Arc::clone(halt),
            ..Control::default()
        };
        etalon_engine::run(prepared, &control)
            .map_or_else(|e| failed(e.to_string()), |m| StreamResult::Io(Box::new(m)))
    };
    let result = match ready {
        Ready::Io(prepared) => io(prepared),
        Ready::Laid(prepared) => io(prepared),
        Ready::Metadata(workload, directory) => metadata::run(workload, directory, halt, &())
            .map_or_else(
                |e| failed(e.to_string()),
                |r| StreamResult::Metadata(Box::new(r)),
            ),
    };
    (begin, now(), result)
}

fn put_together(names: &[&str], timed: Vec<Timed>) -> TogetherRecord {
    let first = timed.iter().map(|t| t.0).min().unwrap_or_default();
    let since = |moment: Nanos| moment.saturating_sub(first);
    let span = since(timed.iter().map(|t| t.1).max().unwrap_or_default());
    let last_begin = timed.iter().map(|t| t.0).max().unwrap_or_default();
    let first_end = timed.iter().map(|t| t.1).min().unwrap_or_default();
    let overlap = first_end.saturating_sub(last_begin);
    let streams = names
        .iter()
        .zip(timed)
        .map(|(name, (begin, end, result))| StreamRecord {
            name: (*name).to_owned(),
            begin: since(begin),
            end: since(end),
            result,
        })
        .collect();
    TogetherRecord {
        streams,
        span,
        overlap,
    }
}

/// A directory that goes away with all that is in it.
struct Private(PathBuf);

impl Private {
    fn new(parent: &Path) -> Result<Private, TogetherError> {
        let number = DIRECTORIES.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("together.{}.{number}", std::process::id()));
        match fs::create_dir(&path) {
            Ok(()) => Ok(Private(path)),
            Err(source) => Err(TogetherError::Directory {
                what: "create",
                path,
                source,
            }),
        }
    }

    fn remove(self) -> Result<(), TogetherError> {
        let removed = fs::remove_dir_all(&self.0);
        removed.map_err(|source| TogetherError::Directory {
            what: "remove",
            path: self.0.clone(),
            source,
        })
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        // Has happened already, but for a failure in between.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests;
