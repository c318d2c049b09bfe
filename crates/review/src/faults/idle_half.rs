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

/// Averages of disks one under the other, of which one worked and one stood still, where the page says that both were to
/// work.
fn find(material: &Material<'_>) -> Vec<Fault> {
    let mut disks = average_disks(material.page);
    let has_array = disks.iter().any(|disk| is_array(&disk.name)) || material.page.says(&ARRAYS);
    disks.retain(|disk| is_disk(&disk.name));
    let pairs = disks
        .windows(2)
        .filter(|pair| pair[1].line == pair[0].line + 1 && pair[0].name != pair[1].name);
    let halves = pairs.filter_map(idle);
    let expected = halves.filter(|half| has_array || is_named(material.page, &half.still.name));
    expected.map(|half| half.fault()).collect()
}

/// Words for what disks are halves of.
const ARRAYS: [&str; 9] = [
    "raid", "mirror", "miroir", "spiegel", "/dev/md", "btrfs", "zfs", "stripe", "array",
];

/// Whether the page names the disk, whole or a part of it. An idle disk that nobody wrote of is half of nothing: most machines
/// have one beside the disk that was measured.
fn is_named(page: &Page, name: &str) -> bool {
    let numbered = name.strip_prefix("dev").and_then(numbered_disk);
    let device = format!("/dev/{}", numbered.as_deref().unwrap_or(name));
    let mut lines = page.lines.iter();
    lines.any(|line| {
        let mut found = line.plain.match_indices(&device);
        found.any(|(at, _)| {
            let next = line.plain[at + device.len()..].chars().next();
            // Of /dev/sdaa sda is no part, and /dev/sda1 is one of it.
            match device.ends_with(|c: char| c.is_ascii_digit()) {
                true => next.is_none_or(|next| !next.is_ascii_digit()),
                false => next.is_none_or(|next| !next.is_ascii_lowercase()),
            }
        })
    })
}

/// An array of md; its major number is 9.
fn is_array(name: &str) -> bool {
    ["md", "dev9-"].iter().any(|start| name.starts_with(start))
}

/// Starts of names of what lies above disks or is none.
const NO_DISKS: [&str; 4] = ["md", "dm-", "loop", "zram"];

fn is_disk(name: &str) -> bool {
    match name.strip_prefix("dev") {
        Some(numbers) => numbered_disk(numbers).is_some(),
        None => !NO_DISKS.iter().any(|start| name.starts_with(start)),
    }
}

/// `sdb` for `8-16` of `dev8-16`, as `sar -d` without `-p` writes it; `None` of what is no whole disk. Only the numbers of SCSI
/// and SATA disks tell: each has sixteen minor numbers, the first of them for the whole (Documentation/admin-guide/devices.txt
/// of the kernel). Partitions of NVMe disks are numbered as disks are, and `sar -o` keeps them too.
fn numbered_disk(numbers: &str) -> Option<String> {
    let (major, minor) = numbers.split_once('-')?;
    let sixteenth = match major.parse().ok()? {
        8 => 0,
        major @ 65..=71 => major - 64,
        major @ 128..=135 => major - 120,
        _ => return None,
    };
    let minor: u32 = minor.parse().ok()?;
    let whole = minor < 256 && minor.is_multiple_of(16);
    whole.then(|| lettered(sixteenth * 16 + minor / 16))
}

/// `sda` of the first disk, `sdaa` of the twenty-seventh.
fn lettered(mut place: u32) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(char::from(b'a' + (place % 26) as u8));
        match (place / 26).checked_sub(1) {
            Some(rest) => place = rest,
            None => break,
        }
    }
    letters.push('d');
    letters.push('s');
    letters.iter().rev().collect()
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

/// A disk that worked and one that did not.
struct Halves<'a> {
    busy: &'a SarDisk,
    still: &'a SarDisk,
}

impl Halves<'_> {
    fn fault(&self) -> Fault {
        CHECK.at(
            self.still.line,
            say!(
                "fault-idle-half",
                busy = self.busy.name,
                transfers = figure(self.busy.transfers),
                other = self.still.name,
            ),
        )
    }
}

fn idle(pair: &[SarDisk]) -> Option<Halves<'_>> {
    let busy = pair
        .iter()
        .max_by(|a, b| a.transfers.total_cmp(&b.transfers))?;
    let still = pair.iter().find(|disk| disk.name != busy.name)?;
    if is_partition(&still.name, &busy.name) || is_partition(&busy.name, &still.name) {
        return None;
    }
    let is_idle = still.transfers < busy.transfers * 0.02 && busy.transfers > 10.0;
    is_idle.then_some(Halves { busy, still })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_whole_disks_are_their_names() {
        for (numbers, name) in [
            ("8-0", Some("sda")),
            ("8-16", Some("sdb")),
            ("8-240", Some("sdp")),
            ("65-0", Some("sdq")),
            ("65-160", Some("sdaa")),
            ("128-0", Some("sddy")),
            ("8-1", None),
            ("8-256", None),
            ("259-0", None),
            ("253-0", None),
        ] {
            assert_eq!(numbered_disk(numbers).as_deref(), name, "{numbers}");
        }
    }
}
