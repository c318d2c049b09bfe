//! A rebuild of md, watched.

mod forecast;
mod progress;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use etalon_model::{RebuildPoint, RebuildRecord};
use etalon_units::{Nanos, Percent};

use self::forecast::Extent;
use self::progress::{directory, is_idle, is_over, point, word};
use super::FactorError;

const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// A rebuild that has not begun by then never will: the kernel's thread of the array starts it at once.
const BEGIN_TIMEOUT: Duration = Duration::from_secs(60);
/// Looks that must agree that nothing is done: the kernel rests for a moment between one step and the next.
const QUIET_LOOKS: usize = 3;
/// Points of the curve that are kept; more are thinned out.
const POINTS: usize = 50;

/// How far it was at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RebuildMoment {
    at: Duration,
    done: f64,
    kib_per_second: u64,
}

/// A rebuild, with what was seen of it.
#[derive(Debug)]
pub(super) struct Rebuild {
    directory: PathBuf,
    extent: Extent,
    curve: Arc<Mutex<Vec<RebuildMoment>>>,
    stop: Arc<AtomicBool>,
    watched: Option<WatchedRebuild>,
}

/// The one that was begun last.
#[derive(Debug)]
struct WatchedRebuild {
    begun: Instant,
    /// Members that are missing once it is over.
    lost: usize,
    watcher: JoinHandle<()>,
}

impl Rebuild {
    pub(super) fn of(node: &Path) -> Rebuild {
        Rebuild::within(directory(node), Extent::of(node))
    }

    fn within(directory: PathBuf, extent: Extent) -> Rebuild {
        Rebuild {
            directory,
            extent,
            curve: Arc::default(),
            stop: Arc::default(),
            watched: None,
        }
    }

    /// Waits for the beginning of the rebuild that a new member brings about, and follows it until it ends, with `lost`
    /// members missing then.
    pub(super) fn watch(&mut self, lost: usize, stop: &AtomicBool) -> Result<(), FactorError> {
        self.end();
        let begun = Instant::now();
        await_begin(&self.directory, lost, stop)?;
        self.points().clear();
        self.stop.store(false, Ordering::Relaxed);
        let (curve, stop) = (Arc::clone(&self.curve), Arc::clone(&self.stop));
        let directory = self.directory.clone();
        let watcher = spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                let point = point(&directory, lost, begun.elapsed());
                let mut curve = curve.lock().unwrap_or_else(PoisonError::into_inner);
                curve.extend(point);
                drop(curve);
                if point.is_some_and(|point| point.done >= 1.0) {
                    return;
                }
                sleep(POLL_INTERVAL);
            }
        });
        self.watched = Some(WatchedRebuild {
            begun,
            lost,
            watcher,
        });
        Ok(())
    }

    /// Whether it has ended before its end, as where the new member fails too.
    pub(super) fn has_broken_off(&self) -> bool {
        let Some(watched) = &self.watched else {
            return false;
        };
        let rests = || is_idle(&self.directory) && !is_over(&self.directory, watched.lost);
        (0..QUIET_LOOKS).all(|look| {
            if look > 0 {
                sleep(POLL_INTERVAL);
            }
            rests()
        })
    }

    fn points(&self) -> std::sync::MutexGuard<'_, Vec<RebuildMoment>> {
        self.curve.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(watched) = self.watched.take() {
            let _ = watched.watcher.join();
        }
    }

    /// How far it is at this moment; none before the first.
    pub(super) fn record(&self) -> Option<RebuildRecord> {
        let watched = self.watched.as_ref()?;
        let mut points = self.points().clone();
        if points.last().is_none_or(|last| last.done < 1.0) {
            points.extend(point(
                &self.directory,
                watched.lost,
                watched.begun.elapsed(),
            ));
        }
        let device = self.directory.parent().and_then(Path::file_name);
        Some(RebuildRecord {
            device: device.unwrap_or_default().to_string_lossy().into_owned(),
            ..record_of(&points, self.extent)
        })
    }
}

impl Drop for Rebuild {
    fn drop(&mut self) {
        self.end();
    }
}

/// The time that it took or will take, its speed, and the curve.
fn record_of(points: &[RebuildMoment], extent: Extent) -> RebuildRecord {
    let Some(last) = points.last() else {
        return RebuildRecord::default();
    };
    let is_over = last.done >= 1.0;
    let left = extent.left(last.done, last.at).filter(|_| !is_over);
    let step = points.len().div_ceil(POINTS).max(1);
    let kept = points.iter().step_by(step);
    let kept = kept.chain((!(points.len() - 1).is_multiple_of(step)).then_some(last));
    RebuildRecord {
        device: String::new(),
        is_over,
        elapsed: last.at.into(),
        done: Percent::from_fraction(last.done),
        left: left.map(Nanos::from),
        bytes_per_second: speed_of(points),
        curve: kept
            .map(|point| RebuildPoint {
                at: point.at.into(),
                done: Percent::from_fraction(point.done),
            })
            .collect(),
    }
}

/// The median of the speeds that the kernel told, in bytes per second; none where it told none.
fn speed_of(points: &[RebuildMoment]) -> Option<f64> {
    let told = points.iter().map(|point| point.kib_per_second);
    let mut speeds: Vec<u64> = told.filter(|speed| *speed > 0).collect();
    speeds.sort_unstable();
    let upper = *speeds.get(speeds.len() / 2)?;
    let lower = speeds[(speeds.len() - 1) / 2];
    Some(f64::midpoint(lower as f64, upper as f64) * 1024.0)
}

fn await_begin(directory: &Path, lost: usize, stop: &AtomicBool) -> Result<(), FactorError> {
    let begun = Instant::now();
    while is_idle(directory) && !is_over(directory, lost) {
        go_on(stop)?;
        if begun.elapsed() > BEGIN_TIMEOUT {
            return Err(FactorError::NotSo {
                path: directory.join("sync_action"),
                wanted: "recover".to_owned(),
                found: word(directory, "sync_action").unwrap_or_default(),
            });
        }
        sleep(POLL_INTERVAL / 10);
    }
    Ok(())
}

/// Waits until nothing is synchronised any more; how long that took.
///
/// # Errors
/// [`FactorError::Stopped`] once `stop` is set: a resync of whole disks takes hours.
pub(super) fn wait_idle(node: &Path, stop: &AtomicBool) -> Result<Duration, FactorError> {
    idle_within(&directory(node), stop)
}

fn idle_within(directory: &Path, stop: &AtomicBool) -> Result<Duration, FactorError> {
    let begun = Instant::now();
    let mut quiet = 0;
    // A resync that was asked for begins a moment later.
    while quiet < QUIET_LOOKS {
        go_on(stop)?;
        quiet = if is_idle(directory) { quiet + 1 } else { 0 };
        sleep(POLL_INTERVAL);
    }
    Ok(begun.elapsed())
}

/// Waits until something is so; how long that took.
///
/// # Errors
/// As [`wait_idle`], and what the look itself fails with.
pub(super) fn wait_until(
    stop: &AtomicBool,
    is_so: impl Fn() -> Result<bool, FactorError>,
) -> Result<Duration, FactorError> {
    let begun = Instant::now();
    while !is_so()? {
        go_on(stop)?;
        sleep(POLL_INTERVAL);
    }
    Ok(begun.elapsed())
}

fn go_on(stop: &AtomicBool) -> Result<(), FactorError> {
    match stop.load(Ordering::Relaxed) {
        true => Err(FactorError::Stopped),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn point_at(seconds: f64, done: f64) -> RebuildMoment {
        RebuildMoment {
            at: Duration::from_secs_f64(seconds),
            done,
            kib_per_second: if done < 1.0 { 1000 } else { 0 },
        }
    }

    #[test]
    fn what_is_left_is_foretold_and_what_is_done_is_told() {
        assert_eq!(record_of(&[], Extent::EVEN), RebuildRecord::default());
        let half = record_of(&[point_at(1.0, 0.1), point_at(5.0, 0.5)], Extent::EVEN);
        assert!(!half.is_over);
        assert_eq!(half.left, Some(Nanos::from_secs_f64(5.0)));
        assert_eq!(half.bytes_per_second, Some(1_024_000.0));
        let done = record_of(&[point_at(5.0, 0.5), point_at(9.0, 1.0)], Extent::EVEN);
        assert!(done.is_over && done.left.is_none());
        assert_eq!(done.elapsed, Nanos::from_secs_f64(9.0));
        assert_eq!(done.curve.len(), 2);
        let long: Vec<RebuildMoment> = (0..1000)
            .map(|n| point_at(n as f64, n as f64 / 1000.0))
            .collect();
        let curve = record_of(&long, Extent::EVEN).curve;
        assert!(curve.len() <= POINTS + 1, "{}", curve.len());
        assert_eq!(curve.last().unwrap().at, Nanos::from_secs_f64(999.0));
    }

    #[test]
    fn of_an_even_number_of_speeds_the_median_lies_between_the_middle_two() {
        let of = |speeds: &[u64]| {
            let at = |kib_per_second: &u64| RebuildMoment {
                kib_per_second: *kib_per_second,
                ..point_at(1.0, 0.5)
            };
            speed_of(&speeds.iter().map(at).collect::<Vec<_>>())
        };
        assert_eq!(of(&[3000, 0, 1000]), Some(2_048_000.0));
        assert_eq!(of(&[3000, 1000, 9000]), Some(3_072_000.0));
        assert_eq!(of(&[0]), None);
    }

    /// The files of an array, as a kernel writes them (6.1).
    pub(super) fn array(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("md")).unwrap();
        for (name, text) in files {
            fs::write(root.path().join("md").join(name), text).unwrap();
        }
        root
    }

    #[test]
    fn a_wait_for_an_array_ends_when_the_user_asks_to_stop() {
        let syncs = array(&[("sync_action", "resync\n")]);
        let stop = Arc::new(AtomicBool::default());
        let asks = Arc::clone(&stop);
        let directory = syncs.path().join("md");
        let waits = spawn(move || idle_within(&directory, &asks));
        assert!(!waits.is_finished());
        stop.store(true, Ordering::Relaxed);
        let ended = waits.join().unwrap();
        assert!(matches!(ended, Err(FactorError::Stopped)), "{ended:?}");
        let frozen = array(&[("sync_action", "idle\n"), ("degraded", "2\n")]);
        let begins = await_begin(&frozen.path().join("md"), 0, &stop);
        assert!(matches!(begins, Err(FactorError::Stopped)), "{begins:?}");
    }

    #[test]
    fn the_end_is_seen_while_nobody_asks() {
        let root = array(&[
            ("sync_action", "recover\n"),
            ("degraded", "1\n"),
            ("sync_completed", "0 / 512\n"),
        ]);
        let directory = root.path().join("md");
        let mut rebuild = Rebuild::within(directory.clone(), Extent::EVEN);
        assert_eq!(rebuild.record(), None);
        rebuild.watch(0, &AtomicBool::default()).unwrap();
        assert!(!rebuild.record().unwrap().is_over && !rebuild.has_broken_off());
        fs::write(directory.join("degraded"), "0\n").unwrap();
        fs::write(directory.join("sync_action"), "idle\n").unwrap();
        while rebuild.points().last().is_none_or(|last| last.done < 1.0) {
            sleep(POLL_INTERVAL / 10);
        }
        let first = rebuild.record().unwrap();
        assert!(first.is_over && first.left.is_none());
        // It ended when it ended, not when it is asked for.
        assert_eq!(rebuild.record().unwrap(), first);
        assert!(!rebuild.has_broken_off());
    }

    #[test]
    fn a_rebuild_whose_new_member_fails_has_broken_off() {
        let root = array(&[
            ("sync_action", "recover\n"),
            ("degraded", "1\n"),
            ("sync_completed", "128 / 512\n"),
        ]);
        let directory = root.path().join("md");
        let mut rebuild = Rebuild::within(directory.clone(), Extent::EVEN);
        assert!(!rebuild.has_broken_off());
        rebuild.watch(0, &AtomicBool::default()).unwrap();
        assert!(!rebuild.has_broken_off());
        fs::write(directory.join("sync_action"), "idle\n").unwrap();
        assert!(rebuild.has_broken_off());
    }
}
