//! How large and how long the runs of a quick check are, from what the machine has.

use etalon_units::{ByteRate, Bytes, Nanos, Percent};

/// Share of the budget spent on laying out the files.
const LAY_OUT_SHARE: f64 = 0.10;
/// Share of the rest that the runs themselves may fill; the remainder opens files, reads counters
/// and judges.
const RUN_SHARE: f64 = 0.85;
/// Blocks that a budget is planned for at [`USUAL_PRECISION`]: the second look of the stopping
/// rule, with the spread of an ordinary disk.
const PLANNED_BLOCKS: f64 = 8.0;
/// The half width that [`PLANNED_BLOCKS`] belong to.
pub(crate) const USUAL_PRECISION: Percent = Percent::from_fraction(0.05);
/// A narrower interval is planned for at most this many blocks: a look of the stopping rule that
/// leaves it one more.
const MOST_PLANNED_BLOCKS: f64 = 25.0;
/// A shorter run is mostly start and end.
pub(crate) const SHORTEST_RUN: Nanos = Nanos::millis(250);
/// A longer run of a quick check buys less than another repetition would.
const LONGEST_RUN: Nanos = Nanos::secs(10);
/// Larger files of a quick check cost more time than they tell.
const LARGEST_FILE: Bytes = Bytes::gib(4);
/// Smaller files fit the cache of every disk.
pub(crate) const SMALLEST_FILE: Bytes = Bytes::mib(16);
/// Files are laid out in whole units of this.
const UNIT: Bytes = Bytes::mib(1);
/// For 5 % inflation or less, uniform random reads need a working set of this many caches: with
/// the share `C/W` of hits, the apparent speed is `1 / (1 - C/W)` times the true one.
const CACHES: u64 = 20;

/// What the machine and the user give.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    /// Bytes that may be used while a tenth of the filesystem stays free.
    pub usable: Bytes,
    /// The machine's memory that is available now.
    pub memory: Bytes,
    /// Whether files of the target live in memory themselves.
    pub in_memory: bool,
    /// Whether the page cache can be bypassed.
    pub direct: bool,
    /// The size of a device that is only read: nothing is laid out, and all of it is used.
    pub device: Option<Bytes>,
    /// What the target wrote durably in the pilot.
    pub write_rate: ByteRate,
    /// The time that is left.
    pub budget: Nanos,
    /// The relative half width asked for.
    pub precision: Percent,
    /// Runs in one block, in units of a full-length run.
    pub runs_per_block: f64,
}

/// What was chosen, and why.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sizes {
    /// Size of the file that is read, and of the one that is written.
    pub file: Bytes,
    /// Length of one run.
    pub run: Nanos,
    /// Bytes of one streaming write, whose length must be bounded before its fsync.
    pub stream: Bytes,
    /// A sentence for each choice.
    pub reasons: Vec<String>,
}

/// Why no size can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SizingError {
    #[error(
        "only {usable} may be used here while a tenth of the filesystem stays free; a quick check needs {needed}"
    )]
    NoSpace { usable: Bytes, needed: Bytes },
    #[error("a budget of {budget} is too short for one block of runs, which takes {needed} here")]
    NoTime { budget: Nanos, needed: Nanos },
}

/// Chooses sizes and times.
pub(crate) fn choose(room: &Room) -> Result<Sizes, SizingError> {
    let (file, limit) = match room.device {
        Some(size) => (size, ""),
        None => file_size(room)?,
    };
    let lay_out = Nanos::from_secs_f64(2.0 * file.as_f64() / room.write_rate.0.max(1.0));
    let lay_out = if room.device.is_some() {
        Nanos::ZERO
    } else {
        lay_out
    };
    let left = room.budget.saturating_sub(lay_out).as_secs_f64() * RUN_SHARE;
    let shortest = SHORTEST_RUN.as_secs_f64() * room.runs_per_block;
    if left < shortest {
        return Err(SizingError::NoTime {
            budget: room.budget,
            needed: Nanos::from_secs_f64(shortest / RUN_SHARE + lay_out.as_secs_f64()),
        });
    }
    let planned = Nanos::from_secs_f64(left / (planned_blocks(room) * room.runs_per_block));
    let run = planned.clamp(SHORTEST_RUN, LONGEST_RUN);
    let stream = Bytes((room.write_rate.0 * run.as_secs_f64()) as u64).round_down(UNIT);
    Ok(Sizes {
        file,
        run,
        stream: stream
            .min(Bytes(file.get().saturating_mul(4)))
            .max(SMALLEST_FILE),
        reasons: vec![size_reason(room, file, limit), run_reason(run)],
    })
}

/// The half width of an interval falls with the root of the number of runs.
fn planned_blocks(room: &Room) -> f64 {
    let narrower = USUAL_PRECISION.fraction() / room.precision.fraction();
    (PLANNED_BLOCKS * narrower * narrower).clamp(PLANNED_BLOCKS, MOST_PLANNED_BLOCKS)
}

/// The largest power of two that is not above `size`: a pilot that comes out a little faster or
/// slower next time then still chooses the same working set, and the two can be compared.
fn power_of_two(size: Bytes) -> Bytes {
    Bytes(1 << size.get().max(1).ilog2())
}

/// The size of each of the two files, and what limited it.
fn file_size(room: &Room) -> Result<(Bytes, &'static str), SizingError> {
    let in_time = room.write_rate.0 * room.budget.as_secs_f64() * LAY_OUT_SHARE / 2.0;
    let memory = if room.in_memory {
        Bytes(room.memory.get() / 8)
    } else {
        Bytes(u64::MAX)
    };
    let limits = [
        (Bytes(room.usable.get() / 3), "a third of the usable space"),
        (Bytes(in_time as u64), "what can be laid out in the budget"),
        (
            memory,
            "an eighth of the available memory, in which this filesystem lives",
        ),
        (LARGEST_FILE, "the most that a quick check uses"),
    ];
    let (size, why) = limits
        .into_iter()
        .min_by_key(|(size, _)| *size)
        .unwrap_or((LARGEST_FILE, ""));
    if Bytes(room.usable.get() / 3) < SMALLEST_FILE {
        return Err(SizingError::NoSpace {
            usable: room.usable,
            needed: Bytes(SMALLEST_FILE.get() * 3),
        });
    }
    if size < SMALLEST_FILE {
        return Ok((SMALLEST_FILE, "the least that is worth measuring"));
    }
    Ok((power_of_two(size), why))
}

fn size_reason(room: &Room, file: Bytes, limit: &str) -> String {
    let cache = if room.in_memory {
        "The files live in memory, so every figure is one of memory.".to_owned()
    } else if room.direct {
        "O_DIRECT keeps the page cache out.".to_owned()
    } else {
        let wanted = Bytes(room.memory.get().saturating_mul(CACHES));
        format!(
            "There is no O_DIRECT here: the cache is dropped before each read, because {wanted} would be needed to outgrow {} of memory.",
            room.memory
        )
    };
    if room.device.is_some() {
        return format!("Working set: all {file} of the device, which is only read. {cache}");
    }
    format!("Working set: one file of {file} to read and one to write, {limit}. {cache}")
}

fn run_reason(run: Nanos) -> String {
    format!(
        "Each run lasts about {run}; blocks of all workloads in random order are repeated until every figure is precise enough or the budget is spent."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn room() -> Room {
        Room {
            usable: Bytes::gib(100),
            memory: Bytes::gib(16),
            in_memory: false,
            direct: true,
            device: None,
            write_rate: ByteRate(500e6),
            budget: Nanos::secs(60),
            precision: Percent::from_fraction(0.05),
            runs_per_block: 7.0,
        }
    }

    #[test]
    fn a_minute_on_an_ssd_gives_eight_blocks_of_about_a_second() {
        let sizes = choose(&room()).unwrap();
        assert_eq!(sizes.file, Bytes::gib(1));
        assert!(
            sizes.run > Nanos::millis(700) && sizes.run < Nanos::millis(900),
            "{}",
            sizes.run
        );
        assert!(sizes.reasons[0].contains("what can be laid out in the budget"));
    }

    #[test]
    fn half_the_width_takes_more_and_shorter_runs_but_never_more_than_the_rule_allows() {
        let run = |percent: f64| {
            let precision = Percent::from_fraction(percent / 100.0);
            let budget = Nanos::secs(600);
            let room = Room {
                precision,
                budget,
                ..room()
            };
            choose(&room).unwrap().run.as_secs_f64()
        };
        assert!((run(5.0) / run(3.0) - 25.0 / 9.0).abs() < 0.01);
        assert_eq!(run(2.5), run(0.1));
        assert!((run(5.0) / run(2.5) - 25.0 / 8.0).abs() < 0.01);
        assert_eq!(run(10.0), run(5.0));
    }

    #[test]
    fn each_limit_is_named_where_it_holds() {
        for (room, why) in [
            (
                Room {
                    usable: Bytes::mib(300),
                    ..room()
                },
                "third of the usable space",
            ),
            (
                Room {
                    write_rate: ByteRate(5e9),
                    ..room()
                },
                "most that a quick check uses",
            ),
            (
                Room {
                    in_memory: true,
                    memory: Bytes::gib(4),
                    ..room()
                },
                "eighth of the available memory",
            ),
            (
                Room {
                    write_rate: ByteRate(1e6),
                    ..room()
                },
                "least that is worth measuring",
            ),
            (
                Room {
                    direct: false,
                    ..room()
                },
                "is no O_DIRECT",
            ),
        ] {
            let sizes = choose(&room).unwrap();
            assert!(sizes.reasons[0].contains(why), "{}", sizes.reasons[0]);
        }
    }

    #[test]
    fn a_device_is_read_whole_and_nothing_is_said_of_files() {
        let sizes = choose(&Room {
            device: Some(Bytes::mib(64)),
            ..room()
        })
        .unwrap();
        assert_eq!(sizes.file, Bytes::mib(64));
        assert!(
            sizes.reasons[0].starts_with("Working set: all 64 MiB of the device"),
            "{}",
            sizes.reasons[0]
        );
    }

    #[test]
    fn too_little_space_or_time_is_refused_with_what_is_needed() {
        let cramped = Room {
            usable: Bytes::mib(40),
            ..room()
        };
        let error = choose(&cramped).unwrap_err().to_string();
        assert!(
            error.contains("only 40 MiB") && error.contains("needs 48 MiB"),
            "{error}"
        );
        let hasty = Room {
            budget: Nanos::secs(2),
            ..room()
        };
        let error = choose(&hasty).unwrap_err().to_string();
        assert!(error.contains("a budget of 2.00 s is too short"), "{error}");
    }

    proptest! {
        #[test]
        fn files_always_fit_and_runs_stay_in_range(usable: u64, memory: u64, rate in 0.0f64..1e11, budget in 0u64..1_000_000_000_000_000, direct: bool, in_memory: bool) {
            let room = Room { usable: Bytes(usable), memory: Bytes(memory), in_memory, direct, device: None, precision: Percent::from_fraction(0.05), write_rate: ByteRate(rate), budget: Nanos(budget), runs_per_block: 7.0 };
            if let Ok(sizes) = choose(&room) {
                prop_assert!(sizes.file.get() * 3 <= usable);
                prop_assert!(sizes.run >= SHORTEST_RUN && sizes.run <= LONGEST_RUN);
                prop_assert!(sizes.stream >= SMALLEST_FILE);
            }
        }
    }
}
