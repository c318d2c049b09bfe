//! What is read before and after a step: clock, processor time, pressure, bytes of storage.

use std::fs;
use std::time::Instant;

use etalon_host::processor;
use etalon_units::{Bytes, Nanos};

use super::record::StepRecord;

/// What a step adds to while it runs.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Tally {
    /// Processor time of child processes and of threads beside that of the step.
    pub(super) child_user: Nanos,
    /// The same in the kernel.
    pub(super) child_system: Nanos,
    pub(super) files: u64,
    pub(super) bytes: u64,
}

/// The state at the start of a step.
pub(super) struct Watch {
    start: Instant,
    cpu: (Nanos, Nanos),
    pressure: Option<Nanos>,
    storage: Option<(u64, u64)>,
}

impl Watch {
    pub(super) fn start() -> Watch {
        let (pressure, storage) = (io_pressure(), storage());
        Watch {
            cpu: processor::thread_time(),
            pressure,
            storage,
            start: Instant::now(),
        }
    }

    /// The step's figures, its sync still missing.
    pub(super) fn stop(self, name: &str, tally: Tally) -> StepRecord {
        let elapsed = since(self.start);
        let cpu = processor::thread_time();
        let user = Nanos(cpu.0.get() - self.cpu.0.get() + tally.child_user.get());
        let system = Nanos(cpu.1.get() - self.cpu.1.get() + tally.child_system.get());
        let pressure = self
            .pressure
            .zip(io_pressure())
            .map(|(a, b)| b.saturating_sub(a));
        let moved = self.storage.zip(storage());
        let busy = Nanos(user.get().saturating_add(system.get()));
        StepRecord {
            name: name.to_owned(),
            elapsed,
            sync: Nanos::ZERO,
            user,
            system,
            wait: elapsed.saturating_sub(busy),
            io_pressure: pressure,
            storage_read: moved.map(|(a, b)| Bytes(b.0.saturating_sub(a.0))),
            storage_written: moved.map(|(a, b)| Bytes(b.1.saturating_sub(a.1))),
            files: tally.files,
            bytes: Bytes(tally.bytes),
            cache: None,
            cache_before: None,
            service: None,
            latency: None,
            lag: None,
            rate: None,
        }
    }
}

/// Time since a moment.
pub(super) fn since(start: Instant) -> Nanos {
    Nanos(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

fn io_pressure() -> Option<Nanos> {
    parse_pressure(&fs::read_to_string("/proc/pressure/io").ok()?)
}

/// The total of the line `some`, which is in microseconds.
fn parse_pressure(text: &str) -> Option<Nanos> {
    let some = text.lines().find(|line| line.starts_with("some "))?;
    let total = some
        .split_whitespace()
        .find_map(|word| word.strip_prefix("total="))?;
    total.parse::<u64>().ok()?.checked_mul(1000).map(Nanos)
}

fn storage() -> Option<(u64, u64)> {
    parse_storage(&fs::read_to_string("/proc/self/io").ok()?)
}

fn parse_storage(text: &str) -> Option<(u64, u64)> {
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse::<u64>().ok()
    };
    Some((field("read_bytes:")?, field("write_bytes:")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_the_kernels_formats() {
        let pressure = "some avg10=0.12 avg60=0.05 avg300=0.01 total=123456\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=99\n";
        assert_eq!(parse_pressure(pressure), Some(Nanos(123_456_000)));
        let io = "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 0\n";
        assert_eq!(parse_storage(io), Some((4096, 8192)));
        assert_eq!(
            (parse_pressure(""), parse_storage("read_bytes: x\n")),
            (None, None)
        );
    }

    proptest! {
        #[test]
        fn hostile_text_never_panics(text in "\\PC{0,200}") {
            let _ = (parse_pressure(&text), parse_storage(&text));
            let _ = parse_pressure(&format!("some total={text}"));
        }
    }
}
