//! `etalon lab shell`.

use std::io::{self, IsTerminal as _, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use etalon_factor::Server;
use etalon_tools::Exit;
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::process::Signal;

use super::guest::{GuestArgs, Ready, Station};
use crate::output;

/// What runs in the guest: a shell with the console as its terminal.
const MAIN: &str = "echo 'The disks are /dev/vda and so on. exit ends the guest.' >/dev/console
inside=
[ ! -e /root.sh ] || { . /root.sh && inside='chroot /image'; }
setsid cttyhack $inside sh -l </dev/console >/dev/console 2>&1\n";
/// Ctrl-], as telnet has it.
const END_KEY: u8 = 0x1d;
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
        let mut ready = self.guest.ready(&station, &kernel, MAIN, None)?;
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
    let (ended, end) = mpsc::channel();
    let raw = Raw::of_terminal()?;
    let (mut shown, mut typed) = (stream.try_clone()?, stream);
    let over = ended.clone();
    thread::Builder::new()
        .name("console".to_owned())
        .spawn(move || {
            // The guest has ended, or standard output has gone.
            let _ = io::copy(&mut shown, &mut io::stdout().lock());
            let _ = over.send(());
        })?;
    thread::Builder::new()
        .name("keys".to_owned())
        .spawn(move || {
            if typed_until_the_end(&mut typed).unwrap_or(false) {
                let _ = ended.send(());
            }
        })?;
    while end.recv_timeout(POLL_INTERVAL).is_err() {
        if stop.load(Ordering::Relaxed) || server.ended()?.is_some() {
            break;
        }
    }
    drop(raw);
    output::note("etalon: the guest has ended");
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

/// Sends what is typed; whether the key was pressed that ends the guest. The end of standard input does not.
fn typed_until_the_end(to: &mut UnixStream) -> io::Result<bool> {
    let mut keys = [0; 256];
    loop {
        let count = io::stdin().lock().read(&mut keys)?;
        let typed = &keys[..count];
        if typed.is_empty() {
            return Ok(false);
        }
        if typed.contains(&END_KEY) {
            return Ok(true);
        }
        to.write_all(typed)?;
    }
}
