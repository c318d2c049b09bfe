//! A guest that serves its disk to another one.

use std::fs;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use etalon_factor::{Journal, Server};
use etalon_units::visible;
use rustix::process::Signal;

use super::boot::POLL_INTERVAL;
use super::{Archive, Guest, GuestCable, GuestError, PORT_MODULE, SERVE};

/// The client's directory within its own: what works in the directory of a [`Server`] ends with it, and the client ends first.
const CLIENT: &str = "client";
/// The cable's socket in the directory of the server.
const SOCKET: &str = "cable";
/// What it tells once the disk is served.
const READY: &str = "ready";
/// It boots and makes a filesystem; emulated, that takes some ten seconds.
const READY_WITHIN: Duration = Duration::from_secs(300);
/// In the place of what it said.
const NO_WORD: &str = "it did not say why";
const TOO_LATE: &str = "it served nothing for five minutes";
const CONSOLE: [&str; 2] = ["file:console", "file:said"];

/// A guest beside another one, with that one's disks.
#[derive(Debug)]
pub struct ServingGuest {
    guest: Guest,
    archive: Archive,
    running: Option<Server>,
}

impl ServingGuest {
    /// Takes the disks of a guest, and gives it a cable in their place. `script` serves the first of them, in the words of the
    /// shell, with what is in the archive.
    ///
    /// # Errors
    /// [`GuestError::Io`].
    pub fn beside(
        client: &mut Guest,
        mut archive: Archive,
        script: &str,
    ) -> Result<ServingGuest, GuestError> {
        let inner = client.directory.join(CLIENT);
        fs::create_dir(&inner).map_err(GuestError::io("make the directory", &inner))?;
        let directory = mem::replace(&mut client.directory, inner);
        let cable = |socket: String, is_servers| Some(GuestCable { socket, is_servers });
        client.cable = cable(format!("../{SOCKET}"), false);
        archive.file("command.sh", 0o644, script.as_bytes());
        let port = [PORT_MODULE.to_owned()];
        let guest = Guest {
            kernel: client.kernel.clone(),
            accelerator: client.accelerator,
            memory_mib: client.memory_mib,
            processors: client.processors,
            main: SERVE.to_owned(),
            modules: client.modules.clone(),
            more_modules: client.more_modules.iter().cloned().chain(port).collect(),
            parameters: client.parameters.clone(),
            disks: mem::take(&mut client.disks),
            has_port: true,
            cable: cable(SOCKET.to_owned(), true),
            time_limit: client.time_limit,
            directory,
        };
        Ok(ServingGuest {
            guest,
            archive,
            running: None,
        })
    }

    /// Boots it, and waits until the disk is served.
    ///
    /// # Errors
    /// [`GuestError`]; nothing of it runs any more then.
    pub fn start(&mut self, journal: &Journal, stop: &AtomicBool) -> Result<(), GuestError> {
        let archive = mem::take(&mut self.archive);
        let (mut lines, begun) = (self.guest.lines(), Instant::now());
        let running = self.guest.start(journal, archive, &CONSOLE)?;
        let running = self.running.insert(running);
        loop {
            if lines.read()?.iter().any(|line| line == READY) {
                return Ok(());
            }
            if stop.load(Ordering::Relaxed) {
                return Err(GuestError::Stopped);
            }
            let ended = running.ended();
            let ended = ended.map_err(GuestError::io("wait in", &self.guest.directory))?;
            match ended {
                Some(_) => return Err(self.not_serving(NO_WORD)),
                None if begun.elapsed() > READY_WITHIN => return Err(self.not_serving(TOO_LATE)),
                None => std::thread::sleep(POLL_INTERVAL),
            }
        }
    }

    /// What is wrong with it, if anything is: it goes on until it is ended.
    ///
    /// # Errors
    /// [`GuestError::NotServing`], and [`GuestError::Io`].
    pub fn look(&mut self) -> Result<(), GuestError> {
        let Some(running) = &mut self.running else {
            return Ok(());
        };
        let ended = running.ended();
        match ended.map_err(GuestError::io("wait in", &self.guest.directory))? {
            Some(_) => Err(self.not_serving(NO_WORD)),
            None => Ok(()),
        }
    }

    /// Ends it.
    ///
    /// # Errors
    /// [`GuestError::Io`] where it does not end.
    pub fn end(mut self) -> Result<(), GuestError> {
        match self.running.take() {
            Some(running) => running
                .end(Signal::TERM)
                .map(drop)
                .map_err(GuestError::io("end the guest in", &self.guest.directory)),
            None => Ok(()),
        }
    }

    fn not_serving(&self, silent: &str) -> GuestError {
        let said = self.guest.said().replace('\r', "");
        let said = match said.trim() {
            "" => silent.to_owned(),
            said => visible(&said.replace('\n', " / ")).into_owned(),
        };
        GuestError::NotServing {
            said,
            console: self.guest.last_lines(),
        }
    }
}
