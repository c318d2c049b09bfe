//! Plans with arrays over four disks, carried out for real: `arrays.sh` in a guest.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::machine::{self, Guest};
use crate::said::{self, Case};
use crate::{kernel, skipped};

const TEST: &str = "arrays_are_made_measured_and_taken_down";
/// Cases that a case kills.
const KILLED: [&str; 3] = ["md killed", "rebuild killed", "lvm killed"];
/// What a plan says of each array that it made.
const MADE: [Made; 2] = [
    (
        "md",
        &[
            "md-0 chunk 16 KiB",
            "md-5 chunk 64 KiB degraded",
            "md-10-n2",
            "md-10-f2 chunk 32 KiB",
        ],
    ),
    (
        "lvm",
        &[
            "lvm-linear",
            "lvm-striped chunk 64 KiB",
            "lvm-mirror",
            "lvm-snapshot",
        ],
    ),
];
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
fn arrays_are_made_measured_and_taken_down() {
    let Some(kernel) = kernel(TEST) else {
        return;
    };
    let programs = programs(TEST);
    let scripts = [include_str!("arrays_begin.sh"), include_str!("arrays.sh")];
    let guest = guest(&scripts, &programs);
    let has = |name: &str| programs.iter().any(|program| program.ends_with(name));
    let is_there = |family: &str| {
        has(if family.starts_with("lvm") {
            "lvm"
        } else {
            "mdadm"
        })
    };
    let (said, console) = machine::boot(&kernel, &guest);
    let cases = said::cases(&said, &console);
    let mut wrong: Vec<String> = said::tell_unsettled(&cases).into_iter().collect();
    wrong.extend(
        cases
            .iter()
            .filter_map(|(name, case)| case.died(name, &KILLED)),
    );
    for (family, arrays) in MADE.iter().filter(|(family, _)| is_there(family)) {
        made(&cases, family, arrays, &mut wrong);
    }
    for name in KILLED.iter().filter(|name| is_there(&name[..3])) {
        put_back(&cases, name, &mut wrong);
    }
    if has("mdadm") {
        found(&cases, &mut wrong);
    }
    for (name, case) in cases
        .iter()
        .filter(|(name, _)| name.ends_with(": as before"))
    {
        if case.code != Some(0) {
            wrong.push(format!("LOST {name}: {case:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{console}", wrong.join("\n"));
}

/// The programs of md and LVM that are there.
pub(crate) fn programs(test: &str) -> Vec<PathBuf> {
    let mut programs = Vec::new();
    for (family, name) in [("md", "mdadm"), ("lvm", "lvm")] {
        match machine::program(name) {
            Some(program) => programs.push(program),
            None => skipped(test, &format!("the cases of {family} need {name}")),
        }
    }
    programs
}

/// A machine with five disks and what arrays take.
pub(crate) fn guest<'a>(scripts: &'a [&'a str], programs: &'a [PathBuf]) -> Guest<'a> {
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

/// Each array was made, measured and told of.
pub(crate) fn made(
    cases: &HashMap<String, Case>,
    family: &str,
    arrays: &[&str],
    wrong: &mut Vec<String>,
) {
    let Some(case) = settled(cases, family, wrong) else {
        return;
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
    let table = cases.get(&format!("{family}: facts"));
    let rows = table.map_or(&[][..], |table| &table.out[..]);
    let rows = rows.iter().filter(|row| row.contains(";array created in="));
    if rows.count() != 2 * arrays.len() {
        wrong.push(format!("{family}: not in each row: {table:#?}"));
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
