//! What goes wrong in the middle of a run ends it with all figures until then.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::fs::OpenOptions;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::Duration;

use etalon_engine::{Control, EngineError, Plan, Prepared, TargetPlace, prepare, run};
use etalon_model::{
    Arrival, Backend, End, Ended, Fallback, FileLayout, FsyncPolicy, IoWorkload, Operation,
};
use etalon_testbed::{ControlGroup, Loop, Mount, root_for, skip};
use etalon_units::{Bytes, Nanos};

const BACKENDS: [Backend; 4] = [
    Backend::Sync,
    Backend::IoUring,
    Backend::Mmap,
    Backend::Stdio,
];

fn ready(workload: &IoWorkload, directory: &Path) -> Prepared {
    let place = TargetPlace::Directory(directory.to_owned());
    let plan = Plan::resolve(workload, &place).unwrap();
    prepare(&plan, &Control::default()).unwrap()
}

fn workload(operation: Operation, backend: Backend) -> IoWorkload {
    IoWorkload {
        operation,
        backend,
        file_size: Bytes::mib(1),
        end: End::Pass,
        queue_depth: if backend == Backend::IoUring { 8 } else { 1 },
        ..IoWorkload::default()
    }
}

#[test]
fn a_file_cut_short_during_the_run_ends_it_where_it_ends() {
    for backend in BACKENDS {
        let directory = tempfile::tempdir_in(".").unwrap();
        let prepared = ready(&workload(Operation::Read, backend), directory.path());
        let file = OpenOptions::new()
            .write(true)
            .open(directory.path().join("f0"))
            .unwrap();
        file.set_len(512 << 10).unwrap();
        let m = run(&prepared, &Control::default()).unwrap();
        let Ended::Failed {
            operation,
            offset,
            errno,
        } = &m.ended
        else {
            panic!("{backend}: {:?}", m.ended);
        };
        assert_eq!(operation, "read", "{backend}");
        assert_eq!(*offset, 512 << 10, "{backend}");
        assert!([libc_enodata(), 5].contains(errno), "{backend}: {errno}");
        assert_eq!(m.reads.bytes, Bytes::kib(512), "{backend}");
        assert_eq!(m.latency().count(), 128, "{backend}");
    }
}

#[test]
fn a_stop_is_obeyed_in_the_last_gap_too() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let workload = IoWorkload {
        // The next one after the first would be meant to start when the time is over.
        arrival: Arrival::Fixed { rate: 0.001 },
        end: End::Time(Nanos::secs(500)),
        ..workload(Operation::RandRead, Backend::Sync)
    };
    let prepared = ready(&workload, directory.path());
    let control = Control::default();
    let asker = control.clone();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        asker.stop.store(true, Ordering::Relaxed);
    });
    let m = run(&prepared, &control).unwrap();
    stopper.join().unwrap();
    assert_eq!(m.ended, Ended::Interrupted);
}

/// Where a job fails in the warm-up, the others do not wait for it: they are measured.
#[test]
fn a_job_that_ends_in_the_warm_up_is_not_waited_for() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let workload = IoWorkload {
        jobs: 3,
        read_percent: 100,
        fsync: FsyncPolicy::End,
        warm_up: Nanos::millis(50),
        end: End::Time(Nanos::millis(100)),
        ..workload(Operation::RandRw, Backend::Sync)
    };
    let prepared = ready(&workload, directory.path());
    let mut open = OpenOptions::new();
    let cut = open.write(true).open(directory.path().join("f1")).unwrap();
    cut.set_len(0).unwrap();
    let m = run(&prepared, &Control::default()).unwrap();
    assert!(matches!(m.ended, Ended::Failed { .. }), "{:?}", m.ended);
    let measured: Vec<bool> = m.jobs.iter().map(|job| job.operations > 0).collect();
    assert_eq!(measured, [true, false, true]);
}

/// `ENODATA` (errno(3)): the file is shorter than it was.
fn libc_enodata() -> i32 {
    61
}

#[test]
fn a_disk_that_fills_up_in_the_middle_ends_the_run_as_full() {
    let test = "a_disk_that_fills_up_in_the_middle_ends_the_run_as_full";
    for backend in [Backend::Sync, Backend::IoUring, Backend::Stdio] {
        let Some(tmpfs) = Mount::tmpfs_for(test, "size=4m") else {
            return;
        };
        let workload = IoWorkload {
            file_size: Bytes::mib(64),
            end: End::Time(Nanos::secs(20)),
            ..workload(Operation::Write, backend)
        };
        let m = run(&ready(&workload, tmpfs.path()), &Control::default()).unwrap();
        assert_eq!(m.ended, Ended::DiskFull, "{backend}");
        let written = m.writes.bytes.get();
        assert!(
            (3 << 20..=4 << 20).contains(&written),
            "{backend}: {written}"
        );
    }
}

#[test]
fn files_that_do_not_fit_are_refused_before_anything_is_written() {
    let test = "files_that_do_not_fit_are_refused_before_anything_is_written";
    let Some(tmpfs) = Mount::tmpfs_for(test, "size=4m") else {
        return;
    };
    for operation in [Operation::RandRead, Operation::Write] {
        let workload = IoWorkload {
            file_size: Bytes::mib(64),
            ..workload(operation, Backend::Sync)
        };
        let place = TargetPlace::Directory(tmpfs.path().to_owned());
        let plan = Plan::resolve(&workload, &place).unwrap();
        let error = prepare(&plan, &Control::default()).unwrap_err();
        assert!(matches!(error, EngineError::NoSpace { .. }), "{error}");
        assert!(error.to_string().contains("60 MiB") || error.to_string().contains("64 MiB"));
        assert!(!tmpfs.path().join("f0").exists());
    }
}

#[test]
fn files_that_would_take_the_last_tenth_are_refused() {
    let test = "files_that_would_take_the_last_tenth_are_refused";
    let Some(tmpfs) = Mount::tmpfs_for(test, "size=4m") else {
        return;
    };
    let workload = IoWorkload {
        file_size: Bytes::kib(3840),
        ..workload(Operation::RandRead, Backend::Sync)
    };
    let place = TargetPlace::Directory(tmpfs.path().to_owned());
    let plan = Plan::resolve(&workload, &place).unwrap();
    let error = prepare(&plan, &Control::default()).err();
    assert!(matches!(error, Some(EngineError::NoSpace { .. })));
}

#[test]
fn a_stop_ends_any_run_at_once_and_keeps_its_figures() {
    for backend in BACKENDS.into_iter().chain([Backend::Null, Backend::Fake]) {
        let directory = tempfile::tempdir_in(".").unwrap();
        let workload = IoWorkload {
            end: End::Time(Nanos::secs(100_000_000 / 60)),
            jobs: 2,
            ..workload(Operation::RandRead, backend)
        };
        let prepared = ready(&workload, directory.path());
        let control = Control::default();
        let asker = control.clone();
        let stopper = std::thread::spawn(move || {
            while asker
                .progress
                .operations
                .load(std::sync::atomic::Ordering::Relaxed)
                == 0
            {
                std::thread::sleep(Duration::from_millis(1));
            }
            asker.stop.store(true, Ordering::Relaxed);
        });
        let m = run(&prepared, &control).unwrap();
        stopper.join().unwrap();
        assert_eq!(m.ended, Ended::Interrupted, "{backend}");
        assert!(m.operations() > 0, "{backend}");
    }
}

#[test]
fn a_stop_while_waiting_for_a_distant_arrival_is_obeyed() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let workload = IoWorkload {
        arrival: Arrival::Fixed { rate: 0.001 },
        end: End::Time(Nanos::secs(10_000)),
        ..workload(Operation::RandRead, Backend::IoUring)
    };
    let prepared = ready(&workload, directory.path());
    let control = Control::default();
    let asker = control.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        asker.stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(run(&prepared, &control).unwrap().ended, Ended::Interrupted);
}

#[test]
fn a_stop_while_files_are_laid_out_leaves_none_behind() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let workload = IoWorkload {
        file_size: Bytes::mib(64),
        ..workload(Operation::RandRead, Backend::Sync)
    };
    let place = TargetPlace::Directory(directory.path().to_owned());
    let plan = Plan::resolve(&workload, &place).unwrap();
    let control = Control::default();
    control.stop.store(true, Ordering::Relaxed);
    let error = prepare(&plan, &control).unwrap_err();
    assert!(matches!(error, EngineError::Stopped), "{error}");
    assert!(!directory.path().join("f0").exists());
}

/// Runs one test of this file, which is ignored by default, in a process with a limit.
fn under_limit(limit: &str, test: &str) -> String {
    let executable = std::env::current_exe().unwrap();
    let script = format!("{limit} && exec \"$0\" --ignored --exact --nocapture {test}");
    let output = Command::new("sh")
        .arg("-c")
        .arg(script)
        .arg(executable)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(text.contains("1 passed"), "{text}");
    text
}

#[test]
fn too_few_descriptors_are_an_error_with_figures() {
    under_limit("ulimit -Sn 50 && ulimit -Hn 100", "under_few_descriptors");
}

#[test]
#[ignore = "run in a process of its own by too_few_descriptors_are_an_error_with_figures"]
fn under_few_descriptors() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let place = TargetPlace::Directory(directory.path().to_owned());
    let resolve = |jobs| {
        let workload = IoWorkload {
            jobs,
            ..workload(Operation::RandRead, Backend::Sync)
        };
        Plan::resolve(&workload, &place)
    };
    let error = resolve(64).unwrap_err().to_string();
    assert!(
        error.contains("192 open files") && error.contains("100"),
        "{error}"
    );
    // The soft limit of 50 is raised where the hard one allows.
    resolve(16).unwrap();
}

#[test]
fn buffers_take_half_of_what_a_control_group_allows() {
    let name = "buffers_take_half_of_what_a_control_group_allows";
    if !root_for(name) {
        return;
    }
    let Some(group) = ControlGroup::of_memory("268435456") else {
        return skip(name, "no control group limits memory here");
    };
    let procs = group.path().join("cgroup.procs");
    let enter = format!("echo $$ >'{}'", procs.display());
    under_limit(&enter, "under_little_memory");
}

#[test]
#[ignore = "run in a process of its own by buffers_take_half_of_what_a_control_group_allows"]
fn under_little_memory() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let place = TargetPlace::Directory(directory.path().to_owned());
    let resolve = |jobs| {
        let workload = IoWorkload {
            jobs,
            block_size: Bytes::mib(32).into(),
            file_size: Bytes::mib(64),
            ..workload(Operation::RandRead, Backend::Sync)
        };
        Plan::resolve(&workload, &place)
    };
    let error = resolve(5).unwrap_err().to_string();
    assert!(error.contains("the limit is 128 MiB, half of"), "{error}");
    resolve(4).unwrap();
}

#[test]
fn little_lockable_memory_means_plain_buffers() {
    // Root is exempt from the limit, so the child gives up its privileges first.
    // Of its own: what one user has locked counts for all processes of that user.
    let uid = 1_000_000 + std::process::id();
    let user = format!("setpriv --reuid={uid} --regid={uid} --clear-groups");
    if !Command::new("sh")
        .args(["-c", &format!("{user} true")])
        .status()
        .is_ok_and(|status| status.success())
    {
        return skip(
            "little_lockable_memory_means_plain_buffers",
            "setpriv needs root",
        );
    }
    let executable = std::env::current_exe().unwrap();
    let shared = tempfile::tempdir_in("/dev/shm").unwrap();
    let copy: PathBuf = shared.path().join("faults");
    etalon_testbed::copy_program(&executable, &copy);
    let open_to_all = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(shared.path(), open_to_all).unwrap();
    let script = format!(
        "cd {0} && ulimit -l 16 && exec {user} {0}/faults --ignored --exact under_little_lockable_memory",
        shared.path().display()
    );
    let output = Command::new("sh").arg("-c").arg(script).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(text.contains("1 passed"), "{text}");
}

#[test]
#[ignore = "run in a process of its own by little_lockable_memory_means_plain_buffers"]
fn under_little_lockable_memory() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let m = run(
        &ready(
            &workload(Operation::RandRead, Backend::IoUring),
            directory.path(),
        ),
        &Control::default(),
    )
    .unwrap();
    assert_eq!(m.ended, Ended::Complete);
    assert_eq!(m.operations(), 256);
    let found = &m.fallbacks;
    let plain = found
        .iter()
        .any(|f| matches!(f, Fallback::BuffersNotRegistered { .. }));
    assert!(plain && m.backend == Some(Backend::IoUring), "{found:?}");
}

#[test]
fn a_filesystem_without_direct_io_is_measured_buffered_and_says_so() {
    let workload = IoWorkload {
        direct: true,
        ..workload(Operation::RandRead, Backend::Sync)
    };
    // procfs refuses O_DIRECT; its files cannot be written, so a file target is read.
    let place = TargetPlace::File {
        path: "/proc/self/maps".into(),
        writable: false,
    };
    let error = Plan::resolve(&workload, &place).unwrap_err().to_string();
    assert!(error.contains("empty"), "{error}");
    let directory = tempfile::tempdir_in("/dev/shm").unwrap();
    let place = TargetPlace::Directory(directory.path().to_owned());
    let plan = Plan::resolve(&workload, &place).unwrap();
    let refused = plan
        .fallbacks()
        .iter()
        .any(|f| matches!(f, Fallback::DirectRefused { .. }));
    let m = run(&ready(&workload, directory.path()), &Control::default()).unwrap();
    assert_eq!(m.direct, Some(!refused));
    assert_eq!(m.ended, Ended::Complete);
}

#[test]
fn a_block_device_is_read_with_read_permission_and_never_written() {
    let test = "a_block_device_is_read_with_read_permission_and_never_written";
    let backing = tempfile::NamedTempFile::new_in(".").unwrap();
    backing.as_file().set_len(1 << 20).unwrap();
    let Some(device) = Loop::for_test(test, backing.path(), &["--direct-io=off"]) else {
        return;
    };
    let place = TargetPlace::BlockDevice {
        path: device.node().to_owned(),
        writable: false,
    };
    for operation in [Operation::RandWrite, Operation::RandRw, Operation::Write] {
        let error = Plan::resolve(&workload(operation, Backend::Sync), &place).unwrap_err();
        assert!(error.to_string().contains("block device"), "{error}");
    }
    let reads = IoWorkload {
        direct: true,
        ..workload(Operation::RandRead, Backend::IoUring)
    };
    let plan = Plan::resolve(&reads, &place).unwrap();
    let prepared = prepare(&plan, &Control::default()).unwrap();
    let m = run(&prepared, &Control::default()).unwrap();
    assert_eq!((m.operations(), m.ended), (256, Ended::Complete));

    // The backing file loses its end: the device answers EIO there.
    backing.as_file().set_len(512 << 10).unwrap();
    let m = run(&prepared, &Control::default()).unwrap();
    let Ended::Failed {
        operation,
        offset,
        errno,
    } = m.ended
    else {
        panic!("{:?}", m.ended);
    };
    assert_eq!((operation.as_str(), errno), ("read", 5));
    assert!(offset >= 512 << 10, "{offset}");
}

#[test]
fn trims_free_the_blocks_of_a_device_and_move_nothing() {
    let test = "trims_free_the_blocks_of_a_device_and_move_nothing";
    let backing = tempfile::NamedTempFile::new_in("/dev/shm").unwrap();
    std::fs::write(backing.path(), vec![7; 8 << 20]).unwrap();
    let Some(device) = Loop::for_test(test, backing.path(), &[]) else {
        return;
    };
    let held = || MetadataExt::blocks(&backing.as_file().metadata().unwrap()) * 512;
    let trimmed = |operation, range| {
        let workload = IoWorkload {
            operation,
            block_size: Bytes::kib(64).into(),
            range,
            file_size: Bytes::ZERO,
            direct: true,
            ..workload(operation, Backend::Sync)
        };
        let place = |writable| TargetPlace::BlockDevice {
            path: device.node().to_owned(),
            writable,
        };
        // Whoever may not write may not trim.
        let refused = Plan::resolve(&workload, &place(false)).unwrap_err();
        assert!(refused.to_string().contains("only read"), "{refused}");
        let plan = Plan::resolve(&workload, &place(true)).unwrap();
        let prepared = prepare(&plan, &Control::default()).unwrap();
        let m = run(&prepared, &Control::default()).unwrap();
        assert_eq!(m.ended, Ended::Complete);
        assert_eq!((m.trims.bytes, m.bytes()), (range, range));
        assert_eq!(m.trims.operations, range.get() / (64 << 10));
        assert_eq!(m.trims.latency.count(), m.trims.operations);
        // What no counter of a device shows as read or written.
        assert_eq!(m.bytes_with_warm_up, Bytes::ZERO);
        assert_eq!((m.reads.operations, m.writes.operations), (0, 0));
    };
    assert_eq!(held(), 8 << 20);
    trimmed(Operation::RandTrim, Bytes::mib(2));
    assert_eq!(held(), 6 << 20);
    trimmed(Operation::Trim, Bytes::mib(8));
    assert_eq!(held(), 0);
}

#[test]
fn each_block_of_a_pair_is_trimmed_and_then_written() {
    let test = "each_block_of_a_pair_is_trimmed_and_then_written";
    let backing = tempfile::NamedTempFile::new_in("/dev/shm").unwrap();
    std::fs::write(backing.path(), vec![7; 8 << 20]).unwrap();
    let Some(device) = Loop::for_test(test, backing.path(), &[]) else {
        return;
    };
    let paired = |operation, end| {
        let workload = IoWorkload {
            operation,
            block_size: Bytes::kib(64).into(),
            file_size: Bytes::ZERO,
            range: Bytes::mib(2),
            direct: true,
            jobs: 2,
            layout: FileLayout::Shared,
            end,
            ..workload(operation, Backend::Sync)
        };
        let place = TargetPlace::BlockDevice {
            path: device.node().to_owned(),
            writable: true,
        };
        let plan = Plan::resolve(&workload, &place).unwrap();
        let prepared = prepare(&plan, &Control::default()).unwrap();
        let m = run(&prepared, &Control::default()).unwrap();
        assert_eq!(m.ended, Ended::Complete);
        assert_eq!(m.trims.operations, m.writes.operations);
        assert_eq!(
            (m.trims.bytes, m.writes.bytes),
            (m.bytes_with_warm_up, m.bytes_with_warm_up)
        );
        m.writes.bytes
    };
    assert_eq!(paired(Operation::TrimWrite, End::Pass), Bytes::mib(2));
    // A trim after the write would have left holes, and none at all what was there.
    let held = std::fs::read(backing.path()).unwrap();
    let (written, rest) = held.split_at(2 << 20);
    assert!(
        written
            .chunks(4096)
            .all(|page| page.iter().any(|byte| ![0, 7].contains(byte)))
    );
    assert!(rest.iter().all(|byte| *byte == 7));
    let half = End::Bytes(Bytes::mib(1));
    assert_eq!(paired(Operation::RandTrimWrite, half), Bytes::mib(1));
}

#[test]
fn trims_are_refused_of_files_and_of_ways_that_cannot_make_them() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, vec![7; 1 << 20]).unwrap();
    let refused = |backend, place: &TargetPlace| {
        let workload = workload(Operation::RandTrim, backend);
        Plan::resolve(&workload, place).unwrap_err().to_string()
    };
    let of_file = TargetPlace::File {
        path: file,
        writable: true,
    };
    let of_directory = TargetPlace::Directory(directory.path().to_owned());
    for place in [&of_file, &of_directory] {
        let why = refused(Backend::Sync, place);
        assert!(
            why.contains("block device") && why.contains("fstrim"),
            "{why}"
        );
        for backend in [Backend::IoUring, Backend::Mmap, Backend::Stdio] {
            let why = refused(backend, place);
            assert!(why.contains("--jobs"), "{why}");
        }
    }
}

#[test]
fn a_closing_fsync_is_left_out_when_the_run_was_stopped() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let workload = IoWorkload {
        fsync: FsyncPolicy::End,
        end: End::Time(Nanos::secs(100)),
        ..workload(Operation::RandWrite, Backend::Sync)
    };
    let prepared = ready(&workload, directory.path());
    let control = Control::default();
    control.stop.store(true, Ordering::Relaxed);
    let m = run(&prepared, &control).unwrap();
    assert_eq!((m.fsyncs, m.ended), (0, Ended::Interrupted));
}

#[test]
fn a_refused_io_uring_becomes_sync_and_says_so() {
    let executable = std::env::current_exe().unwrap();
    let output = Command::new(executable)
        .args(["--ignored", "--exact", "under_a_filter_without_io_uring"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

#[test]
#[ignore = "run in a process of its own by a_refused_io_uring_becomes_sync_and_says_so"]
fn under_a_filter_without_io_uring() {
    etalon_testbed::refuse_io_uring();
    let directory = tempfile::tempdir_in(".").unwrap();
    let m = run(
        &ready(
            &workload(Operation::RandRead, Backend::IoUring),
            directory.path(),
        ),
        &Control::default(),
    )
    .unwrap();
    assert_eq!((m.backend, m.operations()), (Some(Backend::Sync), 256));
    let refused = Fallback::IoUringRefused { errno: libc::EPERM };
    let shallow = Fallback::DepthOne { asked: 8 };
    assert!(
        m.fallbacks.contains(&refused) && m.fallbacks.contains(&shallow),
        "{:?}",
        m.fallbacks
    );
}
