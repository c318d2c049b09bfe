//! Operations of several sizes in one run.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::path::Path;

use etalon_engine::{Control, Plan, PlanError, TargetPlace, prepare, run};
use etalon_model::{Backend, End, Ended, IoWorkload, Measurement, Operation};
use etalon_units::Bytes;

fn mixed(sizes: &str, operation: Operation) -> IoWorkload {
    IoWorkload {
        operation,
        block_size: sizes.parse().unwrap(),
        file_size: Bytes::mib(1),
        end: End::Bytes(Bytes::mib(8)),
        ..IoWorkload::default()
    }
}

fn resolve(workload: &IoWorkload, directory: &Path) -> Result<Plan, PlanError> {
    Plan::resolve(workload, &TargetPlace::Directory(directory.to_owned()))
}

fn go(workload: &IoWorkload, directory: &Path) -> Measurement {
    let plan = resolve(workload, directory).unwrap();
    let prepared = prepare(&plan, &Control::default()).unwrap();
    run(&prepared, &Control::default()).unwrap()
}

#[test]
fn reads_of_several_sizes_bring_what_lies_at_their_offsets() {
    for backend in [
        Backend::Sync,
        Backend::IoUring,
        Backend::Mmap,
        Backend::Stdio,
    ] {
        for operation in [Operation::RandRead, Operation::Read] {
            let directory = tempfile::tempdir_in(".").unwrap();
            let direct = matches!(backend, Backend::Sync | Backend::IoUring);
            let workload = IoWorkload {
                backend,
                direct,
                verify: true,
                queue_depth: if direct { 8 } else { 1 },
                ..mixed("4k:60,64k:40", operation)
            };
            let m = go(&workload, directory.path());
            assert_eq!(m.ended, Ended::Complete, "{operation} {backend}");
            let report = m.verify.as_ref().unwrap();
            assert_eq!(report.bad(), 0, "{operation} {backend}");
            assert_eq!(report.sectors * 512, m.bytes().get());
            // The end is passed by one operation at most, and each moves 28 KiB on the average.
            let bytes = m.bytes().get();
            assert!(
                (8 << 20..(8 << 20) + (64 << 10)).contains(&bytes),
                "{bytes}"
            );
            let mean = bytes as f64 / m.operations() as f64 / 1024.0;
            assert!((21.0..36.0).contains(&mean), "{mean}");
        }
    }
}

#[test]
fn a_pass_of_writes_in_line_leaves_no_hole_and_moves_each_byte_once() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let workload = IoWorkload {
        end: End::Pass,
        backend: Backend::Sync,
        ..mixed("4k-16k/4k", Operation::Write)
    };
    let m = go(&workload, directory.path());
    let file = std::fs::read(directory.path().join("f0")).unwrap();
    assert_eq!(file.len() as u64, m.bytes().get());
    // The last operation starts where the largest would still fit.
    assert!(
        (1012 << 10..=1 << 20).contains(&file.len()),
        "{}",
        file.len()
    );
    assert!(
        file.chunks(512)
            .all(|sector| sector.iter().any(|&byte| byte != 0))
    );
}

#[test]
fn the_seed_decides_over_the_sizes() {
    let bytes = |seed| {
        let workload = IoWorkload {
            seed,
            backend: Backend::Null,
            end: End::Bytes(Bytes::mib(8)),
            ..mixed("4k-64k", Operation::RandRead)
        };
        let m = go(&workload, Path::new("/nowhere"));
        (m.operations(), m.bytes())
    };
    assert_eq!(bytes(1), bytes(1));
    assert_ne!(bytes(1), bytes(2));
}

#[test]
fn a_mix_that_cannot_be_done_is_refused_with_a_reason() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let refusal = |workload: IoWorkload| {
        let refused = resolve(&workload, directory.path());
        refused.unwrap_err().to_string()
    };
    let verified = IoWorkload {
        verify: true,
        ..mixed("4k-16k", Operation::RandWrite)
    };
    assert!(refusal(verified).contains("overlap"));
    let backward = refusal(mixed("4k-16k", Operation::BackRead));
    assert!(backward.contains("'backread'"), "{backward}");
    let odd = IoWorkload {
        direct: true,
        ..mixed("1000:50,4096:50", Operation::Read)
    };
    let odd = refusal(odd);
    assert!(odd.contains("1000") && odd.contains("--buffered"), "{odd}");
}
