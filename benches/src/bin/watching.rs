//! What the monitor costs a run that it watches: one long run of random reads, beside which the monitor is switched on and off
//! in turns, and off once more, which shows what the machine itself does between two equal spans. Spans of one run need no
//! start of their own, so that short ones follow each other closely: the speed of a shared machine drifts, and the nearer two
//! spans lie, the less lies between them. It looks `--times` as often as in a run, which costs as many times as much, since
//! each look does the same: a small cost is seen through the noise so, and is divided again. The processor time of both rates
//! of looking shows whether a look costs the same at both. The checks look before and after a run, while nothing is timed.
#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;
use etalon_benches::{Contestant, Ratio, Zram, alternate};
use etalon_engine::Control;
use etalon_experiment::{Event, MeasureRequest, Witness, WitnessError, measure};
use etalon_model::stack::{MonitorCost, StackTree};
use etalon_model::{Backend, End, IoWorkload};
use etalon_stack::{Monitor, MonitorOptions, Roots, Stack};
use etalon_units::{Bytes, Nanos, Percent};

/// What watching may cost of the rate.
const MOST: f64 = 0.005;
/// Size of the RAM disk.
const DISK: u64 = 4 << 30;
/// Until the run has begun and is past its first moments.
const LEAD: Duration = Duration::from_secs(3);
/// Long enough to tell the processor time of looks that are as rare as in a run.
const AS_IN_A_RUN: Duration = Duration::from_secs(20);

/// Runs one comparison and says whether watching costs less than 0.5 % of the rate.
#[derive(Debug, Parser)]
struct Options {
    /// A disk to read; a RAM disk of its own without one (root).
    target: Option<PathBuf>,
    /// Blocks: each way comes once in each.
    #[arg(long, default_value_t = 100)]
    blocks: usize,
    /// Length of one span in milliseconds.
    #[arg(long, default_value_t = 1000)]
    millis: u64,
    /// How many times as often as in a run the monitor looks.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10))]
    times: u64,
    /// Operations in flight.
    #[arg(long, default_value_t = 1)]
    depth: u32,
}

struct Silent;

impl Witness for Silent {
    fn event(&mut self, _: Event<'_>) -> Result<(), WitnessError> {
        Ok(())
    }
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let disk = match options.target {
        None => Some(Zram::new(DISK)?),
        Some(_) => None,
    };
    let own = disk.as_ref().map(Zram::path);
    let target = options.target.as_deref().or(own);
    let target = target.context("there is neither a target nor a RAM disk")?;
    let control = Control::default();
    std::thread::scope(|scope| {
        let run = scope.spawn(|| read(target, &options, &control));
        std::thread::sleep(LEAD);
        let told = compare(target, &options);
        control.stop.store(true, Ordering::Relaxed);
        let ran = run
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        told.and(ran)
    })
}

/// One run over all of the time.
fn read(target: &Path, options: &Options, control: &Control) -> anyhow::Result<()> {
    let workload = IoWorkload {
        direct: true,
        block_size: Bytes::kib(4).into(),
        queue_depth: options.depth,
        backend: match options.depth {
            1 => Backend::Sync,
            _ => Backend::IoUring,
        },
        // It is stopped.
        end: End::Time(Nanos::secs(86_400)),
        ..IoWorkload::default()
    };
    let request = MeasureRequest {
        runs: Some(1),
        ..MeasureRequest::new(target.to_owned(), vec![workload])
    };
    measure(&request, control, &mut Silent)?;
    Ok(())
}

/// Each way once in each block, and what watching costs by that.
fn compare(target: &Path, options: &Options) -> anyhow::Result<()> {
    let span = Duration::from_millis(options.millis);
    let watching = Rc::new(Watching::of(target, options.times)?);
    let watched = Rc::clone(&watching);
    let ways = [
        unwatched("not watched", target, span),
        unwatched("not watched, once more", target, span),
        contestant("watched", move || watched.rate(span)),
    ];
    let table = alternate(&ways, options.blocks, "IOPS")?;
    table.print();
    println!("{}", watching.told());
    if options.times > 1 {
        let as_in_a_run = Watching::of(target, 1)?;
        as_in_a_run.rate(AS_IN_A_RUN)?;
        println!("{}", as_in_a_run.told());
    }
    let ratio = table.ratio(0, 2).context("give at least 2 blocks")?;
    println!("{}", verdict(ratio, options.times));
    Ok(())
}

fn contestant(name: &str, run: impl Fn() -> anyhow::Result<f64> + 'static) -> Contestant {
    Contestant {
        name: name.to_owned(),
        run: Box::new(run),
    }
}

fn unwatched(name: &str, target: &Path, span: Duration) -> Contestant {
    let target = target.to_owned();
    contestant(name, move || rate(&target, span))
}

/// A monitor that looks so many times as often as in a run, and what it took of the processor.
struct Watching {
    target: PathBuf,
    tree: StackTree,
    times: u64,
    cost: Cell<MonitorCost>,
}

impl Watching {
    fn of(target: &Path, times: u64) -> anyhow::Result<Watching> {
        Ok(Watching {
            target: target.to_owned(),
            tree: Stack::of(target, &Roots::default())?,
            times,
            cost: Cell::default(),
        })
    }

    /// The rate of a span in which the monitor looks, with its first look before and its last one behind.
    fn rate(&self, span: Duration) -> anyhow::Result<f64> {
        let usual = MonitorOptions::default();
        let options = MonitorOptions {
            disks_every: Nanos(usual.disks_every.get() / self.times),
            machine_every: Nanos(usual.machine_every.get() / self.times),
            ..usual
        };
        let monitor = Monitor::start(&self.tree, &Roots::default(), options)?;
        let rate = rate(&self.target, span)?;
        let took = monitor.stop().cost;
        let mut all = self.cost.get();
        all.cpu.0 += took.cpu.get();
        all.wall.0 += took.wall.get();
        self.cost.set(all);
        Ok(rate)
    }

    fn told(&self) -> String {
        let share = self.cost.get().share();
        let of_processor = share.unwrap_or(Percent::from_fraction(0.0));
        let times = self.times;
        format!("looking {times} times as often as in a run took {of_processor} of one processor")
    }
}

/// Reads a second that the disk completed in the next `span`.
fn rate(target: &Path, span: Duration) -> anyhow::Result<f64> {
    let (before, begin) = (reads(target)?, Instant::now());
    std::thread::sleep(span);
    let (after, end) = (reads(target)?, Instant::now());
    Ok(after.saturating_sub(before) as f64 / (end - begin).as_secs_f64())
}

/// Reads that the disk has completed (Documentation/block/stat.rst).
fn reads(target: &Path) -> anyhow::Result<u64> {
    let name = target.file_name().context("the target has no name")?;
    let path = Path::new("/sys/class/block").join(name).join("stat");
    let text = fs::read_to_string(&path)
        .with_context(|| format!("'{}' is no disk: {}", target.display(), path.display()))?;
    let first = text.split_whitespace().next();
    Ok(first.context("no number of reads")?.parse()?)
}

/// What watching costs of the rate, by that without over that with so many times as much of it.
fn verdict(ratio: Ratio, times: u64) -> String {
    let of_one = |ratio: f64| (1.0 - 1.0 / ratio) / times as f64;
    let (low, high) = (of_one(ratio.low), of_one(ratio.high));
    let verdict = match (high < MOST, low > MOST) {
        (true, _) => "below 0.5 %",
        (_, true) => "ABOVE 0.5 %",
        _ => "undecided: more --blocks tell",
    };
    format!(
        "watching costs {:.2} % to {:.2} % of the rate: {verdict}",
        100.0 * low,
        100.0 * high
    )
}
