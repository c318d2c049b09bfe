//! What the programs print, as it was seen, and both on real servers where they are installed.

use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::AtomicBool;

use etalon_units::Nanos;
use etalon_work::{Context, RealWork, WorkEnd, WorkError, WorkRecord};
use tempfile::TempDir;

/// pgbench 15.18.
const PGBENCH: &str = "pgbench (15.18 (Debian 15.18-0+deb12u1))
transaction type: <builtin: TPC-B (sort of)>
scaling factor: 1
number of clients: 2
number of transactions per client: 20
number of transactions actually processed: 38/40
number of failed transactions: 2 (5.000%)
latency average = 16.151 ms
initial connection time = 13.022 ms
tps = 86.431544 (without initial connection time)
";

/// As pgbench 13 prints the same.
const TPS_OF_13: &str = "tps = 84.120000 (including connections establishing)
tps = 86.431544 (excluding connections establishing)";

/// sysbench 1.0.20, shortened.
const SYSBENCH: &str = "Latency histogram (values are in milliseconds)
       value  ------------- distribution ------------- count
       1.551 |*************                            1
       3.364 |**************************************** 3
      24.827 |***************************              2

SQL statistics:
    transactions:                        6      (262.12 per sec.)
    ignored errors:                      1      (0.00 per sec.)
    reconnects:                          3      (0.00 per sec.)
General statistics:
    total time:                          0.1904s
    total number of events:              6
";

#[test]
fn what_pgbench_prints_is_read_by_its_labels() {
    let told = super::pgbench::told(PGBENCH).unwrap();
    let failed = [("failed transaction".to_owned(), 2)];
    assert_eq!((told.operations, told.failed), (38, failed.into()));
    // 38 / 86.431544 s.
    assert_eq!(told.duration, Nanos(439_654_300));
    let older = PGBENCH.replace(
        "tps = 86.431544 (without initial connection time)",
        TPS_OF_13,
    );
    assert_eq!(
        super::pgbench::told(&older).unwrap().duration,
        told.duration
    );
    let micros = super::pgbench::micros;
    assert_eq!(micros("0 1 15769 0 1795544262 438832 81"), Some(15769));
    assert_eq!(micros("0 1 failed 0 1795544262 438832"), None);
    for broken in [
        "",
        "tps = ",
        "number of transactions actually processed: 3/3",
    ] {
        assert!(super::pgbench::told(broken).is_none(), "{broken}");
    }
}

#[test]
fn what_sysbench_prints_is_read_with_its_histogram() {
    let told = super::sysbench::told(SYSBENCH).unwrap();
    let failed = [("ignored error", 1), ("lost connection", 3)];
    let failed = failed.map(|(kind, count)| (kind.to_owned(), count));
    assert_eq!((told.operations, told.failed), (6, failed.into()));
    assert_eq!(
        (told.duration, told.latency.count()),
        (Nanos(190_400_000), 6)
    );
    let median = told.latency.quantile(0.5).unwrap().get();
    assert!((3_300_000..3_400_000).contains(&median), "{median}");
    assert!(super::sysbench::told("FATAL: unable to connect").is_none());
}

fn go(work: &dyn RealWork, more: &[(&str, &str)]) -> Result<WorkRecord, WorkError> {
    let place = TempDir::new().unwrap();
    std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o711)).unwrap();
    let small = [("transactions", "40"), ("clients", "2")];
    let given = small.iter().chain(more);
    let given: Vec<_> = given
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
        .collect();
    let record = work.run(&Context {
        directory: place.path(),
        elsewhere: None,
        seed: 7,
        given: &given,
        stop: &AtomicBool::new(false),
        witness: &(),
    });
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    record
}

fn names(record: &WorkRecord) -> Vec<&str> {
    record.steps.iter().map(|step| &*step.name).collect()
}

/// Whether it is missing, and told with its package.
fn is_missing(result: &Result<WorkRecord, WorkError>, test: &str) -> bool {
    let missing = matches!(result, Err(WorkError::MissingProgram { .. }));
    if let (true, Err(error)) = (missing, result) {
        eprintln!("SKIPPED {test}: {error}");
    }
    missing
}

#[test]
fn pgbench_goes_over_a_private_server_and_nothing_is_left() {
    let result = go(
        &super::Pgbench,
        &[("scale", "1"), ("fsync", "off"), ("rate", "400")],
    );
    if is_missing(
        &result,
        "pgbench_goes_over_a_private_server_and_nothing_is_left",
    ) {
        return;
    }
    let record = result.unwrap();
    assert_eq!(record.ended, WorkEnd::Complete);
    assert_eq!(names(&record), ["initialize", "TPC-B-like", "select-only"]);
    for (step, commits) in record.steps[1..].iter().zip([40, 0]) {
        let service = step.service.as_ref().unwrap();
        assert_eq!(
            (service.requests, service.commits, service.clients),
            (40, commits, 2)
        );
        assert_eq!(step.rate.unwrap().operations, 40);
        assert_eq!(step.latency.as_ref().unwrap().count(), 40);
        assert_eq!(service.settings["fsync"], "off");
        assert!(service.engine.starts_with("PostgreSQL "), "{service:?}");
    }
}

#[test]
fn sysbench_goes_over_a_private_server_and_nothing_is_left() {
    let result = go(
        &super::Sysbench,
        &[("table_size", "1000"), ("flush_log_at_trx_commit", "2")],
    );
    if is_missing(
        &result,
        "sysbench_goes_over_a_private_server_and_nothing_is_left",
    ) {
        return;
    }
    let record = result.unwrap();
    assert_eq!(record.ended, WorkEnd::Complete);
    let loads = [
        "prepare",
        "oltp_read_only",
        "oltp_write_only",
        "oltp_read_write",
    ];
    assert_eq!(names(&record), loads);
    for (step, commits) in record.steps[1..].iter().zip([0, 40, 40]) {
        let service = step.service.as_ref().unwrap();
        assert_eq!((service.commits, service.clients), (commits, 2));
        assert_eq!(step.latency.as_ref().unwrap().count(), 40);
        assert_eq!(service.settings["innodb_flush_log_at_trx_commit"], "2");
    }
}
