//! The directory and the process of a private server.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use etalon_factor::{Journal, OrdinaryUser, Server, ServerOrder, barred};
use etalon_work::{Job, WorkError};

use crate::ServiceError;
use crate::full;
use crate::interrupt::{by_signal, on_stop_or_stuck};

/// How long one that dies may take after its connections.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(5);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// What a message quotes of a server's log.
const QUOTED_LINES: usize = 4;

/// A directory for one server's data, which belongs to the user as whom the server runs.
#[derive(Debug, Clone)]
pub struct Home {
    data: PathBuf,
    short: PathBuf,
    log: PathBuf,
    user: Option<OrdinaryUser>,
    engine: &'static str,
}

impl Home {
    /// Makes it within the private directory of `job`, for a server that messages call `engine`.
    ///
    /// # Errors
    /// [`ServiceError::Barred`] where the user as whom the server runs cannot get there, and the kernel's.
    pub fn make(job: &Job<'_>, engine: &'static str) -> Result<Home, WorkError> {
        let user = OrdinaryUser::instead_of_root().map_err(WorkError::io(
            "find the user nobody in",
            Path::new("/etc/passwd"),
        ))?;
        let short = job.path(".");
        let place = fs::canonicalize(&short).map_err(WorkError::io("find", &short))?;
        if let Some(user) = user {
            open_to_pass(&place)?;
            if let Some(place) = barred(&place, user) {
                return Err(ServiceError::Barred { engine, place }.into());
            }
        }
        let home = Home {
            data: place.join("data"),
            short: job.path("data"),
            log: place.join("log"),
            user,
            engine,
        };
        home.own(&home.data)?;
        Ok(home)
    }

    /// Makes a directory of that name in it, which is the server's too.
    ///
    /// # Errors
    /// The kernel's.
    pub fn directory(&self, name: &str) -> Result<PathBuf, WorkError> {
        let path = self.data.join(name);
        self.own(&path)?;
        Ok(path)
    }

    fn own(&self, path: &Path) -> Result<(), WorkError> {
        fs::create_dir(path).map_err(WorkError::io("create the directory", path))?;
        let private = fs::Permissions::from_mode(0o700);
        fs::set_permissions(path, private).map_err(WorkError::io("set the attributes of", path))?;
        match self.user {
            Some(user) => chown(path, Some(user.uid), Some(user.gid))
                .map_err(WorkError::io("give away", path)),
            None => Ok(()),
        }
    }

    /// The directory, by its name for everybody.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Its name by a descriptor, short enough for the path of a socket.
    pub fn short(&self) -> &Path {
        &self.short
    }

    /// As whom the server runs; `None` for the user of this process.
    pub fn user(&self) -> Option<OrdinaryUser> {
        self.user
    }

    /// Runs a program of the server in it to its end.
    ///
    /// # Errors
    /// [`ServiceError::Ended`] where it fails, [`WorkError::Stopped`] once `stop` is set.
    pub fn run(&self, words: Vec<OsString>, stop: &AtomicBool) -> Result<(), WorkError> {
        let mut program = self.start(words)?;
        on_stop_or_stuck(stop, self, by_signal(self.data.clone()), || {
            let ended = program.wait(stop);
            match ended.map_err(WorkError::io("wait for", &self.data))? {
                None => Err(WorkError::Stopped),
                Some(status) if status.success() => Ok(()),
                Some(status) => Err(self.died(status.to_string()).into()),
            }
        })
    }

    /// Starts a program of the server in it, entered into the journal first.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn start(&self, words: Vec<OsString>) -> Result<Server, WorkError> {
        let journal = Journal::open().map_err(ServiceError::Journal)?;
        let order = ServerOrder {
            words,
            directory: self.data.clone(),
            log: self.log.clone(),
            user: self.user,
        };
        Ok(Server::start(&journal, &order).map_err(ServiceError::Start)?)
    }

    /// Whether a server has written back all that it held, by what [`Server::end_in_order`] gave: one that was killed recovers
    /// when it is started again, and has in its caches what it recovered.
    ///
    /// # Errors
    /// [`ServiceError::NotInOrder`] where it has not, [`WorkError::Stopped`] once the stop was set.
    pub fn check_order(&self, ended: io::Result<Option<ExitStatus>>) -> Result<(), WorkError> {
        let ended = ended.map_err(WorkError::io("end the server in", &self.data))?;
        let status = ended.ok_or(WorkError::Stopped)?;
        if status.success() {
            return Ok(());
        }
        Err(ServiceError::NotInOrder {
            engine: self.engine,
            status: status.to_string(),
            said: self.last_lines(),
        }
        .into())
    }

    /// Whether the server's first process, which was started, still runs.
    ///
    /// # Errors
    /// [`ServiceError::Ended`] where it does not.
    pub fn check(&self, server: &mut Server) -> Result<(), WorkError> {
        let ended = server
            .ended()
            .map_err(WorkError::io("wait for", &self.data))?;
        ended.map_or(Ok(()), |status| Err(self.died(status.to_string()).into()))
    }

    /// Whether the server waits until somebody frees space, which nobody does here.
    pub(crate) fn is_stuck(&self) -> bool {
        full::waits(&self.last_lines())
    }

    /// Whether nothing more fits beside the server's data.
    pub(crate) fn has_no_room(&self) -> bool {
        full::has_no_room(&self.data)
    }

    /// Why the server closed a connection, where it has ended or does within a few seconds.
    pub fn death_of(&self, server: &mut Server) -> Option<ServiceError> {
        // A server that dies closes its connections first.
        let begun = Instant::now();
        while begun.elapsed() < CLEANUP_TIMEOUT {
            if let Ok(Some(status)) = server.ended() {
                return Some(self.died(status.to_string()));
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        None
    }

    /// A program of the server has ended when it should not have: with the last lines of its log.
    fn died(&self, status: String) -> ServiceError {
        ServiceError::Ended {
            engine: self.engine,
            status,
            said: self.last_lines(),
        }
    }

    /// The last lines of its log, in one.
    pub fn last_lines(&self) -> String {
        let text = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        quoted(&lines)
    }
}

/// The last lines, and before them the one that tells of a full filesystem, which others follow.
fn quoted(lines: &[&str]) -> String {
    let (before, last) = lines.split_at(lines.len().saturating_sub(QUOTED_LINES));
    let is_told = last.iter().any(|line| full::is_full(line));
    let told = before.iter().rfind(|line| full::is_full(line));
    let told = told.filter(|_| !is_told);
    let all: Vec<&str> = told.into_iter().chain(last).copied().collect();
    all.join("; ")
}

/// Others may pass through the private directory, not look into it.
fn open_to_pass(place: &Path) -> Result<(), WorkError> {
    for directory in [Some(place), place.parent()].into_iter().flatten() {
        fs::set_permissions(directory, fs::Permissions::from_mode(0o711))
            .map_err(WorkError::io("set the attributes of", directory))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn the_line_that_tells_of_a_full_filesystem_is_quoted_before_the_last_ones() {
        let full = "FATAL: could not extend file: No space left on device";
        let lines = ["up", full, "a", "b", "c", "d"];
        assert_eq!(quoted(&lines), format!("{full}; a; b; c; d"));
        assert_eq!(quoted(&lines[..3]), format!("up; {full}; a"));
        assert_eq!(quoted(&["a", "b", "c", "d", "e"]), "b; c; d; e");
        assert_eq!(quoted(&[]), "");
    }
}
