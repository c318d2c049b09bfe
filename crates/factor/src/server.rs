//! A server of etalon's own, which ends with it whatever happens.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::fs::{FallocateFlags, fallocate};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::server_end::{self, WRITE_BACK_TIMEOUT, within};
use crate::shared_memory::remove_shared_memory;
use crate::{Change, Entry, Journal, JournalError, ProcessStamp, Token};

/// How often the end of a server is looked for.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Waits for a word from its parent before it becomes the server: where the parent is killed before
/// the journal knows the process, the word never comes and the process ends.
const AFTER_A_WORD: &str = "read word && exec \"$@\"";

/// Another user than root, as whom a server runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrdinaryUser {
    /// Its number.
    pub uid: u32,
    /// Its group's number.
    pub gid: u32,
}

impl OrdinaryUser {
    /// `nobody` of passwd(5) where this process is root; `None` for everybody else, who stays who he
    /// is.
    ///
    /// # Errors
    /// The kernel's where passwd(5) cannot be read, and `NotFound` where nobody is not in it.
    pub fn instead_of_root() -> io::Result<Option<OrdinaryUser>> {
        if !rustix::process::geteuid().is_root() {
            return Ok(None);
        }
        let text = fs::read_to_string("/etc/passwd")?;
        nobody(&text)
            .map(Some)
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

fn nobody(passwd: &str) -> Option<OrdinaryUser> {
    let line = passwd.lines().find(|line| line.starts_with("nobody:"))?;
    let mut numbers = line.split(':').skip(2);
    let uid = numbers.next()?.parse().ok()?;
    let gid = numbers.next()?.parse().ok()?;
    (uid != 0).then_some(OrdinaryUser { uid, gid })
}

/// What is to be started.
#[derive(Debug, Clone)]
pub struct ServerOrder {
    /// The program and its arguments.
    pub words: Vec<OsString>,
    /// Its working directory, absolute and of its own: every process that works in there is taken for
    /// one of the server's.
    pub directory: PathBuf,
    /// Takes what it writes to its outputs.
    pub log: PathBuf,
    /// As whom it runs; `None` for the user of this process.
    pub user: Option<OrdinaryUser>,
}

impl ServerOrder {
    fn uid(&self) -> u32 {
        let own = rustix::process::geteuid().as_raw();
        self.user.map_or(own, |user| user.uid)
    }
}

/// Why a server was not started.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The change cannot be written down, so it is not made.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The kernel refused a step.
    #[error("cannot start '{}': {source}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
}

/// How a server ended that was told to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this status.
    ByItself(ExitStatus),
    /// It took too long and was killed, with what it had not written back.
    Killed,
}

/// A process of etalon's own that goes on until it is told to end. Dropping it ends it with all that
/// it started; after a kill, [`crate::restore`] does.
#[derive(Debug)]
pub struct Server {
    child: Child,
    pid: Pid,
    directory: PathBuf,
    token: Token,
    journal: Journal,
    /// Once the kernel has told it.
    process: Option<ProcessStamp>,
    uid: u32,
    ended: Option<ExitStatus>,
}

impl Server {
    /// Starts it, entered into `journal` first.
    ///
    /// # Errors
    /// [`ServerError`], with nothing left behind.
    pub fn start(journal: &Journal, order: &ServerOrder) -> Result<Server, ServerError> {
        let program = order.words.first().map(PathBuf::from).unwrap_or_default();
        let refused = |source| ServerError::Start {
            program: program.clone(),
            source,
        };
        let token = Token::random().map_err(refused)?;
        let owner = ProcessStamp::current().map_err(refused)?;
        let mut entry = Entry::new(
            owner,
            token.clone(),
            Change::Server {
                directory: order.directory.clone(),
                process: None,
            },
        );
        journal.write(&entry)?;
        let spawned = spawn(order);
        let mut child = spawned
            .inspect_err(|_| drop(journal.remove(&token)))
            .map_err(refused)?;
        let word = child.stdin.take();
        let mut server = Server {
            pid: Pid::from_child(&child),
            child,
            directory: order.directory.clone(),
            token,
            journal: journal.clone(),
            process: None,
            uid: order.uid(),
            ended: None,
        };
        // From here on dropping it ends what was started.
        server.process = Some(ProcessStamp::of(server.child.id()).map_err(refused)?);
        entry.change = Change::Server {
            directory: order.directory.clone(),
            process: server.process.clone(),
        };
        journal.rewrite(&entry)?;
        word.map_or(Ok(()), |mut word| word.write_all(b"go\n"))
            .map_err(refused)?;
        Ok(server)
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, once it has.
    ///
    /// # Errors
    /// The kernel's.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait()?;
        }
        Ok(self.ended)
    }

    /// Waits until it ends by itself; `None` where `stop` was set before.
    ///
    /// # Errors
    /// The kernel's.
    pub fn wait(&mut self, stop: &AtomicBool) -> io::Result<Option<ExitStatus>> {
        loop {
            if let Some(status) = self.ended()? {
                return Ok(Some(status));
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Sends `signal`, and waits for the end of it and of all that it started; what is still there
    /// after half a minute is killed.
    ///
    /// # Errors
    /// The kernel's, and the journal's where the entry could not be struck out.
    pub fn end(mut self, signal: Signal) -> io::Result<Ending> {
        self.end_within(signal, WRITE_BACK_TIMEOUT)
    }

    /// The same for a server that has to write back everything before what is measured next: it is waited for as long as it
    /// takes, and how it ended is told. `None` where `stop` was set before; then it is ended as when it is dropped.
    ///
    /// # Errors
    /// As [`end`](Server::end).
    pub fn end_in_order(
        mut self,
        signal: Signal,
        stop: &AtomicBool,
    ) -> io::Result<Option<ExitStatus>> {
        self.send(signal)?;
        let status = self.wait(stop)?;
        if status.is_some() {
            self.clear_up()?;
        }
        Ok(status)
    }

    /// Processor time of it, of all that it started, and of those of them that have ended.
    pub fn processor_time(&self) -> Duration {
        server_end::processor_time(&self.directory)
    }

    fn end_within(&mut self, signal: Signal, timeout: Duration) -> io::Result<Ending> {
        let begun = std::time::Instant::now();
        self.send(signal)?;
        let mut was_killed = false;
        let status = loop {
            if let Some(status) = self.ended()? {
                break status;
            }
            if begun.elapsed() > timeout {
                was_killed = true;
                let _ = kill_process_group(self.pid, Signal::KILL);
            }
            std::thread::sleep(POLL_INTERVAL);
        };
        self.clear_up()?;
        match was_killed {
            true => Ok(Ending::Killed),
            false => Ok(Ending::ByItself(status)),
        }
    }

    fn send(&mut self, signal: Signal) -> io::Result<()> {
        if self.ended()?.is_none() {
            // The child is not reaped yet: its number is its own.
            let _ = kill_process(self.pid, signal);
        }
        Ok(())
    }

    /// Ends what it started, once it has ended itself, and strikes it out.
    fn clear_up(&self) -> io::Result<()> {
        server_end::end_all(within(&self.directory));
        if let Some(process) = &self.process {
            remove_shared_memory(process, self.uid);
        }
        self.journal.remove(&self.token).map_err(io::Error::other)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nobody is left to tell; the journal keeps the entry, and the next start says so.
        let _ = self.end_within(Signal::QUIT, WRITE_BACK_TIMEOUT);
    }
}

/// Where a filesystem that becomes full ends a server, its last words find room here. What refuses to set room aside leaves
/// the log as it is.
const LOG_ROOM: u64 = 64 << 10;

fn spawn(order: &ServerOrder) -> io::Result<Child> {
    let log = File::create(&order.log)?;
    let _ = fallocate(&log, FallocateFlags::KEEP_SIZE, 0, LOG_ROOM);
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", AFTER_A_WORD, "sh"])
        .args(&order.words)
        .current_dir(&order.directory)
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .env("LC_ALL", "C")
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(log.try_clone()?)
        .stderr(log);
    if let Some(user) = order.user {
        command.uid(user.uid).gid(user.gid);
    }
    command.spawn()
}

/// The first directory above `directory` that `user` cannot pass through.
pub fn barred(directory: &Path, user: OrdinaryUser) -> Option<PathBuf> {
    use std::os::unix::fs::MetadataExt as _;
    let passes = |place: &Path| {
        fs::metadata(place).is_ok_and(|meta| {
            let bit = match (meta.uid() == user.uid, meta.gid() == user.gid) {
                (true, _) => 0o100,
                (_, true) => 0o010,
                _ => 0o001,
            };
            meta.mode() & bit != 0
        })
    };
    let above: Vec<&Path> = directory.ancestors().collect();
    above
        .into_iter()
        .rev()
        .find(|place| !passes(place))
        .map(Path::to_owned)
}

/// Kills every process whose working directory lies in `directory`, and waits until they are gone.
pub fn kill_within(directory: &Path) {
    server_end::end_all(within(directory));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restore;
    use etalon_testbed::Mount;
    use tempfile::TempDir;

    fn order(place: &TempDir, words: &[&str]) -> ServerOrder {
        ServerOrder {
            words: words.iter().map(Into::into).collect(),
            directory: fs::canonicalize(place.path()).unwrap(),
            log: place.path().join("log"),
            user: None,
        }
    }

    #[test]
    fn nobody_is_read_from_passwd() {
        let text = "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65533:n:/:/usr/sbin/nologin\n";
        let user = nobody(text).unwrap();
        assert_eq!((user.uid, user.gid), (65534, 65533));
        assert_eq!(nobody("nobody:x:0:0::/:"), None);
        assert_eq!(nobody("somebody:x:7:7::/:"), None);
    }

    #[test]
    fn what_a_server_started_ends_with_it() {
        let (place, notes) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let journal = Journal::at(&notes.path().join("journal")).unwrap();
        // A child in a session of its own, as PostgreSQL's are.
        let script = "setsid sleep 600 & echo up; trap '' QUIT; wait; sleep 600";
        let server = Server::start(&journal, &order(&place, &["/bin/sh", "-c", script])).unwrap();
        let directory = fs::canonicalize(place.path()).unwrap();
        let begun = std::time::Instant::now();
        while within(&directory).len() < 2 {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "it never started"
            );
            std::thread::sleep(POLL_INTERVAL);
        }
        server.end(Signal::TERM).unwrap();
        assert!(within(&directory).is_empty());
        assert!(restore(&journal).is_empty());
    }

    /// A shell that does this when it is told to end, and has said that it is ready for that.
    fn ready(place: &TempDir, notes: &TempDir, at_the_end: &str) -> Server {
        let journal = Journal::at(&notes.path().join("journal")).unwrap();
        let script = format!("trap '{at_the_end}' TERM; echo up; sleep 600 & wait");
        let order = order(place, &["/bin/sh", "-c", &script]);
        let server = Server::start(&journal, &order).unwrap();
        let begun = std::time::Instant::now();
        while fs::read_to_string(&order.log).unwrap() != "up\n" {
            assert!(begun.elapsed() < Duration::from_secs(60), "it never came");
            std::thread::sleep(POLL_INTERVAL);
        }
        server
    }

    /// Takes longer than it is given.
    const SLOW: &str = "sleep 0.5; echo written; exit 0";

    #[test]
    fn whether_a_server_had_to_be_killed_is_told() {
        let (place, notes) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let mut server = ready(&place, &notes, SLOW);
        let ending = server.end_within(Signal::TERM, Duration::from_millis(50));
        assert_eq!(ending.unwrap(), Ending::Killed);
        let log = fs::read_to_string(place.path().join("log")).unwrap();
        assert_eq!(log, "up\n");
        drop(server);
        let server = ready(&place, &notes, "exit 3");
        let Ending::ByItself(status) = server.end(Signal::TERM).unwrap() else {
            panic!("it was killed");
        };
        assert_eq!(status.code(), Some(3));
    }

    #[test]
    fn an_end_in_order_is_waited_for_until_the_stop() {
        let (place, notes) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let server = ready(&place, &notes, SLOW);
        let status = server.end_in_order(Signal::TERM, &AtomicBool::new(false));
        assert!(status.unwrap().unwrap().success());
        let log = fs::read_to_string(place.path().join("log")).unwrap();
        assert_eq!(log, "up\nwritten\n");
        let server = ready(&place, &notes, "sleep 600");
        let status = server.end_in_order(Signal::TERM, &AtomicBool::new(true));
        assert_eq!(status.unwrap(), None);
        let directory = fs::canonicalize(place.path()).unwrap();
        assert!(within(&directory).is_empty());
        let journal = Journal::at(&notes.path().join("journal")).unwrap();
        assert!(restore(&journal).is_empty());
    }

    #[test]
    fn the_last_words_of_a_server_find_room_on_a_full_filesystem() {
        let test = "the_last_words_of_a_server_find_room_on_a_full_filesystem";
        let Some(mount) = Mount::tmpfs_for(test, "size=1m") else {
            return;
        };
        let notes = TempDir::new().unwrap();
        let journal = Journal::at(&notes.path().join("journal")).unwrap();
        let directory = mount.path().join("data");
        fs::create_dir(&directory).unwrap();
        let script = "until [ -e go ]; do sleep 0.1; done; echo why";
        let order = ServerOrder {
            words: ["/bin/sh", "-c", script].map(Into::into).to_vec(),
            log: mount.path().join("log"),
            directory: directory.clone(),
            user: None,
        };
        let mut server = Server::start(&journal, &order).unwrap();
        let full = fs::write(mount.path().join("rest"), vec![1; 2 << 20]).unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        File::create(directory.join("go")).unwrap();
        server.wait(&AtomicBool::new(false)).unwrap().unwrap();
        assert_eq!(fs::read_to_string(&order.log).unwrap(), "why\n");
    }

    #[test]
    fn the_end_of_a_program_is_seen() {
        let (place, notes) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let journal = Journal::at(&notes.path().join("journal")).unwrap();
        let words = ["/bin/sh", "-c", "echo said; exit 3"];
        let mut server = Server::start(&journal, &order(&place, &words)).unwrap();
        let status = server.wait(&AtomicBool::new(false)).unwrap().unwrap();
        assert_eq!(status.code(), Some(3));
        assert_eq!(
            fs::read_to_string(place.path().join("log")).unwrap(),
            "said\n"
        );
    }
}
