//! Where the jobs of a run wait for each other before their timed parts: measured in windows of their own,
//! one job has the device for itself while another still makes durable what its warm-up wrote.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::Control;

/// How often a job that waits looks at the stop flag.
const LOOK: Duration = Duration::from_millis(25);

/// Who is expected, and who has come.
#[derive(Debug, Default)]
struct Meeting {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    expected: usize,
    come: usize,
    latest: u64,
    /// The moment that all go on from.
    agreed: Option<u64>,
}

/// One job's part in the meeting. A job that ends without having come drops it, so that nobody waits for it.
#[derive(Debug)]
pub(crate) struct Seat(Arc<Meeting>);

/// A seat for each of `jobs`.
pub(crate) fn seats(jobs: u32) -> Vec<Seat> {
    let meeting = Arc::new(Meeting::default());
    meeting.lock().expected = jobs as usize;
    (0..jobs).map(|_| Seat(Arc::clone(&meeting))).collect()
}

impl Seat {
    /// Comes at `now` and waits for the others; the moment when the last of them came, or `None` where the run is
    /// asked to stop.
    pub(crate) fn meet(&self, now: u64, control: &Control) -> Option<u64> {
        let mut state = self.0.lock();
        state.come += 1;
        state.latest = state.latest.max(now);
        self.0.agree(&mut state);
        while state.agreed.is_none() && !control.stopped() {
            let waited = self.0.changed.wait_timeout(state, LOOK);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        state.agreed
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.expected = state.expected.saturating_sub(1);
        self.0.agree(&mut state);
    }
}

impl Meeting {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets all go on once nobody is missing.
    fn agree(&self, state: &mut State) {
        if state.agreed.is_none() && state.come > 0 && state.come >= state.expected {
            state.agreed = Some(state.latest);
            self.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    /// What each job is told that comes at its moment; one without a moment ends before.
    fn told(moments: &[Option<u64>], control: &Control) -> Vec<Option<u64>> {
        std::thread::scope(|scope| {
            let seats = seats(moments.len() as u32).into_iter();
            let jobs: Vec<_> = seats
                .zip(moments)
                .map(|(seat, &at)| scope.spawn(move || seat.meet(at?, control)))
                .collect();
            jobs.into_iter().map(|job| job.join().unwrap()).collect()
        })
    }

    #[test]
    fn all_go_on_from_the_moment_at_which_the_last_one_came() {
        let control = Control::default();
        let all = told(&[Some(30), Some(50), Some(40)], &control);
        assert_eq!(all, [Some(50); 3]);
        assert_eq!(told(&[Some(7)], &control), [Some(7)]);
    }

    #[test]
    fn nobody_waits_for_a_job_that_has_ended() {
        let all = told(&[Some(30), None, Some(40)], &Control::default());
        assert_eq!(all, [Some(40), None, Some(40)]);
    }

    #[test]
    fn a_stop_ends_the_wait() {
        let control = Control::default();
        control.stop.store(true, Ordering::Relaxed);
        let seats = seats(2);
        assert_eq!(seats[0].meet(3, &control), None);
    }
}
