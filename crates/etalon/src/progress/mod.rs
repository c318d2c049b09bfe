//! How far the work is: a line on a terminal that is written anew, and in a pipe a line for each
//! block; always on standard error.

mod eta;

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, stderr};
use std::time::{Duration, Instant};

use etalon_experiment::Event;
use etalon_model::Run;
use etalon_units::{ByteRate, Bytes, Nanos, OpRate, visible};
use indicatif::{ProgressBar, ProgressStyle};

use crate::output;
use eta::Eta;

/// From this size of one operation on, bytes tell more than operations.
const LARGE: Bytes = Bytes::kib(64);

/// Shows events as they come.
pub(crate) struct Progress {
    line: Option<ProgressBar>,
    begun: Instant,
    eta: Eta,
    /// What the last run of each cell gave.
    figures: BTreeMap<String, String>,
}

impl Progress {
    /// A line where standard error is a terminal.
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
            eta: Eta::default(),
            figures: BTreeMap::new(),
        }
    }

    /// Shows one event.
    pub(crate) fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Begun { target, at_most } => {
                let has_budget = *at_most < Nanos(u64::MAX);
                self.eta.deadline =
                    has_budget.then(|| Nanos(self.now().get().saturating_add(at_most.get())));
                self.step(&format!("measuring {}: {}", target.path, target.beneath));
            }
            // Whoever waits in a script wants to know for what.
            Event::Busy { busy, waits: true } => self.remark(&format!("waiting: {busy}")),
            Event::Busy { busy, .. } => self.remark(&format!(
                "{busy}, which root does not wait for without --wait; the figures suffer"
            )),
            // Of a device nothing is laid out.
            Event::LayingOut { size } if size.get() == 0 => {}
            Event::LayingOut { size } => self.step(&format!("laying out {size} of files")),
            Event::Planned { blocks } => self.eta.planned = u32::try_from(*blocks).ok(),
            Event::Block { number, .. } => {
                self.eta.begin(*number, self.now());
                self.step(&self.live(None));
            }
            Event::Forecast(forecast) => self.remark(&forecast.to_string()),
            Event::Running { cell } => self.say(&self.live(Some(cell))),
            Event::Ended { run } => {
                self.figures.insert(run.cell.clone(), figure(run));
            }
        }
    }

    /// Such as `block 3/8 - random read QD1 - 81.2 k IOPS, p50 361 us - 27 s left`.
    fn live(&self, cell: Option<&str>) -> String {
        let block = self.eta.block().map(|(number, of)| match of {
            Some(of) => format!("block {number}/{}", of.max(number)),
            None => format!("block {number}"),
        });
        let figure = cell.and_then(|cell| self.figures.get(cell).cloned());
        let left = self.eta.left(self.now()).map(left);
        let parts = [block, cell.map(str::to_owned), figure, left];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(" - ")
    }

    fn now(&self) -> Nanos {
        self.begun.elapsed().into()
    }

    /// Clears the line.
    pub(crate) fn finish(&self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }

    /// A line that stays.
    fn remark(&self, text: &str) {
        match &self.line {
            Some(line) => line.println(visible(text)),
            None => output::note(text),
        }
    }

    /// What the line says from now on, or a line of its own where there is no terminal.
    fn step(&self, text: &str) {
        match &self.line {
            Some(_) => self.say(text),
            None => output::note(text),
        }
    }

    /// What the line says from now on; too often for a pipe.
    fn say(&self, text: &str) {
        if let Some(line) = &self.line {
            line.set_message(visible(text).into_owned());
        }
    }
}

fn left(time: Nanos) -> String {
    match time.as_secs_f64().round() as u64 {
        seconds @ 0..60 => format!("{seconds} s left"),
        seconds => format!("{} left", Nanos::secs(seconds)),
    }
}

/// What a run gave: bytes a second of large operations, else operations, and the median latency.
fn figure(run: &Run) -> String {
    let m = &run.measurement;
    let size = m.bytes_with_warm_up.get().checked_div(m.operations());
    let rate = match size.is_some_and(|size| size >= LARGE.get()) {
        true => ByteRate(m.bytes_per_second()).to_string(),
        false => OpRate(m.operations_per_second()).iops(),
    };
    match m.latency().quantile(0.5) {
        Some(median) => format!("{rate}, p50 {median}"),
        None => rate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_block_cell_last_figure_and_time() {
        let mut progress = Progress::start();
        progress.line = None;
        progress.event(&Event::Planned { blocks: 8 });
        let block = |number| Event::Block {
            number,
            open: 1,
            left: Nanos(u64::MAX),
        };
        progress.event(&block(1));
        assert_eq!(progress.live(None), "block 1/8");
        let figure = "81.2 k IOPS, p50 361 us".to_owned();
        progress.figures.insert("random read".to_owned(), figure);
        progress.event(&block(2));
        let line = progress.live(Some("random read"));
        let start = "block 2/8 - random read - 81.2 k IOPS, p50 361 us - ";
        assert!(line.starts_with(start), "{line}");
        assert!(line.ends_with(" left"), "{line}");
    }

    #[test]
    fn time_is_told_in_seconds_below_a_minute() {
        assert_eq!(left(Nanos::millis(27_400)), "27 s left");
        assert!(left(Nanos::secs(90)).starts_with("1 min"));
    }
}
