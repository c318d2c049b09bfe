//! How far the work is: a line on a terminal that is written anew, and in a pipe a line for each
//! block; always on standard error.

mod live;

use std::io::{IsTerminal as _, stderr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use etalon_engine::Progress as Counters;
use etalon_experiment::{Event, QUIET_SECONDS, Unquiet};
use etalon_model::TargetRecord;
use etalon_report::{choice_in_words, paragraph};
use etalon_units::visible;
use indicatif::{ProgressBar, ProgressStyle, WeakProgressBar};

use crate::{output, relay};
use live::Live;

/// How often the line on a terminal is written anew.
const TICK: Duration = Duration::from_millis(250);

/// How often a host is told of a line.
const TELL: Duration = Duration::from_secs(1);

/// Shows events as they come.
pub(crate) struct Progress {
    line: Option<ProgressBar>,
    live: Arc<Mutex<Live>>,
}

impl Progress {
    /// A line where standard error is a terminal.
    pub(crate) fn start() -> Progress {
        let line = ProgressBar::new_spinner();
        // A terminal that cannot move its cursor (TERM=dumb) shows no line of this kind.
        let is_shown = stderr().is_terminal() && !line.is_hidden();
        let live = Arc::default();
        if relay::is_heard() {
            keep_telling(Arc::downgrade(&live));
        }
        let line = is_shown.then(|| {
            let style = ProgressStyle::with_template("{spinner} {wide_msg}");
            line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            output::rest(true);
            keep_moving(line.downgrade(), Arc::clone(&live));
            line
        });
        Progress { line, live }
    }

    /// What grows while a run goes on.
    pub(crate) fn counts(&self, counters: &Arc<Counters>) {
        self.live().counts(Arc::clone(counters));
    }

    /// Shows one event.
    pub(crate) fn event(&mut self, event: &Event<'_>) {
        self.live().event(event);
        match event {
            // Whoever waits in a script wants to know for what.
            Event::Busy { busy, waits: true } => self.remark(&format!("waiting: {busy}")),
            Event::Busy { busy, .. } => self.remark(&format!(
                "{busy}, which root does not wait for without --wait; the figures suffer"
            )),
            Event::Unquiet { found } => self.remark(&unquiet(found)),
            Event::Unseen { disks } => self.remark(&format!(
                "whether {} is quiet is not seen: the kernel does not count its I/O; write 1 to queue/iostats to have it waited for",
                disks.join(", ")
            )),
            Event::Overwrites { target, content } => self.remark(&lost(target, content)),
            // Of a device nothing is laid out.
            Event::LayingOut { size } if size.get() == 0 => {}
            Event::Begun { .. } | Event::LayingOut { .. } | Event::Block { .. } => self.step(),
            Event::Forecast(forecast) => self.remark(&forecast.to_string()),
            Event::Lacking(choice) => self.remark(&choice_in_words(choice)),
            Event::Changed(changes) => self.remark(&format!(
                "since the first runs changed {changes}; what is measured now is INVALID beside them: put it back, or \
                 repeat the plan as a whole by `etalon rerun`"
            )),
            Event::Running { cell } => relay::text(relay::RUNNING, cell),
            Event::Planned { .. } | Event::Ended { .. } => {}
        }
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        lock(&self.live)
    }

    /// Clears the line.
    pub(crate) fn finish(&self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
            output::rest(false);
        }
    }

    /// Shows a text in the place of the line, until the next block or run.
    pub(crate) fn says(&self, text: &str) {
        self.live().say(text);
    }

    /// The same; a line of its own where there is no terminal.
    pub(crate) fn steps(&self, text: &str) {
        self.says(text);
        if self.line.is_none() {
            output::note(text);
        }
    }

    /// A line that stays.
    pub(crate) fn remark(&self, text: &str) {
        relay::text(relay::REMARK, text);
        match &self.line {
            Some(line) => line.println(paragraph(&visible(text), output::width()).trim_end()),
            None => output::note(text),
        }
    }

    /// A line of its own where there is no terminal; on one, the line moves by itself.
    fn step(&self) {
        if self.line.is_none() {
            let text = self.live().line();
            relay::text(relay::STEP, &text);
            output::note(&text);
        }
    }
}

impl Drop for Progress {
    /// What ends by an error leaves no line behind.
    fn drop(&mut self) {
        self.finish();
    }
}

/// Writes the line anew, until it has ended.
fn keep_moving(line: WeakProgressBar, live: Arc<Mutex<Live>>) {
    std::thread::spawn(move || {
        while let Some(line) = line.upgrade().filter(|line| !line.is_finished()) {
            let text = lock(&live).line();
            line.set_message(visible(&text).into_owned());
            line.tick();
            drop(line);
            std::thread::sleep(TICK);
        }
    });
}

/// Tells the host of a guest how far the work is, until it has ended.
fn keep_telling(live: Weak<Mutex<Live>>) {
    std::thread::spawn(move || {
        let mut told = String::new();
        while let Some(live) = live.upgrade() {
            let text = lock(&live).line();
            drop(live);
            if text != told {
                relay::text(relay::LINE, &text);
                told = text;
            }
            std::thread::sleep(TELL);
        }
    });
}

/// A line that failed to be written leaves the rest in order.
fn lock(live: &Mutex<Live>) -> MutexGuard<'_, Live> {
    live.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is waited for, and what keeps the machine busy.
fn unquiet(found: &[Unquiet]) -> String {
    match found {
        [] => format!(
            "waiting: for {QUIET_SECONDS} s in which nothing else keeps disks or processors busy"
        ),
        found => {
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            format!("waiting: {}", found.join("; "))
        }
    }
}

/// What a run on a block device takes with it.
fn lost(target: &TargetRecord, content: &[String]) -> String {
    let lies = match content {
        [] => "nothing uses it, and nothing lies on it".to_owned(),
        all => format!("given up by --destroy: {}", all.join("; ")),
    };
    format!("writing to {} ({}): {lies}", target.path, target.beneath)
}
