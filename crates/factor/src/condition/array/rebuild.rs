//! A rebuild of md, watched (the kernel's Documentation/admin-guide/md.rst: `sync_action`,
//! `sync_completed`, `sync_speed`).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

use super::FactorError;

const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Points of the curve that are told; more are thinned out.
const POINTS: usize = 50;

/// How far it was at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    seconds: f64,
    percent: f64,
    kib_per_second: u64,
}

/// A rebuild, with what was seen of it.
#[derive(Debug)]
pub(super) struct Rebuild {
    directory: PathBuf,
    curve: Arc<Mutex<Vec<Point>>>,
    stop: Arc<AtomicBool>,
    watcher: Option<JoinHandle<()>>,
}

impl Rebuild {
    pub(super) fn of(node: &Path) -> Rebuild {
        Rebuild {
            directory: directory(node),
            curve: Arc::default(),
            stop: Arc::default(),
            watcher: None,
        }
    }

    /// Follows the rebuild that has just begun, until it ends.
    pub(super) fn watch(&mut self) {
        self.end();
        let (curve, stop) = (Arc::clone(&self.curve), Arc::clone(&self.stop));
        curve.lock().unwrap_or_else(PoisonError::into_inner).clear();
        stop.store(false, Ordering::Relaxed);
        let directory = self.directory.clone();
        self.watcher = Some(spawn(move || {
            let begun = Instant::now();
            while !stop.load(Ordering::Relaxed) && !is_idle(&directory) {
                if let Some(point) = look(&directory, begun) {
                    curve
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(point);
                }
                sleep(POLL_INTERVAL);
            }
            if is_idle(&directory) {
                let last = Point {
                    seconds: begun.elapsed().as_secs_f64(),
                    percent: 100.0,
                    kib_per_second: 0,
                };
                curve
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(last);
            }
        }));
    }

    fn end(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.watcher.take().map(JoinHandle::join);
    }

    /// The time that it took or will take, its speed, and the curve.
    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let curve = self.curve.lock().unwrap_or_else(PoisonError::into_inner);
        told(&curve)
    }
}

impl Drop for Rebuild {
    fn drop(&mut self) {
        self.end();
    }
}

fn told(curve: &[Point]) -> Vec<(String, String)> {
    let Some(last) = curve.last() else {
        return Vec::new();
    };
    let mut speeds: Vec<u64> = curve
        .iter()
        .map(|point| point.kib_per_second)
        .filter(|s| *s > 0)
        .collect();
    speeds.sort_unstable();
    let speed = speeds.get(speeds.len() / 2).copied().unwrap_or(0);
    let time = match last.percent {
        percent if percent >= 100.0 => ("rebuilt in", last.seconds),
        percent if percent > 0.0 => ("rebuild ends after", last.seconds * 100.0 / percent),
        _ => ("rebuild goes on after", last.seconds),
    };
    let step = curve.len().div_ceil(POINTS).max(1);
    let points = curve.iter().step_by(step).chain([last]);
    let points: Vec<String> = points
        .map(|p| format!("{:.1} s {:.1} %", p.seconds, p.percent))
        .collect();
    vec![
        (time.0.to_owned(), format!("{:.1} s", time.1)),
        ("rebuild speed, median".to_owned(), format!("{speed} KiB/s")),
        ("rebuild curve".to_owned(), points.join(", ")),
    ]
}

fn directory(node: &Path) -> PathBuf {
    let name = node.file_name().unwrap_or_default();
    Path::new("/sys/block").join(name).join("md")
}

fn is_idle(directory: &Path) -> bool {
    let action = fs::read_to_string(directory.join("sync_action"));
    // RAID 0 has no such file, and nothing to synchronise.
    action.map_or(true, |action| matches!(action.trim(), "idle" | "frozen"))
}

fn look(directory: &Path, begun: Instant) -> Option<Point> {
    let completed = fs::read_to_string(directory.join("sync_completed")).ok()?;
    let (done, all) = completed.trim().split_once(" / ")?;
    let (done, all): (f64, f64) = (done.parse().ok()?, all.parse().ok()?);
    let speed = fs::read_to_string(directory.join("sync_speed")).unwrap_or_default();
    Some(Point {
        seconds: begun.elapsed().as_secs_f64(),
        percent: 100.0 * done / all.max(1.0),
        kib_per_second: speed.trim().parse().unwrap_or(0),
    })
}

/// Waits until nothing is synchronised any more; how long that took.
pub(super) fn wait_idle(node: &Path) -> Result<Duration, FactorError> {
    let (directory, begun) = (directory(node), Instant::now());
    let mut quiet = 0;
    // A resync that was asked for begins a moment later.
    while quiet < 3 {
        quiet = if is_idle(&directory) { quiet + 1 } else { 0 };
        sleep(POLL_INTERVAL);
    }
    Ok(begun.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_foretold_and_what_is_done_is_told() {
        let point = |seconds, percent| Point {
            seconds,
            percent,
            kib_per_second: 1000,
        };
        assert!(told(&[]).is_empty());
        let half = told(&[point(1.0, 10.0), point(5.0, 50.0)]);
        assert_eq!(half[0], ("rebuild ends after".into(), "10.0 s".into()));
        let done = told(&[point(5.0, 50.0), point(9.0, 100.0)]);
        assert_eq!(done[0], ("rebuilt in".into(), "9.0 s".into()));
        assert!(done[2].1.starts_with("5.0 s 50.0 %, 9.0 s 100.0 %"));
    }
}
