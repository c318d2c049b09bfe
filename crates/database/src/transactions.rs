//! Transactions of several clients at once, in a closed loop or at a rate.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use etalon_model::LatencyHistogram;
use etalon_units::Nanos;
use etalon_work::WorkError;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::DatabaseError;
use crate::parameters::Amounts;
use crate::session::Asks;

/// What came of them.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// From the intended moment with a rate, else from their begin.
    pub(crate) latency: LatencyHistogram,
    /// How late they began; only with a rate.
    pub(crate) lag: Option<LatencyHistogram>,
    /// From the common start to the last end.
    pub(crate) duration: Nanos,
}

/// What all clients have in common.
struct Shared<'a> {
    amounts: &'a Amounts,
    seed: u64,
    next: AtomicU64,
    start: Instant,
    stop: &'a AtomicBool,
    failed: AtomicBool,
}

/// Makes all of them, each client in a thread of its own.
pub(crate) fn make(
    clients: &mut [Box<dyn Asks + Send>],
    amounts: &Amounts,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Done, WorkError> {
    let shared = Shared {
        amounts,
        seed,
        next: AtomicU64::new(0),
        start: Instant::now(),
        stop,
        failed: AtomicBool::new(false),
    };
    let parts: Vec<Result<Done, DatabaseError>> = std::thread::scope(|scope| {
        let threads = clients
            .iter_mut()
            .map(|client| scope.spawn(|| work(&mut **client, &shared)));
        let threads: Vec<_> = threads.collect();
        threads
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .collect()
    });
    if stop.load(Ordering::Relaxed) {
        return Err(WorkError::Stopped);
    }
    let mut all = Done {
        duration: since(shared.start),
        lag: (amounts.rate > 0).then(LatencyHistogram::new),
        ..Done::default()
    };
    for part in parts {
        let part = part?;
        all.latency.merge(&part.latency);
        if let (Some(all), Some(part)) = (&mut all.lag, &part.lag) {
            all.merge(part);
        }
    }
    Ok(all)
}

fn work(client: &mut dyn Asks, shared: &Shared<'_>) -> Result<Done, DatabaseError> {
    let mut done = Done::default();
    loop {
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        let over = shared.stop.load(Ordering::Relaxed) || shared.failed.load(Ordering::Relaxed);
        if number >= shared.amounts.transactions || over {
            return Ok(done);
        }
        let begun = shared.wait_for(number, &mut done);
        let made = transaction(client, shared.amounts.rows, shared.seed ^ number);
        made.inspect_err(|_| shared.failed.store(true, Ordering::Relaxed))?;
        done.latency.record(since(begun).get());
    }
}

impl Shared<'_> {
    /// Waits for the moment of a transaction, which is now without a rate.
    fn wait_for(&self, number: u64, done: &mut Done) -> Instant {
        if self.amounts.rate == 0 {
            return Instant::now();
        }
        let after = u128::from(number) * 1_000_000_000 / u128::from(self.amounts.rate);
        let after = Duration::from_nanos(u64::try_from(after).unwrap_or(u64::MAX));
        let intended = self.start.checked_add(after).unwrap_or(self.start);
        std::thread::sleep(intended.saturating_duration_since(Instant::now()));
        let lag = done.lag.get_or_insert_with(LatencyHistogram::new);
        lag.record(since(intended).get());
        intended
    }
}

/// Changes a reading, looks at it and writes a line of its history; the same number does the same.
fn transaction(client: &mut dyn Asks, rows: u64, seed: u64) -> Result<(), DatabaseError> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (id, change) = (
        random.random_range(1..=rows),
        random.random_range(1..100u32),
    );
    client.execute("BEGIN")?;
    client.execute(&format!(
        "UPDATE readings SET value = value + {change} WHERE id = {id}"
    ))?;
    client.query(&format!("SELECT value FROM readings WHERE id = {id}"))?;
    client.execute(&format!(
        "INSERT INTO history (reading, change_of) VALUES ({id}, {change})"
    ))?;
    client.execute("COMMIT")?;
    Ok(())
}

fn since(start: Instant) -> Nanos {
    Nanos(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
}
