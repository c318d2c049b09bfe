//! Several workloads at once, on one target or on several, each with its own figures: two readers of
//! two files on a mirror, a writer beneath readers, files created beside a reader.
//!
//! All are laid out, each as a [`Ready`], before anything starts; then all begin together. [`run_prepared`] returns a
//! [`TogetherRecord`], which also says for how long all of them were really under way: outside of
//! that time a figure is not one of workloads together. [`ConcurrentIo`] makes that measurable.

mod concurrent;
mod ready;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use etalon_model::{Backend, Measurement};
use etalon_units::Nanos;
use serde::{Deserialize, Serialize};

pub use concurrent::{ConcurrentError, ConcurrentIo};
pub use ready::Ready;

/// How often a stop is looked for; far below the second within which it must be honoured.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Most workloads at once: each has a thread beside those of its jobs.
const MOST: usize = 256;

/// What several workloads together gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TogetherRecord {
    /// Each workload's own figures, in the order given.
    pub streams: Vec<StreamRecord>,
    /// From the first begin to the last end.
    #[serde(rename = "span_ns", alias = "span")]
    pub span: Nanos,
    /// How long all were under way; zero when one had ended before another began.
    #[serde(rename = "overlap_ns", alias = "overlap")]
    pub overlap: Nanos,
}

/// One workload's own figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StreamRecord {
    /// Its name.
    pub name: String,
    /// From the common start until its work was begun.
    #[serde(rename = "begin_ns", alias = "begin")]
    pub begin: Nanos,
    /// From the common start until its work had ended.
    #[serde(rename = "end_ns", alias = "end")]
    pub end: Nanos,
    /// What it measured.
    pub result: StreamResult,
}

/// What one workload measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StreamResult {
    /// Its figures.
    Measured(Box<Measurement>),
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
    /// A thread ended by a defect.
    #[error("a stream ended by a defect of this program; please report it")]
    Defect,
}

/// Runs several workloads at once whose files are laid out already; each ends by itself. Set `stop` to
/// end them all within a second; what they measured until then is kept.
///
/// # Errors
/// [`TogetherError::Count`] and [`TogetherError::Name`]; what fails in one of them is said in its own
/// record.
pub fn run_prepared(
    streams: &[(&str, &Ready)],
    stop: &Arc<AtomicBool>,
) -> Result<TogetherRecord, TogetherError> {
    let names: Vec<&str> = streams.iter().map(|(name, _)| *name).collect();
    check(&names)?;
    // One flag ends all; the caller's own is never set from here.
    let halt = Arc::new(AtomicBool::new(false));
    let barrier = Barrier::new(streams.len());
    let ended = AtomicUsize::new(0);
    let origin = Instant::now();
    let results: Vec<Option<Timed>> = std::thread::scope(|scope| {
        let handles: Vec<_> = streams
            .iter()
            .map(|(_, ready)| {
                let (barrier, halt, ended) = (&barrier, &halt, &ended);
                scope.spawn(move || {
                    // Counted also when the thread ends by a defect: the watch below waits for it.
                    let _count = CountOnDrop(ended);
                    barrier.wait();
                    one_stream(ready, halt, origin)
                })
            })
            .collect();
        while ended.load(Ordering::Acquire) < streams.len() {
            if stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
            }
            std::thread::sleep(POLL_INTERVAL);
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
    Ok(put_together(&names, timed))
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

/// A workload's result with its begin and end since the origin.
struct Timed {
    begin: Nanos,
    end: Nanos,
    result: StreamResult,
}

impl Timed {
    /// How long it took by the clock of the modelled device; `None` on real storage.
    fn modelled(&self) -> Option<Nanos> {
        match &self.result {
            StreamResult::Measured(m) if m.backend == Some(Backend::Fake) => Some(m.duration),
            _ => None,
        }
    }
}

/// On the modelled device all begin at the zero of its clock: how long each was computed says nothing.
fn on_one_clock(timed: &mut [Timed]) {
    let modelled: Option<Vec<Nanos>> = timed.iter().map(Timed::modelled).collect();
    for (timed, end) in timed.iter_mut().zip(modelled.into_iter().flatten()) {
        (timed.begin, timed.end) = (Nanos::ZERO, end);
    }
}

struct CountOnDrop<'c>(&'c AtomicUsize);

impl Drop for CountOnDrop<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

fn one_stream(ready: &Ready, halt: &Arc<AtomicBool>, origin: Instant) -> Timed {
    let now = || Nanos(u64::try_from(origin.elapsed().as_nanos()).unwrap_or(u64::MAX));
    let begin = now();
    let result = match ready.carry_out(halt) {
        Ok(measurement) => StreamResult::Measured(Box::new(measurement)),
        Err(message) => StreamResult::Failed { message },
    };
    Timed {
        begin,
        end: now(),
        result,
    }
}

fn put_together(names: &[&str], mut timed: Vec<Timed>) -> TogetherRecord {
    on_one_clock(&mut timed);
    let first = timed.iter().map(|t| t.begin).min().unwrap_or_default();
    let since = |moment: Nanos| moment.saturating_sub(first);
    let span = since(timed.iter().map(|t| t.end).max().unwrap_or_default());
    let last_begin = timed.iter().map(|t| t.begin).max().unwrap_or_default();
    let first_end = timed.iter().map(|t| t.end).min().unwrap_or_default();
    let overlap = first_end.saturating_sub(last_begin);
    let streams = names.iter().zip(timed).map(|(name, timed)| StreamRecord {
        name: (*name).to_owned(),
        begin: since(timed.begin),
        end: since(timed.end),
        result: timed.result,
    });
    TogetherRecord {
        streams: streams.collect(),
        span,
        overlap,
    }
}

#[cfg(test)]
mod tests;
