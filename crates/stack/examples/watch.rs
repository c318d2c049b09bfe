//! Watches the disks beneath a path for ten seconds: `cargo run --example watch -- /home`.
#![expect(clippy::print_stdout, reason = "an example is there to print")]

use std::path::Path;
use std::time::Duration;

use etalon_model::stack::DiskRates;
use etalon_stack::{Monitor, MonitorOptions, Roots, Stack, manifest};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let target = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let roots = Roots::default();
    let tree = Stack::of(Path::new(&target), &roots)?;
    let before = manifest(&tree, &roots, &[]);
    let monitor = Monitor::start(&tree, &roots, MonitorOptions::default())?;
    std::thread::sleep(Duration::from_secs(10));
    let recording = monitor.stop();
    for sample in &recording.samples {
        for disk in &sample.disks {
            let Some(delta) = &disk.delta else { continue };
            let rates = DiskRates::of(delta, sample.span);
            println!(
                "{:8} r {:8.1}/s {:>12} w {:8.1}/s {:>12} queue {:6.2} util {}",
                disk.name,
                rates.reads_per_s,
                rates.read_rate.to_string(),
                rates.writes_per_s,
                rates.write_rate.to_string(),
                rates.queue,
                rates.utilisation
            );
        }
        println!("{:?} {:?}", sample.cpu, sample.pressure);
        println!("{:?}", sample.processes);
    }
    let share = recording.cost.share().unwrap_or_default();
    println!(
        "{:?} = {:.3} % of a CPU",
        recording.cost,
        share.fraction() * 100.0
    );
    let after = manifest(&tree, &roots, &[]);
    for (key, value) in &after.facts {
        println!("{key} = {value}");
    }
    println!("{} facts, hash {}", after.facts.len(), after.hash);
    for change in before.changes_to(&after) {
        println!("changed: {change}");
    }
    Ok(())
}
