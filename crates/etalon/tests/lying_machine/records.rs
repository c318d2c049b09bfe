//! Rows whose machine cannot be made here: disks that turn or fail, a hypervisor that takes the processors away, heat.
//! Runs of the modelled device are judged beside what copied machines show and count.

use std::path::Path;

use etalon_engine::{Control, Plan, TargetPlace, prepare, run};
use etalon_experiment::{beneath_facts, machine_activity};
use etalon_judge::{Facts, Goal, check_run, judge_cell};
use etalon_model::{
    Aftermath, Arrival, Backend, BeneathFacts, Circumstances, ConcurrentRuns, DeviceTraffic, End,
    EnvironmentMark, FakeDevice, FakeKind, FileFacts, Finding, IoWorkload, LabDisk, LabGuest,
    MachineActivity, NetworkFacts, Operation, Run, ServiceFacts,
};
use etalon_stack::{Monitor, MonitorOptions, Roots, Stack, manifest};
use etalon_units::{Bytes, Nanos};

use crate::machine::{Entry, Machine};

/// A trap and its honest twin, as the findings on their runs.
pub(crate) struct Record {
    pub(crate) name: &'static str,
    pub(crate) code: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) trap: fn() -> Vec<Finding>,
    pub(crate) twin: fn() -> Vec<Finding>,
}

const fn record(
    name: &'static str,
    (code, severity): (&'static str, &'static str),
    trap: fn() -> Vec<Finding>,
    twin: fn() -> Vec<Finding>,
) -> Record {
    Record {
        name,
        code,
        severity,
        trap,
        twin,
    }
}

pub(crate) const TABLE: &[Record] = &[
    record(
        "hypervisor that takes a tenth of the processors",
        ("steal", "invalid"),
        || during(STAT, "cpu 220 10 120 1030 40 5 5 10 0 0\n"),
        || during(STAT, "cpu 330 10 120 1120 40 5 5 1 0 0\n"),
    ),
    record(
        "guest whose processor is emulated",
        ("lab-guest", "warn"),
        || in_a_guest(Some("tcg"), 0),
        || in_a_guest(None, 0),
    ),
    record(
        "machine too slow for the modelled disks of its guest",
        ("lab-late", "invalid"),
        || in_a_guest(Some("kvm"), 11),
        || in_a_guest(Some("kvm"), 10),
    ),
    record(
        "processor that is throttled for heat",
        ("throttled", "warn"),
        || during(THROTTLES, "40"),
        || during(THROTTLES, "3"),
    ),
    record(
        "disk that says it fails",
        ("failing-disk", "warn"),
        || on("crypt-lvm-nvme", Bytes::gib(1)),
        || on("laptop-lvm", Bytes::gib(1)),
    ),
    record(
        "small file on a disk that turns",
        ("short-stroked", "warn"),
        || on("laptop-lvm", Bytes::gib(1)),
        || on("laptop-lvm", Bytes::gib(120)),
    ),
    record(
        "file that fits the memory of a disk",
        ("device-cache", "warn"),
        || on("laptop-lvm", Bytes::kib(128)),
        || on("laptop-lvm", Bytes::gib(1)),
    ),
    record(
        "files of another machine",
        ("server-cache", "warn"),
        || on_served("nfs", Operation::RandRead, &[]),
        || on_served("virtio-qcow2", Operation::RandRead, &[]),
    ),
    record(
        "target of another machine",
        ("server-cache", "warn"),
        || on_served("iscsi", Operation::RandRead, &[]),
        || on_served("nvme-tcp-here", Operation::RandRead, &[]),
    ),
    record(
        "target that goes through its page cache",
        ("server-cache", "info"),
        || on_served("nvme-tcp-here", Operation::RandRead, &[BUFFERED]),
        || on_served("nvme-tcp-here", Operation::RandRead, &[]),
    ),
    record(
        "export that answers before its disk",
        ("not-durable", "invalid"),
        || on_served("nfs-here", Operation::RandWrite, &[ASYNC]),
        || on_served("nfs-here", Operation::RandWrite, &[]),
    ),
    record(
        "target that denies the cache it has",
        ("not-durable", "invalid"),
        || on_served("iscsi-here", Operation::RandWrite, &[]),
        || on_served("iscsi-here", Operation::RandWrite, &[TELLS_CACHE]),
    ),
    record(
        "workload that works on alone",
        ("not-together", "invalid"),
        || together(4),
        || together(10),
    ),
    record(
        "one run of eight at a fifth of the speed",
        ("outlying-run", "warn"),
        || cell(&[98, 101, 100, 500, 99, 102, 100, 97]),
        || cell(&[98, 101, 100, 103, 99, 102, 100, 97]),
    ),
    record(
        "runs that are fast or slow",
        ("two-modes", "warn"),
        || cell(&[98, 201, 100, 200, 99, 202, 100, 197, 101, 199, 203, 99]),
        || cell(&[98, 101, 100, 103, 99, 102, 100, 97, 101, 99, 103, 99]),
    ),
    record(
        "single run",
        ("one-run", "info"),
        || by_chance(1),
        || by_chance(2),
    ),
    record(
        "swap space switched on between two runs",
        ("environment-changed", "info"),
        || {
            changed(
                "proc/swaps",
                &format!("{SWAPS}/dev/vdb partition 1048572 0 -2\n"),
            )
        },
        || changed("proc/swaps", SWAPS),
    ),
    record(
        "use of swap changed between two runs",
        ("environment-changed", "invalid"),
        || changed("proc/sys/vm/swappiness", "10"),
        || changed("proc/sys/vm/swappiness", "60"),
    ),
    record(
        "files of the row before that are still written",
        ("earlier-writes", "invalid"),
        || behind_a_row(Bytes::mib(8)),
        || behind_a_row(Bytes::ZERO),
    ),
    record(
        "trims that come round again",
        ("trimmed-before", "warn"),
        || trimmed(Bytes::mib(256)),
        || trimmed(Bytes::mib(128)),
    ),
    record(
        "queue of eight that had no processor",
        ("cpu-starved", "invalid"),
        || waiting(Nanos::millis(350)),
        || waiting(Nanos::millis(10)),
    ),
    record(
        "cache that takes the first writes",
        ("unsteady", "warn"),
        || judged(&written(FakeKind::WriteCache { requests: 20_000 })),
        || judged(&written(FakeKind::Servers)),
    ),
    record(
        "device that works and rests for seconds",
        ("regimes", "warn"),
        || judged(&resting(Nanos::secs(3))),
        || judged(&resting(Nanos::ZERO)),
    ),
    record(
        "slow operations that are few",
        ("few-operations", "warn"),
        || judged(&served(Nanos::millis(200))),
        || judged(&served(Nanos::millis(1))),
    ),
    record(
        "rate beyond what the device sustains",
        ("generator-late", "warn"),
        || judged(&at_rate(1500.0)),
        || judged(&at_rate(500.0)),
    ),
    record(
        "arrivals that the device never catches up with",
        ("run-failed", "invalid"),
        || judged(&for_long_at(4000.0)),
        || judged(&for_long_at(500.0)),
    ),
    record(
        "cache that takes the first writes of a run",
        ("warm-up", "warn"),
        || judged(&begun_fast(Nanos::ZERO)),
        || judged(&begun_fast(Nanos::secs(1))),
    ),
    record(
        "wall clock that was set",
        ("clock-trouble", "invalid"),
        || stepped(Nanos::secs(3600)),
        || stepped(Nanos::micros(300)),
    ),
    record(
        "link to a web server that is full",
        ("network-bound", "invalid"),
        || across(Bytes(119_000_000)),
        || across(Bytes(60_000_000)),
    ),
    record(
        "journal that writes all data twice",
        ("write-amplification", "info"),
        || journalled(2.0),
        || journalled(1.02),
    ),
];

const STAT: &str = "proc/stat";
const THROTTLES: &str = "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count";
const SWAPS: &str = "Filename Type Size Used Priority\n";

/// A second of a device that serves an operation in a millisecond.
fn plain() -> IoWorkload {
    IoWorkload {
        operation: Operation::RandRead,
        backend: Backend::Fake,
        direct: true,
        file_size: Bytes::gib(1),
        end: End::Time(Nanos::secs(1)),
        fake: FakeDevice {
            service: Nanos::millis(1),
            ..FakeDevice::default()
        },
        seed: 7,
        ..IoWorkload::default()
    }
}

/// A run of the modelled device, of which the counters of a disk saw all.
pub(crate) fn modelled(workload: IoWorkload) -> Run {
    let place = TargetPlace::Directory("/nowhere".into());
    let plan = Plan::resolve(&workload, &place).unwrap();
    let prepared = prepare(&plan, &Control::default()).unwrap();
    let measurement = run(&prepared, &Control::default()).unwrap();
    let (read, written) = (measurement.reads.bytes, measurement.writes.bytes);
    Run {
        device: Some(DeviceTraffic {
            devices: vec!["sda".to_owned()],
            read_bytes: read,
            written_bytes: written,
            flushes: Some(0),
            ..DeviceTraffic::default()
        }),
        ..Run::of("a", workload, measurement)
    }
}

pub(crate) fn judged(run: &Run) -> Vec<Finding> {
    check_run(&Facts {
        run,
        null_ns_per_operation: None,
    })
}

fn in_circumstances(circumstances: Circumstances) -> Vec<Finding> {
    judged(&Run {
        circumstances,
        ..modelled(plain())
    })
}

fn copied(name: &str) -> (Machine, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../stack/tests/machines");
    let text = std::fs::read_to_string(folder.join(format!("{name}.machine"))).unwrap();
    let target = text.lines().next().unwrap().trim_start_matches("# ");
    (Machine::unpack(&text), target.to_owned())
}

fn set(machine: &Machine, file: &str, text: &str) {
    machine.make(&Entry::File(file.into(), text.into()));
}

/// A run during which a file of a machine with meters takes another content.
fn during(file: &str, text: &str) -> Vec<Finding> {
    let (machine, target) = copied("meters");
    let roots: Roots = machine.roots();
    let tree = Stack::of(Path::new(&target), &roots).unwrap();
    let monitor = Monitor::start(&tree, &roots, MonitorOptions::default()).unwrap();
    set(&machine, file, text);
    let activity = machine_activity(&monitor.stop());
    in_circumstances(Circumstances {
        machine: Some(activity),
        ..Circumstances::default()
    })
}

/// A run over files of this size on a machine.
fn on(machine: &str, size: Bytes) -> Vec<Finding> {
    let (machine, target) = copied(machine);
    let tree = Stack::of(Path::new(&target), &machine.roots()).unwrap();
    in_circumstances(Circumstances {
        beneath: Some(beneath_facts(&tree)),
        files: Some(FileFacts {
            size,
            ..FileFacts::default()
        }),
        ..Circumstances::default()
    })
}

/// A file of a machine, and what it is to hold.
type Content = (&'static str, &'static str);

const ASYNC: Content = (
    "proc/fs/nfs/exports",
    "/srv\there(rw,insecure,no_root_squash,async,wdelay,no_subtree_check,fsid=0)\n",
);
const BUFFERED: Content = (
    "sys/kernel/config/nvmet/subsystems/nqn.2014-08.org.nvmexpress:etalon/namespaces/1/buffered_io",
    "1\n",
);
const TELLS_CACHE: Content = (
    "sys/kernel/config/target/core/fileio_0/disk/attrib/emulate_write_cache",
    "1\n",
);

/// A run on a copied machine with these files changed, as if its figures were those of real devices.
fn on_served(machine: &str, operation: Operation, changed: &[Content]) -> Vec<Finding> {
    let (machine, target) = copied(machine);
    for (file, text) in changed {
        set(&machine, file, text);
    }
    let tree = Stack::of(Path::new(&target), &machine.roots()).unwrap();
    let mut run = modelled(IoWorkload {
        operation,
        ..plain()
    });
    run.measurement.backend = Some(Backend::IoUring);
    run.circumstances.beneath = Some(beneath_facts(&tree));
    judged(&run)
}

/// A run behind a change of a file of its machine.
fn changed(file: &str, text: &str) -> Vec<Finding> {
    let (machine, target) = copied("loop-in-loop");
    let roots = machine.roots();
    set(&machine, "proc/swaps", SWAPS);
    set(&machine, "proc/sys/vm/swappiness", "60");
    let facts = || manifest(&Stack::of(Path::new(&target), &roots).unwrap(), &roots, &[]);
    let before = facts();
    set(&machine, file, text);
    in_circumstances(Circumstances {
        environment: Some(EnvironmentMark {
            changes: before.changes_to(&facts()),
            ..EnvironmentMark::default()
        }),
        ..Circumstances::default()
    })
}

/// Ten seconds, of which another workload was under way for so many.
fn together(shared: u64) -> Vec<Finding> {
    in_circumstances(Circumstances {
        concurrent: Some(ConcurrentRuns {
            others: vec!["writer".to_owned()],
            span: Nanos::secs(10),
            shared: Nanos::secs(shared),
        }),
        ..Circumstances::default()
    })
}

/// Twelve seconds, of which the device rests so long in every six.
fn resting(stall: Nanos) -> Run {
    modelled(IoWorkload {
        end: End::Time(Nanos::secs(12)),
        fake: FakeDevice {
            stall_every: Nanos::secs(6),
            stall,
            ..plain().fake
        },
        ..plain()
    })
}

/// So many runs whose operations come by chance.
fn by_chance(count: u64) -> Vec<Finding> {
    let of = |seed| {
        modelled(IoWorkload {
            arrival: Arrival::Poisson { rate: 500.0 },
            end: End::Time(Nanos::secs(5)),
            seed,
            ..plain()
        })
    };
    found_together(&(0..count).map(of).collect::<Vec<_>>())
}

/// A run in a guest of the laboratory, if in any.
/// A run in a guest one of whose disks answered so many of a thousand requests late.
fn in_a_guest(accelerator: Option<&str>, late_answers: u64) -> Vec<Finding> {
    let mut run = modelled(plain());
    let disk = LabDisk {
        answers: 1_000,
        late_answers,
        ..LabDisk::default()
    };
    run.circumstances.lab = accelerator.map(|accelerator| LabGuest {
        accelerator: accelerator.to_owned(),
        disks: vec![disk],
        ..LabGuest::default()
    });
    check_run(&Facts {
        run: &run,
        null_ns_per_operation: None,
    })
}

/// A cell of runs in which the device needs so many units of 10 µs for an operation.
fn cell(services: &[u64]) -> Vec<Finding> {
    let of = |units: &u64| modelled(with_service(Nanos::micros(units * 10)));
    found_together(&services.iter().map(of).collect::<Vec<_>>())
}

/// Eight runs that each trim so much of the same GiB.
fn trimmed(each: Bytes) -> Vec<Finding> {
    let run = modelled(IoWorkload {
        operation: Operation::RandTrim,
        range: Bytes::gib(1),
        file_size: Bytes::gib(1),
        end: End::Bytes(each),
        ..plain()
    });
    found_together(&vec![run; 8])
}

fn found_together(runs: &[Run]) -> Vec<Finding> {
    let all: Vec<&Run> = runs.iter().collect();
    let goal = Goal::new(None, 6, 30).unwrap();
    judge_cell("a", &all, &goal).unwrap().findings
}

fn with_service(service: Nanos) -> IoWorkload {
    IoWorkload {
        end: End::Time(Nanos::secs(4)),
        fake: FakeDevice {
            service,
            ..FakeDevice::default()
        },
        ..plain()
    }
}

fn served(service: Nanos) -> Run {
    modelled(with_service(service))
}

/// A run of some MiB behind a row that left so much unwritten, which went to the disk meanwhile.
fn behind_a_row(left: Bytes) -> Vec<Finding> {
    let mut run = modelled(plain());
    run.device.as_mut().unwrap().written_bytes = left;
    run.circumstances.aftermath = Some(Aftermath {
        waited: Nanos::millis(300),
        quiet: left == Bytes::ZERO,
        written_bytes: Bytes::mib(3),
        left_bytes: left,
    });
    judged(&run)
}

/// A run of depth 8 that was ready for so long and had no processor.
fn waiting(time: Nanos) -> Vec<Finding> {
    let mut run = modelled(IoWorkload {
        queue_depth: 8,
        ..plain()
    });
    // Nobody waits for a processor in the model.
    run.measurement.backend = Some(Backend::IoUring);
    run.measurement.cpu_waited = Some(time);
    judged(&run)
}

/// Four seconds of writes.
fn written(kind: FakeKind) -> Run {
    modelled(IoWorkload {
        operation: Operation::RandWrite,
        end: End::Time(Nanos::secs(4)),
        fake: FakeDevice {
            service: Nanos::millis(1),
            kind,
            ..FakeDevice::default()
        },
        ..plain()
    })
}

fn at_rate(rate: f64) -> Run {
    modelled(IoWorkload {
        arrival: Arrival::Fixed { rate },
        ..plain()
    })
}

/// Long enough for a minute's worth of arrivals to wait.
fn for_long_at(rate: f64) -> Run {
    modelled(IoWorkload {
        arrival: Arrival::Fixed { rate },
        end: End::Time(Nanos::secs(100)),
        ..plain()
    })
}

/// Six seconds of writes, of which a cache takes the first four hundred at once, behind so much that is left out.
fn begun_fast(warm_up: Nanos) -> Run {
    modelled(IoWorkload {
        operation: Operation::RandWrite,
        warm_up,
        end: End::Time(Nanos::secs(6)),
        fake: FakeDevice {
            kind: FakeKind::WriteCache { requests: 400 },
            ..plain().fake
        },
        ..plain()
    })
}

fn stepped(clock_step: Nanos) -> Vec<Finding> {
    in_circumstances(Circumstances {
        machine: Some(MachineActivity {
            clock_step,
            ..MachineActivity::default()
        }),
        ..Circumstances::default()
    })
}

/// A second of pages of another machine, over a link of 1 Gbit/s that received so much.
fn across(received: Bytes) -> Vec<Finding> {
    let mut run = modelled(plain());
    let per_second = received.as_f64() * run.measurement.duration.as_secs_f64();
    run.measurement.service = Some(ServiceFacts {
        network: Some(NetworkFacts {
            interface: "eth0".to_owned(),
            speed: Some(Bytes(125_000_000)),
            received_bytes: Bytes(per_second as u64),
            span: Some(run.measurement.duration),
        }),
        ..ServiceFacts::default()
    });
    judged(&run)
}

/// Writes of which the disk takes so many bytes for each.
fn journalled(times: f64) -> Vec<Finding> {
    let mut run = written(FakeKind::Servers);
    let own = run.measurement.bytes_with_warm_up.as_f64();
    run.device.as_mut().unwrap().written_bytes = Bytes((own * times) as u64);
    run.circumstances.beneath = Some(BeneathFacts {
        write_copies: 1.0,
        ..BeneathFacts::default()
    });
    judged(&run)
}
