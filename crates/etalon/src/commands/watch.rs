//! `etalon watch [TARGET]`.

use std::io::{IsTerminal as _, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use etalon_exchange::{DocumentFormat, Envelope, SamplesBody};
use etalon_experiment::{Site, background_work};
use etalon_model::stack::{CounterSnapshot, Sample};
use etalon_report::{WATCH_HEADING, paragraph, watch_line, watch_lines, watch_machine, watch_page};
use etalon_stack::{Monitor, MonitorOptions, Roots, snapshot};
use etalon_tools::Exit;
use etalon_units::{Nanos, visible};
use jiff::Zoned;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyModifiers};
use ratatui::widgets::Paragraph;

use super::subcommand::Subcommand;
use crate::cli::WatchArgs;
use crate::exit::BadUsage;
use crate::output;
use crate::signals;

/// How often keys, signals and new samples are looked for.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

impl Subcommand for WatchArgs {
    const NAME: &'static str = "watch";

    fn speaks(&self) -> bool {
        true
    }

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &WatchArgs) -> anyhow::Result<Exit> {
    if args.interval < Nanos::millis(100) {
        return Err(BadUsage(format!("--interval {}: give 100ms or more", args.interval)).into());
    }
    let site = Site::look(&args.target)?;
    let stop = Arc::new(AtomicBool::new(false));
    signals::ask_to_stop_on_signal(&stop)?;
    let options = MonitorOptions {
        machine_every: args.interval,
        ..MonitorOptions::default()
    };
    let before = snapshot(&site.tree, &Roots::default());
    let monitor = Monitor::start(&site.tree, &Roots::default(), options)?;
    let mut feed = Feed {
        monitor,
        stop,
        left: args.count,
        last: None,
    };
    if args.json {
        output::print(&document(&site, &mut feed, &before)?)?;
    } else if args.plain || !stdout().is_terminal() {
        plain(&site, &mut feed, &before)?;
    } else {
        full_screen(&site, &mut feed)?;
    }
    Ok(Exit::Done)
}

/// New samples until there are enough or somebody stops it.
struct Feed {
    monitor: Monitor,
    stop: Arc<AtomicBool>,
    left: Option<u64>,
    last: Option<Nanos>,
}

impl Feed {
    fn is_over(&self) -> bool {
        self.left == Some(0) || self.stop.load(Ordering::Relaxed)
    }

    /// The newest sample, once.
    fn next(&mut self) -> Option<Sample> {
        let sample = self
            .monitor
            .latest()
            .filter(|sample| self.last != Some(sample.at))?;
        self.last = Some(sample.at);
        self.left = self.left.map(|left| left.saturating_sub(1));
        Some(sample)
    }
}

fn plain(site: &Site, feed: &mut Feed, before: &CounterSnapshot) -> anyhow::Result<()> {
    let heading = paragraph(&heading(site), output::width());
    output::print_page(&format!("{heading}\n{WATCH_HEADING}\n"))?;
    while !feed.is_over() {
        if let Some(sample) = feed.next() {
            let time = Zoned::now().strftime("%H:%M:%S").to_string();
            for line in watch_lines(&time, &sample.disks, sample.span) {
                output::print_page(&format!("{line}\n"))?;
            }
            for line in watch_machine(&time, &sample) {
                output::print_page(&format!("{line}\n"))?;
            }
        }
        std::thread::sleep(POLL_INTERVAL);
    }
    let whole = snapshot(&site.tree, &Roots::default()).since(before);
    for layer in &whole.layers {
        if let Some(delta) = &layer.delta {
            output::print_page(&format!(
                "{}\n",
                watch_line("Average:", &layer.name, delta, whole.span)
            ))?;
        }
    }
    Ok(())
}

/// Every sample, and what all layers did together, once there are enough of them.
fn document(site: &Site, feed: &mut Feed, before: &CounterSnapshot) -> anyhow::Result<String> {
    let mut samples = Vec::new();
    while !feed.is_over() {
        samples.extend(feed.next());
        std::thread::sleep(POLL_INTERVAL);
    }
    let whole = snapshot(&site.tree, &Roots::default()).since(before);
    let body = SamplesBody {
        samples,
        counters: whole,
    };
    let document = Envelope::new(DocumentFormat::Samples, "watch", body);
    Ok(document.on(&site.record).to_text()?)
}

fn full_screen(site: &Site, feed: &mut Feed) -> anyhow::Result<()> {
    let mut terminal = ratatui::try_init().context("cannot take over the terminal; try --plain")?;
    let drawn = draw(&mut terminal, site, feed);
    ratatui::restore();
    drawn
}

fn draw(
    terminal: &mut ratatui::DefaultTerminal,
    site: &Site,
    feed: &mut Feed,
) -> anyhow::Result<()> {
    let mut text = format!("{}\n\nwaiting for the first figures …", heading(site));
    let begun = Instant::now();
    while !feed.is_over() {
        if let Some(sample) = feed.next() {
            let width = usize::from(terminal.size()?.width);
            text = format!(
                "{}\n{}\nq ends; {} s so far",
                paragraph(&heading(site), Some(width)),
                watch_page(&sample, &background_work(site), width),
                begun.elapsed().as_secs()
            );
        }
        terminal.draw(|frame| {
            frame.render_widget(Paragraph::new(output::in_locale(&text)), frame.area())
        })?;
        if event::poll(POLL_INTERVAL)? && is_end(&event::read()?) {
            break;
        }
    }
    Ok(())
}

/// The line above the figures.
fn heading(site: &Site) -> String {
    let record = &site.record;
    visible(&format!("{}: {}", record.path, record.beneath)).into_owned()
}

/// In this mode Ctrl-C is a key, not a signal.
fn is_end(event: &Event) -> bool {
    let Event::Key(key) = event else {
        return false;
    };
    let control_c = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
    control_c || matches!(key.code, KeyCode::Char('q') | KeyCode::Esc)
}
