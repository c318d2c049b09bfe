//! `idle-half`

use crate::tools::{SarDisk, average_disks};
use crate::{Fault, FaultCheck, Material};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "idle-half",
    about: "One disk of a mirror or array did nothing.",
    advice: "Say that one disk was measured, or use several streams so that both work.",
    find,
};

/// Averages of disks one under the other, of which one worked and one stood still.
fn find(material: &Material<'_>) -> Vec<Fault> {
    let disks = average_disks(material.page);
    let pairs = disks
        .windows(2)
        .filter(|pair| pair[1].line == pair[0].line + 1 && pair[0].name != pair[1].name);
    pairs.filter_map(idle).collect()
}

fn idle(pair: &[SarDisk]) -> Option<Fault> {
    let busiest = pair
        .iter()
        .max_by(|a, b| a.transfers.total_cmp(&b.transfers))?;
    let other = pair.iter().find(|disk| disk.name != busiest.name)?;
    let still = other.transfers < busiest.transfers * 0.02 && busiest.transfers > 10.0;
    still.then(|| {
        CHECK.at(
            other.line,
            format!(
                "{} moved {} transfers a second while {} stood still: one disk served everything.",
                busiest.name, busiest.transfers, other.name
            ),
        )
    })
}
