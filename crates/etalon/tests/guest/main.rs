//! Devices that fail in the middle of the work, in a virtual machine: a device-mapper device whose
//! table is replaced by the target `error` (dm-error in the kernel's documentation) while a command
//! uses it. `failing.sh` and `cases.sh` run there after `begin.sh`; what each command must say stands here. `arrays.rs` has
//! guests of its own for plans with arrays, one for md and one for LVM, `layouts.rs` the same for further kinds of them,
//! `presets.rs` one for presets with arrays, `networks.rs` one for disks behind servers of the guest itself, `zoned.rs` one for disks with host-managed zones, and `rebooted.rs` one
//! that is reset in the middle of a plan.
//!
//! Needs QEMU, an unpacked kernel package and the tools that `machine.rs` names; the directory of the
//! kernel is `ETALON_GUEST_KERNEL` or `target/guest-kernel`, that of packages with mdadm and LVM, where they are not installed,
//! `ETALON_GUEST_PROGRAMS` or `target/guest-programs`.

#![expect(
    clippy::unwrap_used,
    reason = "in a helper of a test, a failure is a failed test"
)]

mod arrays;
mod layouts;
mod machine;
mod networks;
mod presets;
mod rebooted;
mod said;
mod zoned;

use std::collections::HashMap;
use std::io::Write as _;

use etalon_lab::guest::Kernel;
use machine::Guest;
use said::Case;

const EIO: &str = "Input/output error";
/// What a filesystem says once its disk is gone.
const GONE: &str = "Input/output error|Read-only file system";

/// A case, its exit code, and what it must say; `|` separates what will also do.
const EXPECTED: &[(&str, i32, &[&str])] = &[
    (
        "hdparm",
        1,
        &[
            "/dev/mapper/bad: read() failed at byte",
            EIO,
            "no rate: only",
        ],
    ),
    (
        "hdparm direct",
        1,
        &["/dev/mapper/bad: read() failed at byte 0", EIO],
    ),
    (
        "hdparm two",
        1,
        &[
            "/dev/mapper/bad -t: not measured",
            "Timing O_DIRECT disk reads",
            EIO,
        ],
    ),
    (
        "measure device",
        3,
        &["INVALID", "read at byte 1572864 failed", EIO],
    ),
    (
        "measure device buffered",
        3,
        &["INVALID", "read at byte 1576960 failed", EIO],
    ),
    (
        "measure device ring",
        3,
        &["INVALID", "read at byte 15", EIO],
    ),
    ("quick device", 3, &["INVALID", "read at byte", EIO]),
    (
        "iozone",
        1,
        &[
            "ended early: what follows is partial",
            "write of '/disk/file' at byte",
            GONE,
        ],
    ),
    (
        "iozone -t 2",
        1,
        &[
            "ended early: what follows is partial",
            " of '/disk/one'| of '/disk/two'",
            GONE,
        ],
    ),
    (
        "iozone buffered",
        1,
        &[
            "ended early: what follows is partial",
            "fsync of '/disk/file' failed|write of '/disk/file' at byte",
            GONE,
        ],
    ),
    (
        "fdtree",
        1,
        &[
            "etalon: partial: the last run ended within phase",
            "/disk/LEVEL0.",
            GONE,
        ],
    ),
    (
        "metadata",
        1,
        &[
            "Ended early: Run |cannot remove the directory",
            "could not be removed; run etalon restore",
            GONE,
        ],
    ),
    ("measure write", 3, &["INVALID", GONE]),
    ("measure randread", 3, &["INVALID", GONE]),
    (
        "quick",
        1,
        &["etalon: cannot |Ended early: cannot |INVALID", GONE],
    ),
    (
        "together",
        3,
        &["1 write 64 KiB", "INVALID", "2 write 64 KiB", GONE],
    ),
    (
        "dd to file",
        1,
        &["/disk/file", "not a whole copy: it failed after", GONE],
    ),
    (
        "dd to file direct",
        1,
        &["error writing '/disk/file'", "not a whole copy", GONE],
    ),
    ("work copy-tree", 1, &["cannot read '/disk/input/", EIO]),
    ("work copy-tree to", 1, &["'/disk/", GONE]),
    ("work grep-tree", 1, &["cannot read '/disk/input/", EIO]),
    ("work archive", 1, &["'/disk/", GONE]),
];

/// Cases of several runs, between which the disk may go away.
const UNPREPARED: &[&str] = &["measure write", "measure randread", "together"];
const PARTIAL: &str = "Partial: the runs that had ended are kept|Ended early: cannot ";

/// Cases whose private directory is on the disk that goes away and comes back.
const RESTORED: &[&str] = &[
    "metadata",
    "measure write",
    "measure randread",
    "quick",
    "together",
    "work archive",
];

/// The rows of a quick check, of which a device has the first three.
const ROWS: [&str; 9] = [
    "sequential read",
    "random read 4 KiB, depth 1",
    "random read 4 KiB, depth 32",
    "sequential write",
    "random write 4 KiB, depth 1",
    "random write 4 KiB, depth 32",
    "create files",
    "stat files",
    "remove files",
];

/// The kernel for a test, which is skipped by name without it.
fn kernel(test: &str) -> Option<Kernel> {
    machine::needed().map_err(|why| skipped(test, &why)).ok()
}

/// Past libtest, which would keep the line to itself.
fn skipped(test: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}

#[test]
fn a_device_that_fails_is_told_as_such() {
    let Some(kernel) = kernel("a_device_that_fails_is_told_as_such") else {
        return;
    };
    let guest = Guest {
        scripts: &[include_str!("failing.sh"), include_str!("cases.sh")],
        disks_mib: &[4, 256, 256],
        programs: &[],
        modules: &[],
        packed: &[],
        last_has_serial: false,
    };
    let (said, console) = machine::boot(&kernel, &guest);
    let cases = said::cases(&said, &console);
    let mut wrong = Vec::new();
    for (name, case) in &cases {
        wrong.extend(case.died(name, &[]));
    }
    wrong.extend(said::tell_unsettled(&cases));
    for (name, code, parts) in EXPECTED {
        let Some(case) = cases.get(*name) else {
            wrong.push(format!("{name} was not run"));
            continue;
        };
        if case.is_unsettled() {
            continue;
        }
        // Where the filesystem notices its disk first, the next run cannot be prepared.
        let unprepared = UNPREPARED.contains(name) && case.code == Some(1) && case.says(PARTIAL);
        let (code, parts) = if unprepared {
            (&1, &["etalon: cannot |Ended early: cannot ", GONE][..])
        } else {
            (code, *parts)
        };
        if case.code != Some(*code) {
            wrong.push(format!("{name}: not code {code}: {case:#?}"));
        }
        for part in parts.iter().filter(|part| !case.says(part)) {
            wrong.push(format!("{name}: no {part:?}: {case:#?}"));
        }
    }
    for (name, rows) in [("quick device", &ROWS[..3]), ("quick", &ROWS)] {
        let case = Some(&cases[name]).filter(|case| !case.is_unsettled());
        wrong.extend(case.and_then(|case| case.not_all_invalid(rows)));
    }
    copies(&cases, &mut wrong);
    for name in RESTORED.iter().filter(|name| !cases[**name].is_unsettled()) {
        restored(name, &cases, &mut wrong);
    }
    for (name, case) in &cases {
        if name.ends_with(": left later") && case.says(".etalon-") {
            wrong.push(format!("{name}: {case:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{console}", wrong.join("\n"));
}

/// While the disk is gone, restore must keep in mind what comes back with it, and then remove it.
fn restored(name: &str, cases: &HashMap<String, Case>, wrong: &mut Vec<String>) {
    let gone = &cases[&format!("{name}: restore")];
    if gone.code != Some(1) || !gone.says("left: /disk/.etalon-") {
        wrong.push(format!("{name}: forgotten: {gone:#?}"));
    }
    let back = &cases[&format!("{name}: restore later")];
    if back.code != Some(0) || !back.says("removed /disk/.etalon-") {
        wrong.push(format!("{name}: not put back: {back:#?}"));
    }
}

/// dd must copy from a failing device what GNU dd copies, and say the same.
fn copies(cases: &HashMap<String, Case>, wrong: &mut Vec<String>) {
    let names = cases.keys().filter_map(|name| name.strip_suffix(": gnu"));
    let mut compared = 0;
    for name in names {
        let of = |whose: &str| &cases[&format!("{name}: {whose}")];
        let (gnu, own, bytes) = (of("gnu"), of("own"), of("bytes"));
        compared += 1;
        if [gnu, own, bytes].iter().any(|case| case.is_unsettled()) {
            continue;
        }
        if bytes.code != Some(0) || own.code != gnu.code || own.lines_of_dd() != gnu.lines_of_dd() {
            wrong.push(format!("{name}: {own:#?}, but GNU dd {gnu:#?}, {bytes:?}"));
        }
        if !own.says("not a whole copy") {
            wrong.push(format!("{name}: not labelled: {own:#?}"));
        }
    }
    if compared < 8 {
        wrong.push(format!("only {compared} copies compared"));
    }
}
