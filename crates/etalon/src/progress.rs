//! How far the work is: a line on a terminal, plain lines in a pipe, always on standard error.

use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

use etalon_experiment::Event;
use etalon_units::{Nanos, visible};
use indicatif::{ProgressBar, ProgressStyle};

use crate::output;

/// Shows events as they come.
pub(crate) struct Progress {
    line: Option<ProgressBar>,
    begun: Instant,
    at_most: Nanos,
    block: String,
}

impl Progress {
    /// A line where standard error is a terminal, else plain lines.
    pub(crate) fn start() -> Progress {
        let line = ProgressBar::new_spinner();
        // A terminal that cannot move its cursor (TERM=dumb) shows no line of this kind.
        let is_shown = stderr().is_terminal() && !line.is_hidden();
        let line = is_shown.then(|| {
            let style = ProgressStyle::with_template("{spinner} {wide_msg}");
            line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            line.enable_steady_tick(Duration::from_millis(120));
            line
        });
        Progress {
            line,
            begun: Instant::now(),
            at_most: Nanos(u64::MAX),
            block: String::new(),
        }
    }

    /// Shows one event.
    pub(crate) fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Begun { target, at_most } => {
                self.at_most = *at_most;
                self.say(&format!("measuring {}: {}", target.path, target.beneath));
            }
            Event::Busy { busy, waits: true } => self.say(&format!("waiting: {busy}")),
            Event::Busy { busy, .. } => self.remark(&format!(
                "{busy}, which root does not wait for without --wait; the figures suffer"
            )),
            // Of a device nothing is laid out.
            Event::LayingOut { size } if size.get() == 0 => {}
            Event::LayingOut { size } => {
                self.say(&format!("laying out {size} of files{}", self.left()))
            }
            Event::Block { number, open, .. } => {
                self.block = format!("block {number}, {open} rows to repeat");
                self.say(&format!("{}{}", self.block, self.left()));
            }
            Event::Forecast(forecast) => self.remark(&forecast.to_string()),
            Event::Running { cell } => {
                if let Some(line) = &self.line {
                    let comma = if self.block.is_empty() { "" } else { ", " };
                    let text = format!("{}{comma}{cell}{}", self.block, self.left());
                    line.set_message(visible(&text).into_owned());
                }
            }
            Event::Ended { .. } => {}
        }
    }

    /// Clears the line.
    pub(crate) fn finish(&self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }

    /// The most that is left of the budget; it ends sooner when every figure is precise sooner.
    fn left(&self) -> String {
        if self.at_most == Nanos(u64::MAX) {
            return String::new();
        }
        let left = self.at_most.saturating_sub(self.begun.elapsed().into());
        match left.as_secs_f64().round() as u64 {
            seconds @ 0..60 => format!(", at most {seconds} s left"),
            seconds => format!(", at most {} left", Nanos::secs(seconds)),
        }
    }

    /// A line that stays.
    fn remark(&self, text: &str) {
        match &self.line {
            Some(line) => line.println(visible(text)),
            None => output::note(text),
        }
    }

    fn say(&self, text: &str) {
        match &self.line {
            Some(line) => line.set_message(visible(text).into_owned()),
            None => output::note(text),
        }
    }
}
