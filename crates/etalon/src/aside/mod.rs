//! How long a command that says nothing is at work: a line on a terminal that goes before whatever the command
//! prints.

mod line;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal as _, Write, stderr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use line::AsideLine;

/// How often the line is written anew.
const TICK: Duration = Duration::from_millis(500);

/// The line, until it is dropped.
pub(crate) struct Aside(Arc<Mutex<AsideLine>>);

impl Aside {
    /// For the tool of this name, where standard error is a terminal that can erase a line.
    pub(crate) fn on_terminal(name: &str) -> Aside {
        let aside = Aside::silent(name);
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        if stderr().is_terminal() && !is_dumb {
            keep_moving(Arc::downgrade(&aside.0));
        }
        aside
    }

    /// One that is never shown.
    pub(crate) fn silent(name: &str) -> Aside {
        Aside::new(name, Box::new(stderr()))
    }

    fn new(name: &str, to: Box<dyn Write + Send>) -> Aside {
        Aside(Arc::new(Mutex::new(AsideLine::new(name, to))))
    }

    /// Erases the line, since something is printed: all of a line, or its beginning.
    pub(crate) fn spoke(&self, is_whole_line: bool) {
        lock(&self.0).spoke(is_whole_line);
    }

    /// Erases the line and shows none, or goes on.
    pub(crate) fn rest(&self, is_resting: bool) {
        lock(&self.0).rest(is_resting);
    }

    /// Writes to `to`, which may be the same terminal.
    pub(crate) fn before<W: Write>(&self, to: W, is_terminal: bool) -> AsideWriter<W> {
        AsideWriter {
            line: Arc::clone(&self.0),
            to,
            is_terminal,
        }
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        lock(&self.0).erase();
    }
}

/// Writes the line anew, until it is dropped.
fn keep_moving(line: Weak<Mutex<AsideLine>>) {
    thread::spawn(move || {
        while let Some(line) = line.upgrade() {
            lock(&line).show(Instant::now());
            drop(line);
            thread::sleep(TICK);
        }
    });
}

fn lock(line: &Mutex<AsideLine>) -> MutexGuard<'_, AsideLine> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a tool writes to, with the line out of its way.
pub(crate) struct AsideWriter<W> {
    line: Arc<Mutex<AsideLine>>,
    to: W,
    is_terminal: bool,
}

impl<W: Write> Write for AsideWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.line).give_way(&mut self.to, self.is_terminal, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
