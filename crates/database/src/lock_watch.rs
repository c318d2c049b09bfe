//! How long clients wait for each other's locks, by asking again and again how many do.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use etalon_units::Nanos;

use crate::DatabaseError;
use crate::session::{Asks, Session};

/// How long passes between two looks, each of which takes the server a fraction of a millisecond.
const PERIOD: Duration = Duration::from_millis(50);

/// Looks while it stands.
pub(crate) struct LockWatch {
    /// Hung up at the end.
    end: Sender<()>,
    looks: JoinHandle<()>,
    waited_ns: Arc<AtomicU64>,
}

impl LockWatch {
    /// Begins to look over a connection of its own, where the engine has such waits and does not count them itself.
    ///
    /// # Errors
    /// Those of the connection.
    pub(crate) fn begin(session: &dyn Session) -> Result<Option<LockWatch>, DatabaseError> {
        let Some(sql) = session.lock_waits() else {
            return Ok(None);
        };
        let mut asks = session.another()?;
        let (end, ended) = channel();
        let waited_ns = Arc::new(AtomicU64::new(0));
        let waited = Arc::clone(&waited_ns);
        let looks = std::thread::spawn(move || {
            let mut before = Instant::now();
            while ended.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                let since: Nanos = std::mem::replace(&mut before, Instant::now())
                    .elapsed()
                    .into();
                waited.fetch_add(waiting(&mut *asks, sql) * since.get(), Ordering::Relaxed);
            }
        });
        Ok(Some(LockWatch {
            end,
            looks,
            waited_ns,
        }))
    }

    /// What they waited in all.
    pub(crate) fn end(self) -> Nanos {
        drop(self.end);
        // One that failed has seen nothing more.
        let _ = self.looks.join();
        read(&self.waited_ns)
    }
}

/// What all clients waited until now.
fn read(waited_ns: &AtomicU64) -> Nanos {
    Nanos(waited_ns.load(Ordering::Relaxed))
}

/// How many wait at this moment; none where the server does not say.
fn waiting(asks: &mut dyn Asks, sql: &str) -> u64 {
    let answer = asks.query(sql).ok().and_then(|answer| answer.first);
    answer
        .and_then(|count| count.try_into().ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgresql::Postgresql;
    use crate::private::PrivateServer;
    use crate::tests::trial::acts;

    #[test]
    fn a_client_that_waits_for_the_row_of_another_is_counted() {
        acts(
            "a_client_that_waits_for_the_row_of_another_is_counted",
            &|job| {
                let mut server = PrivateServer::<Postgresql>::make(job)?;
                server.execute("CREATE TABLE held (id int)")?;
                server.execute("INSERT INTO held VALUES (1)")?;
                let (mut holder, mut waiter) = (server.another()?, server.another()?);
                let watch = LockWatch::begin(&server)?.unwrap();
                holder.execute("BEGIN")?;
                holder.execute("UPDATE held SET id = 2")?;
                assert_eq!(read(&watch.waited_ns), Nanos::ZERO);
                let waits = std::thread::spawn(move || waiter.execute("UPDATE held SET id = 3"));
                while read(&watch.waited_ns) == Nanos::ZERO {
                    std::thread::sleep(PERIOD);
                }
                holder.execute("COMMIT")?;
                assert!(waits.join().unwrap().is_ok());
                assert!(watch.end() > Nanos::ZERO);
                drop(holder);
                server.close()
            },
        );
    }
}
