//! Ending a server with all that it started.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::process::ticks_per_second;
use crate::shared_memory::remove_shared_memory;
use crate::{Liveness, ProcessStamp};

/// How long a server may take to write back what it holds.
pub(crate) const WRITE_BACK_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a killed process may take to go away.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(5);

/// How often it is looked for.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The processes whose working directory lies in `directory`.
pub(crate) fn within(directory: &Path) -> Vec<u32> {
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let numbers = processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|pid| works_in(*pid, directory)).collect()
}

fn works_in(pid: u32, directory: &Path) -> bool {
    let place = fs::read_link(format!("/proc/{pid}/cwd"));
    pid != std::process::id() && place.is_ok_and(|place| place.starts_with(directory))
}

/// Kills processes and waits until they are gone.
pub(crate) fn end_all(processes: Vec<u32>) {
    let stamps = processes
        .iter()
        .filter_map(|pid| ProcessStamp::of(*pid).ok());
    let stamps: Vec<ProcessStamp> = stamps.collect();
    for stamp in &stamps {
        send(stamp, Signal::KILL);
    }
    stamps
        .iter()
        .for_each(|stamp| outlive(stamp, CLEANUP_TIMEOUT));
}

/// Ends the server that a killed etalon left: asks it to end at once, then kills what stays.
pub(crate) fn end_left(directory: &Path, process: Option<&ProcessStamp>) -> bool {
    let mut found = false;
    if let Some(stamp) = process.filter(|stamp| stamp.liveness() == Liveness::Alive) {
        found = true;
        send(stamp, Signal::QUIT);
        outlive(stamp, CLEANUP_TIMEOUT);
        send(stamp, Signal::KILL);
        outlive(stamp, CLEANUP_TIMEOUT);
    }
    // Processes that the server left are its own as long as they work where it did.
    let left = within(directory);
    found |= !left.is_empty();
    end_all(left);
    if let (Some(stamp), Ok(place)) = (process, fs::symlink_metadata(directory)) {
        // The directory is the server's own, and so belongs to the user as whom it ran.
        remove_shared_memory(stamp, place.uid());
    }
    found
}

fn send(stamp: &ProcessStamp, signal: Signal) {
    let pid = i32::try_from(stamp.pid).ok().and_then(Pid::from_raw);
    if let (Some(pid), Liveness::Alive) = (pid, stamp.liveness()) {
        // It may have ended between the two lines, which is what is wanted.
        let _ = kill_process(pid, signal);
    }
}

fn outlive(stamp: &ProcessStamp, patience: Duration) {
    let begun = Instant::now();
    while stamp.liveness() == Liveness::Alive && begun.elapsed() < patience {
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Processor time of all processes that work in `directory` and of their ended children.
pub(crate) fn processor_time(directory: &Path) -> Duration {
    let ticks: u64 = within(directory).into_iter().filter_map(ticks).sum();
    Duration::from_nanos(ticks.saturating_mul(1_000_000_000 / ticks_per_second()))
}

/// Fields 14 to 17 of proc_pid_stat(5): its own time and that of the children that it waited for.
fn ticks(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, after) = text.rsplit_once(") ")?;
    let fields = after.split(' ').skip(11).take(4);
    Some(fields.filter_map(|field| field.parse::<u64>().ok()).sum())
}
