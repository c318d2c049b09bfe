//! Running programs: found by name, in a process group of their own, killed as a group.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use etalon_units::Nanos;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{
    Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, test_kill_process_group,
};
use wait4::{ResUse, Wait4 as _};

use super::error::WorkError;

/// How often the stop flag is looked at while a program runs.
const POLL_INTERVAL: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// How long the processes of a killed group may take to go away.
const KILL_TIMEOUT: Duration = Duration::from_secs(2);

/// Most of the error output that a message quotes.
const QUOTED: u64 = 600;

/// A command line with its directory and environment.
#[derive(Debug, Clone)]
pub struct Program {
    words: Vec<OsString>,
    directory: PathBuf,
    environment: Vec<(&'static str, OsString)>,
    stdout: Option<PathBuf>,
    is_alone: bool,
    takes_settings: bool,
}

/// Where a program that has no environment of its caller's looks for others.
const PLAIN_PATH: &str = "/usr/sbin:/usr/bin:/sbin:/bin";

/// Variables that give programs more options than their command lines: make(1), tar(1), gzip(1), xz(1), zstd(1), grep(1).
const SETTINGS: [&str; 12] = [
    "MAKEFLAGS",
    "MFLAGS",
    "GNUMAKEFLAGS",
    "MAKEFILES",
    "MAKELEVEL",
    "TAR_OPTIONS",
    "GZIP",
    "XZ_DEFAULTS",
    "XZ_OPT",
    "ZSTD_CLEVEL",
    "ZSTD_NBTHREADS",
    "GREP_OPTIONS",
];

/// Processor time of a program and of the children that it waited for.
#[derive(Debug, Clone, Copy)]
pub struct Used {
    /// In user mode.
    pub user: Nanos,
    /// In the kernel.
    pub system: Nanos,
}

impl Program {
    /// A program and its arguments, run in `directory`.
    pub fn new<W: Into<OsString>>(words: impl IntoIterator<Item = W>, directory: &Path) -> Program {
        Program {
            words: words.into_iter().map(Into::into).collect(),
            directory: directory.to_owned(),
            environment: Vec::new(),
            stdout: None,
            is_alone: false,
            takes_settings: true,
        }
    }

    /// Sets a variable of its environment.
    pub fn env(mut self, name: &'static str, value: impl Into<OsString>) -> Program {
        self.environment.push((name, value.into()));
        self
    }

    /// Takes nothing of the environment of this process, which may name servers and set options of their clients.
    pub fn alone(mut self) -> Program {
        self.is_alone = true;
        self.env("PATH", PLAIN_PATH).env("LC_ALL", "C")
    }

    /// Takes no settings of the user's for make, compilers, tar, compressors and grep: the same work is done everywhere, a
    /// repeated build compiles again, and a message is in the language in which it is looked for.
    pub(super) fn without_settings(mut self) -> Program {
        self.takes_settings = false;
        self.env("LC_ALL", "C").env("CCACHE_DISABLE", "1")
    }

    /// Sends the output to a file; without it the output is thrown away.
    pub fn output_to(mut self, path: &Path) -> Program {
        self.stdout = Some(path.to_owned());
        self
    }

    fn shown(&self) -> String {
        let words: Vec<_> = self
            .words
            .iter()
            .map(|word| word.to_string_lossy())
            .collect();
        words.join(" ")
    }

    fn name(&self) -> PathBuf {
        self.words.first().map(PathBuf::from).unwrap_or_default()
    }
}

/// Where a program of that name lies on the PATH.
pub fn find(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|directory| directory.join(name))
        .find(|file| file.is_file())
}

/// Refuses the work when a program is missing.
///
/// # Errors
/// [`WorkError::MissingProgram`] with the Debian package that has it.
pub fn need(program: &str, package: &'static str) -> Result<PathBuf, WorkError> {
    find(program).ok_or_else(|| WorkError::MissingProgram {
        program: program.to_owned(),
        package,
    })
}

/// Runs a program to its end. On a stop, and after its end, every process of its group is killed.
///
/// # Errors
/// [`WorkError`] when it cannot be run or fails.
pub fn run(program: &Program, stop: &AtomicBool) -> Result<Used, WorkError> {
    let name = program.name();
    // The error output is kept in memory: a file would lie on the storage that is measured.
    let stderr = memfd_create("stderr", MemfdFlags::CLOEXEC)
        .map_err(|e| WorkError::io("keep the output of", &name)(e.into()))?;
    let mut stderr = File::from(stderr);
    let child = spawn(program, &stderr)?;
    let group = Pid::from_child(&child);
    let waited = wait(child, group, stop);
    outlive(group);
    let used = waited.map_err(WorkError::io("wait for", &name))?;
    if stop.load(Ordering::Relaxed) {
        return Err(WorkError::Stopped);
    }
    if !used.status.success() {
        let (command, status) = (program.shown(), used.status.to_string());
        return Err(WorkError::Exit {
            command,
            status,
            stderr: tail(&mut stderr),
        });
    }
    let nanos = |t: Duration| Nanos(u64::try_from(t.as_nanos()).unwrap_or(u64::MAX));
    Ok(Used {
        user: nanos(used.rusage.utime),
        system: nanos(used.rusage.stime),
    })
}

fn spawn(program: &Program, stderr: &File) -> Result<Child, WorkError> {
    let name = program.name();
    let stdout = match &program.stdout {
        Some(path) => {
            Stdio::from(File::create(path).map_err(WorkError::io("create the file", path))?)
        }
        None => Stdio::null(),
    };
    let stderr = stderr
        .try_clone()
        .map_err(WorkError::io("keep the output of", &name))?;
    command(program, stdout, Stdio::from(stderr))
        .spawn()
        .map_err(WorkError::io("run the program", &name))
}

fn command(program: &Program, stdout: Stdio, stderr: Stdio) -> Command {
    let mut command = Command::new(program.name());
    if program.is_alone {
        command.env_clear();
    }
    if !program.takes_settings {
        for name in SETTINGS {
            command.env_remove(name);
        }
    }
    command
        .args(program.words.iter().skip(1))
        .current_dir(&program.directory)
        .envs(
            program
                .environment
                .iter()
                .map(|(name, value)| (name, value)),
        )
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(stderr);
    command
}

/// Waits for a child, and kills its group when the flag is set.
fn wait(child: Child, group: Pid, stop: &AtomicBool) -> std::io::Result<ResUse> {
    let ended = pidfd_open(group, PidfdFlags::empty());
    match &ended {
        Ok(fd) => loop {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let mut fds = [PollFd::new(fd, PollFlags::IN)];
            if poll(&mut fds, Some(&POLL_INTERVAL)).is_ok_and(|ready| ready > 0) {
                break;
            }
        },
        // Kernels before 5.3 have no pidfd_open(2).
        Err(_) => return wait_by_turns(child, group, stop),
    }
    // The child is not reaped yet, so its number still stands for its group and for no other.
    let _ = kill_process_group(group, Signal::KILL);
    child.wait4()
}

fn wait_by_turns(mut child: Child, group: Pid, stop: &AtomicBool) -> std::io::Result<ResUse> {
    loop {
        if stop.load(Ordering::Relaxed) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        if let Some(used) = child.try_wait4()? {
            return Ok(used);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until a killed group is gone: its members are then no longer writing anywhere.
fn outlive(group: Pid) {
    let start = Instant::now();
    while test_kill_process_group(group).is_ok() && start.elapsed() < KILL_TIMEOUT {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The end of the error output, on one line.
fn tail(stderr: &mut File) -> String {
    let length = stderr.seek(SeekFrom::End(0)).unwrap_or(0);
    let _ = stderr.seek(SeekFrom::Start(length.saturating_sub(QUOTED)));
    let mut bytes = Vec::new();
    let _ = stderr.take(QUOTED).read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a program's environment has of its own, or has no longer.
    fn environment(program: &Program) -> Vec<(String, Option<String>)> {
        let text = |word: &std::ffi::OsStr| word.to_string_lossy().into_owned();
        let command = command(program, Stdio::null(), Stdio::null());
        let changed = command.get_envs();
        changed
            .map(|(name, value)| (text(name), value.map(text)))
            .collect()
    }

    #[test]
    fn settings_of_the_users_reach_only_what_is_the_users() {
        let plain = Program::new(["true"], Path::new("/"));
        assert_eq!(environment(&plain), []);
        let own = environment(&plain.without_settings());
        let has = |name: &str, value: Option<&str>| {
            own.contains(&(name.to_owned(), value.map(str::to_owned)))
        };
        assert!(has("LC_ALL", Some("C")) && has("CCACHE_DISABLE", Some("1")));
        for name in ["MAKEFLAGS", "TAR_OPTIONS", "XZ_DEFAULTS"] {
            assert!(has(name, None), "{name}: {own:?}");
        }
    }
}
