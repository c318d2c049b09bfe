//! `wrong-place`

use etalon_language::say;

use crate::{Fault, FaultCheck, Material};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "wrong-place",
    about: "A faster partition is explained as an inner one, or a slower as an outer one.",
    advice: "Disks count from the rim: the first sectors lie outermost and are the fastest.",
    find,
};

/// Words for the middle and the rim of a disk.
const INNER: [&str; 7] = [
    "centrale",
    "interieur",
    "vers le centre",
    "inner",
    "the centre",
    "the center",
    "centre du disque",
];
const OUTER: [&str; 4] = ["exterieur", "outer", "the rim", "the outside"];

/// The first partition called inner, or a later one outer, or the faster said to lie inside.
fn find(material: &Material<'_>) -> Vec<Fault> {
    let lines = material.page.lines.iter();
    let wrong = lines.filter(|line| {
        let first = line.says(&[
            "partition 1",
            "partition 0",
            "first partition",
            "premiere partition",
        ]);
        let later = line.says(&[
            "partition 2",
            "partition 3",
            "last partition",
            "derniere partition",
            "second partition",
        ]);
        let fast = line.says(&["plus rapide", "faster"]) && !line.says(&["moins rapide"]);
        let (inner, outer) = (line.says(&INNER), line.says(&OUTER));
        inner && !outer && (first || fast && line.says(&["partition"]))
            || outer && !inner && later && !fast
    });
    wrong
        .take(2)
        .map(|line| {
            CHECK.at(
                line.number,
                say!("fault-wrong-place", text = line.text.trim()),
            )
        })
        .collect()
}
