//! Commands of the user's, run by the shell.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, memfd_create};

use crate::error::FactorError;
use crate::server_end::end_all;

const SHELL: &str = "/bin/sh";

/// How often it is looked whether the shell has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// So long a command may still take that is stopped: most end by themselves, and the signal of a terminal reaches them too.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// Most of the error output that a message quotes.
const QUOTED: u64 = 4096;

/// Runs `command` until the shell has ended. What it leaves in the background goes on. Once `stop` is set the command is let
/// end for a second, and then killed with all that it started.
///
/// # Errors
/// [`FactorError::Program`] with its error output where it fails, [`FactorError::Stopped`] where it was stopped.
pub fn run_shell(command: &str, input: Stdio, stop: &AtomicBool) -> Result<(), FactorError> {
    // A pipe would be open as long as anything in the background has it, and a file would lie on what is measured.
    let said = memfd_create("stderr", MemfdFlags::CLOEXEC);
    let keep = FactorError::io("keep the output of", Path::new(SHELL));
    let mut said = File::from(said.map_err(|error| keep(error.into()))?);
    let child = start(command, input, &said).map_err(FactorError::io("start", SHELL.as_ref()))?;
    let status = wait(child, stop).map_err(FactorError::io("wait for", SHELL.as_ref()))?;
    match status.success() {
        true => Ok(()),
        false if stop.load(Ordering::Relaxed) => Err(FactorError::Stopped),
        false => Err(FactorError::Program {
            command: command.to_owned(),
            why: format!("{status}: {}", end_of(&mut said)),
        }),
    }
}

fn start(command: &str, input: Stdio, said: &File) -> std::io::Result<Child> {
    let mut shell = Command::new(SHELL);
    shell.args(["-c", command]).stdin(input);
    shell.stdout(Stdio::null()).stderr(said.try_clone()?);
    shell.spawn()
}

fn wait(mut shell: Child, stop: &AtomicBool) -> std::io::Result<ExitStatus> {
    let mut stopped = None;
    loop {
        if let Some(status) = shell.try_wait()? {
            return Ok(status);
        }
        if stop.load(Ordering::Relaxed) {
            let since: &Instant = stopped.get_or_insert_with(Instant::now);
            if since.elapsed() >= STOP_TIMEOUT {
                return kill(shell);
            }
        }
        sleep(POLL_INTERVAL);
    }
}

/// The shell first, which else would go on with its next command.
fn kill(mut shell: Child) -> std::io::Result<ExitStatus> {
    let started = started_by(shell.id());
    shell.kill()?;
    let status = shell.wait();
    end_all(started);
    status
}

/// The processes that `pid` started and that they did, as far as the kernel lists them (proc_tid_children(5)).
fn started_by(pid: u32) -> Vec<u32> {
    let listed = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    let listed = listed.unwrap_or_default();
    let own = listed.split_whitespace().filter_map(|pid| pid.parse().ok());
    own.flat_map(|pid| [vec![pid], started_by(pid)].concat())
        .collect()
}

/// The last that was said.
fn end_of(said: &mut File) -> String {
    let length = said.seek(SeekFrom::End(0)).unwrap_or(0);
    let mut bytes = Vec::new();
    // What cannot be read is not quoted.
    let _ = said.seek(SeekFrom::Start(length.saturating_sub(QUOTED)));
    let _ = said.take(QUOTED).read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tempfile::TempDir;

    fn run(command: &str, stop: &AtomicBool) -> Result<(), FactorError> {
        run_shell(command, Stdio::null(), stop)
    }

    /// The number of a process that a command has written into `place`, and whether it runs.
    fn runs(place: &TempDir) -> (u32, bool) {
        let text = fs::read_to_string(place.path().join("pid")).unwrap();
        let pid = text.trim().parse().unwrap();
        let stamp = crate::ProcessStamp::of(pid);
        (pid, stamp.is_ok())
    }

    #[test]
    fn what_is_left_in_the_background_is_not_waited_for_and_goes_on() {
        let place = TempDir::new().unwrap();
        let command = format!("sleep 30 & echo $! > {}/pid", place.path().display());
        let begun = Instant::now();
        run(&command, &AtomicBool::new(false)).unwrap();
        let (took, (pid, is_running)) = (begun.elapsed(), runs(&place));
        end_all(vec![pid]);
        assert!(took < Duration::from_secs(20) && is_running, "{took:?}");
    }

    #[test]
    fn what_fails_is_told_by_the_last_that_it_said() {
        let never = AtomicBool::new(false);
        let told = |command: &str| run(command, &never).unwrap_err().to_string();
        let wrong = told("echo said; echo wrong >&2; exit 3");
        assert!(
            wrong.ends_with("failed: exit status: 3: wrong"),
            "'{wrong}'"
        );
        let much = told("yes | head -c 9000 >&2; echo end >&2; false");
        assert!(
            much.ends_with("y\nend") && much.len() < 5000,
            "{}",
            much.len()
        );
    }

    #[test]
    fn a_stop_ends_a_command_with_what_it_started_and_lets_a_short_one_end() {
        let place = TempDir::new().unwrap();
        let shown = place.path().display();
        let stop = Arc::new(AtomicBool::new(false));
        let long = format!(
            "sh -c 'echo $$ > {shown}/new; mv {shown}/new {shown}/pid; exec sleep 600'; true"
        );
        let (begun, asking) = (Instant::now(), Arc::clone(&stop));
        let file = place.path().join("pid");
        let asker = std::thread::spawn(move || {
            while !file.exists() {
                sleep(POLL_INTERVAL);
            }
            asking.store(true, Ordering::Relaxed);
        });
        let ended = run(&long, &stop);
        asker.join().unwrap();
        assert!(matches!(ended, Err(FactorError::Stopped)), "{ended:?}");
        assert!(begun.elapsed() < Duration::from_secs(60));
        assert!(!runs(&place).1);
        run("true", &stop).unwrap();
    }
}
