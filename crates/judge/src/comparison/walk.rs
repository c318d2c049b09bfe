//! A walk over the schema of a workload: for every field, two experiments that differ in it alone are told apart or
//! refused by its name.

use etalon_model::{
    Arrival, Backend, CacheMode, Distribution, End, FileLayout, FsyncPolicy, IoWorkload, Operation,
    Sentence, SyncMode, Think,
};
use etalon_units::{Bytes, Nanos};

use super::tests::{ArmRuns, FAST, SLOW, arm, options, side};
use super::*;

/// Another value of one field, and what the condition is called.
fn change(field: &str) -> (fn(&mut IoWorkload), &'static str) {
    match field {
        "operation" => (|io| io.operation = Operation::RandWrite, "operation"),
        "block_size_bytes" => (|io| io.block_size = Bytes::kib(8).into(), "block-size"),
        "block_sizes" => (
            |io| io.block_size = "4k:50,64k:50".parse().unwrap(),
            "block-size",
        ),
        "file_size_bytes" => (|io| io.file_size = Bytes::gib(64), "file-size"),
        "offset_bytes" => (|io| io.offset = Bytes::kib(4), "offset"),
        "range_bytes" => (|io| io.range = Bytes::mib(1), "range"),
        "stride" => (|io| io.stride += 1, "stride"),
        "read_percent" => (|io| io.read_percent += 1, "read-percent"),
        "jobs" => (|io| io.jobs += 1, "jobs"),
        "layout" => (|io| io.layout = FileLayout::Shared, "layout"),
        "queue_depth" => (|io| io.queue_depth += 1, "queue-depth"),
        "batch" => (|io| io.batch += 1, "batch"),
        "backend" => (|io| io.backend = Backend::Mmap, "backend"),
        "direct" => (|io| io.direct = !io.direct, "direct"),
        "cache" => (|io| io.cache = CacheMode::Warm, "cache"),
        "sync" => (|io| io.sync = SyncMode::DSync, "sync"),
        "fsync" => (|io| io.fsync = FsyncPolicy::Every(7), "fsync"),
        "fdatasync" => (|io| io.fdatasync = true, "fdatasync"),
        "end" => (|io| io.end = End::Pass, "end"),
        "warm_up_ns" => (|io| io.warm_up = Nanos::secs(1), "warm-up"),
        "distribution" => (
            |io| io.distribution = Distribution::Zipf { theta: 1.1 },
            "distribution",
        ),
        "arrival" => (|io| io.arrival = Arrival::Fixed { rate: 500.0 }, "arrival"),
        "think" => (
            |io| {
                io.think = Some(Think {
                    time: Nanos::millis(1),
                    every: 1,
                })
            },
            "think",
        ),
        "verify" => (|io| io.verify = true, "verify"),
        "poll" => (|io| io.poll = true, "poll"),
        "sqpoll" => (|io| io.sqpoll = true, "sqpoll"),
        "cpus" => (|io| io.cpus = vec![0], "cpus"),
        "numa_node" => (|io| io.numa_node = Some(0), "numa-node"),
        "huge_pages" => (|io| io.huge_pages = true, "huge-pages"),
        "fake" => (|io| io.fake.servers += 1, "fake"),
        "seed" => (|io| io.seed += 1, "seed"),
        unknown => panic!("a field without a place in this walk: '{unknown}'"),
    }
}

fn fields() -> Vec<String> {
    let schema = schemars::schema_for!(IoWorkload).to_value();
    let properties = schema["properties"].as_object().unwrap();
    properties.keys().cloned().collect()
}

/// A workload in which every field has a meaning.
fn of(values: &[u64; 6], field: &str, change: Option<fn(&mut IoWorkload)>) -> ArmRuns {
    side(values, |run| {
        let io = run.workload.io_mut().unwrap();
        match field {
            "fake" => io.backend = Backend::Fake,
            "cache" => io.direct = false,
            _ => {}
        }
        if let Some(change) = change {
            change(io);
        }
        (run.measurement.direct, run.measurement.backend) = (Some(io.direct), Some(io.backend));
    })
}

#[test]
fn every_field_of_a_workload_is_told_apart_or_refused_by_its_name() {
    let fields = fields();
    assert!(fields.len() > 30, "{fields:?}");
    for field in fields {
        let (change, condition) = change(&field);
        let (plain, other) = (of(&SLOW, &field, None), of(&FAST, &field, Some(change)));
        let arms = [arm("1", "x", &plain), arm("2", "y", &other)];
        let comparison = compare_arms("a cell", &arms, &options(&[])).unwrap();
        let told = comparison
            .differences
            .iter()
            .map(|one| one.condition.clone());
        let named: Vec<String> = match &comparison.verdict {
            ComparisonVerdict::Refused { declare, .. } => declare.clone(),
            _ => told.collect(),
        };
        assert!(
            named.iter().any(|name| name == condition),
            "{field}: {comparison:?}"
        );
        let by = options(&named.iter().map(String::as_str).collect::<Vec<_>>());
        let declared = compare_arms("a cell", &arms, &by).unwrap();
        assert!(!declared.arms.is_empty(), "{field}: {declared:?}");
    }
}

#[test]
fn values_are_printed_in_the_words_of_the_options() {
    for (field, words) in [
        ("think", "think is none in 1 and 1 ms in 2."),
        ("cpus", "cpus is any in 1 and 0 in 2."),
        ("range_bytes", "range is to the end in 1 and 1 MiB in 2."),
        (
            "arrival",
            "arrival is each after an answer in 1 and fixed, 500/s in 2.",
        ),
        ("fdatasync", "fdatasync is off in 1 and on in 2."),
        (
            "block_sizes",
            "block size is 4 KiB in 1 and 4 KiB:50+64 KiB:50 in 2.",
        ),
    ] {
        let (change, _) = change(field);
        let (plain, other) = (of(&SLOW, field, None), of(&FAST, field, Some(change)));
        let arms = [arm("1", "x", &plain), arm("2", "y", &other)];
        let refused = compare_arms("a cell", &arms, &options(&[])).unwrap();
        let ComparisonVerdict::Refused { reasons, .. } = refused.verdict else {
            panic!("{field}: {:?}", refused.verdict);
        };
        assert_eq!(Sentence::all(&reasons), words);
    }
}
