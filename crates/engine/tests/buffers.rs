//! Where the buffers of a run lie, and which processors its jobs may use.

use etalon_engine::{Control, Plan, PlanError, TargetPlace, prepare, run};
use etalon_model::{Backend, End, Ended, IoWorkload, Operation};
use etalon_units::Bytes;

fn small() -> IoWorkload {
    IoWorkload {
        operation: Operation::RandRead,
        file_size: Bytes::kib(256),
        end: End::Pass,
        verify: true,
        ..IoWorkload::default()
    }
}

/// Reads from a kernel that has huge pages what was written, and is told of one that has none.
#[test]
fn huge_pages_serve_as_buffers_or_their_lack_is_told_with_the_number_that_helps() {
    for backend in [
        Backend::Sync,
        Backend::IoUring,
        Backend::Mmap,
        Backend::Stdio,
    ] {
        let directory = tempfile::tempdir_in(".").unwrap();
        let place = TargetPlace::Directory(directory.path().to_owned());
        let workload = IoWorkload {
            backend,
            huge_pages: true,
            ..small()
        };
        match Plan::resolve(&workload, &place) {
            Ok(plan) => {
                let prepared = prepare(&plan, &Control::default()).unwrap();
                let m = run(&prepared, &Control::default()).unwrap();
                assert_eq!((m.ended, m.verify.unwrap().bad()), (Ended::Complete, 0));
            }
            Err(error @ PlanError::HugePages { .. }) => {
                let text = error.to_string();
                assert!(text.contains("/proc/sys/vm/nr_hugepages is "), "{text}");
                assert!(text.contains(": 1, and "), "{text}");
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn a_job_on_one_processor_measures_as_any_other() {
    let directory = tempfile::tempdir_in(".").unwrap();
    let place = TargetPlace::Directory(directory.path().to_owned());
    let on = |cpus| IoWorkload { cpus, ..small() };
    // The first processor of a machine cannot be taken away; a container may lack it all the same.
    match Plan::resolve(&on(vec![0]), &place) {
        Ok(plan) => {
            let prepared = prepare(&plan, &Control::default()).unwrap();
            assert_eq!(
                run(&prepared, &Control::default()).unwrap().operations(),
                64
            );
        }
        Err(error) => assert!(error.to_string().contains("processor 0 is not")),
    }
    let absent = Plan::resolve(&on(vec![1023]), &place).unwrap_err();
    assert!(
        absent.to_string().contains("processor 1023 is not"),
        "{absent}"
    );
}
