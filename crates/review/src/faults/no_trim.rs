//! `no-trim`

use etalon_language::say;

use crate::{Fault, FaultCheck, Material};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "no-trim",
    about: "An SSD is judged slow, and nothing tells whether it was trimmed.",
    advice: "Trim it (fstrim, blkdiscard) and measure again, before and after.",
    find,
};

/// Words of a verdict on speed.
const SLOW: [&str; 9] = [
    "catastrophi",
    "plus lent",
    "moins bien",
    "slower than",
    "very slow",
    "disappointing",
    "degrade",
    "decevant",
    "mauvais",
];
/// Lines around a verdict in which TRIM would be told of.
const NEAR: usize = 20;

fn find(material: &Material<'_>) -> Vec<Fault> {
    let lines = &material.page.lines;
    let judged = lines
        .iter()
        .filter(|line| line.says(&["ssd"]) && line.says(&SLOW));
    let silent = judged.filter(|line| {
        let first = line.number.saturating_sub(NEAR);
        let last = (line.number + NEAR).min(lines.len());
        !lines[first..last]
            .iter()
            .any(|near| near.says(&["trim", "discard", "wiper"]))
    });
    silent
        .take(1)
        .map(|line| CHECK.at(line.number, say!("fault-no-trim")))
        .collect()
}
