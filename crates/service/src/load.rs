//! Operations of several clients at once: each begins its next when it has ended one, or they arrive at a rate.
//!
//! At a rate the latency counts from the moment at which an operation was to begin: a server that stalls delays all
//! that arrive meanwhile, and a client that waits for it must not hide that (Gil Tene's "coordinated omission").

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use etalon_host::processor;
use etalon_model::LatencyHistogram;
use etalon_units::Nanos;
use etalon_work::WorkError;

/// How long a wait may go on without a look at the stop flag.
const MAX_SLEEP: Duration = Duration::from_millis(50);
/// Of more operations than these the time of each is not kept.
const MOST_EACH: u64 = 2048;

/// One of several that ask a server at the same time, each in a thread of its own.
pub trait Client: Send {
    /// Why it cannot go on.
    type Error: Into<WorkError> + Send;

    /// Carries out the operation of that number; the same number does the same.
    ///
    /// # Errors
    /// What makes further operations useless; it ends all clients.
    fn operate(&mut self, number: u64) -> Result<(), Self::Error>;
}

/// What is to be done.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// Operations of all clients together.
    pub operations: u64,
    /// Arrivals a second; 0 where each client begins its next when it has ended one.
    pub rate: u64,
    /// How long a client waits after each operation before its next one; with a rate it does not.
    pub pause: Duration,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct LoadDone {
    /// From the intended moment with a rate, else from their begin.
    pub latency: LatencyHistogram,
    /// What each of them took, in their order; only of a single client without a rate, and of no more than 2048.
    pub each: Vec<Nanos>,
    /// How late they began; only with a rate.
    pub lag: Option<LatencyHistogram>,
    /// From the common start to the last end.
    pub duration: Nanos,
    /// What the operations took, of all clients together, without their pauses.
    pub busy: Nanos,
    /// Processor time of the clients' threads, in user mode and in the kernel.
    pub client_cpu: (Nanos, Nanos),
}

/// What all clients have in common.
struct LoadState<'a> {
    load: &'a Load,
    next: AtomicU64,
    /// Whether what each operation took is kept.
    keeps_each: bool,
    start: Instant,
    stop: &'a AtomicBool,
    failed: AtomicBool,
}

impl Load {
    /// So many operations in a closed loop without pauses.
    pub fn closed(operations: u64) -> Load {
        Load {
            operations,
            rate: 0,
            pause: Duration::ZERO,
        }
    }

    /// Carries it out by these clients.
    ///
    /// # Errors
    /// The first one of a client, and [`WorkError::Stopped`] once `stop` is set.
    pub fn make<C: Client>(
        &self,
        clients: &mut [C],
        stop: &AtomicBool,
    ) -> Result<LoadDone, WorkError> {
        let shared = LoadState {
            load: self,
            next: AtomicU64::new(0),
            keeps_each: clients.len() == 1 && self.rate == 0 && self.operations <= MOST_EACH,
            start: Instant::now(),
            stop,
            failed: AtomicBool::new(false),
        };
        let parts: Vec<Result<LoadDone, C::Error>> = std::thread::scope(|scope| {
            let threads = clients
                .iter_mut()
                .map(|client| scope.spawn(|| shared.work(client)));
            let threads: Vec<_> = threads.collect();
            threads
                .into_iter()
                .filter_map(|thread| thread.join().ok())
                .collect()
        });
        if stop.load(Ordering::Relaxed) {
            return Err(WorkError::Stopped);
        }
        shared.sum(parts)
    }
}

impl LoadState<'_> {
    fn sum<E: Into<WorkError>>(
        &self,
        parts: Vec<Result<LoadDone, E>>,
    ) -> Result<LoadDone, WorkError> {
        let mut all = LoadDone {
            duration: since(self.start),
            lag: (self.load.rate > 0).then(LatencyHistogram::new),
            ..LoadDone::default()
        };
        for part in parts {
            let part = part.map_err(Into::into)?;
            all.latency.merge(&part.latency);
            all.each.extend(&part.each);
            all.busy.0 = all.busy.get().saturating_add(part.busy.get());
            let (user, system) = part.client_cpu;
            all.client_cpu.0.0 += user.get();
            all.client_cpu.1.0 += system.get();
            if let (Some(all), Some(part)) = (&mut all.lag, &part.lag) {
                all.merge(part);
            }
        }
        Ok(all)
    }

    fn work<C: Client>(&self, client: &mut C) -> Result<LoadDone, C::Error> {
        let before = processor::thread_time();
        let mut done = self.operate(client)?;
        let now = processor::thread_time();
        done.client_cpu = (
            now.0.saturating_sub(before.0),
            now.1.saturating_sub(before.1),
        );
        Ok(done)
    }

    fn operate<C: Client>(&self, client: &mut C) -> Result<LoadDone, C::Error> {
        let mut done = LoadDone::default();
        if self.keeps_each {
            done.each.reserve_exact(self.load.operations as usize);
        }
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.load.operations || self.is_over() {
                return Ok(done);
            }
            let begun = self.wait_for(number, &mut done);
            let made = client.operate(number);
            made.inspect_err(|_| self.failed.store(true, Ordering::Relaxed))?;
            let took = since(begun);
            done.latency.record(took.get());
            if self.keeps_each {
                done.each.push(took);
            }
            done.busy.0 = done.busy.get().saturating_add(took.get());
            if self.load.rate == 0 {
                self.sleep_until(Instant::now() + self.load.pause);
            }
        }
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed)
    }

    /// Waits for the moment of an operation, which is now without a rate.
    fn wait_for(&self, number: u64, done: &mut LoadDone) -> Instant {
        if self.load.rate == 0 {
            return Instant::now();
        }
        let after = u128::from(number) * 1_000_000_000 / u128::from(self.load.rate);
        let after = Duration::from_nanos(u64::try_from(after).unwrap_or(u64::MAX));
        let intended = self.start.checked_add(after).unwrap_or(self.start);
        self.sleep_until(intended);
        let lag = done.lag.get_or_insert_with(LatencyHistogram::new);
        lag.record(since(intended).get());
        intended
    }

    fn sleep_until(&self, moment: Instant) {
        loop {
            let left = moment.saturating_duration_since(Instant::now());
            if left.is_zero() || self.is_over() {
                return;
            }
            std::thread::sleep(left.min(MAX_SLEEP));
        }
    }
}

fn since(start: Instant) -> Nanos {
    Nanos(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes which numbers it was given, and fails at one of them.
    struct Notes(Vec<u64>, Option<u64>);

    impl Client for Notes {
        type Error = WorkError;

        fn operate(&mut self, number: u64) -> Result<(), WorkError> {
            self.0.push(number);
            match self.1 {
                Some(bad) if bad == number => Err(WorkError::Stopped),
                _ => Ok(()),
            }
        }
    }

    fn notes(count: usize, bad: Option<u64>) -> Vec<Notes> {
        (0..count).map(|_| Notes(Vec::new(), bad)).collect()
    }

    fn load() -> Load {
        Load::closed(100)
    }

    #[test]
    fn every_operation_is_carried_out_once() {
        for rate in [0, 100_000] {
            let mut clients = notes(4, None);
            let load = Load { rate, ..load() };
            let done = load.make(&mut clients, &AtomicBool::new(false)).unwrap();
            let mut made: Vec<u64> = clients.into_iter().flat_map(|client| client.0).collect();
            made.sort_unstable();
            assert_eq!(made, (0..100).collect::<Vec<u64>>());
            assert_eq!(done.latency.count(), 100);
            assert_eq!(done.lag.map(|lag| lag.count()), (rate > 0).then_some(100));
        }
    }

    #[test]
    fn what_fails_ends_all_and_a_stop_ends_a_long_wait() {
        let mut clients = notes(2, Some(0));
        assert!(load().make(&mut clients, &AtomicBool::new(false)).is_err());
        let stop = AtomicBool::new(false);
        let slow = Load {
            pause: Duration::from_secs(3600),
            ..load()
        };
        let ended = std::thread::scope(|scope| {
            let work = scope.spawn(|| slow.make(&mut notes(1, None), &stop));
            stop.store(true, Ordering::Relaxed);
            work.join().unwrap()
        });
        assert!(matches!(ended, Err(WorkError::Stopped)));
    }

    /// Computes in each operation.
    struct Computes;

    impl Client for Computes {
        type Error = WorkError;

        fn operate(&mut self, _: u64) -> Result<(), WorkError> {
            let before = processor::thread_time().0;
            while processor::thread_time().0 == before {}
            Ok(())
        }
    }

    #[test]
    fn the_processor_time_of_all_clients_is_counted() {
        let load = Load::closed(40);
        let done = load
            .make(&mut [Computes, Computes], &AtomicBool::new(false))
            .unwrap();
        assert!(done.client_cpu.0 > Nanos::ZERO, "{done:?}");
    }

    /// Takes some time over the first operation.
    struct Stalls;

    impl Client for Stalls {
        type Error = WorkError;

        fn operate(&mut self, number: u64) -> Result<(), WorkError> {
            if number == 0 {
                std::thread::sleep(Duration::from_millis(40));
            }
            Ok(())
        }
    }

    #[test]
    fn a_stall_delays_all_that_arrive_meanwhile() {
        let load = Load {
            rate: 1000,
            operations: 20,
            ..load()
        };
        let done = load.make(&mut [Stalls], &AtomicBool::new(false)).unwrap();
        // The last was to begin after 19 ms, and could not before 40 ms had passed.
        let least = done.latency.quantile(0.0).unwrap();
        assert!(least >= Nanos::millis(20), "{least:?}");
    }
}
