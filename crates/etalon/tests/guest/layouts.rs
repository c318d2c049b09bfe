//! More layouts of md and kinds of volumes of LVM, and what is refused: `layouts.sh` in a guest; then presets with arrays,
//! of which `presets.rs` says what they must say.

use crate::arrays::{Made, guest, made, programs, settled};
use crate::{kernel, machine, presets, said};

const TEST: &str = "layouts_are_read_back_and_what_they_lack_is_named";
const MADE: [Made; 2] = [
    (
        "md-more",
        &[
            "md-4",
            "md-6 chunk 64 KiB",
            "md-10-o2",
            "md-10-n3",
            "md-5 1 missing",
            "md-1 bitmap internal",
        ],
    ),
    (
        "lvm-more",
        &[
            "lvm-raid1",
            "lvm-raid5 chunk 64 KiB",
            "lvm-raid6",
            "lvm-raid10",
            "lvm-thin chunk 128 KiB",
        ],
    ),
];
/// Plans that cannot be carried out, and what they must say; `|` separates what will also do.
const FAILED: [(&str, &str); 5] = [
    ("no mdadm", "install the package mdadm"),
    ("no raid10", "needs the kernel module raid10"),
    ("no lvcreate", "install the package lvm2"),
    ("no dm-raid", "needs the kernel module dm-raid"),
    ("full snapshot", "a snapshot that takes copies"),
];

#[test]
fn layouts_are_read_back_and_what_they_lack_is_named() {
    let Some(kernel) = kernel(TEST) else {
        return;
    };
    let mut programs = programs(TEST);
    if programs.len() < 2 {
        return;
    }
    let of_presets = presets::programs(TEST);
    programs.extend(of_presets.iter().cloned());
    let scripts = [
        include_str!("arrays_begin.sh"),
        include_str!("layouts.sh"),
        include_str!("presets.sh"),
    ];
    let plain = guest(&scripts, &programs);
    let modules = [plain.modules, &presets::MODULES].concat();
    let guest = machine::Guest {
        modules: &modules,
        ..plain
    };
    let (said, console) = machine::boot(&kernel, &guest);
    let cases = said::cases(&said, &console);
    let mut wrong: Vec<String> = said::tell_unsettled(&cases).into_iter().collect();
    for (family, arrays) in MADE {
        made(&cases, family, arrays, &mut wrong);
    }
    for (name, text) in FAILED {
        let Some(case) = settled(&cases, name, &mut wrong) else {
            continue;
        };
        if case.code != Some(1) || !case.says(text) {
            wrong.push(format!("{name}: no {text:?}: {case:#?}"));
        }
    }
    if !of_presets.is_empty() {
        presets::check(&cases, &mut wrong);
    }
    presets::check_lost(&cases, &mut wrong);
    for (name, case) in &cases {
        wrong.extend(case.died(name, &[]));
        if name.ends_with(": as before") && case.code != Some(0) {
            wrong.push(format!("LOST {name}: {case:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{console}", wrong.join("\n"));
}
