//! A workload as the keys of a plan, which read back give the same workload.

use std::fmt;

use etalon_model::{
    Arrival, Backend, BlockSizes, CacheMode, Distribution, End, FileLayout, FsyncPolicy,
    IoWorkload, SyncMode,
};
use etalon_units::{Bytes, Nanos};
use serde_json::Value;

/// Keys with their values as text, in the order of the help.
pub(super) type OptionTexts = Vec<(&'static str, String)>;

/// A text as TOML has it.
pub(super) fn quoted(text: impl fmt::Display) -> String {
    // A basic string of TOML takes the escapes of JSON.
    Value::String(text.to_string()).to_string()
}

/// Every option of the workload that has an effect, but its seed, which is the plan's.
pub(super) fn options(io: &IoWorkload) -> OptionTexts {
    let mut all = vec![
        ("op", quoted(io.operation)),
        ("block_size", quoted(sizes(&io.block_size))),
        ("queue_depth", io.queue_depth.to_string()),
        ("jobs", io.jobs.to_string()),
        ("backend", quoted(io.backend.name())),
    ];
    place(io, &mut all);
    cache(io, &mut all);
    durability(io, &mut all);
    time(io, &mut all);
    switches(io, &mut all);
    if io.backend == Backend::Fake {
        fake(io, &mut all);
    }
    all
}

/// Sizes to the byte: those of a page are rounded.
fn sizes(sizes: &BlockSizes) -> String {
    match sizes {
        BlockSizes::One(size) => size.get().to_string(),
        BlockSizes::Weighted(shares) => {
            let share = shares.iter();
            let share = share.map(|share| format!("{}:{}", share.size.get(), share.percent));
            share.collect::<Vec<_>>().join(",")
        }
        BlockSizes::Range(range) => {
            let step = range
                .step
                .map_or_else(String::new, |s| format!("/{}", s.get()));
            format!("{}-{}{step}", range.smallest.get(), range.largest.get())
        }
    }
}

fn bytes(bytes: Bytes) -> String {
    quoted(bytes.get())
}

fn span(time: Nanos) -> String {
    quoted(format_args!("{}ns", time.get()))
}

fn place(io: &IoWorkload, all: &mut OptionTexts) {
    let sizes = [
        ("file_size", io.file_size),
        ("offset", io.offset),
        ("range", io.range),
    ];
    let given = sizes.into_iter().filter(|(_, size)| size.get() > 0);
    all.extend(given.map(|(key, size)| (key, bytes(size))));
    let others = [
        ("stride", "stride", io.stride.to_string()),
        ("read_percent", "read_percent", io.read_percent.to_string()),
    ];
    let shared = (io.layout == FileLayout::Shared).then(|| ("layout", "shared", "true".to_owned()));
    let distribution = match io.distribution {
        Distribution::Permutation => "permutation".to_owned(),
        Distribution::Uniform => "uniform".to_owned(),
        Distribution::Zipf { theta } => format!("zipf:{theta}"),
        Distribution::Pareto { h } => format!("pareto:{h}"),
    };
    let distribution = ("distribution", "distribution", quoted(distribution));
    let used = others.into_iter().chain(shared).chain([distribution]);
    let used = used.filter(|(of_record, ..)| io.uses(of_record));
    all.extend(used.map(|(_, key, value)| (key, value)));
}

/// Whether the modelled device or nothing at all takes the place of files.
fn is_without_file(io: &IoWorkload) -> bool {
    matches!(io.backend, Backend::Null | Backend::Fake)
}

fn cache(io: &IoWorkload, all: &mut OptionTexts) {
    match io.cache {
        _ if is_without_file(io) => {}
        CacheMode::AsFound if !io.direct => all.push(("buffered", "true".to_owned())),
        CacheMode::AsFound => {}
        CacheMode::Limited(most) => {
            all.push(("cache", quoted(format_args!("limited:{}", most.get()))));
        }
        state => all.push(("cache", quoted(state))),
    }
}

fn durability(io: &IoWorkload, all: &mut OptionTexts) {
    if !io.operation.writes() || io.backend == Backend::Null {
        return;
    }
    match io.sync {
        SyncMode::None => {}
        SyncMode::DSync => all.push(("sync", quoted("dsync"))),
        SyncMode::Sync => all.push(("sync", quoted("sync"))),
    }
    let when = match io.fsync {
        FsyncPolicy::Never => "never".to_owned(),
        FsyncPolicy::End => "end".to_owned(),
        FsyncPolicy::Every(writes) => writes.to_string(),
    };
    let key = if io.fdatasync { "fdatasync" } else { "fsync" };
    all.push((key, quoted(when)));
}

fn time(io: &IoWorkload, all: &mut OptionTexts) {
    all.push(match io.end {
        End::Time(time) => ("time", span(time)),
        End::Bytes(most) => ("bytes", bytes(most)),
        End::Pass => ("one_pass", "true".to_owned()),
    });
    if io.warm_up > Nanos::ZERO {
        all.push(("warm_up", span(io.warm_up)));
    }
    let paced = match io.arrival {
        Arrival::Closed => None,
        Arrival::Fixed { rate } => Some((rate, "fixed")),
        Arrival::Poisson { rate } => Some((rate, "poisson")),
        Arrival::Repaced { rate } => Some((rate, "repaced")),
    };
    if let Some((rate, arrival)) = paced {
        all.push(("rate", quoted(rate)));
        all.push(("arrival", quoted(arrival)));
    }
    if let Some(think) = io.think {
        all.push(("think", span(think.time)));
        all.push(("think_every", think.every.to_string()));
    }
}

fn switches(io: &IoWorkload, all: &mut OptionTexts) {
    if io.batch > 0 && io.queue_depth > 1 {
        all.push(("batch", io.batch.to_string()));
    }
    let on = [
        ("verify", io.verify),
        ("poll", io.poll),
        ("sqpoll", io.sqpoll),
        ("huge_pages", io.huge_pages),
    ];
    let on = on.into_iter().filter(|(_, is_on)| *is_on);
    all.extend(on.map(|(key, _)| (key, "true".to_owned())));
    if !io.cpus.is_empty() {
        let cpus: Vec<String> = io.cpus.iter().map(u32::to_string).collect();
        all.push(("cpus", quoted(cpus.join(","))));
    }
    if let Some(node) = io.numa_node {
        all.push(("numa_node", node.to_string()));
    }
}

fn fake(io: &IoWorkload, all: &mut OptionTexts) {
    let spans = [
        ("fake_service", io.fake.service),
        ("fake_stall_every", io.fake.stall_every),
        ("fake_stall", io.fake.stall),
    ];
    all.extend(spans.map(|(key, time)| (key, span(time))));
    all.push(("fake_servers", io.fake.servers.to_string()));
}

#[cfg(test)]
mod tests {
    use super::super::{Overrides, request};
    use super::*;
    use crate::commands::swept;

    /// Every option of `measure` in one of these lines.
    const LINES: [&str; 13] = [
        "--op randread -b 4608 -s 4M --offset 8k --range 1M -j 3 --shared -q 4 --batch 2",
        "--op randrw --read-percent 70 -b 4k:60,64k:40 --distribution zipf:1.1",
        "--op randwrite -b 4k-64k --distribution pareto:0.8 --fdatasync 16 --sync dsync",
        "--op write -b 4k-64k/4k --fsync never --sync sync --bytes 3M",
        "--op write --fsync end --one-pass --verify",
        "--op backwrite --backend null",
        "--op strideread --stride 5 --buffered --warm-up 1500us -t 7s",
        "--op read --cache limited:96M --think 3ms --think-every 5",
        "--op randread --cache direct --poll --sqpoll --backend io_uring",
        "--op randread --rate 64MiB/s --arrival poisson --cpus 0-3,8 --numa-node 0",
        "--op read --rate 12.5 --arrival repaced --huge-pages --cache warm",
        "--op read --rate 500 --cache cold --backend mmap",
        "--op read --backend fake --fake-service 7us --fake-servers 3 --fake-stall-every 1s --fake-stall 9ms",
    ];

    fn through_a_plan(io: &IoWorkload) -> IoWorkload {
        let mut text = format!("question = \"Same?\"\nseed = {}\n[[workload]]\n", io.seed);
        for (key, value) in options(io) {
            text.push_str(&format!("{key} = {value}\n"));
        }
        let (request, _) = request("plan", &text, &Overrides::default()).unwrap();
        assert_eq!(request.workloads.len(), 1, "{text}");
        let found = request.workloads[0].task.io().unwrap().clone();
        IoWorkload {
            seed: io.seed,
            ..found
        }
    }

    #[test]
    fn a_workload_through_a_plan_is_the_same() {
        for line in LINES {
            for io in swept(line).unwrap() {
                assert_eq!(through_a_plan(&io), io, "{line}");
            }
        }
    }

    #[test]
    fn the_lines_have_every_option_of_a_workload() {
        use clap::Args as _;
        let all = crate::cli::IoWorkloadArgs::augment_args(clap::Command::new("workload"));
        // Of names, the plan's own, and what a run asks for in place of what it can have.
        let others = ["files", "seed", "direct"];
        for option in all.get_arguments() {
            let long = option.get_long().unwrap();
            let short = option.get_short().map(|short| format!("-{short} "));
            let is_there = LINES.iter().any(|line| {
                let words = format!("{line} ");
                words.contains(&format!("--{long} "))
                    || short.as_ref().is_some_and(|short| words.contains(short))
            });
            assert!(is_there || others.contains(&long), "{long}");
        }
    }
}
