//! What the user sees while a copy goes on: messages, the line of `status=progress`, statistics.

use std::time::{Duration, Instant};

use etalon_units::Nanos;

use super::Console;
use super::report::{progress, statistics};
use super::signals::Signals;
use etalon_workload::copy::{Counts, Go, Notice, Observer, StatusLevel};

/// How often `status=progress` writes its line, as GNU dd does.
const EVERY: Duration = Duration::from_secs(1);

/// Watches one copy for a terminal.
pub(crate) struct Terminal<'a, 'b> {
    console: &'a Console<'b>,
    signals: &'a Signals,
    status: StatusLevel,
    start: Instant,
    next_line: Instant,
    /// Characters of the progress line that stands on the terminal.
    shown: usize,
}

impl<'a, 'b> Terminal<'a, 'b> {
    pub(crate) fn new(
        console: &'a Console<'b>,
        signals: &'a Signals,
        status: StatusLevel,
    ) -> Terminal<'a, 'b> {
        let start = Instant::now();
        Terminal {
            console,
            signals,
            status,
            start,
            next_line: start + EVERY,
            shown: 0,
        }
    }

    /// Writes whole lines, below a progress line that stands there.
    pub(crate) fn lines(&mut self, text: &str) {
        let end = if std::mem::take(&mut self.shown) > 0 {
            "\n"
        } else {
            ""
        };
        self.write(&format!("{end}{text}"));
    }

    fn write(&self, text: &str) {
        // A copy goes on when nobody listens; a poisoned lock still holds a usable writer.
        let mut writer = match self.console.lock() {
            Ok(writer) => writer,
            Err(poisoned) => poisoned.into_inner(),
        };
        let _ = writer.write_all(text.as_bytes());
        let _ = writer.flush();
    }

    fn progress_line(&mut self, counts: &Counts) {
        let now = Instant::now();
        if now < self.next_line {
            return;
        }
        while self.next_line <= now {
            self.next_line += EVERY;
        }
        let line = progress(counts, Nanos::from(now - self.start));
        let width = self.shown;
        self.write(&format!("\r{line:width$}"));
        self.shown = line.chars().count();
    }
}

impl Observer for Terminal<'_, '_> {
    fn go_on(&mut self, counts: &Counts) -> Go {
        if self.status == StatusLevel::Progress {
            self.progress_line(counts);
        }
        if self.signals.statistics_wanted() {
            self.statistics(counts);
        }
        match self.signals.interrupted() {
            true => Go::Stop,
            false => Go::On,
        }
    }

    fn notice(&mut self, notice: &Notice) {
        if self.status != StatusLevel::None || notice.is_failure() {
            self.lines(&format!("dd: {notice}\n"));
        }
    }

    fn statistics(&mut self, counts: &Counts) {
        let elapsed = Nanos::from(self.start.elapsed());
        self.lines(&statistics(counts, elapsed, self.status));
    }
}
