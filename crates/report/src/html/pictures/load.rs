//! Latency and throughput by load: the same operation at several queue depths.

use etalon_language::say;
use etalon_model::{Backend, Cell, FileLayout, IoWorkload};
use etalon_picture::{Annotations, Axis, Dot, Scale, Series, XyChart};
use etalon_units::Nanos;

use super::super::measure::{tick, tick_time};
use super::super::{HtmlReport, LatencyGist};
use super::sets::{PlacedCell, names, sets};
use super::{Picture, more_than};
use crate::page::is_told;
use crate::role::{figure, operation_words};

/// More pictures of it are not looked at.
const MOST: usize = 4;

/// One load: how many at a time, with the cell.
type LoadPoint<'a> = (u32, &'a Cell, &'a LatencyGist);

/// A percentile of a cell's latencies, where the count allows it.
type Percentile = fn(&LatencyGist) -> Option<Nanos>;

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let subject = &report.subjects[0];
    let placed = subject.cells.iter().zip(&subject.latencies);
    let placed = placed.filter_map(|(cell, latency)| placed_at(cell, latency));
    let mut found = sets(placed);
    found.retain(|set| set.cells.len() > 1);
    let names = names(&found, |work| operation_words(work.operation).to_owned());
    let left = found.len().saturating_sub(MOST);
    let drawn = found.into_iter().zip(names).take(MOST);
    let mut pictures: Vec<Picture> = drawn.map(|(set, name)| picture(&name, set.cells)).collect();
    more_than(&mut pictures, left);
    pictures
}

/// A cell at its load. Depth 1 is issued by other means than a deep queue, and where there is no queue as many jobs share a file,
/// so that these go with the load.
fn placed_at<'a>(
    cell: &'a Cell,
    latency: &'a LatencyGist,
) -> Option<PlacedCell<'a, IoWorkload, u32, &'a LatencyGist>> {
    let io = cell.workload.io()?;
    let work = IoWorkload {
        queue_depth: 0,
        jobs: 0,
        backend: Backend::Sync,
        layout: FileLayout::PerJob,
        seed: 0,
        ..io.clone()
    };
    Some(PlacedCell {
        work,
        place: io.queue_depth.max(1) * io.jobs.max(1),
        cell,
        drawn: latency,
    })
}

fn picture(name: &str, mut loads: Vec<LoadPoint<'_>>) -> Picture {
    loads.sort_by_key(|(depth, ..)| *depth);
    let percentiles: [(&str, Percentile); 3] = [
        ("p50", |l| l.p50),
        ("p99", |l| l.p99),
        ("p99.9", |l| l.p999),
    ];
    let series: Vec<Series> = percentiles
        .iter()
        .map(|(name, of)| line(name, &loads, *of))
        .filter(|series| !series.line.is_empty())
        .collect();
    let times = series.iter().flat_map(|s| s.line.iter().map(|(_, ns)| *ns));
    let chart = XyChart {
        x: Axis {
            scale: Scale::log(loads.iter().map(|(depth, ..)| f64::from(*depth))),
            title: &say!("axis-load"),
            format: tick,
        },
        y: Axis {
            scale: Scale::log(times.collect::<Vec<_>>()),
            title: &say!("axis-latency-log"),
            format: tick_time,
        },
        series,
        annotations: Annotations::default(),
    };
    let note = say!("picture-load-note");
    Picture::of_xy("load", claim(name, &loads), note, &chart, true)
}

/// The lowest and the highest load whose figures are not invalid.
fn claim(name: &str, loads: &[LoadPoint<'_>]) -> String {
    let told: Vec<&LoadPoint<'_>> = loads.iter().filter(|(_, cell, _)| is_told(cell)).collect();
    let [first, .., last] = told[..] else {
        return say!("picture-load-bare", operation = name);
    };
    say!(
        "picture-load",
        operation = name,
        first = figure(first.1, first.1.estimate().value),
        low = first.0,
        last = figure(last.1, last.1.estimate().value),
        high = last.0,
    )
}

fn line(name: &str, loads: &[LoadPoint<'_>], of: Percentile) -> Series {
    let known: Vec<(f64, Nanos, &Cell)> = loads
        .iter()
        .filter_map(|(depth, cell, latency)| Some((f64::from(*depth), of(latency)?, *cell)))
        .collect();
    Series {
        name: name.to_owned(),
        line: known
            .iter()
            .map(|(depth, ns, _)| (*depth, ns.get() as f64))
            .collect(),
        dots: known
            .iter()
            .map(|(depth, ns, cell)| Dot {
                x: *depth,
                y: ns.get() as f64,
                tip: say!(
                    "picture-load-tip",
                    name = name,
                    depth = depth.to_string(),
                    latency = ns,
                ),
                doubtful: !cell.verdict.is_valid(),
            })
            .collect(),
        ..Series::default()
    }
}
