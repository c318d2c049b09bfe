//! Connecting to whatever listens there, which may say nothing for ever.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::StandingServer;
use crate::DatabaseError;

/// How long a server may take until it has let somebody in.
pub(crate) const ANSWER_LIMIT: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Connects within `limit`, and not once `stop` is set.
///
/// # Errors
/// Those of the server; [`DatabaseError::Standing`] where it says nothing.
pub(crate) fn connected<S: StandingServer>(
    server: &S,
    limit: Duration,
    stop: &AtomicBool,
) -> Result<S::Connection, DatabaseError> {
    let (sender, receiver) = mpsc::channel();
    let own = server.clone();
    // Nothing ends a wait for what never comes: it is left behind, and a connection that nobody takes any more is closed.
    thread::spawn(move || sender.send(own.connect()).is_ok());
    let begun = Instant::now();
    while begun.elapsed() < limit && !stop.load(Ordering::Relaxed) {
        match receiver.recv_timeout(POLL_INTERVAL) {
            Ok(made) => return made,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    Err(DatabaseError::Standing {
        url: server.url(),
        why: match stop.load(Ordering::Relaxed) {
            true => "no answer before the work was stopped".to_owned(),
            false => format!("no answer within {limit:?}"),
        },
        advice: "look whether it runs and listens there",
    })
}

/// What listens and says nothing is not waited for, whatever the engine: `server` at a port is told by what `url` begins.
#[cfg(test)]
pub(crate) fn is_not_waited_for<S: StandingServer>(server: impl Fn(u16) -> S, url: &str) {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let server = server(silent.local_addr().unwrap().port());
    let told = |limit, stop| {
        let made = connected(&server, limit, &AtomicBool::new(stop));
        made.err().unwrap().to_string()
    };
    for (told, why) in [
        (
            told(Duration::from_millis(20), false),
            "no answer within 20ms",
        ),
        (
            told(Duration::MAX, true),
            "no answer before the work was stopped",
        ),
    ] {
        assert!(told.contains(url) && told.contains(why), "{told}");
    }
}
