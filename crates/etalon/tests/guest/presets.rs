//! What presets with arrays of md must say, and a plan whose array loses a member: `presets.sh`, in a guest.

use std::collections::HashMap;

use crate::arrays::{amiss, booted_with, carried_out, settled};
use crate::said::Case;

/// What they take besides mdadm.
const PROGRAMS: [&str; 3] = ["losetup", "mkfs.btrfs", "btrfs"];
/// Modules that they take besides those of md.
const MODULES: [&str; 2] = ["loop", "btrfs"];
/// A preset, and the arrays that it makes.
const MADE: [(&str, &[&str]); 2] = [
    ("md-layouts", &["md-10-f2", "md-6"]),
    ("mirror-btrfs-vs-md", &["md-1", "btrfs-raid1"]),
];

#[test]
fn presets_with_arrays_are_carried_out_and_a_lost_member_is_noticed() {
    let test = "presets_with_arrays_are_carried_out_and_a_lost_member_is_noticed";
    let scripts = [include_str!("arrays_begin.sh"), include_str!("presets.sh")];
    let more = (&PROGRAMS[..], &MODULES[..]);
    let Some((cases, console)) = booted_with(test, ("mdadm", &scripts), more) else {
        return;
    };
    let mut wrong = amiss(&cases, &[]);
    for (name, arrays) in MADE {
        carried_out(&cases, name, arrays, &mut wrong);
    }
    lost(&cases, &mut wrong);
    assert!(wrong.is_empty(), "{}\n{console}", wrong.join("\n"));
}

/// What is asked for and what is found when a member is lost behind the plan's back.
const MISSING: [&str; 2] = ["raid1, 0 missing", "raid1, 1 missing"];

/// A level is read back before each run, so that no run is made on what it is not.
fn lost(cases: &HashMap<String, Case>, wrong: &mut Vec<String>) {
    let name = "lost member";
    let Some(case) = settled(cases, name, wrong) else {
        return;
    };
    if case.code != Some(1) || !MISSING.iter().all(|text| case.says(text)) {
        wrong.push(format!("{name}: not noticed: {case:#?}"));
    }
}
