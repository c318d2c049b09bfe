//! A plan whose machine is reset in the middle, and what the next boot makes of it: `rebooted.sh` in a guest that boots twice.

use std::collections::{HashMap, HashSet};

use crate::arrays::settled;
use crate::kernel;
use crate::machine::{Guest, boot_each};
use crate::said::{self, Case};

const TEST: &str = "a_plan_goes_on_after_a_reset_in_the_middle";
/// A case, the codes that it may end with, and what it must say.
const EXPECTED: [(&str, &[i32], &[&str]); 8] = [
    ("before the reset", &[0], &[]),
    // The guest has to find what the reset left.
    ("blank before", &[1], &[]),
    (
        "restore",
        &[0],
        &["removed ", "undone by the reboot: /sys/"],
    ),
    ("blank after", &[0], &[]),
    ("restore again", &[0], &["nothing was left behind"]),
    // An emulated disk that holds nothing gives figures that are called invalid.
    ("resume", &[0, 3], &["read_ahead_kb"]),
    (
        "resume again",
        &[0],
        &["no plan was interrupted before this start"],
    ),
    ("runs", &[0], &[]),
];

#[test]
fn a_plan_goes_on_after_a_reset_in_the_middle() {
    let Some(kernel) = kernel(TEST) else {
        return;
    };
    let guest = Guest {
        scripts: &[include_str!("rebooted.sh")],
        disks_mib: &[40, 40, 64],
        programs: &[],
        modules: &[],
        packed: &[],
        last_has_serial: true,
    };
    let (said, console) = boot_each(&kernel, &guest, &[&[0, 1, 2], &[1, 0, 2]]);
    let cases = said::cases(&said, &console);
    let mut wrong: Vec<String> = said::tell_unsettled(&cases).into_iter().collect();
    for (name, codes, parts) in EXPECTED {
        let Some(case) = settled(&cases, name, &mut wrong) else {
            continue;
        };
        let is_right = case.code.is_some_and(|code| codes.contains(&code));
        if !is_right || !parts.iter().all(|part| case.says(part)) {
            wrong.push(format!("{name}: not {codes:?} {parts:?}: {case:#?}"));
        }
    }
    wrong.extend(lost_or_doubled(&cases));
    assert!(wrong.is_empty(), "{}\n{console}", wrong.join("\n"));
}

/// Three blocks of two cells, each once.
fn lost_or_doubled(cases: &HashMap<String, Case>) -> Option<String> {
    let case = cases.get("runs").filter(|case| !case.is_unsettled())?;
    let rows: Vec<&str> = case.out.iter().skip(1).map(String::as_str).collect();
    let once: HashSet<&str> = rows.iter().copied().collect();
    (rows.len() != 6 || once.len() != 6).then(|| format!("LOST runs: {case:#?}"))
}
