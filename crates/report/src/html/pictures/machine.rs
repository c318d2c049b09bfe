//! What the machine and the disks did during a run: processor, memory, queues and traffic.

use etalon_model::Cell;
use etalon_model::stack::{CpuShares, DiskRates, MemoryState, Recording, Sample};
use etalon_picture::{Axis, Scale, Series, XyChart};
use etalon_units::Nanos;

use super::super::measure::tick;
use super::super::{HtmlReport, RunSeries};
use super::Picture;
use crate::role::label;

/// Fewer samples have no course.
const FEWEST: usize = 3;
const MIB: f64 = 1_048_576.0;

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
    let found = [
        (
            "cpu",
            "Processor time",
            "% of all processors, from 0",
            cpu(recording),
        ),
        ("memory", "Memory", "MiB, from 0", memory(recording)),
        (
            "traffic",
            "Traffic of the layers",
            "MiB/s, from 0",
            traffic(recording),
        ),
        (
            "queue",
            "Requests under way or waiting",
            "requests, from 0",
            queue(recording),
        ),
    ];
    let drawn = found
        .into_iter()
        .filter(|(.., lanes)| lanes.iter().any(|(_, line)| line.len() >= FEWEST));
    drawn
        .map(|(name, what, title, lanes)| {
            let claim = format!("{what} during {}", label(cell));
            let note = format!(
                "As the kernel counts it, in {title}; run {} of the experiment.",
                series.position + 1
            );
            Picture::of_xy(name, claim, note, &chart(title, lanes), true)
        })
        .collect()
}

fn chart(title: &'static str, lanes: Vec<Lane>) -> XyChart<'static> {
    let places = lanes.iter().flat_map(|(_, line)| line.iter());
    let (xs, ys): (Vec<f64>, Vec<f64>) = places.copied().unzip();
    let mut x = Scale::from_zero(xs.iter().copied());
    x.high = xs.iter().copied().fold(0.1, f64::max);
    XyChart {
        x: Axis {
            scale: x,
            title: "s since the start of the recording",
            format: tick,
        },
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
        zones: Vec::new(),
        cuts: Vec::new(),
        plateaus: Vec::new(),
    }
}

fn since(first: Nanos, at: Nanos) -> f64 {
    at.get().saturating_sub(first.get()) as f64 / 1e9
}

fn of_samples(recording: &Recording, name: &str, of: impl Fn(&Sample) -> Option<f64>) -> Lane {
    let first = recording
        .samples
        .first()
        .map_or(Nanos::ZERO, |sample| sample.at);
    let line = recording
        .samples
        .iter()
        .filter_map(|sample| Some((since(first, sample.at), of(sample)?)));
    (name.to_owned(), line.collect())
}

fn cpu(recording: &Recording) -> Vec<Lane> {
    let lane = |name, of: fn(&CpuShares) -> f64| {
        of_samples(recording, name, move |s| Some(of(s.cpu.as_ref()?) * 100.0))
    };
    vec![
        lane("user", |cpu| cpu.user.fraction()),
        lane("system", |cpu| cpu.system.fraction()),
        lane("iowait", |cpu| cpu.iowait.fraction()),
        lane("steal", |cpu| cpu.steal.fraction()),
    ]
}

fn memory(recording: &Recording) -> Vec<Lane> {
    let lane = |name, of: fn(&MemoryState) -> f64| {
        of_samples(recording, name, move |s| Some(of(s.memory.as_ref()?) / MIB))
    };
    vec![
        lane("page cache", |memory| memory.cached.as_f64()),
        lane("dirty", |memory| memory.dirty.as_f64()),
        lane("writeback", |memory| memory.writeback.as_f64()),
    ]
}

/// A figure of each layer at the short interval.
fn of_layers(recording: &Recording, of: fn(&DiskRates) -> f64, what: &str) -> Vec<Lane> {
    let first = recording.ticks.first().map_or(Nanos::ZERO, |tick| tick.at);
    let mut lanes: Vec<Lane> = Vec::new();
    for tick in &recording.ticks {
        for disk in &tick.disks {
            let Some(delta) = &disk.delta else { continue };
            let name = format!("{}{what}", disk.name);
            let rates = DiskRates::of(delta, tick.span);
            let place = (since(first, tick.at), of(&rates));
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
    let mut lanes = of_layers(recording, |rates| rates.read_rate.0 / MIB, " read");
    lanes.extend(of_layers(
        recording,
        |rates| rates.write_rate.0 / MIB,
        " written",
    ));
    lanes.truncate(12);
    lanes
}

fn queue(recording: &Recording) -> Vec<Lane> {
    let mut lanes = of_layers(recording, |rates| rates.queue, "");
    lanes.truncate(6);
    lanes
}
