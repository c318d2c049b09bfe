//! More layouts of md and kinds of volumes of LVM, and what is refused: `layouts_md.sh` and `layouts_lvm.sh`, each in a guest.

use crate::arrays::{Made, amiss, booted, made, settled, tables};

const OF_MD: Made = (
    "md-more",
    &[
        "md-4",
        "md-6 chunk 64 KiB",
        "md-10-o2",
        "md-10-n3",
        "md-5 1 missing",
        "md-1 bitmap internal",
    ],
);
const OF_LVM: Made = (
    "lvm-more",
    &[
        "lvm-raid1",
        "lvm-raid5 chunk 64 KiB",
        "lvm-raid6",
        "lvm-raid10",
        "lvm-thin chunk 128 KiB",
    ],
);
/// As in `arrays.rs`; stripes of 64 KiB are 128 sectors.
const TABLES_OF_LVM: [&str; 5] = [
    "raid raid1 ",
    "raid raid5_ls 3 128 ",
    "raid raid6_zr ",
    "raid raid10 ",
    "thin ",
];
/// Plans that cannot be carried out, and what they must say; `|` separates what will also do.
const NOT_BY_MD: [(&str, &str); 2] = [
    ("no mdadm", "install the package mdadm"),
    ("no raid10", "needs the kernel module raid10"),
];
const NOT_BY_LVM: [(&str, &str); 3] = [
    ("no lvcreate", "install the package lvm2"),
    ("no dm-raid", "needs the kernel module dm-raid"),
    ("full snapshot", "a snapshot that takes copies"),
];
const BEGIN: [&str; 2] = [
    include_str!("arrays_begin.sh"),
    include_str!("layouts_begin.sh"),
];

#[test]
fn layouts_of_md_are_read_back_and_what_they_lack_is_named() {
    let test = "layouts_of_md_are_read_back_and_what_they_lack_is_named";
    let what = ("mdadm", include_str!("layouts_md.sh"));
    read_back(test, what, (OF_MD, &[]), &NOT_BY_MD);
}

#[test]
fn layouts_of_lvm_are_read_back_and_what_they_lack_is_named() {
    let test = "layouts_of_lvm_are_read_back_and_what_they_lack_is_named";
    let what = ("lvm", include_str!("layouts_lvm.sh"));
    read_back(test, what, (OF_LVM, &TABLES_OF_LVM), &NOT_BY_LVM);
}

/// What a plan made is as it was asked for, and what cannot be made is refused.
fn read_back(
    test: &str,
    (needed, script): (&str, &str),
    ((family, arrays), in_kernel): (Made, &[&str]),
    refused: &[(&str, &str)],
) {
    let scripts = [&BEGIN[..], &[script]].concat();
    let Some((cases, console)) = booted(test, (needed, &scripts)) else {
        return;
    };
    let mut wrong = amiss(&cases, &[]);
    made(&cases, (family, arrays), 1, &mut wrong);
    if !in_kernel.is_empty() {
        tables(&cases, family, in_kernel, &mut wrong);
    }
    for (name, text) in refused {
        let Some(case) = settled(&cases, name, &mut wrong) else {
            continue;
        };
        if case.code != Some(1) || !case.says(text) {
            wrong.push(format!("{name}: no {text:?}: {case:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{console}", wrong.join("\n"));
}
