//! How long a command that says nothing is at work: a line on a terminal that goes before whatever the command
//! prints.

use std::io::{self, IsTerminal as _, Write, stderr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// How often the line is written anew.
const TICK: Duration = Duration::from_millis(500);
/// Where a tool says nothing for so long, the line says that it is at work.
const SILENT: Duration = Duration::from_secs(2);
/// Goes to the first column and erases what stands there (ECMA-48, EL).
const ERASE: &[u8] = b"\r\x1b[K";

/// The line, until it is dropped.
pub(crate) struct Aside(Arc<Mutex<Line>>);

struct Line {
    name: String,
    begun: Instant,
    /// When the tool last said something.
    said: Instant,
    is_shown: bool,
    /// Whether the cursor stands behind something that the tool wrote.
    is_within_line: bool,
    /// Another line says how far the work is.
    is_resting: bool,
    to: Box<dyn Write + Send>,
}

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
        let begun = Instant::now();
        Aside(Arc::new(Mutex::new(Line {
            name: name.to_owned(),
            begun,
            said: begun,
            is_shown: false,
            is_within_line: false,
            is_resting: false,
            to,
        })))
    }

    /// Erases the line, since something is printed: all of a line, or its beginning.
    pub(crate) fn spoke(&self, is_whole_line: bool) {
        let mut line = lock(&self.0);
        line.erase();
        line.said = Instant::now();
        line.is_within_line = !is_whole_line;
    }

    /// Erases the line and shows none, or goes on.
    pub(crate) fn rest(&self, is_resting: bool) {
        let mut line = lock(&self.0);
        line.erase();
        line.said = Instant::now();
        line.is_resting = is_resting;
    }

    /// Writes to `to`, which may be the same terminal.
    pub(crate) fn before<W: Write>(&self, to: W, is_terminal: bool) -> Before<W> {
        Before {
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

impl Line {
    /// The line as it is now; none while the tool speaks for itself.
    fn text(&self, now: Instant) -> Option<String> {
        let is_silent = now.saturating_duration_since(self.said) >= SILENT;
        let seconds = now.saturating_duration_since(self.begun).as_secs();
        (is_silent && !self.is_within_line && !self.is_resting)
            .then(|| format!("{}: at work for {seconds} s; Ctrl-C ends it", self.name))
    }

    fn show(&mut self, now: Instant) {
        if let Some(text) = self.text(now) {
            // A terminal that is gone is no reason to stop.
            let _ = self.to.write_all(ERASE);
            let _ = self.to.write_all(text.as_bytes());
            let _ = self.to.flush();
            self.is_shown = true;
        }
    }

    fn erase(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = self.to.write_all(ERASE);
            let _ = self.to.flush();
        }
    }
}

/// Writes the line anew, until it is dropped.
fn keep_moving(line: Weak<Mutex<Line>>) {
    thread::spawn(move || {
        while let Some(line) = line.upgrade() {
            lock(&line).show(Instant::now());
            drop(line);
            thread::sleep(TICK);
        }
    });
}

fn lock(line: &Mutex<Line>) -> MutexGuard<'_, Line> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a tool writes to, with the line out of its way.
pub(crate) struct Before<W> {
    line: Arc<Mutex<Line>>,
    to: W,
    is_terminal: bool,
}

impl<W: Write> Write for Before<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut line = lock(&self.line);
        line.erase();
        line.said = Instant::now();
        let written = self.to.write(bytes)?;
        if self.is_terminal {
            line.is_within_line = !bytes[..written].ends_with(b"\n");
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a terminal got.
    #[derive(Clone, Default)]
    struct Screen(Arc<Mutex<Vec<u8>>>);

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Screen {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    fn later(aside: &Aside, seconds: u64) {
        let mut line = lock(&aside.0);
        let now = line.begun + Duration::from_secs(seconds);
        line.show(now);
    }

    #[test]
    fn a_silent_tool_is_said_to_be_at_work_until_it_speaks() {
        let screen = Screen::default();
        let aside = Aside::new("hdparm", Box::new(screen.clone()));
        later(&aside, 1);
        assert_eq!(screen.text(), "");
        later(&aside, 3);
        let shown = "\r\x1b[Khdparm: at work for 3 s; Ctrl-C ends it";
        assert_eq!(screen.text(), shown);
        let mut out = aside.before(screen.clone(), true);
        out.write_all(b"done\n").unwrap();
        assert_eq!(screen.text(), format!("{shown}\r\x1b[Kdone\n"));
        drop(aside);
        assert_eq!(screen.text(), format!("{shown}\r\x1b[Kdone\n"));
    }

    #[test]
    fn a_line_of_the_tool_that_is_not_ended_stays() {
        let screen = Screen::default();
        let aside = Aside::new("iozone", Box::new(screen.clone()));
        let mut out = aside.before(screen.clone(), true);
        out.write_all(b"  64  4").unwrap();
        later(&aside, 60);
        assert_eq!(screen.text(), "  64  4");
        out.write_all(b"  123\n").unwrap();
        later(&aside, 60);
        assert!(screen.text().ends_with("at work for 60 s; Ctrl-C ends it"));
        drop(aside);
        assert!(screen.text().ends_with("\r\x1b[K"));
    }

    #[test]
    fn what_goes_elsewhere_does_not_keep_the_line_away() {
        let (screen, file) = (Screen::default(), Screen::default());
        let aside = Aside::new("iozone", Box::new(screen.clone()));
        aside.before(file, false).write_all(b"64").unwrap();
        later(&aside, 60);
        assert!(screen.text().contains("at work"));
    }

    #[test]
    fn nothing_is_said_beside_another_line_of_progress() {
        let screen = Screen::default();
        let aside = Aside::new("import", Box::new(screen.clone()));
        aside.rest(true);
        later(&aside, 9);
        assert_eq!(screen.text(), "");
        aside.rest(false);
        later(&aside, 9);
        let shown = "\r\x1b[Kimport: at work for 9 s; Ctrl-C ends it";
        assert_eq!(screen.text(), shown);
        aside.spoke(true);
        assert_eq!(screen.text(), format!("{shown}\r\x1b[K"));
        // Behind the beginning of a line it would destroy that.
        aside.spoke(false);
        later(&aside, 20);
        assert_eq!(screen.text(), format!("{shown}\r\x1b[K"));
    }
}
