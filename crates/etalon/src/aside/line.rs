//! The line itself: what it says, and when.

use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Where a tool says nothing for so long, the line says that it is at work.
const SILENT: Duration = Duration::from_secs(2);
/// Goes to the first column and erases what stands there (ECMA-48, EL).
const ERASE: &[u8] = b"\r\x1b[K";

pub(super) struct AsideLine {
    name: String,
    pub(super) begun: Instant,
    /// When the tool last said something.
    said: Instant,
    is_shown: bool,
    /// Whether the cursor stands behind something that the tool wrote.
    is_within_line: bool,
    /// Another line says how far the work is.
    is_resting: bool,
    to: Box<dyn Write + Send>,
}

impl AsideLine {
    pub(super) fn new(name: &str, to: Box<dyn Write + Send>) -> AsideLine {
        let begun = Instant::now();
        AsideLine {
            name: name.to_owned(),
            begun,
            said: begun,
            is_shown: false,
            is_within_line: false,
            is_resting: false,
            to,
        }
    }

    /// The line as it is now; none while the tool speaks for itself.
    fn text(&self, now: Instant) -> Option<String> {
        let is_silent = now.saturating_duration_since(self.said) >= SILENT;
        let seconds = now.saturating_duration_since(self.begun).as_secs();
        (is_silent && !self.is_within_line && !self.is_resting)
            .then(|| format!("{}: at work for {seconds} s; Ctrl-C ends it", self.name))
    }

    pub(super) fn show(&mut self, now: Instant) {
        if let Some(text) = self.text(now) {
            // A terminal that is gone is no reason to stop.
            let _ = self.to.write_all(ERASE);
            let _ = self.to.write_all(text.as_bytes());
            let _ = self.to.flush();
            self.is_shown = true;
        }
    }

    pub(super) fn erase(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = self.to.write_all(ERASE);
            let _ = self.to.flush();
        }
    }

    /// As if the command had printed something: all of a line, or its beginning.
    pub(super) fn spoke(&mut self, is_whole_line: bool) {
        self.erase();
        self.said = Instant::now();
        self.is_within_line = !is_whole_line;
    }

    /// Shows none from now on, or goes on.
    pub(super) fn rest(&mut self, is_resting: bool) {
        self.erase();
        self.said = Instant::now();
        self.is_resting = is_resting;
    }

    /// Lets the tool write to `to`, which may be the same terminal.
    pub(super) fn give_way(
        &mut self,
        to: &mut dyn Write,
        is_terminal: bool,
        bytes: &[u8],
    ) -> io::Result<usize> {
        self.erase();
        self.said = Instant::now();
        let written = to.write(bytes)?;
        if is_terminal {
            self.is_within_line = !bytes[..written].ends_with(b"\n");
        }
        Ok(written)
    }
}
