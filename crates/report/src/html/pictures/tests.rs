//! What pictures leave out, cut off or mix, a test for each.

use etalon_model::{
    Cell, Experiment, ExperimentKind, Interval, IoWorkload, Operation, SeriesPoint, SyncMode, Unit,
    Verdict,
};
use etalon_picture::{Class, Shape};
use etalon_units::{Bytes, Nanos};

use super::super::tests::{across, drawn, experiment, tips};

#[test]
fn the_results_reach_to_the_ends_of_their_intervals() {
    let mut experiment = experiment();
    experiment.cells.truncate(1);
    let value = experiment.cells[0].estimate().value;
    experiment.cells[0].mean.interval = Some(Interval {
        low: value / 2.0,
        high: value * 3.0,
        level: 0.95,
    });
    let [picture] = &drawn(&experiment, "results")[..] else {
        panic!()
    };
    let axis = across(picture, Class::Axis)[0];
    let band = across(picture, Class::SeriesBand(2))[0];
    assert!(band.1 <= axis.1 && band.1 > band.0, "{band:?} {axis:?}");
}

#[test]
fn what_a_steady_state_may_swing_is_drawn_whole() {
    let mut experiment = experiment();
    experiment.header.begun.kind = ExperimentKind::Measure;
    experiment.cells.truncate(1);
    let [picture] = &drawn(&experiment, "steady-state")[..] else {
        panic!()
    };
    let top = |class| {
        let marks = picture.wide.marks.iter();
        let marks = marks.filter(move |mark| mark.class == class);
        let tops = marks.filter_map(|mark| match &mark.shape {
            Shape::Rect { at, .. } => Some(at.y),
            Shape::Path { points, .. } => Some(points.first()?.y),
            _ => None,
        });
        tops.fold(f64::INFINITY, f64::min)
    };
    let (band, highest) = (top(Class::Band), top(Class::Grid));
    assert!(band >= highest, "{band} {highest}");
}

/// Where the marks of a class begin and end, from above.
fn heights(picture: &super::super::Picture, class: Class) -> Vec<(f64, f64)> {
    let marks = picture.wide.marks.iter().filter(|mark| mark.class == class);
    let ends = marks.filter_map(|mark| match &mark.shape {
        Shape::Rect { at, height, .. } => Some((at.y, at.y + height)),
        Shape::Path { points, .. } => Some((points.first()?.y, points.last()?.y)),
        _ => None,
    });
    ends.collect()
}

/// Levels that are at their highest but for a few stalls, and at rest but for a few operations: their intervals reach
/// beyond all rates.
#[test]
fn the_bands_of_levels_are_drawn_whole() {
    let mut experiment = experiment();
    experiment.cells.truncate(1);
    let series = &mut experiment.runs[0].measurement.series;
    let first = series[0];
    let slices = (0..601u64).map(|n| {
        let is_apart = [10, 18].contains(&(n % 300));
        SeriesPoint {
            operations: if (n < 300) == is_apart { 0 } else { 100 },
            ..first
        }
    });
    *series = slices.collect();
    let [picture] = &drawn(&experiment, "course")[..] else {
        panic!()
    };
    // Where the level changes, a line crosses the whole picture.
    let [(top, foot)] = heights(picture, Class::Cut)[..] else {
        panic!()
    };
    let bands = heights(picture, Class::Band);
    assert_eq!(bands.len(), 2, "{bands:?}");
    for band in bands {
        assert!(band.0 >= top && band.1 <= foot, "{band:?}: {top} {foot}");
    }
}

/// Random writes by these names.
fn writes<const N: usize>(named: [(&str, IoWorkload); N]) -> Experiment {
    let mut experiment = experiment();
    let first = experiment.cells[0].clone();
    let cell = |(name, io): (&str, IoWorkload)| Cell {
        name: name.to_owned(),
        workload: io.into(),
        ..first.clone()
    };
    experiment.cells = named.map(cell).to_vec();
    experiment.runs.clear();
    experiment
}

fn write(queue_depth: u32, sync: SyncMode) -> IoWorkload {
    IoWorkload {
        operation: Operation::RandWrite,
        queue_depth,
        sync,
        ..IoWorkload::default()
    }
}

fn claims(experiment: &Experiment, name: &str) -> Vec<String> {
    let pictures = drawn(experiment, name).into_iter();
    pictures.map(|picture| picture.claim).collect()
}

#[test]
fn loads_are_those_of_one_work_under_one_condition() {
    let (plain, durable) = (SyncMode::None, SyncMode::DSync);
    // What the filesystems of a duel do at one depth, and durable at another, is no course.
    let mut duel = writes([
        ("random write, ext4", write(16, plain)),
        ("random write, xfs", write(16, plain)),
        ("random write, durable, ext4", write(1, durable)),
        ("random write, durable, xfs", write(1, durable)),
    ]);
    assert!(drawn(&duel, "load").is_empty());
    let deep = |name: &str, sync| Cell {
        name: name.to_owned(),
        workload: write(16, sync).into(),
        ..duel.cells[0].clone()
    };
    let more = [
        deep("random write, durable, many, ext4", durable),
        deep("random write, durable, many, xfs", durable),
    ];
    duel.cells.extend(more);
    let claims = claims(&duel, "load");
    assert_eq!(claims.len(), 2, "{claims:?}");
    for (claim, level) in claims.iter().zip(["ext4", "xfs"]) {
        let begin = format!("random write, durable, {level}: ");
        assert!(claim.starts_with(&begin), "{claim}");
    }
}

#[test]
fn a_load_that_is_issued_by_other_means_is_of_the_same_work() {
    let mut named = [
        ("random read 4 KiB, depth 1", 1),
        ("random read 4 KiB, depth 32", 32),
    ]
    .map(|(name, depth)| (name, write(depth, SyncMode::None)));
    named[1].1.backend = etalon_model::Backend::IoUring;
    let claims = claims(&writes(named), "load");
    assert!(
        claims.len() == 1 && claims[0].contains("with 1 operation at a time, "),
        "{claims:?}"
    );
}

#[test]
fn operations_of_many_jobs_are_no_queue_depth() {
    let jobs = |jobs: u32| IoWorkload {
        jobs,
        ..write(1, SyncMode::None)
    };
    let claims = claims(&writes([("1 job", jobs(1)), ("16 jobs", jobs(16))]), "load");
    assert!(
        claims.len() == 1 && claims[0].ends_with(" with 16") && !claims[0].contains("queue depth"),
        "{claims:?}"
    );
}

#[test]
fn loads_that_are_not_drawn_are_counted() {
    let sizes = [4, 8, 16, 32, 64, 128].map(Bytes::kib);
    let at = |depth: u32| {
        sizes.map(|size| IoWorkload {
            block_size: size.into(),
            ..write(depth, SyncMode::None)
        })
    };
    let mut all = writes([]);
    let first = experiment().cells.remove(0);
    let cells = [1, 8].into_iter().flat_map(at).enumerate();
    all.cells = cells
        .map(|(n, io)| Cell {
            name: format!("write {n}"),
            workload: io.into(),
            ..first.clone()
        })
        .collect();
    let pictures = drawn(&all, "load");
    assert_eq!(pictures.len(), 4);
    assert!(
        pictures[3].note.ends_with("2 more are not drawn."),
        "{}",
        pictures[3].note
    );
}

#[test]
fn parts_of_a_device_are_those_of_one_condition() {
    let part = |n: u64, direct: bool| IoWorkload {
        operation: Operation::Read,
        offset: Bytes::gib(100 * n),
        range: Bytes::gib(10),
        direct,
        ..IoWorkload::default()
    };
    let mut along = writes([
        ("read, region 0, none", part(0, true)),
        ("read, region 0, bfq", part(0, true)),
        ("read, region 1, none", part(1, true)),
        ("read, region 1, bfq", part(1, true)),
        ("read, region 2, none", part(2, true)),
        ("read, region 2, bfq", part(2, true)),
    ]);
    let pictures = drawn(&along, "position");
    let told: Vec<usize> = pictures.iter().map(|picture| tips(picture).len()).collect();
    assert_eq!(told, [3, 3]);
    let claims = claims(&along, "position");
    for (claim, level) in claims.iter().zip(["none", "bfq"]) {
        assert!(
            claim.starts_with(&format!("read, {level} along")),
            "{claim}"
        );
    }
    along.cells.truncate(4);
    assert!(drawn(&along, "position").is_empty());
}

/// Makes the figures of these cells invalid, each ten times that of the one before.
fn spoil(experiment: &mut Experiment, places: &[usize]) {
    for (n, cell) in experiment.cells.iter_mut().enumerate() {
        let value = 10f64.powi(i32::try_from(n).unwrap() + 1);
        (cell.mean.value, cell.mean.interval) = (value, None);
        cell.values = vec![value];
        if places.contains(&n) {
            let reasons = vec!["page-cache".to_owned()];
            cell.verdict = Verdict::Invalid { reasons };
        }
    }
}

fn hollow(picture: &super::super::Picture) -> usize {
    let marks = picture.wide.marks.iter();
    marks.filter(|mark| mark.class == Class::Hollow).count()
}

#[test]
fn what_is_invalid_is_in_no_sentence_over_a_picture() {
    let deep = |depth| write(depth, SyncMode::None);
    let loads = [("at 1", deep(1)), ("at 8", deep(8)), ("at 32", deep(32))];
    let mut one = writes(loads);
    spoil(&mut one, &[2]);
    assert_eq!(claims(&one, "results"), ["at 8: 100 IOPS"]);
    let claim = claims(&one, "load").remove(0);
    assert!(
        claim.ends_with("10.0 IOPS with 1 operation at a time, 100 IOPS with 8"),
        "{claim}"
    );
    spoil(&mut one, &[1]);
    assert_eq!(claims(&one, "load"), ["random write by load"]);
    spoil(&mut one, &[0]);
    assert_eq!(claims(&one, "results"), ["Every figure here is invalid"]);

    let part = |n: u64| IoWorkload {
        offset: Bytes::gib(100 * n),
        range: Bytes::gib(10),
        ..write(1, SyncMode::None)
    };
    let mut along = writes([("a", part(0)), ("b", part(1)), ("c", part(2))]);
    spoil(&mut along, &[2]);
    let claims = claims(&along, "position");
    assert_eq!(claims, ["randwrite along the device"]);
}

#[test]
fn the_latency_of_what_is_invalid_is_not_the_slowest() {
    let deep = |depth| write(depth, SyncMode::None);
    let mut two = writes([("at 1", deep(1)), ("at 8", deep(8))]);
    two.cells[1].latency.record_n(9_000_000_000, 20_000);
    let slowest = |two: &Experiment| claims(two, "latency-ecdf").remove(0);
    assert!(slowest(&two).ends_with(" in at 8"), "{}", slowest(&two));
    spoil(&mut two, &[1]);
    assert!(slowest(&two).ends_with(" in at 1"), "{}", slowest(&two));
}

#[test]
fn what_is_invalid_is_hollow_at_its_load_and_on_its_spoke() {
    let deep = |depth| write(depth, SyncMode::None);
    let mut loads = writes([("at 1", deep(1)), ("at 8", deep(8))]);
    assert_eq!(hollow(&drawn(&loads, "load")[0]), 0);
    spoil(&mut loads, &[1]);
    // Its three percentiles.
    assert_eq!(hollow(&drawn(&loads, "load")[0]), 3);

    let mut times = writes(["a", "b", "c"].map(|name| (name, deep(1))));
    for cell in &mut times.cells {
        cell.unit = Unit::Seconds;
    }
    assert_eq!(hollow(&drawn(&times, "radar")[0]), 0);
    spoil(&mut times, &[1]);
    assert_eq!(hollow(&drawn(&times, "radar")[0]), 1);
}

#[test]
fn sizes_under_two_conditions_are_two_maps() {
    let mut experiment = writes([]);
    let first = self::experiment().cells.remove(0);
    for file in [64, 256] {
        for record in [4, 16, 64] {
            for (n, level) in ["ext4", "xfs"].iter().enumerate() {
                let io = IoWorkload {
                    file_size: Bytes::mib(file),
                    block_size: Bytes::kib(record).into(),
                    ..write(1, SyncMode::None)
                };
                let mut cell = Cell {
                    name: format!("randwrite {record} KiB of {file} MiB, {level}"),
                    workload: io.into(),
                    ..first.clone()
                };
                cell.mean.value = 1000.0 * (n as f64 + 1.0);
                experiment.cells.push(cell);
            }
        }
    }
    let [heat] = &drawn(&experiment, "heat")[..] else {
        panic!()
    };
    let svg = etalon_picture::inline(&heat.wide, "w", "");
    for said in [">ext4, IOPS<", ">xfs, IOPS<"] {
        assert!(svg.contains(said), "{said}: {svg}");
    }
    let [lines] = &drawn(&experiment, "sizes")[..] else {
        panic!()
    };
    assert_eq!(tips(lines).len(), 12);
    // Of two works that share a place each is whole or not there.
    for cell in experiment
        .cells
        .iter_mut()
        .filter(|cell| cell.name.ends_with("xfs"))
    {
        if let Some(io) = cell.workload.io_mut() {
            io.sync = SyncMode::DSync;
        }
    }
    assert_eq!(tips(&drawn(&experiment, "sizes")[0]).len(), 12);
}

#[test]
fn the_histogram_counts_every_operation_in_its_class() {
    let mut experiment = experiment();
    experiment.cells.truncate(1);
    let latency = &mut experiment.cells[0].latency;
    *latency = etalon_model::LatencyHistogram::new();
    // Two modes with nothing between them, and a tail of a few.
    latency.record_n(100_000, 6000);
    latency.record_n(5_000_000, 3995);
    latency.record_n(1_000_000_000, 5);
    let subject = super::super::Subject::of(&experiment, String::new());
    let gist = &subject.latencies[0];
    let counted: Vec<(i32, u64)> = gist.classes.iter().map(|(n, count)| (*n, *count)).collect();
    assert_eq!(counted, [(50, 6000), (66, 3995), (90, 5)]);
    let series = super::latency::density(&experiment.cells[0], gist);
    let above: Vec<(f64, f64)> = series
        .line
        .iter()
        .copied()
        .filter(|(_, y)| *y > 0.0)
        .collect();
    let expected = [(1e5, 60.0), (10f64.powf(6.6), 39.95), (1e9, 0.05)];
    assert_eq!(above.len(), 3, "{above:?}");
    for ((x, y), (from, share)) in above.iter().zip(expected) {
        assert!(
            (x / from - 1.0).abs() < 1e-9 && (y - share).abs() < 1e-9,
            "{above:?}"
        );
    }
    assert_eq!(
        (series.line[0].1, series.line[series.line.len() - 1].1),
        (0.0, 0.0)
    );
    assert_eq!(drawn(&experiment, "histogram").len(), 1);
}

#[test]
fn layers_that_are_not_drawn_are_counted() {
    use etalon_model::stack::{BlockDelta, DevNo, DiskActivity, DiskTick, Recording};
    let mut experiment = experiment();
    let disk = |n: u64| DiskActivity {
        name: format!("sd{n}"),
        delta: Some(BlockDelta {
            read_bytes: Bytes::mib(n / 5),
            ..BlockDelta::default()
        }),
        devno: DevNo { major: 8, minor: 0 },
    };
    let tick = |n: u64| DiskTick {
        at: Nanos::secs(100 + n),
        span: Nanos::secs(1),
        disks: (0..20).map(disk).collect(),
    };
    experiment.runs[0].circumstances.recording = Some(Recording {
        ticks: (1..=40).map(tick).collect(),
        ..Recording::default()
    });
    let [traffic] = &drawn(&experiment, "traffic")[..] else {
        panic!()
    };
    assert!(
        traffic.note.ends_with("28 more are not drawn."),
        "{}",
        traffic.note
    );
    let svg = etalon_picture::inline(&traffic.wide, "w", "");
    // The first five read nothing.
    assert!(
        svg.contains(">sd5 read<") && !svg.contains(">sd0 read<"),
        "{svg}"
    );
}

/// The picture of this name in a report of so many compared rows.
fn of_rows(count: usize, name: &str) -> super::super::Picture {
    let experiment = experiment();
    let comparison = crate::samples::comparison();
    let row = crate::comparison::ComparedRow {
        comparison: &comparison,
        cell: &experiment.cells[0],
    };
    let subject = || super::super::Subject::of(&experiment, String::new());
    let report = super::super::HtmlReport {
        subjects: &[subject(), subject()],
        question: None,
        rows: &vec![row; count],
        names: &["none", "bfq"].map(str::to_owned),
        notes: &[],
        command: "",
    };
    let mut all = report.pictures().into_iter();
    all.find(|picture| picture.name.ends_with(name)).unwrap()
}

#[test]
fn ratios_that_are_not_drawn_are_counted() {
    let (many, fitting) = (of_rows(151, "-ratio"), of_rows(150, "-ratio"));
    assert!(many.note.ends_with("1 more is not drawn."), "{}", many.note);
    assert_eq!(many.fold.as_deref(), Some("150 of 151 ratios"));
    assert!(!fitting.note.contains("drawn"), "{}", fitting.note);
    assert_eq!(many.wide.height, fitting.wide.height);
}

#[test]
fn pairs_that_are_not_drawn_are_counted() {
    let note = |count| of_rows(count, "-pairs").note;
    assert!(note(13).ends_with("1 more is not drawn."), "{}", note(13));
    assert!(!note(12).contains("drawn"), "{}", note(12));
}
