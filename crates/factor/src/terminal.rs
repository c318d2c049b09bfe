//! The terminal of whoever runs a plan, for what only a person can do.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_units::visible;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::getpgrp;
use rustix::termios::tcgetpgrp;

/// How often a wait looks whether it shall stop.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 200_000_000,
};

/// How a question to a person ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The Enter key was pressed.
    Done,
    /// `stop` was set meanwhile.
    Stopped,
    /// There is nobody to ask: no terminal, one that belongs to another job, or one that was closed.
    Nobody,
}

/// Asks the person at the terminal (tty(4)) to do something, and waits for the Enter key.
pub(crate) fn ask(message: &str, stop: &AtomicBool) -> Answer {
    let Some(mut terminal) = terminal() else {
        return Answer::Nobody;
    };
    // On lines of its own, so that a line of progress does not cover it.
    let text = format!(
        "\netalon: {}\netalon: press Enter when it is done, Ctrl-C to stop\n",
        visible(message)
    );
    match terminal.write_all(text.as_bytes()) {
        Ok(()) => wait(&mut terminal, stop),
        Err(_) => Answer::Nobody,
    }
}

/// The terminal, where this process may read from it: in the background the kernel would stop it (tcgetpgrp(3)).
fn terminal() -> Option<File> {
    let terminal = OpenOptions::new().read(true).write(true).open("/dev/tty");
    let terminal = terminal.ok()?;
    let group = tcgetpgrp(&terminal).ok()?;
    (group == getpgrp()).then_some(terminal)
}

fn wait(terminal: &mut File, stop: &AtomicBool) -> Answer {
    let mut bytes = [0; 256];
    while !stop.load(Ordering::Relaxed) {
        let mut fds = [PollFd::new(&*terminal, PollFlags::IN)];
        // A signal ends the wait, and is looked for above.
        let ready = poll(&mut fds, Some(&LOOK)).unwrap_or(0);
        if ready == 0 {
            continue;
        }
        match terminal.read(&mut bytes) {
            Ok(0) | Err(_) => return Answer::Nobody,
            Ok(read) if bytes[..read].contains(&b'\n') => return Answer::Done,
            Ok(_) => {}
        }
    }
    Answer::Stopped
}
