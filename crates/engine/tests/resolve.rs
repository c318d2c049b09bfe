//! Whatever a workload says, resolving it gives a plan or a clear error.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use etalon_engine::{Plan, PlanError, TargetPlace};
use etalon_model::{
    Arrival, Backend, BlockRange, BlockSizes, Distribution, End, FakeDevice, FileLayout,
    FsyncPolicy, IoWorkload, Operation, SyncMode, Think,
};
use etalon_units::{Bytes, Nanos};
use proptest::prelude::*;

fn extremes() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0),
        Just(1),
        Just(512),
        Just(4096),
        Just(u64::MAX),
        Just(i64::MAX as u64),
        0u64..10_000_000,
        any::<u64>()
    ]
}

fn rates() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(-1.0),
        Just(0.0),
        any::<f64>(),
        0.1f64..1e6
    ]
}

prop_compose! {
    fn workloads()(
        sizes in (extremes(), extremes(), extremes(), extremes()),
        counts in (any::<u32>(), 0u32..5_000, 0u32..5_000, any::<u32>()),
        small in (0u32..3, 1u32..40, 1u32..70),
        pick in (0usize..14, 0usize..6, 0u8..3, 0u8..4, 0u8..4, 0u8..3),
        rate in rates(),
        flags in any::<[bool; 6]>(),
        read_percent: u8,
        seed: u64,
    ) -> IoWorkload {
        let sane = small.0 == 0;
        IoWorkload {
            operation: Operation::ALL[pick.0 % Operation::ALL.len()],
            cache: etalon_model::CacheMode::AsFound,
            backend: Backend::ALL[pick.1].0,
            block_size: match small.0 {
                1 => BlockSizes::Range(BlockRange {
                    smallest: Bytes(sizes.0 / u64::from(small.1)),
                    largest: Bytes(sizes.0),
                    step: flags[5].then_some(Bytes(sizes.0 / u64::from(small.2))),
                }),
                _ => BlockSizes::One(Bytes(sizes.0)),
            },
            think: (small.1 == 1).then_some(Think { time: Nanos(sizes.2), every: counts.0 }),
            fdatasync: flags[4],
            file_size: Bytes(sizes.1),
            offset: Bytes(sizes.2),
            range: Bytes(sizes.3),
            stride: counts.0,
            jobs: if sane { small.1 } else { counts.1 },
            queue_depth: if sane { small.2 } else { counts.2 },
            batch: counts.3,
            end: match pick.2 {
                0 => End::Bytes(Bytes(sizes.1)),
                1 => End::Time(Nanos(sizes.2)),
                _ => End::Pass,
            },
            distribution: match pick.3 {
                0 => Distribution::Permutation,
                1 => Distribution::Uniform,
                2 => Distribution::Zipf { theta: rate },
                _ => Distribution::Pareto { h: rate },
            },
            arrival: match pick.4 {
                0 => Arrival::Closed,
                1 => Arrival::Fixed { rate },
                2 => Arrival::Poisson { rate },
                _ => Arrival::Repaced { rate },
            },
            fsync: match pick.5 {
                0 => FsyncPolicy::Never,
                1 => FsyncPolicy::End,
                _ => FsyncPolicy::Every(counts.3),
            },
            layout: if flags[0] { FileLayout::Shared } else { FileLayout::PerJob },
            direct: flags[1],
            verify: flags[2],
            poll: flags[3],
            sqpoll: flags[4],
            cpus: if flags[3] { vec![counts.0] } else { Vec::new() },
            numa_node: (small.2 == 1).then_some(counts.3),
            huge_pages: small.2 == 2,
            sync: if flags[5] { SyncMode::DSync } else { SyncMode::None },
            warm_up: Nanos(sizes.3),
            fake: FakeDevice { service: Nanos(sizes.0), servers: counts.0, stall_every: Nanos(sizes.1), stall: Nanos(sizes.2), ..FakeDevice::default() },
            read_percent,
            seed,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases * 8, ..ProptestConfig::default() })]
    #[test]
    fn no_workload_makes_it_panic(workload in workloads()) {
        let directory = std::env::temp_dir();
        for place in [
            TargetPlace::Directory(directory),
            TargetPlace::File { path: "/proc/self/exe".into(), writable: false },
            device("/dev/null"),
        ] {
            if let Err(error) = Plan::resolve(&workload, &place) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }
}

fn refused(workload: IoWorkload) -> PlanError {
    let place = TargetPlace::Directory(std::env::temp_dir());
    Plan::resolve(&workload, &place).unwrap_err()
}

fn base() -> IoWorkload {
    IoWorkload {
        file_size: Bytes::mib(1),
        ..IoWorkload::default()
    }
}

#[test]
fn each_refusal_quotes_what_was_given_and_says_what_is_accepted() {
    let cases: Vec<(IoWorkload, &[&str])> = vec![
        (
            IoWorkload {
                block_size: Bytes::ZERO.into(),
                ..base()
            },
            &["block size", "0", "1 byte to 1 GiB"],
        ),
        (
            IoWorkload {
                queue_depth: 0,
                ..base()
            },
            &["queue depth", "0", "1 to 4096"],
        ),
        (
            IoWorkload {
                queue_depth: 1_000_000,
                ..base()
            },
            &["1000000", "1 to 4096"],
        ),
        (IoWorkload { jobs: 0, ..base() }, &["jobs", "1 to 1024"]),
        (
            IoWorkload {
                read_percent: 101,
                ..base()
            },
            &["101", "0 to 100"],
        ),
        (
            IoWorkload {
                end: End::Time(Nanos::ZERO),
                ..base()
            },
            &["time", "above zero"],
        ),
        (
            IoWorkload {
                end: End::Bytes(Bytes::ZERO),
                ..base()
            },
            &["bytes"],
        ),
        (
            IoWorkload {
                warm_up: Nanos::secs(10),
                ..base()
            },
            &["warm-up", "shorter"],
        ),
        (
            IoWorkload {
                think: Some(Think {
                    time: Nanos::secs(3600),
                    every: 1,
                }),
                ..base()
            },
            &["think time", "1 h 00 min", "shorter"],
        ),
        (
            IoWorkload {
                fsync: FsyncPolicy::Every(0),
                ..base()
            },
            &["fsync"],
        ),
        (
            IoWorkload {
                file_size: Bytes::ZERO,
                ..base()
            },
            &["size", "1g"],
        ),
        (
            IoWorkload {
                block_size: Bytes::mib(2).into(),
                ..base()
            },
            &["2 MiB", "1 MiB"],
        ),
        (
            IoWorkload {
                offset: Bytes::mib(3),
                ..base()
            },
            &["3 MiB", "past the end"],
        ),
        (
            IoWorkload {
                distribution: Distribution::Zipf { theta: f64::NAN },
                ..base()
            },
            &["theta", "NaN"],
        ),
        (
            IoWorkload {
                arrival: Arrival::Poisson { rate: -3.0 },
                ..base()
            },
            &["rate", "-3"],
        ),
        (
            IoWorkload {
                backend: Backend::Mmap,
                direct: true,
                ..base()
            },
            &["direct", "mmap"],
        ),
        (
            IoWorkload {
                poll: true,
                ..base()
            },
            &["polling", "sync"],
        ),
        (
            IoWorkload {
                backend: Backend::Null,
                verify: true,
                ..base()
            },
            &["verification", "null"],
        ),
        (
            IoWorkload {
                layout: FileLayout::Shared,
                jobs: 300,
                ..base()
            },
            &["300", "256"],
        ),
        (
            IoWorkload {
                queue_depth: 4096,
                jobs: 1024,
                block_size: Bytes::mib(1).into(),
                backend: Backend::IoUring,
                ..base()
            },
            &["4096", "1024", "limit"],
        ),
    ];
    for (workload, parts) in cases {
        let text = refused(workload).to_string();
        for part in parts {
            assert!(text.contains(part), "'{part}' is not in '{text}'");
        }
    }
}

#[test]
fn direct_io_refuses_blocks_that_the_device_cannot_address() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let place = TargetPlace::Directory(directory.path().to_owned());
    let resolve = |block: u64, offset: u64| {
        let workload = IoWorkload {
            direct: true,
            block_size: Bytes(block).into(),
            offset: Bytes(offset),
            ..base()
        };
        Plan::resolve(&workload, &place)
    };
    let plan = resolve(4096, 0).unwrap();
    if !plan.fallbacks().is_empty() {
        println!("SKIPPED direct_io_refuses_blocks: no O_DIRECT on this filesystem");
        return;
    }
    let error = resolve(4000, 0).unwrap_err().to_string();
    assert!(
        error.contains("4000") && error.contains("multiple of"),
        "{error}"
    );
    let error = resolve(4096, 100).unwrap_err().to_string();
    assert!(error.contains("offset") && error.contains("100"), "{error}");
}

#[test]
fn a_target_must_be_what_it_is_said_to_be() {
    let file = tempfile::NamedTempFile::new_in(".").unwrap();
    let missing = file.path().with_extension("missing");
    let cases = [
        (TargetPlace::Directory(missing.clone()), "look at"),
        (
            TargetPlace::Directory(file.path().to_owned()),
            "not a directory",
        ),
        (
            TargetPlace::File {
                path: std::env::temp_dir(),
                writable: false,
            },
            "not a regular file",
        ),
        (device(file.path()), "not a block device"),
        (
            TargetPlace::File {
                path: file.path().to_owned(),
                writable: false,
            },
            "empty",
        ),
    ];
    for (place, part) in cases {
        let text = Plan::resolve(&base(), &place).unwrap_err().to_string();
        assert!(text.contains(part), "'{part}' is not in '{text}'");
    }
    let place = TargetPlace::File {
        path: file.path().to_owned(),
        writable: false,
    };
    let writes = IoWorkload {
        operation: Operation::RandWrite,
        ..base()
    };
    let text = Plan::resolve(&writes, &place).unwrap_err().to_string();
    assert!(text.contains("would destroy"), "{text}");
}

/// Four jobs that write 256 blocks of one target at random, each write verified.
fn verified(end: End, distribution: Distribution) -> IoWorkload {
    IoWorkload {
        operation: Operation::RandWrite,
        verify: true,
        jobs: 4,
        end,
        distribution,
        ..base()
    }
}

#[test]
fn several_jobs_that_may_write_one_block_are_not_verified() {
    let directory = tempfile::tempdir().unwrap();
    let file = tempfile::NamedTempFile::new_in(&directory).unwrap();
    file.as_file().set_len(1 << 20).unwrap();
    // A file has one range for all jobs whatever the layout, and so has a device.
    let one_file = TargetPlace::File {
        path: file.path().to_owned(),
        writable: true,
    };
    let of_each = TargetPlace::Directory(directory.path().to_owned());
    let by_time = End::Time(Nanos::secs(1));
    for (end, distribution, is_apart) in [
        (End::Pass, Distribution::Permutation, true),
        (End::Bytes(Bytes::mib(1)), Distribution::Permutation, true),
        (
            End::Bytes(Bytes((1 << 20) + 1)),
            Distribution::Permutation,
            false,
        ),
        (by_time, Distribution::Permutation, false),
        (End::Pass, Distribution::Uniform, false),
        (by_time, Distribution::Zipf { theta: 1.2 }, false),
    ] {
        let workload = verified(end, distribution);
        let shared = IoWorkload {
            layout: FileLayout::Shared,
            ..workload.clone()
        };
        for (workload, place) in [(&workload, &one_file), (&shared, &of_each)] {
            match Plan::resolve(workload, place) {
                Ok(_) => assert!(is_apart, "{end:?} {distribution:?} {place:?}"),
                Err(error) => {
                    assert!(!is_apart, "{end:?} {distribution:?} {place:?}: {error}");
                    assert!(error.to_string().contains("--one-pass"), "{error}");
                }
            }
        }
        assert!(Plan::resolve(&workload, &of_each).is_ok(), "{end:?}");
        let alone = IoWorkload { jobs: 1, ..shared };
        assert!(Plan::resolve(&alone, &of_each).is_ok(), "{end:?}");
    }
    let unverified = IoWorkload {
        verify: false,
        ..verified(by_time, Distribution::Uniform)
    };
    assert!(Plan::resolve(&unverified, &one_file).is_ok());
    let in_order = IoWorkload {
        operation: Operation::BackWrite,
        ..verified(by_time, Distribution::Uniform)
    };
    assert!(Plan::resolve(&in_order, &one_file).is_ok());
}

fn device(path: impl Into<std::path::PathBuf>) -> TargetPlace {
    TargetPlace::BlockDevice {
        path: path.into(),
        writable: false,
    }
}
