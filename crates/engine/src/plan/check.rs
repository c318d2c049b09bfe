//! Checks that need nothing but the workload, and one that needs to know what jobs share.

use etalon_model::{Arrival, Backend, Distribution, End, FsyncPolicy, IoWorkload, Order, SyncMode};

use etalon_units::Bytes;

use super::Plan;
use crate::PlanError;

/// Largest block: the most that one read or write moves is just under 2 GiB (read(2)).
const MAX_BLOCK: u64 = 1 << 30;

/// Largest file: what a signed 64-bit offset can address (`loff_t`).
const MAX_SIZE: u64 = i64::MAX as u64;

/// Longest run: a year.
const MAX_TIME: u64 = 365 * 86_400 * 1_000_000_000;

fn within<T: PartialOrd + std::fmt::Display>(
    field: &'static str,
    value: T,
    low: T,
    high: T,
    range: &'static str,
) -> Result<(), PlanError> {
    if value >= low && value <= high {
        Ok(())
    } else {
        Err(PlanError::OutOfRange {
            field,
            value: value.to_string(),
            range,
        })
    }
}

/// The distance between two offsets at which an operation of one of `sizes` may start.
pub(super) fn pitch(w: &IoWorkload, sizes: &[(Bytes, u32)]) -> u64 {
    let sizes = sizes.iter().map(|(size, _)| size.get());
    sizes.reduce(common).unwrap_or(w.block_size.largest().get())
}

/// The greatest number that divides both.
fn common(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => common(b, a % b),
    }
}

/// Every number within its range.
pub(super) fn numbers(w: &IoWorkload) -> Result<(), PlanError> {
    within(
        "block size",
        w.block_size.largest().get(),
        1,
        MAX_BLOCK,
        "1 byte to 1 GiB",
    )?;
    within(
        "file size",
        w.file_size.get(),
        0,
        MAX_SIZE,
        "at most 2^63 - 1 bytes",
    )?;
    within(
        "offset",
        w.offset.get(),
        0,
        MAX_SIZE,
        "at most 2^63 - 1 bytes",
    )?;
    within(
        "range",
        w.range.get(),
        0,
        MAX_SIZE,
        "at most 2^63 - 1 bytes",
    )?;
    within("stride", w.stride, 1, u32::MAX, "at least 1")?;
    within("read percent", w.read_percent, 0, 100, "0 to 100")?;
    within("jobs", w.jobs, 1, 1024, "1 to 1024")?;
    within("queue depth", w.queue_depth, 1, 4096, "1 to 4096")?;
    within("batch", w.batch, 0, 4096, "0 (the engine chooses) to 4096")?;
    if let FsyncPolicy::Every(n) = w.fsync {
        within("fsync every", n, 1, u32::MAX, "at least 1")?;
    }
    within("fake servers", w.fake.servers, 1, 65_536, "1 to 65 536")?;
    within(
        "fake service",
        w.fake.service.get(),
        0,
        MAX_TIME,
        "at most a year",
    )?;
    ends(w)?;
    rates(w)
}

fn ends(w: &IoWorkload) -> Result<(), PlanError> {
    match w.end {
        End::Bytes(bytes) => within("bytes", bytes.get(), 1, MAX_SIZE, "1 to 2^63 - 1")?,
        End::Time(time) => within(
            "time",
            time.get(),
            1,
            MAX_TIME,
            "above zero, at most a year",
        )?,
        End::Pass => {}
    }
    match w.end {
        End::Time(time) if w.warm_up < time => Ok(()),
        End::Time(_) => Err(PlanError::OutOfRange {
            field: "warm-up",
            value: w.warm_up.to_string(),
            range: "shorter than the run",
        }),
        _ if w.warm_up.get() == 0 => Ok(()),
        _ => Err(PlanError::Conflict {
            one: "a warm-up",
            other: "an end by bytes or by pass; give a time".to_owned(),
        }),
    }
}

fn rates(w: &IoWorkload) -> Result<(), PlanError> {
    match w.arrival {
        Arrival::Closed => {}
        Arrival::Fixed { rate } | Arrival::Poisson { rate } | Arrival::Repaced { rate } => {
            within(
                "rate",
                rate,
                1e-3,
                1e9,
                "0.001 to 1 000 000 000 operations per second",
            )?;
        }
    }
    if let Some(think) = w.think {
        within(
            "think time",
            think.time.get(),
            1,
            MAX_TIME,
            "above zero, at most a year",
        )?;
        if matches!(w.end, End::Time(time) if think.time >= time) {
            // The run would be over before the first pause is: a figure without any.
            return Err(PlanError::OutOfRange {
                field: "think time",
                value: think.time.to_string(),
                range: "shorter than the run",
            });
        }
        within(
            "think every",
            think.every,
            1,
            u32::MAX,
            "at least 1 operation",
        )?;
    }
    match w.distribution {
        Distribution::Permutation | Distribution::Uniform => Ok(()),
        Distribution::Zipf { theta } => within("theta", theta, 1e-3, 100.0, "0.001 to 100"),
        Distribution::Pareto { h } => within("h", h, 0.501, 0.999, "0.501 to 0.999"),
    }
}

fn conflict(one: &'static str, other: impl std::fmt::Display) -> Result<(), PlanError> {
    Err(PlanError::Conflict {
        one,
        other: other.to_string(),
    })
}

/// No two options that exclude each other.
pub(super) fn conflicts(w: &IoWorkload) -> Result<(), PlanError> {
    let backend = format!("the {} backend", w.backend);
    if w.poll && w.backend != Backend::IoUring {
        return conflict("polling", backend);
    }
    if w.sqpoll && w.backend != Backend::IoUring {
        return conflict("SQPOLL", backend);
    }
    if w.poll && !w.direct {
        return conflict("polling", "buffered I/O; ask for direct I/O");
    }
    if w.direct && matches!(w.backend, Backend::Mmap | Backend::Stdio) {
        return conflict("direct I/O", backend);
    }
    if w.sync != SyncMode::None && w.backend == Backend::Mmap {
        return conflict("O_SYNC", backend);
    }
    if w.verify && matches!(w.backend, Backend::Null | Backend::Fake) {
        return conflict("verification", backend);
    }
    if w.block_size.is_mix() {
        several_sizes(w)?;
    }
    if w.operation.trims() {
        trims(w)?;
    }
    if w.think.is_some() && w.arrival != Arrival::Closed {
        return conflict(
            "think time",
            "an arrival rate, which says by itself when operations start",
        );
    }
    if w.fake.stall_every.get() > 0 && w.fake.stall >= w.fake.stall_every {
        return conflict("a stall", "a period that is no longer than the stall");
    }
    Ok(())
}

/// What is written can be verified as long as one job alone writes each block. Jobs of one file or device
/// that write at random keep apart within one pass of a permutation: the next one deals the blocks out
/// anew, and one job is in it while another is not.
pub(super) fn verified_writes(plan: &Plan) -> Result<(), PlanError> {
    let w = &plan.workload;
    let is_apart = match (w.operation.order(), w.distribution) {
        (Order::Random, Distribution::Permutation) => {
            (0..w.jobs).all(|job| within_a_pass(plan, job))
        }
        (Order::Random, _) => false,
        _ => true,
    };
    if !w.verify || !w.operation.writes() || w.jobs == 1 || !plan.shared() || is_apart {
        return Ok(());
    }
    conflict(
        "verification",
        "several jobs that write at random to one file or device, where two may write the same block at once; \
         use one job, write in order, end within one pass of a permutation (--one-pass), or leave --shared out \
         and name a directory, in which each job has a file of its own",
    )
}

fn within_a_pass(plan: &Plan, job: u32) -> bool {
    let per_pass = plan.share(job).interleaved();
    let limit = plan.limit(u64::from(job), per_pass);
    limit.is_some_and(|limit| limit <= per_pass)
}

/// Discards are calls of ioctl(2): one at a time, and of no data.
fn trims(w: &IoWorkload) -> Result<(), PlanError> {
    match w.backend {
        Backend::Sync | Backend::Null | Backend::Fake => {}
        other => {
            let other = format!(
                "the {other} backend, as a discard is a call that returns at its end; leave --queue-depth and --backend \
                 out and use --jobs for several at once"
            );
            return conflict("a trim", other);
        }
    }
    match w.verify {
        true => conflict("verification", "trims, which leave no data to compare"),
        false => Ok(()),
    }
}

fn several_sizes(w: &IoWorkload) -> Result<(), PlanError> {
    let is_mixable = matches!(w.operation.order(), Order::Sequential | Order::Random);
    if !is_mixable || w.operation.is_paired() {
        let other = format!(
            "'{}'; use an operation of one kind that goes forward or at random",
            w.operation
        );
        return conflict("a mix of block sizes", other);
    }
    if w.verify && w.operation.writes() {
        let other = format!(
            "writes of the sizes {}, which overlap each other; verify one block size, or reads",
            w.block_size
        );
        return conflict("verification", other);
    }
    Ok(())
}
