//! `etalon measure TARGET --op …`.

use anyhow::bail;
use etalon_exchange::SummaryBody;
use etalon_experiment::{MeasureRequest, measure};
use etalon_model::{
    Arrival, Backend, BlockSizes, CacheMode, End, ExperimentKind, FakeDevice, FakeKind, FileLayout,
    FsyncPolicy, IoWorkload, Operation, Think,
};
use etalon_tools::Exit;
use etalon_units::Bytes;

use etalon_report::Painted;

use super::latency_target;
use super::measure_names::{self, Chosen};
use super::subcommand::{Activity, Subcommand};
use crate::bench::{Bench, exit_of, seed, summary};
use crate::cli::{ArrivalName, IoWorkloadArgs, MeasureArgs};
use crate::effect::refuse_idle;
use crate::exit::BadUsage;
use crate::output;

impl Subcommand for MeasureArgs {
    const NAME: &'static str = "measure";
    const ACTIVITY: Activity = Activity::MakesFiles;

    fn run(&self) -> anyhow::Result<Exit> {
        match measure_names::chosen(&self.op)? {
            Chosen::Io(ops) => run(self, &ops),
            Chosen::Names(op) if self.latency_target.is_some() => bail!(BadUsage(format!(
                "--latency-target does not go with --op {op}, a metadata operation: leave it out"
            ))),
            Chosen::Names(op) => measure_names::measure(self, op),
        }
    }
}

fn run(args: &MeasureArgs, ops: &[Operation]) -> anyhow::Result<Exit> {
    refuse_idle(&args.work, ops, args.latency_target.is_some())?;
    refuse_zero("--file-size", args.work.file_size)?;
    refuse_zero("--range", args.work.range)?;
    if args.destroy.is_some() && !ops.iter().any(|op| op.changes()) {
        bail!(BadUsage(
            "--destroy gives up what lies on a device, and none of the operations writes or trims: leave it out"
                .to_owned()
        ));
    }
    let mut all = workloads(ops, &args.work)?;
    if args.latency_target.is_some() {
        all = latency_target::raised(args, all)?;
    }
    let request = MeasureRequest {
        latency: args.latency_target,
        runs: args.runs,
        precision: args.precision,
        watch: true,
        direct_or_nothing: args.work.direct,
        destroy: args.destroy.clone(),
        ..MeasureRequest::new(args.target.clone(), all)
    };
    let settings = serde_json::json!({
        "runs": args.runs,
        "precision": args.precision,
        "latency_target": latency_target::setting(args.latency_target),
    });
    let mut bench = Bench::open(
        ExperimentKind::Measure,
        &args.store,
        request.workloads.first().map_or(0, |first| first.seed),
        settings,
    )?;
    bench.strict = args.strict;
    let control = bench.control(args.wait)?;
    let outcome = measure(&request, &control, &mut bench);
    let Some(target) = args.latency_target else {
        return bench.close(outcome, args.json);
    };
    let outcome = bench.keep(outcome)?;
    let (cells, runs) = (&outcome.cells, &outcome.runs);
    if args.json {
        let body = SummaryBody::<()> {
            latency_target: Some(latency_target::document(target, cells, runs)),
            ..summary(&outcome)
        };
        output::print(&bench.document(&outcome, body)?)?;
    } else {
        let said = latency_target::before_the_page(Some(target), (cells, runs), bench.look);
        output::print_painted(&(Painted::plain(&said) + bench.page(&outcome)))?;
    }
    Ok(exit_of(&outcome, args.strict))
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

/// The workloads that the options describe: one for each combination of what is swept.
pub(crate) fn workloads(
    ops: &[Operation],
    work: &IoWorkloadArgs,
) -> anyhow::Result<Vec<IoWorkload>> {
    let seed = seed(work.seed);
    let mut all: Vec<IoWorkload> = Vec::new();
    for &op in ops {
        for size in &work.block_size.0 {
            for &jobs in &work.jobs {
                for &depth in &work.queue_depth {
                    let point = Point {
                        op,
                        size,
                        jobs,
                        depth,
                        seed,
                    };
                    all.push(point.workload(work));
                }
            }
        }
    }
    for (at, workload) in all.iter().enumerate() {
        if all[..at].contains(workload) {
            bail!(BadUsage(format!(
                "the sweep has '{} {}' with depth {} and jobs {} twice; name each value once",
                workload.operation, workload.block_size, workload.queue_depth, workload.jobs
            )));
        }
    }
    Ok(all)
}

/// One combination of what can be swept.
struct Point<'a> {
    op: Operation,
    size: &'a BlockSizes,
    jobs: u32,
    depth: u32,
    seed: u64,
}

impl Point<'_> {
    fn workload(&self, work: &IoWorkloadArgs) -> IoWorkload {
        let op = self.op;
        // One for all cells of a sweep, so that they differ in nothing but what is swept.
        let deepest = work.queue_depth.iter().max();
        let backend = work.backend.unwrap_or(match deepest {
            None | Some(0 | 1) => Backend::Sync,
            Some(_) => Backend::IoUring,
        });
        let through_cache = matches!(backend, Backend::Mmap | Backend::Stdio);
        let cache = work.cache.unwrap_or_default();
        let cached = !matches!(cache, CacheMode::AsFound | CacheMode::Direct);
        IoWorkload {
            operation: op,
            block_size: self.size.clone(),
            file_size: work.file_size.unwrap_or_default(),
            offset: work.offset,
            range: work.range.unwrap_or_default(),
            stride: work.stride,
            read_percent: work.read_percent,
            jobs: self.jobs,
            layout: if work.shared {
                FileLayout::Shared
            } else {
                FileLayout::PerJob
            },
            queue_depth: self.depth,
            batch: work.batch,
            backend,
            direct: !work.buffered && !through_cache && !cached,
            cache,
            sync: work.sync,
            fsync: if op.writes() {
                work.fdatasync.unwrap_or(work.fsync)
            } else {
                FsyncPolicy::Never
            },
            fdatasync: op.writes() && work.fdatasync.is_some(),
            end: end(work),
            warm_up: work.warm_up,
            distribution: work.distribution,
            arrival: arrival(work, self.size),
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
                kind: FakeKind::Servers,
            },
            seed: self.seed,
        }
    }
}

/// Data is worked on for a time unless bytes or a pass were asked for.
fn end(work: &IoWorkloadArgs) -> End {
    match work.bytes {
        Some(bytes) => End::Bytes(Bytes(bytes.get())),
        None if work.one_pass => End::Pass,
        None => End::Time(work.time),
    }
}

fn arrival(work: &IoWorkloadArgs, size: &BlockSizes) -> Arrival {
    let rate = work
        .rate
        .map(|rate| rate.operations(size.mean().unwrap_or(size.largest().as_f64())));
    match (rate, work.arrival) {
        (None, _) => Arrival::Closed,
        (Some(rate), ArrivalName::Fixed) => Arrival::Fixed { rate },
        (Some(rate), ArrivalName::Poisson) => Arrival::Poisson { rate },
        (Some(rate), ArrivalName::Repaced) => Arrival::Repaced { rate },
    }
}

/// The workloads of a command line, for tests.
#[cfg(test)]
pub(crate) fn swept(words: &str) -> anyhow::Result<Vec<IoWorkload>> {
    use clap::Parser as _;
    #[derive(clap::Parser)]
    struct SweptWords {
        #[command(flatten)]
        args: MeasureArgs,
    }
    let line = SweptWords::parse_from(["measure", "."].into_iter().chain(words.split(' ')));
    match measure_names::chosen(&line.args.op)? {
        Chosen::Io(ops) => workloads(&ops, &line.args.work),
        Chosen::Names(op) => bail!("{op} is a metadata operation"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_make_every_combination_with_one_backend() {
        let all = swept("--op randread,randwrite -q 1,4 -b 4k,64k -j 1,2").unwrap();
        assert_eq!(all.len(), 16);
        assert!(
            all.iter()
                .all(|workload| workload.backend == Backend::IoUring)
        );
        assert!(all.iter().all(|workload| workload.seed == all[0].seed));
        let mix = swept("--op randread -b 4k:60,64k:40").unwrap();
        assert_eq!((mix.len(), mix[0].backend), (1, Backend::Sync));
        assert_eq!(mix[0].block_size.largest(), Bytes::kib(64));
    }

    #[test]
    fn a_value_named_twice_is_refused_with_the_cell() {
        let error = swept("--op read -q 4,8,4").unwrap_err().to_string();
        assert!(error.contains("'read 4 KiB' with depth 4"), "{error}");
    }

    #[test]
    fn a_rate_in_bytes_is_one_in_operations_of_each_block_size() {
        let all = swept("--op randread -b 4k,64k --rate 64MiB/s").unwrap();
        assert_eq!(all[0].arrival, Arrival::Fixed { rate: 16_384.0 });
        assert_eq!(all[1].arrival, Arrival::Fixed { rate: 1_024.0 });
        let mix = swept("--op randread -b 4k:50,12k:50 --rate 64MiB/s").unwrap();
        assert_eq!(mix[0].arrival, Arrival::Fixed { rate: 8_192.0 });
    }
}
