//! `idle-half`

use etalon_language::{figure, say};

use crate::tools::{SarDisk, average_disks};
use crate::{Fault, FaultCheck, Material, Page};

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
    let halves = pairs.filter_map(|pair| idle(material, pair));
    halves.collect()
}

/// Words for what disks are halves of.
const ARRAYS: [&str; 9] = [
    "raid", "mirror", "miroir", "spiegel", "/dev/md", "btrfs", "zfs", "stripe", "array",
];

/// Whether it is the one disk that the page measures: no word of an array, and of both only this one is named.
fn is_measured_alone(page: &Page, busy: &str, other: &str) -> bool {
    let names = |name: &str| page.says(&[&format!("/dev/{name}")]);
    !page.says(&ARRAYS) && names(busy) && !names(other)
}

/// Starts of names of what lies above disks or is none.
const NO_DISKS: [&str; 4] = ["md", "dm-", "loop", "zram"];

fn is_disk(name: &str) -> bool {
    match name.strip_prefix("dev") {
        Some(numbers) => is_numbered_disk(numbers),
        None => !NO_DISKS.iter().any(|start| name.starts_with(start)),
    }
}

/// Whether `8-16` of `dev8-16`, as `sar -d` without `-p` writes it, is a whole disk. Only the numbers of SCSI and SATA
/// disks tell: each has sixteen minor numbers, the first of them for the whole (Documentation/admin-guide/devices.txt
/// of the kernel). Partitions of NVMe disks are numbered as disks are, and `sar -o` keeps them too.
fn is_numbered_disk(numbers: &str) -> bool {
    let Some((major, minor)) = numbers.split_once('-') else {
        return false;
    };
    let is_scsi = matches!(major.parse(), Ok(8 | 65..=71 | 128..=135));
    is_scsi
        && minor
            .parse()
            .is_ok_and(|minor: u32| minor.is_multiple_of(16))
}

/// Whether a name is that of a partition of `disk`: the number follows a letter directly, and a digit after a `p`.
fn is_partition(name: &str, disk: &str) -> bool {
    let Some(rest) = name.strip_prefix(disk) else {
        return false;
    };
    let number = match disk.ends_with(|c: char| c.is_ascii_digit()) {
        true => rest.strip_prefix('p'),
        false => Some(rest),
    };
    number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

fn idle(material: &Material<'_>, pair: &[SarDisk]) -> Option<Fault> {
    let busiest = pair
        .iter()
        .max_by(|a, b| a.transfers.total_cmp(&b.transfers))?;
    let other = pair.iter().find(|disk| disk.name != busiest.name)?;
    if is_partition(&other.name, &busiest.name) || is_partition(&busiest.name, &other.name) {
        return None;
    }
    if is_measured_alone(material.page, &busiest.name, &other.name) {
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
