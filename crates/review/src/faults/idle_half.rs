//! `idle-half`

use etalon_language::{figure, say};

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
    let mut disks = average_disks(material.page);
    disks.retain(|disk| is_disk(&disk.name));
    let pairs = disks
        .windows(2)
        .filter(|pair| pair[1].line == pair[0].line + 1 && pair[0].name != pair[1].name);
    pairs.filter_map(idle).collect()
}

/// Starts of names of what lies above disks or is none; `sar -d` without `-p` writes `dev9-0` for md0, and 253
/// for those of device-mapper.
const NO_DISKS: [&str; 9] = [
    "md", "dm-", "loop", "zram", "dev1-", "dev7-", "dev9-", "dev253-", "dev252-",
];

fn is_disk(name: &str) -> bool {
    !NO_DISKS.iter().any(|start| name.starts_with(start))
}

fn idle(pair: &[SarDisk]) -> Option<Fault> {
    let busiest = pair
        .iter()
        .max_by(|a, b| a.transfers.total_cmp(&b.transfers))?;
    let other = pair.iter().find(|disk| disk.name != busiest.name)?;
    // A partition is a part of its disk.
    if other.name.starts_with(&busiest.name) || busiest.name.starts_with(&other.name) {
        return None;
    }
    let still = other.transfers < busiest.transfers * 0.02 && busiest.transfers > 10.0;
    still.then(|| {
        CHECK.at(
            other.line,
            say!(
                "fault-idle-half",
                busy = busiest.name,
                transfers = figure(busiest.transfers),
                other = other.name,
            ),
        )
    })
}
