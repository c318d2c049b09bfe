//! The directory and the process of a private server.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use etalon_factor::{Journal, OrdinaryUser, Server, ServerOrder, barred};
use etalon_work::{Job, WorkError};

use crate::DatabaseError;

/// How long a server may take until it answers.
const START_TIMEOUT: Duration = Duration::from_secs(120);
/// How long one that dies may take after its connections.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(5);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// What a message quotes of a server's log.
const QUOTED_LINES: usize = 4;

/// A directory for one server's data, which belongs to the user as whom the server runs.
#[derive(Debug, Clone)]
pub(crate) struct Home {
    /// Its name for everybody.
    pub(crate) data: PathBuf,
    /// Its name by a descriptor, short enough for the path of a socket.
    pub(crate) short: PathBuf,
    /// Where the server's outputs go.
    pub(crate) log: PathBuf,
    user: Option<OrdinaryUser>,
    engine: &'static str,
}

impl Home {
    /// Makes it within the private directory of `job`.
    pub(crate) fn make(job: &Job<'_>, engine: &'static str) -> Result<Home, WorkError> {
        let user = OrdinaryUser::instead_of_root().map_err(WorkError::io(
            "find the user nobody in",
            Path::new("/etc/passwd"),
        ))?;
        let short = job.path(".");
        let place = fs::canonicalize(&short).map_err(WorkError::io("find", &short))?;
        if let Some(user) = user {
            open_to_pass(&place)?;
            if let Some(place) = barred(&place, user) {
                return Err(DatabaseError::Barred { engine, place }.into());
            }
        }
        let home = Home {
            data: place.join("data"),
            short: job.path("data"),
            log: place.join("log"),
            user,
            engine,
        };
        fs::create_dir(&home.data).map_err(WorkError::io("create the directory", &home.data))?;
        let private = fs::Permissions::from_mode(0o700);
        fs::set_permissions(&home.data, private)
            .map_err(WorkError::io("set the attributes of", &home.data))?;
        if let Some(user) = user {
            chown(&home.data, Some(user.uid), Some(user.gid))
                .map_err(WorkError::io("give away", &home.data))?;
        }
        Ok(home)
    }

    /// Runs a program of the engine in it to its end.
    pub(crate) fn run(&self, words: Vec<OsString>, stop: &AtomicBool) -> Result<(), WorkError> {
        let mut program = self.start(words)?;
        let ended = program
            .wait(stop)
            .map_err(WorkError::io("wait for", &self.data))?;
        match ended {
            None => Err(WorkError::Stopped),
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(self.died(status.to_string()).into()),
        }
    }

    /// Starts a program of the engine in it.
    pub(crate) fn start(&self, words: Vec<OsString>) -> Result<Server, WorkError> {
        let journal = Journal::open().map_err(DatabaseError::Journal)?;
        let order = ServerOrder {
            words,
            directory: self.data.clone(),
            log: self.log.clone(),
            user: self.user,
        };
        Ok(Server::start(&journal, &order).map_err(DatabaseError::Start)?)
    }

    /// An error of the connection is told by what the server said, where it has ended.
    pub(crate) fn explain(
        &self,
        server: Option<&mut Server>,
        error: DatabaseError,
    ) -> DatabaseError {
        let Some(server) = server.filter(|_| error.is_closed()) else {
            return error;
        };
        // A server that dies closes its connections first.
        let begun = Instant::now();
        while begun.elapsed() < CLEANUP_TIMEOUT {
            if let Ok(Some(status)) = server.ended() {
                return self.died(status.to_string());
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        error
    }

    /// A program of the engine has ended when it should not have: with the last lines of its log.
    pub(crate) fn died(&self, status: String) -> DatabaseError {
        let text = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let last = lines.len().saturating_sub(QUOTED_LINES);
        let said = lines[last..].join("; ");
        DatabaseError::Ended {
            engine: self.engine,
            status,
            said,
        }
    }
}

/// Tries until the server answers, has ended, or the work is to stop.
pub(crate) fn until_it_answers<C>(
    home: &Home,
    server: &mut Server,
    stop: &AtomicBool,
    connect: impl Fn() -> Result<C, DatabaseError>,
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
        let ended = server
            .ended()
            .map_err(WorkError::io("wait for", &home.data))?;
        if let Some(status) = ended {
            return Err(home.died(status.to_string()).into());
        }
        if begun.elapsed() > START_TIMEOUT {
            return Err(refused.into());
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Others may pass through the private directory, not look into it.
fn open_to_pass(place: &Path) -> Result<(), WorkError> {
    for directory in [Some(place), place.parent()].into_iter().flatten() {
        fs::set_permissions(directory, fs::Permissions::from_mode(0o711))
            .map_err(WorkError::io("set the attributes of", directory))?;
    }
    Ok(())
}

/// A program of that name on the PATH, where administrators have theirs, or in one of `places`.
pub(crate) fn program(
    name: &str,
    places: impl IntoIterator<Item = PathBuf>,
    package: &'static str,
) -> Result<PathBuf, WorkError> {
    let usual = ["/usr/sbin", "/usr/local/sbin", "/sbin"].map(PathBuf::from);
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
