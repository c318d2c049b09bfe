//! What checks and monitor cost a run: random reads with them and without, in turns, and without them once more, which
//! shows what the machine itself does between two equal runs.
#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::Context;
use clap::Parser;
use etalon_benches::{Contestant, Ratio, Zram, alternate};
use etalon_engine::Control;
use etalon_experiment::{Event, MeasureRequest, Witness, WitnessError, measure};
use etalon_model::stack::MonitorCost;
use etalon_model::{Backend, End, IoWorkload, Run};
use etalon_units::{Bytes, Nanos, Percent};

/// What watching may cost of the rate.
const MOST: f64 = 0.005;
/// Size of the RAM disk.
const DISK: u64 = 4 << 30;

/// Runs one comparison and says whether watching costs less than 0.5 % of the rate.
#[derive(Debug, Parser)]
struct Options {
    /// A device or file to read; a RAM disk of its own without one (root).
    target: Option<PathBuf>,
    /// Blocks: each way of running comes once in each.
    #[arg(long, default_value_t = 40)]
    blocks: usize,
    /// Length of one run in milliseconds.
    #[arg(long, default_value_t = 2000)]
    millis: u64,
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
    let cost = Rc::new(Cell::new(MonitorCost::default()));
    let way = |name: &str, watch| way(name, watch, target, &options, &cost);
    let ways = [
        way("not watched", false),
        way("not watched, once more", false),
        way("watched", true),
    ];
    let table = alternate(&ways, options.blocks, "IOPS")?;
    table.print();
    let of_processor = cost.get().share().unwrap_or(Percent::from_fraction(0.0));
    println!("the monitor took {of_processor} of one processor");
    let ratio = table.ratio(0, 2).context("give at least 2 blocks")?;
    println!("{}", verdict(ratio));
    Ok(())
}

/// What watching costs of the rate, by that of runs without over that of runs with it.
fn verdict(ratio: Ratio) -> String {
    let (low, high) = (1.0 - 1.0 / ratio.low, 1.0 - 1.0 / ratio.high);
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

fn way(
    name: &str,
    watch: bool,
    target: &Path,
    options: &Options,
    cost: &Rc<Cell<MonitorCost>>,
) -> Contestant {
    let (target, cost) = (target.to_owned(), Rc::clone(cost));
    let workload = IoWorkload {
        direct: true,
        block_size: Bytes::kib(4).into(),
        queue_depth: options.depth,
        backend: match options.depth {
            1 => Backend::Sync,
            _ => Backend::IoUring,
        },
        end: End::Time(Nanos::millis(options.millis)),
        ..IoWorkload::default()
    };
    let run = move || {
        let run = once(&target, watch, &workload)?;
        if let Some(machine) = &run.circumstances.machine {
            let mut all = cost.get();
            all.cpu.0 += machine.cost.cpu.get();
            all.wall.0 += machine.cost.wall.get();
            cost.set(all);
        }
        Ok(run.measurement.operations_per_second())
    };
    Contestant {
        name: name.to_owned(),
        run: Box::new(run),
    }
}

fn once(target: &Path, watch: bool, workload: &IoWorkload) -> anyhow::Result<Run> {
    let request = MeasureRequest {
        target: target.to_owned(),
        workloads: vec![workload.clone()],
        runs: Some(1),
        precision: None,
        watch,
        direct_or_nothing: false,
        latency: None,
        earlier: Vec::new(),
        destroy: None,
    };
    let outcome = measure(&request, &Control::default(), &mut Silent)?;
    let run = outcome.runs.into_iter().next();
    run.context("no run was made")
}
