//! What the machine and the disks did during a run: processor, memory, queues and traffic.

use etalon_language::say;
use etalon_model::Cell;
use etalon_model::stack::{CpuShares, DiskRates, MemoryState, Recording, Sample};
use etalon_picture::{Axis, Cut, MarkedSpan, Scale, Series, XyChart};
use etalon_units::Nanos;

use super::super::measure::tick;
use super::super::{HtmlReport, RunSeries};
use super::{Picture, course};
use crate::role::label;

/// Fewer samples have no course.
const FEWEST: usize = 3;
const MIB: f64 = 1_048_576.0;
/// A recording that began longer before the timed part than the warm-up says covers something else too, and a
/// shorter beginning is not seen.
const NEAR: f64 = 1.0;
const SEEN: f64 = 0.2;

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let subject = &report.subjects[0];
    let watched = subject.series.iter().filter_map(|series| {
        let recording = series.recording.as_ref()?;
        let cell = subject.cells.get(series.cell)?;
        (recording.samples.len() >= FEWEST || recording.ticks.len() >= FEWEST)
            .then(|| lanes(cell, series, recording))
    });
    watched.take(2).flatten().collect()
}

/// A name with a figure for each moment.
type Lane = (String, Vec<(f64, f64)>);

fn lanes(cell: &Cell, series: &RunSeries, recording: &Recording) -> Vec<Picture> {
    let row = label(cell);
    let found = [
        (
            "cpu",
            say!("picture-machine-cpu", row = row),
            say!("axis-processors"),
            cpu(recording),
        ),
        (
            "memory",
            say!("picture-machine-memory", row = row),
            say!("axis-from-zero", unit = "MiB"),
            memory(recording),
        ),
        (
            "traffic",
            say!("picture-machine-traffic", row = row),
            say!("axis-from-zero", unit = "MiB/s"),
            traffic(recording),
        ),
        (
            "queue",
            say!("picture-machine-queue", row = row),
            say!("axis-requests"),
            queue(recording),
        ),
    ];
    let marks = marks(cell, series, recording);
    let (begin, end) = ends(recording);
    let span = since(begin, end);
    let drawn = found
        .into_iter()
        .filter(|(.., lanes)| lanes.iter().any(|(_, line)| line.len() >= FEWEST));
    drawn
        .map(|(name, claim, title, lanes)| {
            let said = say!("picture-machine-note", number = series.position + 1);
            let note = said + &said_of(&marks);
            let seconds = say!("axis-recording-seconds");
            let x = Axis {
                scale: whole(span),
                title: &seconds,
                format: tick,
            };
            let chart = chart(x, &title, lanes, marks.clone());
            Picture::of_xy(name, claim, note, &chart, true)
        })
        .collect()
}

/// Stretches and places that are marked.
type Marks = (Vec<MarkedSpan>, Vec<Cut>);

/// Where the run warmed up and where its level changed, on the time of the recording: both end together.
fn marks(cell: &Cell, series: &RunSeries, recording: &Recording) -> Marks {
    let (begin, end) = ends(recording);
    let before = since(begin, end) - series.timed.as_secs_f64();
    let left_out = series.left_out.map(|span| span.as_secs_f64());
    if left_out.is_none_or(|span| (before - span).abs() > NEAR) {
        return Marks::default();
    }
    let before = before.max(0.0);
    let (mut spans, mut cuts) = course::marks(cell, series);
    for span in &mut spans {
        (span.from, span.to) = (span.from + before, span.to + before);
    }
    cuts.iter_mut().for_each(|cut| cut.at += before);
    if before > SEEN {
        spans.insert(
            0,
            MarkedSpan {
                from: 0.0,
                to: before,
                name: say!("picture-before-timed"),
            },
        );
    }
    (spans, cuts)
}

fn said_of((spans, cuts): &Marks) -> String {
    let grey = (!spans.is_empty()).then(|| say!("picture-machine-grey"));
    let dotted = (!cuts.is_empty()).then(|| say!("picture-machine-dotted"));
    let said = [grey, dotted].into_iter().flatten();
    said.map(|said| format!(" {said}")).collect()
}

/// Beginning and end of a recording.
fn ends(recording: &Recording) -> (Nanos, Nanos) {
    let ticks = recording.ticks.iter().map(|tick| (tick.at, tick.span));
    let samples = recording
        .samples
        .iter()
        .map(|sample| (sample.at, sample.span));
    let spans: Vec<(Nanos, Nanos)> = ticks.chain(samples).collect();
    let begins = spans
        .iter()
        .map(|(at, span)| Nanos(at.get().saturating_sub(span.get())));
    let ends = spans.iter().map(|(at, _)| *at);
    (
        begins.min().unwrap_or_default(),
        ends.max().unwrap_or_default(),
    )
}

/// The whole of a recording of so many seconds.
fn whole(span: f64) -> Scale {
    Scale {
        high: span.max(0.1),
        ..Scale::from_zero([span])
    }
}

/// Lines over the same seconds.
fn chart<'a>(x: Axis<'a>, title: &'a str, lanes: Vec<Lane>, (spans, cuts): Marks) -> XyChart<'a> {
    let ys = lanes
        .iter()
        .flat_map(|(_, line)| line.iter().map(|(_, y)| *y));
    let ys: Vec<f64> = ys.collect();
    XyChart {
        x,
        y: Axis {
            scale: Scale::from_zero(ys),
            title,
            format: tick,
        },
        series: lanes
            .into_iter()
            .map(|(name, line)| Series {
                name,
                line,
                ..Series::default()
            })
            .collect(),
        spans,
        cuts,
        plateaus: Vec::new(),
    }
}

fn since(first: Nanos, at: Nanos) -> f64 {
    at.get().saturating_sub(first.get()) as f64 / 1e9
}

/// The middle of an interval that ended at that moment, since the beginning of the recording.
fn middle(begin: Nanos, at: Nanos, span: Nanos) -> f64 {
    (since(begin, at) - span.as_secs_f64() / 2.0).max(0.0)
}

fn of_samples(recording: &Recording, name: &str, of: impl Fn(&Sample) -> Option<f64>) -> Lane {
    let (begin, _) = ends(recording);
    let place = |sample: &Sample| middle(begin, sample.at, sample.span);
    let samples = recording.samples.iter();
    let line = samples.filter_map(|sample| Some((place(sample), of(sample)?)));
    (name.to_owned(), line.collect())
}

fn cpu(recording: &Recording) -> Vec<Lane> {
    let lane = |name: &str, of: fn(&CpuShares) -> f64| {
        of_samples(recording, name, move |s| Some(of(s.cpu.as_ref()?) * 100.0))
    };
    vec![
        lane(&say!("lane-user"), |cpu| cpu.user.fraction()),
        lane(&say!("lane-system"), |cpu| cpu.system.fraction()),
        lane("iowait", |cpu| cpu.iowait.fraction()),
        lane("steal", |cpu| cpu.steal.fraction()),
    ]
}

fn memory(recording: &Recording) -> Vec<Lane> {
    let lane = |name: &str, of: fn(&MemoryState) -> f64| {
        of_samples(recording, name, move |s| Some(of(s.memory.as_ref()?) / MIB))
    };
    vec![
        lane(&say!("lane-page-cache"), |memory| memory.cached.as_f64()),
        lane(&say!("lane-dirty"), |memory| memory.dirty.as_f64()),
        lane(&say!("lane-writeback"), |memory| memory.writeback.as_f64()),
    ]
}

/// A figure of each layer at the short interval, called by its device.
fn of_layers(
    recording: &Recording,
    of: fn(&DiskRates) -> f64,
    called: fn(&str) -> String,
) -> Vec<Lane> {
    let (begin, _) = ends(recording);
    let mut lanes: Vec<Lane> = Vec::new();
    for tick in &recording.ticks {
        for disk in &tick.disks {
            let Some(delta) = &disk.delta else { continue };
            let name = called(&disk.name);
            let rates = DiskRates::of(delta, tick.span);
            let place = (middle(begin, tick.at, tick.span), of(&rates));
            match lanes.iter_mut().find(|(lane, _)| *lane == name) {
                Some((_, line)) => line.push(place),
                None => lanes.push((name, vec![place])),
            }
        }
    }
    for (_, line) in &mut lanes {
        let each = line.len().div_ceil(200).max(1);
        *line = line.iter().copied().step_by(each).collect();
    }
    lanes
}

fn traffic(recording: &Recording) -> Vec<Lane> {
    let read = |name: &str| say!("lane-read", device = name);
    let written = |name: &str| say!("lane-written", device = name);
    let mut lanes = of_layers(recording, |rates| rates.read_rate.0 / MIB, read);
    let writes = |rates: &DiskRates| rates.write_rate.0 / MIB;
    lanes.extend(of_layers(recording, writes, written));
    lanes.truncate(12);
    lanes
}

fn queue(recording: &Recording) -> Vec<Lane> {
    let mut lanes = of_layers(recording, |rates| rates.queue, str::to_owned);
    lanes.truncate(6);
    lanes
}
