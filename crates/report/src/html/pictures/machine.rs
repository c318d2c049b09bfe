//! What the machine and the disks did during a run: processor, memory, queues and traffic.

use etalon_language::say;
use etalon_model::Cell;
use etalon_model::stack::Recording;
use etalon_picture::{Annotations, Axis, Cut, MarkedSpan, Scale, Series, XyChart};

use super::super::measure::tick;
use super::super::{HtmlReport, RunSeries};
use super::lanes::{Lane, Lanes};
use super::recorded_time::{ends, since};
use super::{Picture, course, more_than};
use crate::role::label;

/// Fewer samples have no course.
const FEWEST: usize = 3;
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

fn lanes(cell: &Cell, series: &RunSeries, recording: &Recording) -> Vec<Picture> {
    let row = label(cell);
    let found = [
        (
            "cpu",
            say!("picture-machine-cpu", row = row),
            say!("axis-processors"),
            Lanes::cpu(recording),
        ),
        (
            "memory",
            say!("picture-machine-memory", row = row),
            say!("axis-from-zero", unit = "MiB"),
            Lanes::memory(recording),
        ),
        (
            "traffic",
            say!("picture-machine-traffic", row = row),
            say!("axis-from-zero", unit = "MiB/s"),
            Lanes::traffic(recording),
        ),
        (
            "queue",
            say!("picture-machine-queue", row = row),
            say!("axis-requests"),
            Lanes::queue(recording),
        ),
    ];
    let marks = marks(cell, series, recording);
    let (begin, end) = ends(recording);
    let span = since(begin, end);
    let drawn = found
        .into_iter()
        .filter(|(.., lanes)| lanes.drawn.iter().any(|lane| lane.line.len() >= FEWEST));
    drawn
        .map(|(name, claim, title, lanes)| {
            let said = say!("picture-machine-note", number = series.position + 1);
            let note = said + &said_of(&marks);
            let left = lanes.left;
            let seconds = say!("axis-recording-seconds");
            let x = Axis {
                scale: whole(span),
                title: &seconds,
                format: tick,
            };
            let chart = chart(x, &title, lanes.drawn, marks.clone());
            let mut picture = Picture::of_xy(name, claim, note, &chart, true);
            more_than(std::slice::from_mut(&mut picture), left);
            picture
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

/// The whole of a recording of so many seconds.
fn whole(span: f64) -> Scale {
    Scale {
        high: span.max(0.1),
        ..Scale::from_zero([span])
    }
}

/// Lines over the same seconds.
fn chart<'a>(x: Axis<'a>, title: &'a str, lanes: Vec<Lane>, (spans, cuts): Marks) -> XyChart<'a> {
    let ys: Vec<f64> = lanes.iter().flat_map(Lane::figures).collect();
    XyChart {
        x,
        y: Axis {
            scale: Scale::from_zero(ys),
            title,
            format: tick,
        },
        series: lanes
            .into_iter()
            .map(|lane| Series {
                name: lane.name,
                line: lane.line,
                band: lane.band,
                ..Series::default()
            })
            .collect(),
        annotations: Annotations {
            spans,
            cuts,
            ..Annotations::default()
        },
    }
}
