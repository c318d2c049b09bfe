//! Where the timed part begins: once what the warm-up left in flight is answered, and durable where the
//! end of the run will be.
//!
//! An operation that was in flight when the warm-up ended was served in part before; counted as a whole
//! it makes each run faster, and a run of a second with eight reads of a MiB in flight by 5-9 % on a disk
//! that turns. So the figures begin at an answer: with the last of those operations. Likewise what the
//! warm-up wrote into a cache is written out within the closing `fsync`, which is timed: it is made
//! durable before, by all jobs, whose timed parts begin together when the last of them is ready.

use super::{Task, Worker};
use crate::backend::Backend;
use crate::clock::Clock;

/// How far a worker is from its timed part.
#[derive(Debug, Clone)]
pub(super) enum Beginning {
    /// The timed part began at this moment.
    Over(u64),
    /// The warm-up lasts until this moment.
    WarmUp(u64),
    /// It is over; what was in flight then, by slot, is waited for.
    InFlight(Vec<bool>),
    /// It is over, and nothing more is queued until all is answered and durable.
    Durable,
}

impl Beginning {
    pub(super) fn of(task: &Task<'_>, start: u64) -> Beginning {
        match task.warm_up {
            0 => Beginning::Over(start),
            warm_up => Beginning::WarmUp(start.saturating_add(warm_up)),
        }
    }

    /// Whether the timed part has not begun yet.
    #[inline]
    pub(super) fn is_ahead(&self) -> bool {
        !matches!(self, Beginning::Over(_))
    }

    /// Whether nothing more is to be queued before the timed part.
    #[inline]
    pub(super) fn holds_back(&self) -> bool {
        matches!(self, Beginning::Durable)
    }

    /// When the clock has to be looked at.
    pub(super) fn due(&self) -> Option<u64> {
        match self {
            Beginning::WarmUp(at) => Some(*at),
            _ => None,
        }
    }

    /// When the timed part began.
    pub(super) fn begun(&self) -> Option<u64> {
        match self {
            Beginning::Over(at) => Some(*at),
            _ => None,
        }
    }
}

impl<B: Backend, C: Clock> Worker<'_, B, C> {
    /// Ends the warm-up when its time is over. With an arrival rate the figures begin at once: what was
    /// asked for before is known by its intended moment, and waiting would change the load.
    pub(super) fn warm_up(&mut self) {
        let Beginning::WarmUp(at) = self.beginning else {
            return;
        };
        if self.now < at {
            return;
        }
        if self.pacer.is_open() {
            return self.begin(at);
        }
        if self.task.time.is_some() {
            // Counted anew from the beginning.
            self.deadline = u64::MAX;
        }
        match self.in_flight {
            _ if self.task.durable_warm_up => self.beginning = Beginning::Durable,
            0 => self.begin(self.now),
            _ => {
                let in_flight = self.slots.iter().map(|slot| slot.request.is_some());
                self.beginning = Beginning::InFlight(in_flight.collect());
            }
        }
    }

    /// Books the answer of `slot` while the timed part is ahead.
    #[cold]
    pub(super) fn answered(&mut self, slot: usize) {
        self.warm_up();
        let Beginning::InFlight(in_flight) = &mut self.beginning else {
            return;
        };
        in_flight[slot] = false;
        if !in_flight.contains(&true) {
            self.begin(self.now);
        }
    }

    /// With nothing in flight: what was written is made durable, and the timed parts of all jobs begin.
    #[cold]
    pub(super) fn make_durable(&mut self) {
        if self.writes_since_fsync > 0 {
            if let Err(error) = self.backend.flush() {
                self.fail("flush", 0, error);
            }
            self.sync_now();
        }
        if self.ending.is_none() {
            self.begin_together();
        }
    }

    /// Waits for the other jobs; none of them writes until the last one is ready.
    fn begin_together(&mut self) {
        let together = self.link.seat.meet(self.now, self.link.control);
        if let Some(at) = together {
            self.clock.wait_until(at, self.link.control);
        }
        self.now = self.clock.now();
        match together {
            Some(at) => self.begin(at),
            None => self.look_around(),
        }
    }

    /// Forgets what was booked; the timed part begins at `at` and lasts as long as was planned.
    fn begin(&mut self, at: u64) {
        self.beginning = Beginning::Over(at);
        if let Some(time) = self.task.time
            && !self.pacer.is_open()
        {
            let planned = time.saturating_sub(self.task.warm_up);
            self.deadline = at.saturating_add(planned);
        }
        self.recorder.restart(at);
        self.cpu_at_start = self.cpu();
        // The milestones come next and look at the clock: the first operation starts after all of this.
        self.next_event = 0;
    }
}
