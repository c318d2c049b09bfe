//! `etalon measure TARGET --op …`.

use anyhow::bail;
use etalon_experiment::{MeasureRequest, measure};
use etalon_model::{
    Arrival, Backend, CacheMode, End, ExperimentKind, FakeDevice, FileLayout, FsyncPolicy,
    IoWorkload, Operation, Think,
};
use etalon_units::Bytes;

use super::subcommand::{Activity, Subcommand};
use crate::bench::{Bench, seed};
use crate::cli::{ArrivalName, IoWorkloadArgs, MeasureArgs};
use crate::exit::{BadUsage, Exit};

impl Subcommand for MeasureArgs {
    const NAME: &'static str = "measure";
    const ACTIVITY: Activity = Activity::MakesFiles;

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &MeasureArgs) -> anyhow::Result<Exit> {
    refuse_zero("--file-size", args.work.file_size)?;
    refuse_zero("--range", args.work.range)?;
    let request = MeasureRequest {
        target: args.target.clone(),
        workload: workload(args.op, &args.work),
        runs: args.runs,
        precision: args.precision,
        watch: true,
        direct_or_nothing: args.work.direct,
    };
    let settings = serde_json::json!({ "runs": args.runs, "precision": args.precision });
    let mut bench = Bench::open(
        ExperimentKind::Measure,
        &args.store,
        request.workload.seed,
        settings,
    )?;
    bench.strict = args.strict;
    let control = bench.control(args.wait)?;
    let outcome = measure(&request, &control, &mut bench);
    bench.close(outcome, args.json)
}

/// An option left out means a choice of etalon's; a zero that was typed is a mistake.
pub(crate) fn refuse_zero(option: &str, size: Option<Bytes>) -> anyhow::Result<()> {
    if size == Some(Bytes::ZERO) {
        bail!(BadUsage(format!(
            "{option} 0: give at least one block, or leave it out"
        )));
    }
    Ok(())
}

/// The workload that the options describe.
pub(crate) fn workload(op: Operation, work: &IoWorkloadArgs) -> IoWorkload {
    let backend = work.backend.unwrap_or(match work.queue_depth {
        0 | 1 => Backend::Sync,
        _ => Backend::IoUring,
    });
    let through_cache = matches!(backend, Backend::Mmap | Backend::Stdio);
    let cache = work.cache.unwrap_or_default();
    let cached = !matches!(cache, CacheMode::AsFound | CacheMode::Direct);
    let data = !op.is_metadata();
    IoWorkload {
        operation: op,
        block_size: work.block_size.largest(),
        block_sizes: work.block_size.several().cloned(),
        file_size: work.file_size.unwrap_or_default(),
        offset: work.offset,
        range: work.range.unwrap_or_default(),
        stride: work.stride,
        read_percent: work.read_percent,
        jobs: work.jobs,
        layout: if work.shared {
            FileLayout::Shared
        } else {
            FileLayout::PerJob
        },
        files: work.files,
        queue_depth: work.queue_depth,
        batch: work.batch,
        backend,
        direct: data && !work.buffered && !through_cache && !cached,
        cache,
        sync: work.sync,
        fsync: if op.writes() {
            work.fdatasync.unwrap_or(work.fsync)
        } else {
            FsyncPolicy::Never
        },
        fdatasync: op.writes() && work.fdatasync.is_some(),
        end: end(work, data),
        warm_up: work.warm_up,
        distribution: work.distribution,
        arrival: arrival(work),
        think: work.think.map(|time| Think {
            time,
            every: work.think_every,
        }),
        verify: work.verify,
        poll: work.poll,
        sqpoll: work.sqpoll,
        cpus: work
            .cpus
            .as_ref()
            .map_or_else(Vec::new, |list| list.0.clone()),
        numa_node: work.numa_node,
        huge_pages: work.huge_pages,
        fake: FakeDevice {
            service: work.fake_service,
            servers: work.fake_servers,
            stall_every: work.fake_stall_every,
            stall: work.fake_stall,
        },
        seed: seed(work.seed),
    }
}

/// Names are worked through once; data is worked on for a time unless bytes or a pass were asked.
fn end(work: &IoWorkloadArgs, data: bool) -> End {
    match work.bytes {
        Some(bytes) => End::Bytes(Bytes(bytes.get())),
        None if work.one_pass || !data => End::Pass,
        None => End::Time(work.time),
    }
}

fn arrival(work: &IoWorkloadArgs) -> Arrival {
    let rate = work
        .rate
        .map(|rate| rate.operations(work.block_size.mean()));
    match (rate, work.arrival) {
        (None, _) => Arrival::Closed,
        (Some(rate), ArrivalName::Fixed) => Arrival::Fixed { rate },
        (Some(rate), ArrivalName::Poisson) => Arrival::Poisson { rate },
        (Some(rate), ArrivalName::Repaced) => Arrival::Repaced { rate },
    }
}
