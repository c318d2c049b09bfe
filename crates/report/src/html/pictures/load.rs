//! Latency and throughput by load: the same operation at several queue depths.

use etalon_language::say;
use etalon_model::{Cell, Operation};
use etalon_picture::{Axis, Dot, Scale, Series, XyChart};
use etalon_units::Nanos;

use super::super::measure::{tick, tick_time};
use super::super::{HtmlReport, LatencyGist};
use super::Picture;
use crate::role::{figure, operation_words};

/// One load: how many at a time, with the cell.
type LoadPoint<'a> = (u32, &'a Cell, &'a LatencyGist);

/// A percentile of a cell's latencies, where the count allows it.
type Percentile = fn(&LatencyGist) -> Option<Nanos>;

pub(super) fn pictures(report: &HtmlReport<'_>) -> Vec<Picture> {
    let subject = &report.subjects[0];
    let mut found: Vec<(Operation, u64, Vec<LoadPoint<'_>>)> = Vec::new();
    for (cell, latency) in subject.cells.iter().zip(&subject.latencies) {
        let Some(io) = cell.workload.io() else {
            continue;
        };
        let load = (io.queue_depth.max(1) * io.jobs.max(1), cell, latency);
        let key = (io.operation, io.block_size.largest().get());
        match found.iter_mut().find(|(op, size, _)| (*op, *size) == key) {
            Some((_, _, loads)) => loads.push(load),
            None => found.push((key.0, key.1, vec![load])),
        }
    }
    let several = found.into_iter().filter(|(_, _, loads)| differ(loads));
    several
        .take(4)
        .map(|(operation, _, mut loads)| {
            loads.sort_by_key(|(depth, ..)| *depth);
            picture(operation, &loads)
        })
        .collect()
}

fn differ(loads: &[LoadPoint<'_>]) -> bool {
    loads.iter().any(|(depth, ..)| *depth != loads[0].0)
}

fn picture(operation: Operation, loads: &[LoadPoint<'_>]) -> Picture {
    let percentiles: [(&str, Percentile); 3] = [
        ("p50", |l| l.p50),
        ("p99", |l| l.p99),
        ("p99.9", |l| l.p999),
    ];
    let series: Vec<Series> = percentiles
        .iter()
        .map(|(name, of)| line(name, loads, *of))
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
        spans: Vec::new(),
        cuts: Vec::new(),
        plateaus: Vec::new(),
    };
    let (first, last) = (&loads[0], &loads[loads.len() - 1]);
    let claim = say!(
        "picture-load",
        operation = operation_words(operation),
        first = figure(first.1, first.1.estimate().value),
        low = first.0,
        last = figure(last.1, last.1.estimate().value),
        high = last.0,
    );
    Picture::of_xy("load", claim, say!("picture-load-note"), &chart, true)
}

fn line(name: &str, loads: &[LoadPoint<'_>], of: Percentile) -> Series {
    let known: Vec<(f64, Nanos)> = loads
        .iter()
        .filter_map(|(depth, _, latency)| Some((f64::from(*depth), of(latency)?)))
        .collect();
    Series {
        name: name.to_owned(),
        line: known
            .iter()
            .map(|(depth, ns)| (*depth, ns.get() as f64))
            .collect(),
        dots: known
            .iter()
            .map(|(depth, ns)| Dot {
                x: *depth,
                y: ns.get() as f64,
                tip: say!(
                    "picture-load-tip",
                    name = name,
                    depth = depth.to_string(),
                    latency = ns,
                ),
                doubtful: false,
            })
            .collect(),
        ..Series::default()
    }
}
