//! What watching a run costs: random reads of a target with the monitor and without, in turns,
//! `cargo run --release --example monitor_cost -- /dev/zram0 20`.
//!
//! Prints the ratio of the rates of each pair, its median with the 95 % interval, and the processor
//! time that the monitor took.
#![expect(clippy::print_stdout, reason = "an example is there to print")]

use std::path::PathBuf;

use etalon_engine::Control;
use etalon_experiment::{Event, MeasureRequest, Witness, WitnessError, measure};
use etalon_model::stack::MonitorCost;
use etalon_model::{End, IoWorkload, Run};
use etalon_stats::{Level, Sample};
use etalon_units::{Bytes, Nanos, Percent};

struct Silent;

impl Witness for Silent {
    fn event(&mut self, _: Event<'_>) -> Result<(), WitnessError> {
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let target = PathBuf::from(words.next().unwrap_or_else(|| ".".to_owned()));
    let pairs: usize = words.next().map_or(Ok(10), |word| word.parse())?;
    let mut ratios = Vec::new();
    let mut cost = MonitorCost::default();
    for pair in 0..pairs {
        // Every other pair begins with the other one, so that drift falls on both alike.
        let watched_first = pair % 2 == 0;
        let first = once(&target, watched_first, pair as u64)?;
        let second = once(&target, !watched_first, pair as u64)?;
        let (with, without) = match watched_first {
            true => (first, second),
            false => (second, first),
        };
        if let Some(machine) = &with.circumstances.machine {
            cost.cpu.0 += machine.cost.cpu.get();
            cost.wall.0 += machine.cost.wall.get();
        }
        let rate = |run: &Run| run.measurement.operations_per_second();
        let ratio = rate(&with) / rate(&without);
        println!(
            "pair {pair}: {:.0} op/s watched, {:.0} not, {ratio:.4}",
            rate(&with),
            rate(&without)
        );
        ratios.push(ratio);
    }
    let median = Sample::new(ratios)?.median_interval(Level::REPORTED);
    let interval = median
        .interval
        .map_or_else(String::new, |i| format!(" ({:.4} to {:.4})", i.low, i.high));
    println!("watched over not watched: {:.4}{interval}", median.value);
    println!(
        "the monitor took {} of one processor",
        cost.share().unwrap_or(Percent::from_fraction(0.0))
    );
    Ok(())
}

fn once(
    target: &std::path::Path,
    watch: bool,
    seed: u64,
) -> Result<Run, Box<dyn std::error::Error>> {
    let request = MeasureRequest {
        target: target.to_owned(),
        workloads: vec![IoWorkload {
            direct: true,
            block_size: Bytes::kib(4).into(),
            end: End::Time(Nanos::secs(2)),
            seed,
            ..IoWorkload::default()
        }],
        runs: Some(1),
        precision: None,
        watch,
        direct_or_nothing: false,
        latency: None,
        earlier: Vec::new(),
        destroy: None,
    };
    let outcome = measure(&request, &Control::default(), &mut Silent)?;
    outcome
        .runs
        .into_iter()
        .next()
        .ok_or_else(|| "no run was made".into())
}
