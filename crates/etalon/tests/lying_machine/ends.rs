//! Runs that end early or come back with other data, servers that answer with errors, what the kernel refuses to a run, and
//! a tool that works on the data itself.

use std::fs;
use std::path::{Path, PathBuf};

use etalon_testbed::tool;

use crate::actors::{answering, read, scribble, wait_for, wait_for_reads, written};
use crate::lab::{Lab, Try, ext4};
use crate::table::{Lane, Row, row};

/// Buffers of 2 MiB.
const DEEP: &str = "--op randread --backend io_uring -b 64k --queue-depth 32 --time 300ms";
/// Which of iozone's figures to make, each write made durable.
const RECORDS: &str = "-i 0 -o -r 4k --runs 2";

pub(crate) const TABLE: &[Row] = &[
    row(
        "kernel that refuses io_uring",
        ("io-uring-refused", "warn"),
        |lab| lab.measure_without_io_uring(lab.plain().file("noise"), &format!("{DEEP} --runs 3")),
        |lab| lab.measure(lab.plain().file("noise"), DEEP),
    )
    .beside(Lane::Events),
    row(
        "memory that may not be locked",
        ("buffers-not-registered", "info"),
        |lab| locking(lab, "setpriv --bounding-set=-ipc_lock"),
        |lab| locking(lab, "env"),
    )
    .beside(Lane::Events),
    row(
        "data that somebody else overwrites",
        ("data-corrupt", "invalid"),
        |lab| while_overwritten(lab, largest),
        |lab| while_overwritten(lab, |point| point.join("other")),
    )
    .beside(Lane::Events),
    row(
        "server that has not every page",
        ("failed-requests", "invalid"),
        |lab| pages(lab, "missing"),
        |lab| pages(lab, "there"),
    )
    .beside(Lane::Events),
    row(
        "bytes that are compared within the clock",
        ("own-work", "warn"),
        |lab| {
            lab.iozone(
                &lab.plain().file("compared"),
                &format!("-s 2m -+d {RECORDS}"),
                |_| (),
            )
        },
        |lab| {
            lab.iozone(
                &lab.plain().file("written"),
                &format!("-s 2m {RECORDS}"),
                |_| (),
            )
        },
    ),
    row(
        "figure of a pass that was stopped",
        ("interrupted", "invalid"),
        stopped,
        |lab| {
            lab.iozone(
                &lab.plain().file("whole"),
                &format!("-s 2m {RECORDS}"),
                |_| (),
            )
        },
    )
    .beside(Lane::Events),
];

/// A deep queue of a process that may lock 64 KiB, unless it keeps the right to lock more.
fn locking(lab: &Lab, by: &str) -> Try {
    let limit = format!("prlimit --memlock=65536:65536 {by}");
    lab.measure_by(&limit, lab.plain().file("noise"), DEEP)
}

/// Reads that compare what comes back, of a file that was laid out before a file is overwritten.
fn while_overwritten(lab: &Lab, which: fn(&Path) -> PathBuf) -> Try {
    let mount = ext4(64, &[], "noatime");
    let (point, device) = (mount.point(), mount.devices[0].name());
    let before = read(device);
    let words = "--op randread --verify -s 8M --time 1s --runs 1";
    lab.measure_while(point, words, |_| {
        wait_for_reads(device, 4, before);
        scribble(&which(point), 8);
    })
}

/// The largest file below a directory: that of a run, where nothing else lies there.
fn largest(directory: &Path) -> PathBuf {
    let mut found = (0, PathBuf::new());
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap().flatten() {
            let about = fs::symlink_metadata(entry.path()).unwrap();
            match about.is_dir() {
                true => open.push(entry.path()),
                false => found = found.max((about.len(), entry.path())),
            }
        }
    }
    found.1
}

/// A pass that a signal ends after its first writes, on a filesystem of its own: the others leave it too little room.
fn stopped(lab: &Lab) -> Try {
    let mount = ext4(512, &[], "noatime");
    let device = mount.devices[0].name();
    let before = written(device);
    let words = format!("-s 256m {RECORDS}");
    lab.iozone(&mount.file("stopped"), &words, |process| {
        wait_for(device, 4, 0, before);
        tool("kill", &["-INT", &process.to_string()]);
    })
}

/// Four pages of a server, of which the last has this name.
fn pages(lab: &Lab, last: &str) -> Try {
    let server = answering();
    let page = |name| format!("--set url=http://{}/{name}", server.address);
    let four = ["a", "b", "c", last].map(page).join(" ");
    let words = format!("--runs 1 --set clients=1 {four}");
    lab.work(lab.plain().path(), ("web", "one after another"), &words)
}
