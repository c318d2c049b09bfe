//! Finding the program of a server, and waiting until it answers.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use etalon_factor::Server;
use etalon_work::WorkError;

use crate::{Home, by_signal, on_stop_or_stuck};

/// How long a server may take until it answers.
const START_TIMEOUT: Duration = Duration::from_secs(120);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Where administrators have their programs, which the PATH of others lacks.
const SYSTEM_PLACES: [&str; 3] = ["/usr/sbin", "/usr/local/sbin", "/sbin"];

/// Calls `connect` until it succeeds, and gives what it gave; a server that waits for free space is ended.
///
/// # Errors
/// The last one of `connect` after two minutes, [`ServiceError::Ended`](crate::ServiceError::Ended) where the
/// server has ended, [`WorkError::Stopped`] once `stop` is set.
pub fn until_it_answers<C, E: Into<WorkError>>(
    home: &Home,
    server: &mut Server,
    stop: &AtomicBool,
    connect: impl Fn() -> Result<C, E>,
) -> Result<C, WorkError> {
    let mut connection = None;
    on_stop_or_stuck(stop, home, by_signal(home.data().to_owned()), || {
        connection = Some(tried(home, server, stop, connect)?);
        Ok(())
    })?;
    connection.ok_or(WorkError::Stopped)
}

fn tried<C, E: Into<WorkError>>(
    home: &Home,
    server: &mut Server,
    stop: &AtomicBool,
    connect: impl Fn() -> Result<C, E>,
) -> Result<C, WorkError> {
    let begun = Instant::now();
    loop {
        let refused = match connect() {
            Ok(connection) => return Ok(connection),
            Err(error) => error,
        };
        if stop.load(Ordering::Relaxed) {
            return Err(WorkError::Stopped);
        }
        home.check(server)?;
        if begun.elapsed() > START_TIMEOUT {
            return Err(refused.into());
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// A program of that name in one of `places`, where administrators have theirs, or on the PATH.
///
/// # Errors
/// [`WorkError::MissingProgram`] with the Debian package that has it.
pub fn program(
    name: &str,
    places: impl IntoIterator<Item = PathBuf>,
    package: &'static str,
) -> Result<PathBuf, WorkError> {
    let usual = SYSTEM_PLACES.map(PathBuf::from);
    let found = places
        .into_iter()
        .chain(usual)
        .map(|place| place.join(name));
    let mut found = found.filter(|path| path.is_file());
    match found.next() {
        Some(path) => Ok(path),
        None => etalon_work::process::need(name, package),
    }
}
