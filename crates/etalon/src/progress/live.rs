//! What the line says.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use etalon_engine::Progress as Counters;
use etalon_experiment::{Eta, Event};
use etalon_language::{Language, figure, say};
use etalon_model::Run;
use etalon_report::{display_name, is_io};
use etalon_units::{ByteRate, Bytes, Nanos, OpRate};

use crate::output;

/// From this size of one operation on, bytes tell more than operations.
const LARGE: Bytes = Bytes::kib(64);
/// A rate of a run under way covers at least this long.
const WINDOW: Duration = Duration::from_millis(900);

/// The state of a session, and the line about it.
pub(super) struct Live {
    begun: Instant,
    language: Language,
    eta: Eta,
    /// What is said before the first block.
    text: String,
    /// What is said in the place of the line.
    said: Option<String>,
    /// Since when files are laid out within a block.
    laying: Option<Nanos>,
    /// The cell whose run is under way.
    cell: Option<String>,
    /// What the last run of each cell gave: its rate and its median latency.
    figures: BTreeMap<String, (String, Option<Nanos>)>,
    counters: Option<Arc<Counters>>,
    /// The rate that the counters last showed, and what they said when.
    rate: Option<String>,
    seen: Option<CounterReading>,
}

#[derive(Clone, Copy)]
struct CounterReading {
    at: Instant,
    operations: u64,
    bytes: u64,
}

impl Default for Live {
    fn default() -> Live {
        Live {
            begun: Instant::now(),
            language: output::language(),
            eta: Eta::default(),
            text: String::new(),
            said: None,
            laying: None,
            cell: None,
            figures: BTreeMap::new(),
            counters: None,
            rate: None,
            seen: None,
        }
    }
}

impl Live {
    pub(super) fn counts(&mut self, counters: Arc<Counters>) {
        self.counters = Some(counters);
    }

    /// Says this until the next block or run.
    pub(super) fn say(&mut self, text: &str) {
        self.said = Some(text.to_owned());
    }

    /// Takes note of one event.
    pub(super) fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Begun { target, at_most } => {
                let has_budget = *at_most < Nanos(u64::MAX);
                self.eta.deadline =
                    has_budget.then(|| Nanos(self.now().get().saturating_add(at_most.get())));
                self.text = self.language.speak(|| {
                    say!(
                        "progress-measuring",
                        target = target.path,
                        beneath = target.beneath
                    )
                });
            }
            Event::LayingOut { size } => {
                let said = || say!("progress-laying-out", size = size);
                self.text = self.language.speak(said);
                // Until the run that needs them begins.
                self.said = Some(self.text.clone());
                self.laying = Some(self.now());
            }
            Event::Planned { blocks } => self.eta.planned = u32::try_from(*blocks).ok(),
            Event::Block { number, left, .. } => {
                self.eta.begin(*number, self.now());
                // A wait for another etalon is no part of the budget.
                if *left < Nanos(u64::MAX) {
                    self.eta.deadline = Some(Nanos(self.now().get().saturating_add(left.get())));
                }
                (self.said, self.laying) = (None, None);
                self.cell = None;
            }
            Event::Running { cell } => {
                self.said = None;
                if let Some(since) = self.laying.take() {
                    self.eta.leave_out(self.now().saturating_sub(since));
                }
                self.cell = Some((*cell).to_owned());
                self.rate = None;
                self.seen = None;
            }
            Event::Ended { run } => {
                let median = run.measurement.latency().quantile(0.5);
                self.figures
                    .insert(run.cell.clone(), (rate_of(run), median));
            }
            Event::Busy { .. }
            | Event::Unquiet { .. }
            | Event::Unseen { .. }
            | Event::Overwrites { .. }
            | Event::Forecast(_)
            | Event::Lacking(_)
            | Event::Changed(_) => {}
        }
    }

    /// The line in the language of the locale, by whatever thread it is written.
    pub(super) fn line(&mut self) -> String {
        if let Some(said) = &self.said {
            return said.clone();
        }
        self.language.speak(|| self.told())
    }

    /// Such as `block 3/8 - random read QD1 - 81.2 k IOPS, p50 361 us - 27 s left`.
    fn told(&mut self) -> String {
        let Some((number, of)) = self.eta.block() else {
            return self.text.clone();
        };
        let block = match of {
            Some(of) => say!("progress-block-of", number = number, all = of.max(number)),
            None => say!("progress-block", number = number),
        };
        self.look(Instant::now());
        let left = self.eta.left(self.now()).map(left);
        let cell = self.cell.as_deref().map(display_name);
        let parts = [Some(block), cell, self.figure(), left];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(" - ")
    }

    /// The rate now, or that of the last run of this cell, with the median of the last one.
    fn figure(&self) -> Option<String> {
        let last = self.cell.as_ref().and_then(|cell| self.figures.get(cell));
        let rate = self.rate.clone().or_else(|| Some(last?.0.clone()))?;
        match last.and_then(|(_, median)| *median) {
            Some(median) => Some(figure(format!("{rate}, p50 {median}"))),
            None => Some(figure(rate)),
        }
    }

    /// Reads the counters where enough time has passed since the last look.
    fn look(&mut self, now: Instant) {
        let Some(counters) = &self.counters else {
            return;
        };
        // What the engine does beside a task, such as waiting for a journal, is not the task's.
        let cell = self.cell.as_deref().map(display_name);
        if !cell.is_some_and(|cell| is_io(&cell)) {
            return;
        }
        let seen = CounterReading {
            at: now,
            operations: counters.operations.load(Ordering::Relaxed),
            bytes: counters.bytes.load(Ordering::Relaxed),
        };
        let Some(before) = self.seen else {
            self.seen = Some(seen);
            return;
        };
        let elapsed = now.saturating_duration_since(before.at);
        if elapsed >= WINDOW {
            let operations = seen.operations.saturating_sub(before.operations);
            let bytes = seen.bytes.saturating_sub(before.bytes);
            self.rate = rate((operations, bytes), elapsed.as_secs_f64());
            self.seen = Some(seen);
        }
    }

    fn now(&self) -> Nanos {
        self.begun.elapsed().into()
    }
}

/// None where nothing has ended.
fn rate((operations, bytes): (u64, u64), seconds: f64) -> Option<String> {
    let size = bytes.checked_div(operations)?;
    Some(match size >= LARGE.get() {
        true => ByteRate(bytes as f64 / seconds).to_string(),
        false => OpRate(operations as f64 / seconds).iops(),
    })
}

/// What a run gave: bytes a second of large operations, else operations.
fn rate_of(run: &Run) -> String {
    let m = &run.measurement;
    let size = m.bytes_with_warm_up.get().checked_div(m.operations());
    match size.is_some_and(|size| size >= LARGE.get()) {
        true => ByteRate(m.bytes_per_second()).to_string(),
        false if run.workload.io().is_some() => OpRate(m.operations_per_second()).iops(),
        false => OpRate(m.operations_per_second()).figure("/s").to_string(),
    }
}

fn left(time: Nanos) -> String {
    match time.as_secs_f64().round() as u64 {
        seconds @ 0..60 => say!("progress-left", time = format!("{seconds} s")),
        seconds => say!("progress-left", time = Nanos::secs(seconds)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(number: u32) -> Event<'static> {
        Event::Block {
            number,
            open: 1,
            left: Nanos(u64::MAX),
        }
    }

    #[test]
    fn the_line_tells_block_cell_last_figure_and_time() {
        let mut live = Live::default();
        live.event(&Event::Planned { blocks: 8 });
        live.event(&block(1));
        assert_eq!(live.line(), "block 1/8");
        let figure = ("81.2 k IOPS".to_owned(), Some(Nanos(361_000)));
        let cell = "randread 4 KiB, depth 1";
        live.figures.insert(cell.to_owned(), figure);
        live.event(&block(2));
        live.event(&Event::Running { cell });
        let line = live.line();
        let start = "block 2/8 - random read 4 KiB QD1 - 81.2 k IOPS, p50 361 ";
        assert!(line.starts_with(start), "{line}");
        assert!(line.ends_with(" left"), "{line}");
    }

    #[test]
    fn what_was_waited_for_is_no_part_of_the_time_left() {
        let mut live = Live::default();
        live.eta.deadline = Some(Nanos::ZERO);
        live.event(&Event::Block {
            number: 1,
            open: 1,
            left: Nanos::secs(1000),
        });
        let left = live.eta.left(live.now()).unwrap_or_default();
        assert!(left > Nanos::secs(1), "{left}");
    }

    #[test]
    fn files_that_are_laid_out_within_a_block_are_told_until_the_run_begins() {
        let mut live = Live::default();
        live.event(&block(1));
        let cell = "randread 16 KiB";
        live.event(&Event::Running { cell });
        live.event(&Event::LayingOut {
            size: etalon_units::Bytes::gib(1),
        });
        assert_eq!(live.line(), "laying out 1 GiB of files");
        live.event(&Event::Running { cell });
        assert_eq!(live.line(), "block 1 - random read 16 KiB");
    }

    #[test]
    fn the_line_is_in_the_language_of_its_reader() {
        for (language, said) in [
            (Language::French, "bloc 1 - random read QD1 - 81,2 k IOPS"),
            (Language::Dutch, "blok 1 - random read QD1 - 81,2 k IOPS"),
        ] {
            let mut live = Live {
                language,
                ..Live::default()
            };
            live.event(&block(1));
            let cell = "randread, depth 1";
            live.figures
                .insert(cell.to_owned(), ("81.2 k IOPS".to_owned(), None));
            live.event(&Event::Running { cell });
            assert_eq!(live.line(), said);
        }
    }

    #[test]
    fn the_rate_moves_within_a_run() {
        let counters = Arc::new(Counters::default());
        let mut live = Live::default();
        live.counts(Arc::clone(&counters));
        live.event(&block(1));
        live.event(&Event::Running {
            cell: "random read",
        });
        let begun = Instant::now();
        live.look(begun);
        for (seconds, shown) in [(1, "1000 IOPS"), (2, "3000 IOPS")] {
            let operations = if seconds == 1 { 1000 } else { 3000 };
            counters.operations.fetch_add(operations, Ordering::Relaxed);
            counters
                .bytes
                .fetch_add(operations * 4096, Ordering::Relaxed);
            live.look(begun + Duration::from_secs(seconds));
            assert_eq!(live.figure().as_deref(), Some(shown));
        }
        // A task's own figure is known at its end.
        let figure = ("2654/s".to_owned(), None);
        live.figures.insert("create files".to_owned(), figure);
        live.event(&Event::Running {
            cell: "create files",
        });
        counters.operations.fetch_add(1, Ordering::Relaxed);
        live.look(begun + Duration::from_secs(4));
        live.look(begun + Duration::from_secs(6));
        assert_eq!(live.figure().as_deref(), Some("2654/s"));
        live.event(&Event::Running {
            cell: "random read",
        });
        // What has not moved says nothing of now.
        live.look(begun + Duration::from_secs(3));
        assert_eq!(live.figure(), None);
    }

    #[test]
    fn time_is_told_in_seconds_below_a_minute() {
        assert_eq!(left(Nanos::millis(27_400)), "27 s left");
        assert!(left(Nanos::secs(90)).starts_with("1 min"));
    }
}
