//! Between rows of one session the devices come to rest, so that what a row leaves behind does not look like the work of
//! others in the next one.
//!
//! A filesystem writes the blocks of its directories and inodes to their places long after its journal holds them, and a
//! discard follows the commit. So all that is unwritten is sent after a row that writes (syncfs(2)), and the devices are
//! watched until they write nothing more: at most for [`SHARE`] of the session's time. Every session that makes passes one
//! after the other does it in this way: [`Rest`] is what they call.

use std::cell::Cell;
use std::fs::File;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use etalon_engine::Control;
use etalon_host::{clock, memory};
use etalon_model::Aftermath;
use etalon_model::stack::{CounterSnapshot, FsDetail, LayerCounters, SECTOR_BYTES, StackTree};
use etalon_stack::{Roots, snapshot};
use etalon_units::{Bytes, Nanos};

use crate::Site;
use crate::work_place::WorkPlace;

/// Share of a session's time that is spent on waiting in all. With it the intervals would be narrower by 1.5 %: they
/// shrink with the root of the time.
pub(crate) const SHARE: f64 = 0.03;
/// No wait takes more than this part of it, so that every block of the fewest that give an interval has one.
const WAITS: u64 = 6;
/// A session without a budget waits as one of this length, and as one of its own once it has gone on for longer.
const UNBOUNDED: Nanos = Nanos::secs(60);
/// Between two looks; longer than the gaps within a write-back.
const LOOK: Nanos = Nanos::millis(5);
/// As long as a slow disk takes for what a filesystem holds; a server beneath that is gone would never end it, and what it
/// writes later is seen as the work of others.
const SEND_TIMEOUT: Nanos = Nanos::secs(60);

/// What time of a session is left to wait for the devices beneath it.
#[derive(Debug)]
pub(crate) struct Quiet {
    /// The session's time; none where it has no budget.
    budget: Option<Nanos>,
    begun: Nanos,
    spent: Cell<Nanos>,
}

/// What is looked at and done while waiting.
pub(crate) trait Devices {
    /// Now, on a steady clock.
    fn now(&self) -> Nanos;
    /// Lets time pass.
    fn pass(&self, time: Nanos);
    /// What was written and discarded so far, and what is under way.
    fn moved(&self) -> Moved;
    /// What the machine has not written yet.
    fn unwritten(&self) -> Bytes;
    /// Has all of it sent to the devices; what is given becomes true when they have it.
    fn send(&self) -> Arc<AtomicBool>;
    /// Whether the session is to end.
    fn stopped(&self) -> bool;
}

/// The counters of devices that are moved by writes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Moved {
    /// Bytes that the disks wrote.
    pub(crate) written: u64,
    /// Sectors of 512 bytes that were discarded.
    pub(crate) discarded: u64,
    /// Requests under way.
    pub(crate) under_way: u64,
}

impl Quiet {
    /// For a session of so much time that begins `now`; `None` where nobody knows how much it will be.
    pub(crate) fn new(now: Nanos, budget: Option<Nanos>) -> Quiet {
        Quiet {
            budget,
            begun: now,
            spent: Cell::new(Nanos::ZERO),
        }
    }

    /// Sends what a row left unwritten, beyond what was `before` it, and waits until the devices are quiet or the time
    /// for that is over. Until all is sent, `paid` of the time is the row's own, which has left it.
    pub(crate) fn settle(&self, devices: &impl Devices, before: Bytes, paid: Nanos) -> Aftermath {
        let own = Bytes(devices.unwritten().get().saturating_sub(before.get()));
        let (begun, first) = (devices.now(), devices.moved());
        let mut aftermath = Aftermath::default();
        if paid.max(self.bound(begun)) > Nanos::ZERO {
            let sent = devices.send();
            wait_until_sent(devices, &sent, paid);
            let sending = devices.now();
            aftermath.quiet = wait(devices, &sent, self.bound(sending), first);
            let spent = devices.now().saturating_sub(sending);
            self.spent.set(Nanos(self.spent.get().get() + spent.get()));
        }
        aftermath.waited = devices.now().saturating_sub(begun);
        aftermath.written_bytes = Bytes(devices.moved().written.saturating_sub(first.written));
        // The row can have left no more than it made dirty, and no more than there is.
        aftermath.left_bytes = match aftermath.quiet {
            true => Bytes::ZERO,
            false => own.min(devices.unwritten()),
        };
        aftermath
    }

    /// How long the next wait may take.
    fn bound(&self, now: Nanos) -> Nanos {
        let went_by = || UNBOUNDED.max(now.saturating_sub(self.begun));
        let session = self.budget.unwrap_or_else(went_by);
        let allowance = Nanos::from_secs_f64(session.as_secs_f64() * SHARE);
        let left = allowance.saturating_sub(self.spent.get());
        left.min(Nanos(allowance.get() / WAITS))
    }
}

fn wait_until_sent(devices: &impl Devices, sent: &AtomicBool, most: Nanos) {
    let begun = devices.now();
    let is_over = || devices.now().saturating_sub(begun) >= most || devices.stopped();
    while !sent.load(Ordering::Acquire) && !is_over() {
        devices.pass(LOOK);
    }
}

/// Whether all was sent and two looks found nothing written between them.
fn wait(devices: &impl Devices, sent: &AtomicBool, bound: Nanos, first: Moved) -> bool {
    let (begun, mut last) = (devices.now(), first);
    while devices.now().saturating_sub(begun) < bound && !devices.stopped() {
        let was_sent = sent.load(Ordering::Acquire);
        devices.pass(LOOK);
        let now = devices.moved();
        if was_sent && now == last && now.under_way == 0 {
            return true;
        }
        last = now;
    }
    false
}

/// The devices beneath a site.
pub(crate) struct Beneath<'a> {
    site: &'a Site,
    control: &'a Control,
    roots: Roots,
    /// A directory of the filesystem that is sent.
    place: PathBuf,
}

impl<'a> Beneath<'a> {
    /// For work below `place`.
    pub(crate) fn new(site: &'a Site, place: PathBuf, control: &'a Control) -> Beneath<'a> {
        Beneath {
            site,
            control,
            roots: Roots::default(),
            place,
        }
    }
}

impl Devices for Beneath<'_> {
    fn now(&self) -> Nanos {
        clock::now()
    }

    fn pass(&self, time: Nanos) {
        thread::sleep(Duration::from(time));
    }

    fn moved(&self) -> Moved {
        moved(&snapshot(&self.site.tree, &self.roots))
    }

    fn unwritten(&self) -> Bytes {
        memory::unwritten().unwrap_or_default()
    }

    fn send(&self) -> Arc<AtomicBool> {
        // An overlay that is mounted volatile sends nothing by itself.
        let upper = upper(&self.site.tree);
        let places: Vec<&Path> = [self.place.as_path()].into_iter().chain(upper).collect();
        sent(&places)
    }

    fn stopped(&self) -> bool {
        self.control.stopped()
    }
}

/// Bytes at the bottom; discards and requests of all layers, since what is under way above may not have come down yet.
fn moved(seen: &CounterSnapshot) -> Moved {
    let add = |sum: Moved, layer: &LayerCounters| {
        let Some(counters) = layer.counters else {
            return sum;
        };
        let bottom = match layer.is_leaf {
            true => counters.write_sectors.saturating_mul(SECTOR_BYTES),
            false => 0,
        };
        let discarded = counters.discard.map_or(0, |discard| discard.sectors);
        Moved {
            written: sum.written.saturating_add(bottom),
            discarded: sum.discarded.saturating_add(discarded),
            under_way: sum.under_way.saturating_add(counters.in_flight),
        }
    };
    seen.layers.iter().fold(Moved::default(), add)
}

/// A call of syncfs(2) cannot be broken off: one that takes too long is left behind and ends by itself.
fn sent(places: &[&Path]) -> Arc<AtomicBool> {
    let done = Arc::new(AtomicBool::new(false));
    let tell = Arc::clone(&done);
    // What cannot be opened is not sent, and the devices are watched alone.
    let opened = places.iter().filter_map(|place| File::open(place).ok());
    let opened: Vec<File> = opened.collect();
    thread::spawn(move || {
        for directory in opened {
            let _ = rustix::fs::syncfs(directory);
        }
        tell.store(true, Ordering::Release);
    });
    done
}

/// Sends what the filesystems beneath an overlay hold: its own fsync(2) passes over a file of a lower one, and over all where
/// it is volatile, and what is written during a run that only reads would look like the work of others.
pub(crate) fn send_overlaid(tree: &StackTree, control: &Control) {
    let mut known = Vec::new();
    for place in overlaid(tree) {
        let filesystem = place.metadata().map(|meta| meta.dev()).ok();
        if known.contains(&filesystem) {
            continue;
        }
        known.push(filesystem);
        await_sent(&sent(&[place]), control, SEND_TIMEOUT);
    }
}

/// Waits until all is sent, the session is to end, or `most` has passed.
fn await_sent(done: &AtomicBool, control: &Control, most: Nanos) {
    let begun = clock::now();
    let is_over = || control.stopped() || clock::now().saturating_sub(begun) >= most;
    while !done.load(Ordering::Acquire) && !is_over() {
        thread::sleep(Duration::from(LOOK));
    }
}

/// The directories that an overlay lies over.
fn overlaid(tree: &StackTree) -> Vec<&Path> {
    match tree.filesystem.as_ref().map(|fs| &fs.detail) {
        Some(FsDetail::Overlay { lower, upper, .. }) => {
            lower.iter().chain(upper).map(Path::new).collect()
        }
        _ => Vec::new(),
    }
}

/// The directory in which what is written to an overlay lies.
fn upper(tree: &StackTree) -> Option<&Path> {
    match &tree.filesystem.as_ref()?.detail {
        FsDetail::Overlay { upper, .. } => upper.as_deref().map(Path::new),
        _ => None,
    }
}

/// The rests of a session, and what the last one left.
#[derive(Debug)]
pub(crate) struct Rest {
    quiet: Quiet,
    left: Cell<Option<Aftermath>>,
}

impl Rest {
    /// For a session of so much time, which begins now; `None` where nobody knows how much it will be.
    pub(crate) fn within(budget: Option<Nanos>) -> Rest {
        Rest {
            quiet: Quiet::new(clock::now(), budget),
            left: Cell::new(None),
        }
    }

    /// What the machine has not written yet, to be held against what it has after a pass.
    pub(crate) fn unwritten() -> Bytes {
        memory::unwritten().unwrap_or_default()
    }

    /// Comes to rest behind a pass in `place` before which so much was unwritten, and which waits for `paid` itself. Where
    /// nothing is written in a directory on devices there is nothing to wait for.
    pub(crate) fn behind(
        &self,
        (site, place): (&Site, &WorkPlace),
        control: &Control,
        before: Bytes,
        paid: Nanos,
    ) {
        let directory = place.directory().filter(|_| site.has_devices());
        let settled = directory.map(|scratch| {
            let beneath = Beneath::new(site, scratch.held_path(), control);
            self.quiet.settle(&beneath, before, paid)
        });
        let both = [self.left.take(), settled].into_iter().flatten();
        self.left.set(both.reduce(together));
    }

    /// What is left, for the record of the next pass.
    pub(crate) fn left(&self) -> Option<Aftermath> {
        self.left.take()
    }
}

/// What two places had left.
fn together(one: Aftermath, other: Aftermath) -> Aftermath {
    Aftermath {
        waited: Nanos(one.waited.get().saturating_add(other.waited.get())),
        quiet: one.quiet && other.quiet,
        written_bytes: Bytes(
            one.written_bytes
                .get()
                .saturating_add(other.written_bytes.get()),
        ),
        // Both are what the whole machine has, at most.
        left_bytes: one.left_bytes.max(other.left_bytes),
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::overlay_over_ext4;
