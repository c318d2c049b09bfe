//! How large and how long the runs of a quick check are, from what the machine has.

use etalon_model::{CacheTreatment, Choice, SizeLimit};
use etalon_units::{ByteRate, Bytes, Nanos, Percent};

use super::{FileSize, SizeSource};
use crate::memory_room::of_one_file;

/// Share of the budget spent on laying out the files.
///
/// The sizes then change at 1.2, 4.7, 19, 75 and 300 MB/s for a minute: below and between SD cards, disks
/// that turn, and flash, where few disks are.
const LAY_OUT_SHARE: f64 = 0.12;
/// Share of the rest that the runs themselves may fill; the remainder opens files, reads counters
/// and judges.
const RUN_SHARE: f64 = 0.85;
/// Blocks that a budget is planned for at [`USUAL_PRECISION`], two more than an interval needs: the
/// second look of the stopping rule, with the spread of an ordinary disk.
const PLANNED_BLOCKS: f64 = 8.0;
/// Seconds of a run beyond which another block tells more than longer runs.
const LONG_ENOUGH: f64 = 0.9;
/// The half width that [`PLANNED_BLOCKS`] belong to.
pub(crate) const USUAL_PRECISION: Percent = Percent::from_fraction(0.05);
/// A narrower interval is planned for at most this many blocks: a look of the stopping rule that
/// leaves it one more.
const MOST_PLANNED_BLOCKS: f64 = 25.0;
/// A shorter run is mostly start and end.
pub(crate) const SHORTEST_RUN: Nanos = Nanos::millis(250);
/// A longer run of a quick check buys less than another repetition would.
const LONGEST_RUN: Nanos = Nanos::secs(10);
/// The sizes of the files, far enough apart that two checks of disks of one kind choose the same.
const STANDARD_SIZES: [Bytes; 7] = [
    SMALLEST_FILE,
    Bytes::mib(4),
    Bytes::mib(16),
    Bytes::mib(64),
    Bytes::mib(256),
    Bytes::gib(1),
    LARGEST_FILE,
];
/// Larger files of a quick check cost more time than they tell.
const LARGEST_FILE: Bytes = Bytes::gib(4);
/// The largest of a check of about a minute.
const LARGEST_OF_A_MINUTE: Bytes = Bytes::gib(1);
/// A check that takes longer than this is more than one of about a minute.
const ABOUT_A_MINUTE: Nanos = Nanos::secs(120);
/// One block of a stream, and 256 of the random workloads. What is as slow as to get files below 16 MiB
/// would spend the time for its figures on laying out larger ones.
pub(crate) const SMALLEST_FILE: Bytes = Bytes::mib(1);
/// Files are laid out in whole units of this.
const UNIT: Bytes = Bytes::mib(1);
/// For 5 % inflation or less, uniform random reads need a working set of this many caches: with
/// the share `C/W` of hits, the apparent speed is `1 / (1 - C/W)` times the true one.
const CACHES: u64 = 20;

/// What the machine and the user give.
#[derive(Debug, Clone)]
pub(crate) struct SizingInputs {
    /// Bytes that may be used while a tenth of the filesystem stays free.
    pub usable: Bytes,
    /// The machine's memory that is available now.
    pub memory: Bytes,
    /// Whether files of the target live in memory themselves.
    pub in_memory: bool,
    /// Whether files of the target take memory, also where a device holds them in it.
    pub takes_memory: bool,
    /// Whether the page cache can be bypassed.
    pub direct: bool,
    /// The size of a device that is only read: nothing is laid out, and all of it is used.
    pub device: Option<Bytes>,
    /// What the target wrote durably in the pilot.
    pub write_rate: ByteRate,
    /// The time that is left.
    pub budget: Nanos,
    /// The relative half width asked for.
    pub precision: Option<Percent>,
    /// A size that is not left to be chosen.
    pub file_size: Option<FileSize>,
    /// Runs in one block, in units of a full-length run.
    pub runs_per_block: f64,
    /// Blocks that must fit, at least 1.
    pub needed_blocks: usize,
}

/// What was chosen, and why.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sizes {
    /// Size of the file that is read, and of the one that is written.
    pub file: Bytes,
    /// Length of one run.
    pub run: Nanos,
    /// Blocks that are planned for.
    pub blocks: usize,
    /// Bytes of one streaming write, whose length must be bounded before its fsync.
    pub stream: Bytes,
    /// Why.
    pub reasons: Vec<Choice>,
}

/// Why no size can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SizingError {
    #[error(
        "only {usable} may be used here while a tenth of the filesystem stays free; a quick check needs {needed}"
    )]
    NoSpace { usable: Bytes, needed: Bytes },
    #[error("three files of {size} do not fit where {usable} may be used")]
    TooLarge { usable: Bytes, size: Bytes },
    #[error("three files of {size} take too much of the memory, of which {memory} are available")]
    TooLargeForMemory { memory: Bytes, size: Bytes },
    #[error(
        "three files of {size}, as the runs that stand had, do not fit where {usable} may be used"
    )]
    NoRoomAgain { usable: Bytes, size: Bytes },
    #[error(
        "a budget of {budget} is too short for {blocks} block(s) of runs, for which {needed} are needed here"
    )]
    NoTime {
        budget: Nanos,
        needed: Nanos,
        blocks: usize,
    },
}

/// Chooses sizes and times.
pub(crate) fn choose(inputs: &SizingInputs) -> Result<Sizes, SizingError> {
    let (file, limit) = match inputs.device {
        Some(size) => (size, SizeLimit::WholeDevice),
        None => file_size(inputs)?,
    };
    let lay_out = Nanos::from_secs_f64(2.0 * file.as_f64() / inputs.write_rate.0.max(1.0));
    let lay_out = if inputs.device.is_some() {
        Nanos::ZERO
    } else {
        lay_out
    };
    let left = inputs.budget.saturating_sub(lay_out).as_secs_f64() * RUN_SHARE;
    let shortest = SHORTEST_RUN.as_secs_f64() * inputs.runs_per_block * inputs.needed_blocks as f64;
    if left < shortest {
        return Err(SizingError::NoTime {
            budget: inputs.budget,
            needed: Nanos::from_secs_f64(shortest / RUN_SHARE + lay_out.as_secs_f64()),
            blocks: inputs.needed_blocks,
        });
    }
    let blocks = planned_blocks(inputs, left);
    let planned = Nanos::from_secs_f64(left / (blocks * inputs.runs_per_block));
    let run = planned.clamp(SHORTEST_RUN, LONGEST_RUN);
    let stream = Bytes((inputs.write_rate.0 * run.as_secs_f64()) as u64).round_down(UNIT);
    Ok(Sizes {
        file,
        run,
        blocks: blocks as usize,
        stream: stream
            .min(Bytes(file.get().saturating_mul(4)))
            .max(SMALLEST_FILE),
        reasons: vec![
            working_set(inputs, file, limit),
            Choice::RunLength { run_ns: run },
        ],
    })
}

/// As many as runs of [`LONG_ENOUGH`] fill the time, or as a precision takes: the half width of an
/// interval falls with the root of the number of runs.
fn planned_blocks(inputs: &SizingInputs, left: f64) -> f64 {
    let fill = (left / (LONG_ENOUGH * inputs.runs_per_block)).round();
    let asked = inputs.precision.map_or(0.0, |precision| {
        let narrower = USUAL_PRECISION.fraction() / precision.fraction();
        PLANNED_BLOCKS * narrower * narrower
    });
    let fewest = PLANNED_BLOCKS.max(inputs.needed_blocks as f64);
    fill.max(asked)
        .clamp(fewest, MOST_PLANNED_BLOCKS.max(fewest))
}

/// The largest standard size that is not above `size`.
fn standard(size: Bytes) -> Bytes {
    let fitting = STANDARD_SIZES.into_iter().rev().find(|&one| one <= size);
    fitting.unwrap_or(SMALLEST_FILE)
}

/// The size of each of the two files, and what limited it.
fn file_size(inputs: &SizingInputs) -> Result<(Bytes, SizeLimit), SizingError> {
    let in_time = inputs.write_rate.0 * inputs.budget.as_secs_f64() * LAY_OUT_SHARE / 2.0;
    let largest = match inputs.budget > ABOUT_A_MINUTE {
        true => LARGEST_FILE,
        false => LARGEST_OF_A_MINUTE,
    };
    let limits = [
        (Bytes(inputs.usable.get() / 3), SizeLimit::Space),
        (Bytes(in_time as u64), SizeLimit::Time),
        (in_memory(inputs), SizeLimit::Memory),
        (largest, SizeLimit::Length),
    ];
    let (size, why) = limits
        .into_iter()
        .min_by_key(|(size, _)| *size)
        .unwrap_or((largest, SizeLimit::Length));
    if Bytes(inputs.usable.get() / 3) < SMALLEST_FILE {
        return Err(SizingError::NoSpace {
            usable: inputs.usable,
            needed: Bytes(SMALLEST_FILE.get() * 3),
        });
    }
    let chosen = match size < SMALLEST_FILE {
        true => (SMALLEST_FILE, SizeLimit::Least),
        false => (standard(size), why),
    };
    match &inputs.file_size {
        Some(given) => given_size(inputs, given, chosen),
        None => Ok(chosen),
    }
}

/// The size that was named, or that an earlier check had and that still fits; else `chosen`.
fn given_size(
    inputs: &SizingInputs,
    given: &FileSize,
    chosen: (Bytes, SizeLimit),
) -> Result<(Bytes, SizeLimit), SizingError> {
    match (has_room(inputs, given.size), given.source) {
        (true, SizeSource::Experiment | SizeSource::Continued) => {
            Ok((given.size, SizeLimit::Earlier))
        }
        (true, SizeSource::AskedFor) => Ok((given.size, SizeLimit::AskedFor)),
        (_, SizeSource::SameTarget | SizeSource::OtherTarget) => {
            match is_affordable(inputs, given, chosen.0) {
                true => Ok((given.size, SizeLimit::Earlier)),
                false => Ok(chosen),
            }
        }
        (false, SizeSource::Experiment) => Ok((chosen.0, SizeLimit::EarlierDoesNotFit)),
        (false, SizeSource::AskedFor) => Err(too_large(inputs, given.size)),
        (false, SizeSource::Continued) => Err(SizingError::NoRoomAgain {
            usable: inputs
                .usable
                .min(Bytes(in_memory(inputs).get().saturating_mul(3))),
            size: given.size,
        }),
    }
}

/// The most that each of three files takes of the memory in which they lie.
fn in_memory(inputs: &SizingInputs) -> Bytes {
    match inputs.in_memory || inputs.takes_memory {
        true => of_one_file(inputs.memory),
        false => Bytes(u64::MAX),
    }
}

/// Whether there is room for three files of that size.
fn has_room(inputs: &SizingInputs, size: Bytes) -> bool {
    size <= Bytes(inputs.usable.get() / 3).min(in_memory(inputs))
}

/// Names what leaves the least room.
fn too_large(inputs: &SizingInputs, size: Bytes) -> SizingError {
    let (usable, memory) = (inputs.usable, inputs.memory);
    match in_memory(inputs) < Bytes(usable.get() / 3) {
        true => SizingError::TooLargeForMemory { memory, size },
        false => SizingError::TooLarge { usable, size },
    }
}

/// Share of the budget that may go into files of the size of another target, so that the two compare. With more, rows of
/// a disk of 2 MB/s had too few runs.
const COMPARABLE_SHARE: f64 = 0.25;
/// The same for the size that the target itself had: the pilot may have met it in a slow moment.
const OWN_SHARE: f64 = 0.6;
/// How far the size of another target may lie from the one that would be chosen: two steps of the
/// standard sizes. An SD card's would say little of a fast disk.
const COMPARABLE_STEPS: u64 = 16;

/// Whether the files of an earlier check's size can be laid out here and say something of this target.
fn is_affordable(inputs: &SizingInputs, given: &FileSize, chosen: Bytes) -> bool {
    let size = given.size;
    let takes = 2.0 * size.as_f64() / inputs.write_rate.0.max(1.0);
    let (small, large) = (size.min(chosen), size.max(chosen));
    let is_near = large.get() <= small.get().saturating_mul(COMPARABLE_STEPS);
    let (share, says_something) = match given.source {
        SizeSource::SameTarget => (OWN_SHARE, is_near || size > chosen),
        _ => (COMPARABLE_SHARE, is_near),
    };
    has_room(inputs, size) && says_something && takes <= inputs.budget.as_secs_f64() * share
}

fn working_set(inputs: &SizingInputs, size_bytes: Bytes, limit: SizeLimit) -> Choice {
    let cache = match (inputs.in_memory, inputs.direct) {
        (true, _) => CacheTreatment::Memory,
        (false, true) => CacheTreatment::Direct,
        (false, false) => CacheTreatment::Dropped {
            wanted_bytes: Bytes(inputs.memory.get().saturating_mul(CACHES)),
            memory_bytes: inputs.memory,
        },
    };
    Choice::WorkingSet {
        size_bytes,
        limit,
        cache,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Likeness;
    use super::*;
    use proptest::prelude::*;

    fn inputs() -> SizingInputs {
        SizingInputs {
            usable: Bytes::gib(100),
            memory: Bytes::gib(16),
            in_memory: false,
            takes_memory: false,
            direct: true,
            device: None,
            write_rate: ByteRate(500e6),
            budget: Nanos::secs(60),
            precision: Some(Percent::from_fraction(0.05)),
            file_size: None,
            runs_per_block: 7.0,
            needed_blocks: 1,
        }
    }

    #[test]
    fn blocks_that_must_fit_make_runs_shorter_and_then_a_budget_too_short() {
        let of = |seconds| {
            choose(&SizingInputs {
                budget: Nanos::secs(seconds),
                precision: None,
                needed_blocks: 10,
                ..inputs()
            })
        };
        let sizes = of(40).unwrap();
        assert_eq!(sizes.blocks, 10);
        assert!(sizes.run.as_secs_f64() * 70.0 < 40.0, "{}", sizes.run);
        let Err(SizingError::NoTime { needed, blocks, .. }) = of(20) else {
            panic!("twenty seconds were enough");
        };
        assert_eq!(blocks, 10);
        assert!(of(needed.as_secs_f64().ceil() as u64 + 1).is_ok());
    }

    #[test]
    fn a_minute_on_an_ssd_gives_eight_blocks_of_about_a_second() {
        let sizes = choose(&inputs()).unwrap();
        assert_eq!(sizes.file, Bytes::gib(1));
        assert!(
            sizes.run > Nanos::millis(700) && sizes.run < Nanos::millis(900),
            "{}",
            sizes.run
        );
        assert_eq!(limit_of(&sizes), SizeLimit::Length);
    }

    #[test]
    fn half_the_width_takes_more_and_shorter_runs_but_never_more_than_the_rule_allows() {
        let run = |percent: f64| {
            let precision = Some(Percent::from_fraction(percent / 100.0));
            let budget = Nanos::secs(60);
            let inputs = SizingInputs {
                precision,
                budget,
                ..inputs()
            };
            choose(&inputs).unwrap().run.as_secs_f64()
        };
        assert!((run(5.0) / run(3.0) - 25.0 / 9.0).abs() < 0.01);
        assert_eq!(run(2.5), run(0.1));
        assert!((run(5.0) / run(2.5) - 25.0 / 8.0).abs() < 0.01);
        assert_eq!(run(10.0), run(5.0));
    }

    #[test]
    fn more_time_gives_more_blocks_before_longer_runs() {
        let of = |seconds| {
            let sizes = choose(&SizingInputs {
                budget: Nanos::secs(seconds),
                precision: None,
                ..inputs()
            });
            let sizes = sizes.unwrap();
            (sizes.blocks, sizes.run.as_secs_f64())
        };
        let ((few, short), (many, same), (most, long)) = (of(60), of(180), of(1200));
        assert_eq!((few, most), (8, 25));
        assert!(
            many >= 20 && (same / short - 1.0).abs() < 0.3,
            "{many} {same}"
        );
        assert!(long > 2.0 * short, "{long}");
    }

    #[test]
    fn disks_of_one_kind_get_files_of_one_size_however_the_pilot_comes_out() {
        let of = |rate: f64, usable| {
            let write_rate = ByteRate(rate * 1e6);
            choose(&SizingInputs {
                write_rate,
                usable: Bytes::mib(usable),
                ..inputs()
            })
            .unwrap()
            .file
        };
        // A disk that turns, SATA flash, a virtual disk, NVMe; on loops of 3 GiB as on whole disks.
        for typical in [140.0, 500.0, 900.0, 1500.0, 3000.0] {
            for usable in [2_600, 100_000] {
                let sizes = [0.7, 0.85, 1.0, 1.15, 1.3].map(|part| of(typical * part, usable));
                let same = sizes.iter().all(|size| *size == sizes[0]);
                assert!(
                    same && STANDARD_SIZES.contains(&sizes[0]),
                    "{typical}: {sizes:?}"
                );
            }
        }
    }

    #[test]
    fn a_slow_or_small_filesystem_gets_a_smaller_file_rather_than_none() {
        let of = |rate, usable, asked: Option<u64>| {
            let asked = asked.map(|size| FileSize {
                size: Bytes::mib(size),
                source: SizeSource::AskedFor,
                like: Likeness::default(),
            });
            choose(&SizingInputs {
                write_rate: ByteRate(rate),
                usable,
                file_size: asked,
                ..inputs()
            })
            .unwrap()
            .file
        };
        assert_eq!(of(2e6, Bytes::gib(9), None), Bytes::mib(4));
        // A tenth of 64 MiB, and what the filesystem itself takes, leave a little less than 48 MiB.
        assert_eq!(of(500e6, Bytes::kib(48_900), None), Bytes::mib(4));
        assert_eq!(of(500e6, Bytes::kib(48_900), Some(8)), Bytes::mib(8));
    }

    #[test]
    fn a_given_size_is_taken_where_it_fits() {
        let of = |size, source| {
            let file_size = Some(FileSize {
                size,
                source,
                like: Likeness::default(),
            });
            choose(&SizingInputs {
                file_size,
                ..inputs()
            })
        };
        let asked = of(Bytes::mib(100), SizeSource::AskedFor).unwrap();
        assert_eq!(asked.file, Bytes::mib(100));
        let earlier = of(Bytes::mib(64), SizeSource::Experiment).unwrap();
        assert_eq!(earlier.file, Bytes::mib(64));
        assert_eq!(limit_of(&earlier), SizeLimit::Earlier);
        assert!(of(Bytes::gib(90), SizeSource::AskedFor).is_err());
        let continued = of(Bytes::mib(64), SizeSource::Continued).unwrap();
        assert_eq!(continued.file, Bytes::mib(64));
        assert_eq!(limit_of(&continued), SizeLimit::Earlier);
        let no_room = of(Bytes::gib(90), SizeSource::Continued);
        assert!(matches!(no_room, Err(SizingError::NoRoomAgain { .. })));
        let too_large = of(Bytes::gib(90), SizeSource::Experiment).unwrap();
        assert_eq!(too_large.file, Bytes::gib(1));
    }

    #[test]
    fn no_size_takes_more_of_the_memory_than_an_eighth_whoever_names_it() {
        for (in_memory, takes_memory) in [(true, true), (false, true)] {
            let of = |size, source: Option<SizeSource>| {
                let file_size = source.map(|source| FileSize {
                    size,
                    source,
                    like: Likeness::default(),
                });
                choose(&SizingInputs {
                    usable: Bytes::gib(24),
                    memory: Bytes::gib(4),
                    in_memory,
                    takes_memory,
                    file_size,
                    ..inputs()
                })
            };
            let chosen = of(Bytes::ZERO, None).unwrap();
            assert_eq!(limit_of(&chosen), SizeLimit::Memory);
            let asked = |size| of(size, Some(SizeSource::AskedFor));
            assert_eq!(asked(Bytes::mib(512)).unwrap().file, Bytes::mib(512));
            let (memory, size) = (Bytes::gib(4), Bytes::gib(6));
            let refused = SizingError::TooLargeForMemory { memory, size };
            assert_eq!(asked(size), Err(refused));
            let earlier = of(size, Some(SizeSource::Experiment)).unwrap();
            assert_eq!(limit_of(&earlier), SizeLimit::EarlierDoesNotFit);
            assert_eq!(earlier.file, chosen.file);
        }
    }

    /// The rate of a target, the size that another one had, and the size that is taken.
    #[test]
    fn the_size_of_another_target_is_taken_where_it_costs_little_and_says_something() {
        let alone = |rate| choose(&at_rate(rate, None)).unwrap().file;
        let after = |rate, size, source| {
            let file_size = Some(FileSize {
                size,
                source,
                like: Likeness::default(),
            });
            choose(&at_rate(rate, file_size)).unwrap().file
        };
        let beside = |rate, other| after(rate, other, SizeSource::OtherTarget);
        let again = |rate, earlier| after(rate, earlier, SizeSource::SameTarget);
        // A disk that turns behind one of flash, and the other way round.
        assert_eq!(alone(150e6), Bytes::mib(256));
        assert_eq!(beside(150e6, Bytes::gib(1)), Bytes::gib(1));
        assert_eq!(beside(500e6, Bytes::mib(256)), Bytes::mib(256));
        assert_eq!(beside(500e6, Bytes::mib(64)), Bytes::mib(64));
        // A card would spend all of its time on it, and one of its own says nothing of flash.
        assert_eq!(beside(10e6, Bytes::gib(1)), alone(10e6));
        assert_eq!(beside(2e6, Bytes::mib(16)), alone(2e6));
        assert_eq!(beside(500e6, Bytes::mib(4)), Bytes::gib(1));
        assert_eq!(beside(500e6, Bytes::gib(90)), Bytes::gib(1));
        // The same place in a slow moment, and another disk that is mounted there now.
        assert_eq!(again(60e6, Bytes::gib(1)), Bytes::gib(1));
        assert_eq!(again(2e6, Bytes::mib(64)), alone(2e6));
        assert_eq!(again(500e6, Bytes::mib(64)), Bytes::mib(64));
        assert_eq!(again(500e6, Bytes::mib(1)), Bytes::gib(1));
    }

    fn at_rate(rate: f64, file_size: Option<FileSize>) -> SizingInputs {
        SizingInputs {
            write_rate: ByteRate(rate),
            file_size,
            ..inputs()
        }
    }

    #[test]
    fn each_limit_is_named_where_it_holds() {
        for (inputs, why) in [
            (
                SizingInputs {
                    usable: Bytes::mib(300),
                    ..inputs()
                },
                SizeLimit::Space,
            ),
            (
                SizingInputs {
                    write_rate: ByteRate(5e9),
                    ..inputs()
                },
                SizeLimit::Length,
            ),
            (
                SizingInputs {
                    in_memory: true,
                    memory: Bytes::gib(4),
                    ..inputs()
                },
                SizeLimit::Memory,
            ),
            (
                SizingInputs {
                    write_rate: ByteRate(1e5),
                    ..inputs()
                },
                SizeLimit::Least,
            ),
        ] {
            assert_eq!(limit_of(&choose(&inputs).unwrap()), why);
        }
    }

    #[test]
    fn what_becomes_of_the_page_cache_is_named() {
        let cache = |inputs: &SizingInputs| match choose(inputs).unwrap().reasons[0] {
            Choice::WorkingSet { cache, .. } => cache,
            ref other => panic!("{other:?}"),
        };
        let mut inputs = inputs();
        assert_eq!(cache(&inputs), CacheTreatment::Direct);
        inputs.direct = false;
        let dropped = CacheTreatment::Dropped {
            wanted_bytes: Bytes::gib(320),
            memory_bytes: Bytes::gib(16),
        };
        assert_eq!(cache(&inputs), dropped);
        inputs.in_memory = true;
        assert_eq!(cache(&inputs), CacheTreatment::Memory);
    }

    fn limit_of(sizes: &Sizes) -> SizeLimit {
        match sizes.reasons[0] {
            Choice::WorkingSet { limit, .. } => limit,
            ref other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_device_is_read_whole_and_nothing_is_said_of_files() {
        let sizes = choose(&SizingInputs {
            device: Some(Bytes::mib(64)),
            ..inputs()
        })
        .unwrap();
        assert_eq!(sizes.file, Bytes::mib(64));
        assert_eq!(limit_of(&sizes), SizeLimit::WholeDevice);
    }

    #[test]
    fn too_little_space_or_time_is_refused_with_what_is_needed() {
        let cramped = SizingInputs {
            usable: Bytes::kib(2000),
            ..inputs()
        };
        let error = choose(&cramped).unwrap_err().to_string();
        assert!(
            error.contains("only 2.0 MiB") && error.contains("needs 3 MiB"),
            "{error}"
        );
        let hasty = SizingInputs {
            budget: Nanos::secs(2),
            ..inputs()
        };
        let error = choose(&hasty).unwrap_err().to_string();
        assert!(error.contains("a budget of 2.00 s is too short"), "{error}");
    }

    proptest! {
        #[test]
        fn files_always_fit_and_runs_stay_in_range(usable: u64, memory: u64, rate in 0.0f64..1e11, budget in 0u64..1_000_000_000_000_000, direct: bool, in_memory: bool) {
            let inputs = SizingInputs { usable: Bytes(usable), memory: Bytes(memory), in_memory, takes_memory: false, direct, device: None, precision: None, file_size: None, write_rate: ByteRate(rate), budget: Nanos(budget), runs_per_block: 7.0, needed_blocks: 1 };
            if let Ok(sizes) = choose(&inputs) {
                prop_assert!(sizes.file.get() * 3 <= usable);
                prop_assert!(sizes.run >= SHORTEST_RUN && sizes.run <= LONGEST_RUN);
                prop_assert!(sizes.stream >= SMALLEST_FILE);
            }
        }
    }
}
