//! A part of a run in which nothing ended.

mod gap;

use std::collections::BTreeMap;

use etalon_model::stack::{DevNo, DiskTick, Recording};
use etalon_model::{Backend, Run, Severity};
use etalon_units::{Nanos, Percent};

use crate::check::{Check, Facts, Outcome};
use crate::sentence::{Sentence, said};
use crate::series::SLICE;
use gap::Gap;

/// Share of the run above which a gap that is not the storage's spoils the figure.
const INVALID: f64 = 0.05;
/// The same of a gap in which the storage itself stood still.
const INVALID_OF_STORAGE: f64 = 0.25;

pub(crate) const CHECK: Check = Check {
    code: "stalled",
    about: "Part of the run stood still.",
    advice: "Measure again; look into dmesg if it returns.",
    ..Check::of_run(run)
};

/// What stood still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// This process: stopped, frozen, or without a processor.
    Process,
    /// Something between the process and devices that had nothing to do.
    Above,
    /// The devices, which had requests.
    Devices,
    /// Nobody looked.
    Unknown,
}

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let (gap, cause) = within(run).or_else(|| held_at_the_end(run))?;
    let share = gap.beyond.as_secs_f64() / run.measurement.duration.as_secs_f64();
    let limit = match cause {
        Cause::Process | Cause::Above => INVALID,
        Cause::Devices | Cause::Unknown => INVALID_OF_STORAGE,
    };
    let severity = match share > limit {
        true => Severity::Invalid,
        false => Severity::Warn,
    };
    let message = because(still(gap, share), cause);
    let evidence = [("gap_ns", gap.beyond.get() as f64), ("gap_share", share)];
    Some(Outcome::new(severity, message, &evidence))
}

fn still(gap: Gap, share: f64) -> Sentence {
    let share = Percent::from_fraction(share);
    match gap.pause {
        Nanos::ZERO => said!(
            "nothing ended for {gap}, {share} of the run.",
            gap = gap.beyond,
            share = share,
        ),
        pause => said!(
            "nothing ended for {gap} beyond the pause of {pause}, {share} of the run.",
            gap = gap.beyond,
            pause = pause,
            share = share,
        ),
    }
}

fn because(still: Sentence, cause: Cause) -> Sentence {
    let words = match cause {
        Cause::Process => {
            said!("; etalon itself stood still: stopped, frozen, or without a processor.")
        }
        Cause::Above => {
            said!("; the devices had nothing to do: a layer above held the operations.")
        }
        Cause::Devices => said!("; the devices had requests and ended none."),
        Cause::Unknown => return still,
    };
    still.then(words)
}

/// A gap between two ends, and what stood still.
fn within(run: &Run) -> Option<(Gap, Cause)> {
    let gap = Gap::within(run)?;
    let recording = run.circumstances.recording.as_ref();
    let cause = recording.map_or(Some(Cause::Unknown), |seen| cause(seen, gap))?;
    Some((gap, cause))
}

/// A gap behind the last end, where this process itself stood still: a closing fsync leaves one too, but the watch goes
/// on meanwhile.
fn held_at_the_end(run: &Run) -> Option<(Gap, Cause)> {
    let seen = run.circumstances.recording.as_ref()?;
    let gap = Gap::at_the_end(run)?;
    let slept = seen.ticks.iter().map(|tick| tick.span).max()?;
    let is_held = slept.get() >= gap.beyond.get() / 2;
    (run.measurement.backend != Some(Backend::Fake) && is_held).then_some((gap, Cause::Process))
}

/// What stood still for about as long as `gap`; `None` where the devices went on ending requests, so
/// that they worked off what was written before.
fn cause(seen: &Recording, gap: Gap) -> Option<Cause> {
    let half = Nanos(gap.beyond.get() / 2);
    let longest_sleep = seen.ticks.iter().map(|tick| tick.span).max()?;
    if longest_sleep >= half.max(Nanos(SLICE.get() * 2)) {
        return Some(Cause::Process);
    }
    if seen.ticks.iter().all(|tick| tick.disks.is_empty()) {
        return Some(Cause::Unknown);
    }
    let stretches = seen.ticks.split_inclusive(has_ended_requests);
    let with_end = stretches.max_by_key(|ticks| length(idle(ticks)))?;
    let longest = idle(with_end);
    let least = gap.pause.get().saturating_add(half.get());
    if length(longest).get() < least {
        return None;
    }
    // The ticks at the ends of a stretch reach into the work around it.
    let inside = longest.get(1..longest.len() - 1).unwrap_or(longest);
    let busy = inside.iter().any(has_requests) || flushed(with_end) >= half;
    Some(if busy { Cause::Devices } else { Cause::Above })
}

/// A stretch without the tick in which requests ended again.
fn idle(ticks: &[DiskTick]) -> &[DiskTick] {
    match ticks.split_last() {
        Some((last, others)) if has_ended_requests(last) => others,
        _ => ticks,
    }
}

/// The longest that a disk of a stretch was emptying its cache, as is counted when it is done. The kernel has such a request
/// not among those under way (`blk_mq_check_inflight` in its block/blk-mq.c takes those alone that it does accounts of).
fn flushed(ticks: &[DiskTick]) -> Nanos {
    let mut took: BTreeMap<DevNo, u64> = BTreeMap::new();
    for disk in ticks.iter().flat_map(|tick| &tick.disks) {
        let millis = disk.delta.and_then(|delta| delta.flush_ticks_ms);
        *took.entry(disk.devno).or_default() += millis.unwrap_or(0);
    }
    Nanos::millis(took.into_values().max().unwrap_or(0))
}

fn length(ticks: &[DiskTick]) -> Nanos {
    Nanos(ticks.iter().map(|tick| tick.span.get()).sum())
}

fn has_ended_requests(tick: &DiskTick) -> bool {
    let mut deltas = tick.disks.iter().filter_map(|disk| disk.delta.as_ref());
    deltas.any(|delta| delta.read_ios + delta.write_ios > 0)
}

fn has_requests(tick: &DiskTick) -> bool {
    let mut deltas = tick.disks.iter().filter_map(|disk| disk.delta.as_ref());
    deltas.any(|delta| delta.in_flight > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, read_run, series_of};
    use etalon_model::Think;
    use etalon_model::stack::{BlockDelta, DiskActivity};

    /// A run of three seconds in which nothing ended from slice `from` to slice `to`.
    fn run_with_gap(from: usize, to: usize) -> Run {
        let mut run = read_run();
        run.measurement.duration = Nanos::secs(3);
        let slice = |n: usize| if (from..to).contains(&n) { 0.0 } else { 2000.0 };
        run.measurement.series = series_of((0..30).map(slice));
        run
    }

    /// Looks ten times a second, `of` each what the disk ended and had under way.
    fn watched(of: impl Fn(usize) -> (u64, u64)) -> Recording {
        let tick = |n: usize| {
            let (read_ios, in_flight) = of(n);
            DiskTick {
                at: Nanos::millis(100 * n as u64),
                span: SLICE,
                disks: vec![DiskActivity {
                    devno: DevNo { major: 8, minor: 0 },
                    name: "sda".to_owned(),
                    delta: Some(BlockDelta {
                        read_ios,
                        in_flight,
                        ..BlockDelta::default()
                    }),
                }],
            }
        };
        Recording {
            ticks: (0..30).map(tick).collect(),
            ..Recording::default()
        }
    }

    fn found(run: &Run) -> Option<(Severity, String)> {
        super::run(&facts(run)).map(|outcome| (outcome.severity, outcome.message.to_string()))
    }

    #[test]
    fn a_process_that_was_held_and_a_storage_that_stood_still_are_told_apart() {
        let mut run = run_with_gap(10, 20);
        let mut slept = watched(|_| (200, 1));
        slept.ticks[10].span = Nanos::millis(1000);
        run.circumstances.recording = Some(slept);
        let (severity, message) = found(&run).unwrap();
        assert_eq!(severity, Severity::Invalid);
        assert!(message.contains("etalon itself"), "{message}");
        let still = |n| (10..20).contains(&n);
        for (under_way, words) in [(1, "ended none"), (0, "nothing to do")] {
            let recording = watched(|n| if still(n) { (0, under_way) } else { (200, 1) });
            run.circumstances.recording = Some(recording);
            let (severity, message) = found(&run).unwrap();
            assert_eq!(severity, Severity::Invalid);
            assert!(message.contains(words), "{message}");
        }
    }

    /// As was seen of an array whose disks took 600 ms to empty their caches, in the middle of a run and behind its end.
    #[test]
    fn disks_that_empty_their_caches_have_something_to_do() {
        let mut run = run_with_gap(10, 16);
        let is_still = |n: usize| (10..16).contains(&n) || n >= 23;
        let of = |n| {
            if is_still(n) { (0, 0) } else { (200, 1) }
        };
        let mut recording = watched(of);
        run.circumstances.recording = Some(recording.clone());
        let (severity, message) = found(&run).unwrap();
        assert_eq!(severity, Severity::Invalid);
        assert!(message.contains("nothing to do"), "{message}");
        for (at, millis) in [(16, 590), (29, 600)] {
            let delta = recording.ticks[at].disks[0].delta.as_mut().unwrap();
            delta.flush_ticks_ms = Some(millis);
        }
        run.circumstances.recording = Some(recording);
        let (severity, message) = found(&run).unwrap();
        assert_eq!(severity, Severity::Warn);
        assert!(message.contains("ended none"), "{message}");
    }

    #[test]
    fn a_process_held_until_the_end_of_its_run_is_told() {
        let mut run = run_with_gap(20, 30);
        run.circumstances.recording = Some(watched(|_| (200, 1)));
        assert_eq!(found(&run), None, "a closing fsync");
        let mut held = watched(|_| (200, 1));
        held.ticks.truncate(21);
        held.ticks[20].span = Nanos::millis(1000);
        run.circumstances.recording = Some(held);
        let (severity, message) = found(&run).unwrap();
        assert_eq!(severity, Severity::Invalid);
        assert!(message.contains("etalon itself"), "{message}");
    }

    #[test]
    fn a_gap_in_which_the_devices_worked_is_no_stall_and_a_short_one_of_theirs_warns() {
        let mut run = run_with_gap(10, 20);
        run.circumstances.recording = Some(watched(|_| (200, 1)));
        assert_eq!(found(&run), None);
        let mut run = run_with_gap(10, 14);
        let recording = watched(|n| ((u64::from(!(10..14).contains(&n))) * 200, 1));
        run.circumstances.recording = Some(recording);
        assert_eq!(found(&run).unwrap().0, Severity::Warn);
    }

    /// As `--think 300ms --think-every 100` has it, where operations take 0.1 ms, with a pause that lasted longer once.
    fn thinking(longest: u64) -> Run {
        let mut run = read_run();
        run.workload.io_mut().unwrap().think = Some(Think {
            time: Nanos::millis(300),
            every: 100,
        });
        let later = |n| if n < 4 { 0 } else { longest / 100 - 3 };
        let bursts: Vec<u64> = (0..7).map(|n| n * 4 + later(n)).collect();
        let slices = bursts[6] + 1;
        let is_work = |n: &u64| bursts.contains(n);
        let of = |n: u64| if is_work(&n) { 100.0 } else { 0.0 };
        run.measurement.series = series_of((0..slices).map(of));
        run.measurement.duration = Nanos::millis(100 * slices);
        run.measurement.reads.operations = 700;
        let mut recording = watched(|n| (u64::from(is_work(&(n as u64))) * 100, 0));
        recording.ticks.truncate(slices as usize);
        run.circumstances.recording = Some(recording);
        run
    }

    #[test]
    fn a_pause_of_the_workload_is_no_stall_and_what_goes_beyond_it_is() {
        assert_eq!(found(&thinking(300)), None);
        let (severity, message) = found(&thinking(1300)).unwrap();
        assert_eq!(severity, Severity::Invalid);
        assert!(message.contains("beyond the pause of 300 ms"), "{message}");
    }

    #[test]
    fn slow_work_and_a_closing_fsync_are_no_stall() {
        // Four operations a second end in every third slice.
        let mut slow = read_run();
        slow.measurement.series = series_of((0..30).map(|n| f64::from(u8::from(n % 3 == 0))));
        slow.measurement.duration = Nanos::secs(3);
        slow.measurement.reads.operations = 10;
        assert_eq!(found(&slow), None);
        let mut run = run_with_gap(25, 31);
        run.measurement.series.truncate(30);
        assert_eq!(found(&run), None);
        assert_eq!(found(&run_with_gap(10, 11)), None);
        assert!(found(&run_with_gap(10, 20)).is_some());
    }
}
