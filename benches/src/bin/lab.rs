//! Requests a second that the disk models answer on their virtual clock.

use std::time::Instant;

use etalon_lab::array::{Array, Layout};
use etalon_lab::catalogue::CLASSES;
use etalon_lab::disk::Kind;
use etalon_lab::simulate::{Pattern, Room, Workload};

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
            let mut room = Room::new(array, vec![class.disk(BYTES, 1)]);
            let begin = Instant::now();
            workload.run(&mut room, 0)?;
            Ok(200_000.0 / begin.elapsed().as_secs_f64())
        };
        println!(
            "{:9} {:10.0}/s {:10.0}/s {:10.0}/s",
            class.name,
            rate(Kind::Read, Pattern::Sequential)?,
            rate(Kind::Read, Pattern::Random)?,
            rate(Kind::WRITE, Pattern::Random)?
        );
    }
    Ok(())
}
