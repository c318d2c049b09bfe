//! Plans with arrays over four disks, carried out for real: `arrays_md.sh` and `arrays_lvm.sh`, each in a guest.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::machine::{self, Guest};
use crate::said::{self, Case};
use crate::{kernel, skipped};

/// What a plan says of each array that it made.
const OF_MD: Made = (
    "md",
    &[
        "md-0 chunk 16 KiB",
        "md-5 chunk 64 KiB degraded",
        "md-10-n2",
        "md-10-f2 chunk 32 KiB",
    ],
);
const OF_LVM: Made = (
    "lvm",
    &[
        "lvm-linear",
        "lvm-striped chunk 64 KiB",
        "lvm-mirror",
        "lvm-snapshot",
    ],
);
const OF_BCACHE: Made = (
    "bcache",
    &[
        "bcache-writethrough --bucket 64k",
        "bcache-writeback --bucket 64k",
    ],
);
/// The tables that the kernel has of these volumes while they are measured, as far as the size of its disks is not in them
/// (admin-guide/device-mapper).
const TABLES_OF_LVM: [&str; 4] = ["linear ", "striped 4 128 ", "mirror ", "snapshot-origin "];
/// The program that a guest needs, and its scripts.
type Booted<'a> = (&'a str, &'a [&'a str]);
/// Further programs, all of which it needs, and modules.
type More<'a> = (&'a [&'a str], &'a [&'a str]);
/// A plan, and the arrays that it makes.
pub(crate) type Made = (&'static str, &'static [&'static str]);
/// A trap or its honest twin, a code, and whether it must be found.
const FOUND: [(&str, &str, bool); 9] = [
    ("rebuild: codes", "rebuild-over", false),
    ("rebuild: codes", "background-work", false),
    ("rebuild: codes", "environment-changed", false),
    ("rebuilt: codes", "rebuild-over", true),
    ("resync", "background-work", true),
    ("no resync", "background-work", false),
    ("scrub", "background-work", true),
    ("half", "sibling-idle", true),
    ("no resync", "sibling-idle", false),
];

#[test]
fn arrays_of_md_are_made_measured_and_taken_down() {
    let test = "arrays_of_md_are_made_measured_and_taken_down";
    let scripts = [
        include_str!("arrays_begin.sh"),
        include_str!("arrays_md.sh"),
    ];
    let killed = ["md killed", "rebuild killed"];
    taken_down(
        test,
        (("mdadm", &scripts), (&[], &[])),
        OF_MD,
        &killed,
        found,
    );
}

#[test]
fn arrays_of_lvm_and_bcache_are_made_measured_and_taken_down() {
    let test = "arrays_of_lvm_and_bcache_are_made_measured_and_taken_down";
    let scripts = [
        include_str!("arrays_begin.sh"),
        include_str!("arrays_lvm.sh"),
    ];
    taken_down(
        test,
        (("lvm", &scripts), (&["make-bcache"], &["bcache"])),
        OF_LVM,
        &["lvm killed", "bcache killed"],
        |cases, wrong| {
            tables(cases, OF_LVM.0, &TABLES_OF_LVM, wrong);
            carried_out(cases, OF_BCACHE.0, OF_BCACHE.1, wrong);
        },
    );
}

/// What is held against the cases of a guest; what is wrong goes to the list.
type Look = fn(&HashMap<String, Case>, &mut Vec<String>);

/// A plan is carried out, and what was `killed` in the middle is put back.
fn taken_down(
    test: &str,
    (what, more): (Booted<'_>, More<'_>),
    (family, arrays): Made,
    killed: &[&str],
    look: Look,
) {
    let Some((cases, console)) = booted_with(test, what, more) else {
        return;
    };
    let mut wrong = amiss(&cases, killed);
    made(&cases, (family, arrays), 2, &mut wrong);
    for name in killed {
        put_back(&cases, name, &mut wrong);
    }
    look(&cases, &mut wrong);
    assert!(wrong.is_empty(), "{}\n{console}", wrong.join("\n"));
}

/// The cases of a guest that needs this program, and its console; none where it cannot be booted.
pub(crate) fn booted(test: &str, what: Booted<'_>) -> Option<(HashMap<String, Case>, String)> {
    booted_with(test, what, (&[], &[]))
}

/// The same with more.
pub(crate) fn booted_with(
    test: &str,
    (needed, scripts): Booted<'_>,
    (more, modules): More<'_>,
) -> Option<(HashMap<String, Case>, String)> {
    let kernel = kernel(test)?;
    let found = |name: &&str| machine::program(name);
    let programs: Vec<PathBuf> = ["mdadm", "lvm"]
        .iter()
        .chain(more)
        .filter_map(found)
        .collect();
    let is_there = |name: &&str| programs.iter().any(|program| program.ends_with(name));
    if let Some(missing) = [needed].iter().chain(more).find(|name| !is_there(name)) {
        skipped(test, &format!("needs {missing}"));
        return None;
    }
    let plain = guest(scripts, &programs);
    let modules = [plain.modules, modules].concat();
    let guest = Guest {
        modules: &modules,
        ..plain
    };
    let (said, console) = machine::boot(&kernel, &guest);
    Some((said::cases(&said, &console), console))
}

/// What must not be in any guest: too many unsettled cases, one that died but those that are killed, and disks that are not
/// as before.
pub(crate) fn amiss(cases: &HashMap<String, Case>, killed: &[&str]) -> Vec<String> {
    let mut wrong: Vec<String> = said::tell_unsettled(cases).into_iter().collect();
    for (name, case) in cases {
        wrong.extend(case.died(name, killed));
        if name.ends_with(": as before") && case.code != Some(0) {
            wrong.push(format!("LOST {name}: {case:#?}"));
        }
    }
    wrong
}

/// A machine with five disks and what arrays take.
fn guest<'a>(scripts: &'a [&'a str], programs: &'a [PathBuf]) -> Guest<'a> {
    Guest {
        scripts,
        disks_mib: &[40; 5],
        programs,
        modules: &[
            "md-mod",
            "raid0",
            "raid1",
            "raid10",
            "raid456",
            "dm-mirror",
            "dm-snapshot",
            "dm-raid",
            "dm-thin-pool",
        ],
        packed: &[],
        last_has_serial: false,
    }
}

/// The case of this name, but none that was killed on too slow a machine.
pub(crate) fn settled<'c>(
    cases: &'c HashMap<String, Case>,
    name: &str,
    wrong: &mut Vec<String>,
) -> Option<&'c Case> {
    match cases.get(name) {
        Some(case) if case.is_unsettled() => None,
        None => {
            wrong.push(format!("{name} was not run"));
            None
        }
        case => case,
    }
}

/// Each array was made and measured: whether that could be seen.
pub(crate) fn carried_out(
    cases: &HashMap<String, Case>,
    family: &str,
    arrays: &[&str],
    wrong: &mut Vec<String>,
) -> bool {
    let Some(case) = settled(cases, family, wrong) else {
        return false;
    };
    // Disks of an emulated machine that hold nothing give figures that are called invalid.
    if !matches!(case.code, Some(0 | 3)) {
        wrong.push(format!("{family}: not carried out: {case:#?}"));
    }
    for array in arrays {
        if !case.says(&format!("array {array}: created in ")) {
            wrong.push(format!("{family}: nothing of {array}: {case:#?}"));
        }
    }
    true
}

/// Each array was made, measured and told of in the table, in each of so many blocks.
pub(crate) fn made(
    cases: &HashMap<String, Case>,
    (family, arrays): Made,
    blocks: usize,
    wrong: &mut Vec<String>,
) {
    if !carried_out(cases, family, arrays, wrong) {
        return;
    }
    let table = cases.get(&format!("{family}: facts"));
    let rows = table.map_or(&[][..], |table| &table.out[..]);
    let rows = rows.iter().filter(|row| row.contains(";array created in="));
    if rows.count() != blocks * arrays.len() {
        wrong.push(format!("{family}: not in each row: {table:#?}"));
    }
}

/// The kernel's device-mapper had each of these tables, by their first words, and no other.
pub(crate) fn tables(
    cases: &HashMap<String, Case>,
    family: &str,
    wanted: &[&str],
    wrong: &mut Vec<String>,
) {
    let made = settled(cases, family, wrong);
    let Some((_, case)) = made.zip(settled(cases, &format!("{family}: tables"), wrong)) else {
        return;
    };
    let is_of = |line: &str| wanted.iter().any(|wanted| line.starts_with(wanted));
    let has = |wanted: &&str| case.out.iter().any(|line| line.starts_with(wanted));
    if !wanted.iter().all(has) || !case.out.iter().all(|line| is_of(line)) {
        wrong.push(format!(
            "{family}: the kernel had not the tables {wanted:?}: {case:#?}"
        ));
    }
}

/// A kill in the middle leaves nothing that restore does not put back.
fn put_back(cases: &HashMap<String, Case>, name: &str, wrong: &mut Vec<String>) {
    let Some(case) = settled(cases, name, wrong) else {
        return;
    };
    if case.code != Some(137) {
        wrong.push(format!("{name}: ended by itself: {case:#?}"));
    }
    let step = format!("{name}: restore");
    if let Some(case) = settled(cases, &step, wrong)
        && (case.code != Some(0) || !case.says("removed /dev/vd"))
    {
        wrong.push(format!("LOST {step}: {case:#?}"));
    }
}

/// What works on an array by itself is found, and what does not is not accused.
fn found(cases: &HashMap<String, Case>, wrong: &mut Vec<String>) {
    for (name, code, is_wanted) in FOUND {
        let Some(case) = settled(cases, name, wrong) else {
            continue;
        };
        if case.says(&format!("\"{code}\"")) != is_wanted {
            wrong.push(format!(
                "{name}: {code} is to be found: {is_wanted}: {case:#?}"
            ));
        }
    }
    for (name, text) in [
        ("rebuild: record", "\"is_over\":false"),
        ("rebuild: record", "\"curve\""),
        ("rebuild: record", "\"left_ns\""),
        ("rebuild", "rebuilt at the end of a run "),
        ("rebuilt", "rebuilt in "),
    ] {
        if settled(cases, name, wrong).is_some_and(|case| !case.says(text)) {
            wrong.push(format!("{name}: no {text:?}: {:#?}", cases[name]));
        }
    }
}
