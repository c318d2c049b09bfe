//! Between rows of one session the devices come to rest, so that what a row leaves behind does not look like the work of
//! others in the next one.
//!
//! A filesystem writes the blocks of its directories and inodes to their places long after its journal holds them, and a
//! discard follows the commit. So all that is unwritten is sent after a row that writes (syncfs(2)), and the devices are
//! watched until they write nothing more: at most for [`SHARE`] of the session's time.

use std::cell::Cell;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use etalon_engine::Control;
use etalon_host::{clock, memory};
use etalon_model::Aftermath;
use etalon_model::stack::{CounterSnapshot, LayerCounters, SECTOR_BYTES};
use etalon_stack::{Roots, snapshot};
use etalon_units::{Bytes, Nanos};

use crate::Site;

/// Share of a session's time that is spent on waiting in all. With it the intervals would be narrower by 1.5 %: they
/// shrink with the root of the time.
pub(crate) const SHARE: f64 = 0.03;
/// No wait takes more than this part of it, so that every block of the fewest that give an interval has one.
const WAITS: u64 = 6;
/// Between two looks; longer than the gaps within a write-back.
const LOOK: Nanos = Nanos::millis(5);

/// The devices beneath a session, and what time is left to wait for them.
pub(crate) struct Quiet<D> {
    devices: D,
    allowance: Nanos,
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

impl<D: Devices> Quiet<D> {
    /// For a session of so much time.
    pub(crate) fn new(devices: D, budget: Nanos) -> Quiet<D> {
        Quiet {
            devices,
            allowance: Nanos::from_secs_f64(budget.as_secs_f64() * SHARE),
            spent: Cell::new(Nanos::ZERO),
        }
    }

    /// What the machine has not written yet, to be held against what it has after a row.
    pub(crate) fn unwritten(&self) -> Bytes {
        self.devices.unwritten()
    }

    /// Sends what a row left unwritten, beyond what was `before` it, and waits until the devices are quiet or the time
    /// for that is over.
    pub(crate) fn settle(&self, before: Bytes) -> Aftermath {
        let devices = &self.devices;
        let own = Bytes(devices.unwritten().get().saturating_sub(before.get()));
        let (begun, first) = (devices.now(), devices.moved());
        let bound = self.bound();
        let mut aftermath = Aftermath::default();
        if bound > Nanos::ZERO {
            let sent = devices.send();
            aftermath.quiet = self.wait(&sent, (begun, bound), first);
        }
        aftermath.waited = devices.now().saturating_sub(begun);
        self.spent
            .set(Nanos(self.spent.get().get() + aftermath.waited.get()));
        aftermath.written_bytes = Bytes(devices.moved().written.saturating_sub(first.written));
        // The row can have left no more than it made dirty, and no more than there is.
        aftermath.left_bytes = match aftermath.quiet {
            true => Bytes::ZERO,
            false => own.min(devices.unwritten()),
        };
        aftermath
    }

    /// How long the next wait may take.
    fn bound(&self) -> Nanos {
        let left = self.allowance.saturating_sub(self.spent.get());
        left.min(Nanos(self.allowance.get() / WAITS))
    }

    /// Whether all was sent and two looks found nothing written between them.
    fn wait(&self, sent: &AtomicBool, (begun, bound): (Nanos, Nanos), first: Moved) -> bool {
        let devices = &self.devices;
        let mut last = first;
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
        sent(&self.place)
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
fn sent(place: &Path) -> Arc<AtomicBool> {
    let done = Arc::new(AtomicBool::new(false));
    let tell = Arc::clone(&done);
    // What cannot be opened is not sent, and the devices are watched alone.
    let Ok(directory) = File::open(place) else {
        done.store(true, Ordering::Release);
        return done;
    };
    thread::spawn(move || {
        let _ = rustix::fs::syncfs(directory);
        tell.store(true, Ordering::Release);
    });
    done
}

#[cfg(test)]
mod tests;
