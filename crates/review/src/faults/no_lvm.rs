//! `no-lvm`

use etalon_language::say;

use crate::{Fault, FaultCheck, Line, Material};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "no-lvm",
    about: "LVM lies below what was measured, and the description leaves it out.",
    advice: "Describe every layer from the mount down to the disks (lsblk shows them).",
    find,
};

/// A mounted logical volume, or a described system that its author says has one.
fn find(material: &Material<'_>) -> Vec<Fault> {
    let lines = &material.page.lines;
    let admitted = lines.iter().find(|line| {
        line.says(&["lvm"])
            && line.says(&[
                "ne mentionne pas",
                "does not mention",
                "not mentioned",
                "leaves out",
                "is missing",
            ])
    });
    let used = lines
        .iter()
        .find(|line| line.says(&["/dev/mapper/"]) && is_volume(line));
    let silent = used.filter(|_| !material.setting.lvm_told && material.measures());
    let found = admitted.or(silent);
    found
        .map(|line| CHECK.at(line.number, say!("fault-no-lvm")))
        .into_iter()
        .collect()
}

/// `/dev/mapper/group-volume` is LVM's; names of dm-crypt and multipath have no hyphen in the middle.
fn is_volume(line: &Line) -> bool {
    let names = line
        .plain
        .match_indices("/dev/mapper/")
        .filter_map(|(at, mark)| line.plain[at + mark.len()..].split_whitespace().next());
    names
        .into_iter()
        .any(|name| name.trim_matches('-').contains('-') && !name.contains("crypt"))
}
