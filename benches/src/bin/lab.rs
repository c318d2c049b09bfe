//! Requests a second that the disk models answer on their virtual clock, and what serving one costs.

use std::time::Instant;

use etalon_benches::served::reads;
use etalon_lab::array::{Array, Layout};
use etalon_lab::catalogue::CLASSES;
use etalon_lab::disk::RequestKind;
use etalon_lab::simulate::{Pattern, SimulatedArray, Workload};

const BYTES: u64 = 8 << 30;
const REQUESTS: u64 = 200_000;

#[expect(clippy::print_stdout, reason = "a program prints its result")]
fn main() -> anyhow::Result<()> {
    println!(
        "{:9} {:>12} {:>12} {:>12}",
        "model", "read", "random", "write"
    );
    for class in CLASSES {
        let rate = |kind, pattern| -> anyhow::Result<f64> {
            let workload = Workload {
                kind,
                pattern,
                block_bytes: 4096,
                queue_depth: 32,
                from_bytes: 0,
                range_bytes: BYTES,
                warm_up: 0,
                requests: REQUESTS,
                seed: 1,
            };
            let array = Array::new(Layout::Raid0, 1, BYTES, 1 << 20)?;
            let mut simulated = SimulatedArray::new(array, vec![class.disk(BYTES, 1)]);
            let begin = Instant::now();
            workload.run(&mut simulated, 0)?;
            Ok(200_000.0 / begin.elapsed().as_secs_f64())
        };
        println!(
            "{:9} {:10.0}/s {:10.0}/s {:10.0}/s",
            class.name,
            rate(RequestKind::Read, Pattern::Sequential)?,
            rate(RequestKind::Read, Pattern::Random)?,
            rate(RequestKind::WRITE, Pattern::Random)?
        );
    }
    served()
}

/// What serving costs: nothing is asked of a disk that takes no time, and a disk of 1 ms takes a little more.
#[expect(clippy::print_stdout, reason = "a program prints its result")]
fn served() -> anyhow::Result<()> {
    println!(
        "\n{:28} {:>12} {:>12} {:>12}",
        "served", "requests", "bytes", "mean delay"
    );
    for (name, latency_ns, block, depth, requests) in [
        ("no latency, 4 KiB, QD1", 0, 4 << 10, 1, 50_000),
        ("no latency, 4 KiB, QD32", 0, 4 << 10, 32, 200_000),
        ("no latency, 1 MiB, QD8", 0, 1 << 20, 8, 5_000),
        ("1 ms, 4 KiB, QD1", 1_000_000, 4 << 10, 1, 2_000),
    ] {
        let place = tempfile::tempdir()?;
        let pace = reads(place.path(), latency_ns, block, depth, requests)?;
        println!(
            "{name:28} {:10.0}/s {:7.0} MB/s {:9.1} us",
            pace.requests_per_second,
            pace.bytes_per_second / 1e6,
            pace.facts.mean_late_ns() as f64 / 1e3
        );
    }
    Ok(())
}
