//! `etalon lab shell`.

mod console;

use std::io::{self, IsTerminal as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use etalon_factor::Server;
use etalon_tools::Exit;
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::process::Signal;

use super::ended::kept;
use super::guest::{GuestArgs, Ready, Station};
use crate::output;

/// What is said before the shell begins.
const GREETING: &str = "The disks are /dev/vda and so on. exit ends the guest.";
/// What runs in the guest behind its greeting: a shell with the console as its terminal.
const MAIN: &str = "inside=
[ ! -e /root.sh ] || { . /root.sh && inside='chroot /image'; }
setsid cttyhack $inside sh -l </dev/console >/dev/console 2>&1\n";
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Options of `etalon lab shell`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon lab shell --disk hdd-7200:8G --disk hdd-7200:8G
  etalon lab shell --kernel ./unpacked

`exit` or Ctrl-] ends the guest; what was written to its disks is gone then.")]
pub(super) struct ShellArgs {
    #[command(flatten)]
    guest: GuestArgs,
}

impl ShellArgs {
    pub(super) fn run(&self) -> anyhow::Result<Exit> {
        let (station, kernel) = (Station::open()?, self.guest.kernel()?);
        let main = format!("echo '{GREETING}' >/dev/console\n{MAIN}");
        let mut ready = self.guest.ready(&station, &kernel, &main, None)?;
        ready.tell();
        let done = conversed(&mut ready);
        ready.close()?;
        done
    }
}

fn conversed(ready: &mut Ready) -> anyhow::Result<Exit> {
    let archive = std::mem::take(&mut ready.archive);
    let guest = &ready.guest;
    let mut server = guest.start(&ready.journal, archive, &["unix:terminal,server=on"])?;
    let outcome = console(&guest.directory.join("terminal"), &mut server, &ready.stop);
    server.end(Signal::TERM)?;
    if let Err(error) = kept(ready.facts()) {
        output::note(&format!("etalon: {error}"));
    }
    outcome
}

/// The terminal as the guest wants it, until this goes.
struct Raw(bool);

impl Raw {
    fn of_terminal() -> anyhow::Result<Raw> {
        let is_terminal = io::stdin().is_terminal();
        if is_terminal {
            enable_raw_mode().context("cannot set the terminal")?;
        }
        Ok(Raw(is_terminal))
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        if self.0 {
            // Nobody is left to tell on a terminal that does not take it.
            let _ = disable_raw_mode();
        }
    }
}

/// Joins the terminal and the console until one of them ends.
fn console(path: &Path, server: &mut Server, stop: &Arc<AtomicBool>) -> anyhow::Result<Exit> {
    let Some(stream) = connected(path, server, stop)? else {
        return Ok(Exit::Interrupted);
    };
    let raw = Raw::of_terminal()?;
    let end = console::join(stream, GREETING)?;
    let exit = until_end(&end, stop, || Ok(server.ended()?.is_some()))?;
    drop(raw);
    output::note("etalon: the guest has ended");
    Ok(exit)
}

/// Waits until the conversation is over, the guest has ended, or a signal has ended both.
fn until_end(
    end: &Receiver<()>,
    stop: &AtomicBool,
    mut has_ended: impl FnMut() -> io::Result<bool>,
) -> io::Result<Exit> {
    while end.recv_timeout(POLL_INTERVAL).is_err() {
        if stop.load(Ordering::Relaxed) {
            return Ok(Exit::Interrupted);
        }
        if has_ended()? {
            break;
        }
    }
    Ok(Exit::Done)
}

/// The guest's console; it waits for this before it boots.
fn connected(
    path: &Path,
    server: &mut Server,
    stop: &AtomicBool,
) -> anyhow::Result<Option<UnixStream>> {
    loop {
        if let Ok(stream) = UnixStream::connect(path) {
            return Ok(Some(stream));
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if let Some(status) = server.ended()? {
            anyhow::bail!("QEMU ended with {status} before it had booted");
        }
        thread::sleep(POLL_INTERVAL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_conversation_that_a_signal_ended_was_interrupted() {
        let (over, end) = channel();
        let (stop, on) = (AtomicBool::new(true), AtomicBool::new(false));
        let ended = |stop: &AtomicBool, has_ended| until_end(&end, stop, || Ok(has_ended)).unwrap();
        assert_eq!(ended(&stop, false), Exit::Interrupted);
        assert_eq!(ended(&on, true), Exit::Done);
        over.send(()).unwrap();
        assert_eq!(ended(&on, false), Exit::Done);
    }
}
