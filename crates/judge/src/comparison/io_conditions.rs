//! The conditions of I/O by the engine, in the words of the options that set them.
//!
//! Each field of a workload has its place here: a field that is added does not compile before it has one. What is off
//! has a value too, so that an option that one side has and the other has not is a difference.

use etalon_model::{
    Arrival, BlockShare, BlockSizes, Distribution, End, FakeDevice, FakeKind, FileLayout,
    FsyncPolicy, IoWorkload, SyncMode, Think,
};
use etalon_units::{Bytes, Nanos};

/// Conditions by name, as `--by` takes them.
pub(super) type Conditions = std::collections::BTreeMap<String, String>;

/// What of a workload does not change what is measured: how long it lasts, the random choices, and the modelled device,
/// which stands in for a target. A difference in it is told, and is no obstacle.
pub(super) const FREE: [&str; 4] = ["end", "warm-up", "seed", "fake"];

/// What work the engine does, beside that of real work and tools.
const WORK: &str = "reads and writes";

/// Every condition of a workload by name, as `--by` takes it, with its value.
pub(super) fn of_io(io: &IoWorkload) -> Conditions {
    let mut all = Conditions::from([("work".to_owned(), WORK.to_owned())]);
    all.extend(pairs(io).map(|(name, value)| (name.to_owned(), value)));
    all
}

fn pairs(io: &IoWorkload) -> impl Iterator<Item = (&'static str, String)> {
    let IoWorkload {
        operation,
        block_size,
        file_size,
        offset,
        range,
        stride,
        read_percent,
        jobs,
        layout,
        queue_depth,
        batch,
        backend,
        direct,
        cache,
        sync,
        fsync,
        fdatasync,
        end,
        warm_up,
        distribution,
        arrival,
        think,
        verify,
        poll,
        sqpoll,
        cpus,
        numa_node,
        huge_pages,
        fake,
        seed,
    } = io;
    let any = |node: u32| node.to_string();
    [
        ("operation", operation.to_string()),
        ("block-size", block_sizes(block_size)),
        ("file-size", size_or(*file_size, "what is there")),
        ("offset", size(*offset)),
        ("range", size_or(*range, "to the end")),
        ("stride", stride.to_string()),
        ("read-percent", read_percent.to_string()),
        ("jobs", jobs.to_string()),
        ("layout", files(*layout).to_owned()),
        ("queue-depth", queue_depth.to_string()),
        ("batch", handed_over(*batch)),
        ("backend", backend.to_string()),
        ("direct", switch(*direct)),
        ("cache", cache.to_string()),
        ("sync", open_flag(*sync).to_owned()),
        ("fsync", moment(*fsync)),
        ("fdatasync", switch(*fdatasync)),
        ("end", length(*end)),
        ("warm-up", warm_up.to_string()),
        ("distribution", draw(*distribution)),
        ("arrival", pace(*arrival)),
        ("think", think.map_or_else(|| "none".to_owned(), pause)),
        ("verify", switch(*verify)),
        ("poll", switch(*poll)),
        ("sqpoll", switch(*sqpoll)),
        ("cpus", processors(cpus)),
        ("numa-node", numa_node.map_or_else(|| "any".to_owned(), any)),
        ("huge-pages", switch(*huge_pages)),
        ("fake", device(io, fake)),
        ("seed", seed.to_string()),
    ]
    .into_iter()
}

/// Bytes in the largest unit that leaves no rest: two sizes that differ never read alike.
fn size(bytes: Bytes) -> String {
    let (number, unit) = bytes.in_whole_units();
    format!("{number} {unit}")
}

/// Time in the largest unit that it fills, with all its digits.
fn time(time: Nanos) -> String {
    const UNITS: [(u64, usize, &str); 3] = [
        (1_000_000_000, 9, "s"),
        (1_000_000, 6, "ms"),
        (1_000, 3, "µs"),
    ];
    let ns = time.get();
    let Some((unit, digits, name)) = UNITS.into_iter().find(|(unit, ..)| ns >= *unit) else {
        return format!("{ns} ns");
    };
    let number = format!("{}.{:0digits$}", ns / unit, ns % unit);
    let number = number.trim_end_matches('0').trim_end_matches('.');
    format!("{number} {name}")
}

fn size_or(bytes: Bytes, whole: &str) -> String {
    match bytes {
        Bytes::ZERO => whole.to_owned(),
        bytes => size(bytes),
    }
}

/// `4 KiB` or `4 KiB:60+64 KiB:40`, as in a cell's name.
fn block_sizes(sizes: &BlockSizes) -> String {
    let share = |share: &BlockShare| format!("{}:{}", size(share.size), share.percent);
    match sizes {
        BlockSizes::One(one) => size(*one),
        BlockSizes::Weighted(shares) => shares.iter().map(share).collect::<Vec<_>>().join("+"),
        BlockSizes::Range(range) => {
            let step = range.step.map(|step| format!("/{}", size(step)));
            let (smallest, largest) = (size(range.smallest), size(range.largest));
            format!("{smallest}-{largest}{}", step.unwrap_or_default())
        }
    }
}

fn switch(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

fn files(layout: FileLayout) -> &'static str {
    match layout {
        FileLayout::PerJob => "a file for each job",
        FileLayout::Shared => "one file for all jobs",
    }
}

fn handed_over(batch: u32) -> String {
    match batch {
        0 => "each by itself".to_owned(),
        most => most.to_string(),
    }
}

fn open_flag(sync: SyncMode) -> &'static str {
    match sync {
        SyncMode::None => "none",
        SyncMode::DSync => "dsync",
        SyncMode::Sync => "sync",
    }
}

fn moment(fsync: FsyncPolicy) -> String {
    match fsync {
        FsyncPolicy::Never => "never".to_owned(),
        FsyncPolicy::End => "end".to_owned(),
        FsyncPolicy::Every(writes) => format!("every {writes}"),
    }
}

fn length(end: End) -> String {
    match end {
        End::Bytes(bytes) => format!("after {}", size(bytes)),
        // Lengths that are nearer than their three digits tell apart are no difference.
        End::Time(span) => format!("after {span}"),
        End::Pass => "after one pass".to_owned(),
    }
}

fn draw(distribution: Distribution) -> String {
    match distribution {
        Distribution::Permutation => "permutation".to_owned(),
        Distribution::Uniform => "uniform".to_owned(),
        Distribution::Zipf { theta } => format!("zipf:{theta}"),
        Distribution::Pareto { h } => format!("pareto:{h}"),
    }
}

fn pace(arrival: Arrival) -> String {
    match arrival {
        Arrival::Closed => "each after an answer".to_owned(),
        Arrival::Fixed { rate } => format!("fixed, {rate}/s"),
        Arrival::Poisson { rate } => format!("poisson, {rate}/s"),
        Arrival::Repaced { rate } => format!("repaced, {rate}/s"),
    }
}

fn pause(think: Think) -> String {
    match think.every {
        1 => time(think.time),
        operations => format!("{} every {operations}", time(think.time)),
    }
}

fn processors(cpus: &[u32]) -> String {
    let all: Vec<String> = cpus.iter().map(u32::to_string).collect();
    match all.is_empty() {
        true => "any".to_owned(),
        false => all.join(","),
    }
}

/// The modelled device, where it is the one that is measured.
fn device(io: &IoWorkload, fake: &FakeDevice) -> String {
    if io.backend != etalon_model::Backend::Fake {
        return "not used".to_owned();
    }
    let FakeDevice {
        service,
        servers,
        stall_every,
        stall,
        kind,
    } = fake;
    let kind = match kind {
        FakeKind::Servers => "servers".to_owned(),
        FakeKind::WriteCache { requests } => format!("cache of {requests} writes"),
        FakeKind::Disk {
            bytes_per_second,
            read_ahead_bytes,
            size_bytes,
        } => format!(
            "disk of {}, {}/s, read-ahead {}",
            size(*size_bytes),
            size(Bytes(*bytes_per_second)),
            size(*read_ahead_bytes)
        ),
    };
    let (every, stall) = (time(*stall_every), time(*stall));
    format!(
        "{servers} x {}, {kind}, stalls of {stall} every {every}",
        time(*service)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_values_that_differ_never_read_alike() {
        assert_eq!(size(Bytes::kib(4)), "4 KiB");
        assert_eq!(size(Bytes((1 << 30) + 4096)), "1048580 KiB");
        assert_eq!(size(Bytes((1 << 30) + 1)), "1073741825 B");
        for (ns, text) in [
            (61_500_000_000, "61.5 s"),
            (60_000_000_000, "60 s"),
            (1_000_000_001, "1.000000001 s"),
            (268_335_916, "268.335916 ms"),
            (10_020, "10.02 µs"),
            (999, "999 ns"),
        ] {
            assert_eq!(time(Nanos(ns)), text);
        }
        assert_eq!(
            (time(Nanos::ZERO), size(Bytes::ZERO)),
            ("0 ns".into(), "0 B".into())
        );
    }
}
