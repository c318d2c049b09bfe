//! `faster-than-device`

use etalon_language::say;

use crate::quantity::bytes_in_words;
use crate::{Action, Fault, FaultCheck, Figure, Line, Material, Page};

pub(crate) const CHECK: FaultCheck = FaultCheck {
    code: "faster-than-device",
    about: "A figure is higher than the device can be.",
    advice: "Find out what was measured: most often the page cache, or a device's own.",
    find,
};

/// The words for a kind of disk, what such disks reach at most, in bytes a second, and the source of the figure.
type Limit = (&'static [&'static str], f64, fn() -> String);

const LIMITS: [Limit; 3] = [
    (
        &[
            "7200",
            "5400",
            "hdd",
            "disque classique",
            "disques classiques",
            "hard disk",
            "rotating",
        ],
        300e6,
        || say!("fault-limit-disk"),
    ),
    (&["sata"], 600e6, || say!("fault-limit-sata")),
    (&["usb 2", "usb2"], 60e6, || say!("fault-limit-usb2")),
];
/// How many times as fast as the same page's streams a random read may be before it was memory.
const TIMES: f64 = 2.0;

fn find(material: &Material<'_>) -> Vec<Fault> {
    let mut faults = beyond_streams(material);
    faults.extend(beyond_kind(material));
    faults.truncate(4);
    faults
}

/// Random reads faster than everything that was streamed with the page cache bypassed, or told of the disk.
fn beyond_streams(material: &Material<'_>) -> Vec<Fault> {
    let honest = |f: &&Figure| {
        matches!(f.action, Action::Read)
            && (f.direct == Some(true) || f.tool == crate::Tool::Hdparm)
    };
    let rates = material
        .figures
        .iter()
        .filter(honest)
        .filter_map(|f| f.bytes_per_second);
    let Some(stream) = rates.reduce(f64::max) else {
        return Vec::new();
    };
    let random = material
        .figures
        .iter()
        .filter(|f| matches!(f.action, Action::RandomRead | Action::RandomWrite));
    let beyond = random.filter(|f| f.bytes_per_second.is_some_and(|rate| rate > stream * TIMES));
    beyond
        .take(2)
        .map(|f| {
            CHECK.at(
                f.line,
                say!(
                    "fault-faster-than-device-random",
                    label = f.label,
                    rate = bytes_in_words(f.bytes_per_second.unwrap_or(0.0)),
                    stream = bytes_in_words(stream),
                ),
            )
        })
        .collect()
}

/// What follows the number of a disk's speed: `7200 rpm`, `7200 tours/min`, and `7200.2` of a family's name.
const TURNS: [&str; 6] = ["rpm", "tr", "t/m", "tour", "toer", "."];

/// Whether a page names a kind of disk by one of these words.
fn names(page: &Page, words: &[&str]) -> bool {
    let in_line = |line: &Line| words.iter().any(|word| is_named(&line.plain, word));
    page.lines.iter().any(in_line)
}

/// Whether a word stands in a text. Of a word that ends in a number, that is no part of a longer one (`17200`, `usb 20`) or of
/// a place (`usb 2-1` of the kernel's messages); and a number alone has to be one of turns.
fn is_named(text: &str, word: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_meant = |at: usize| {
        let after = &text[at + word.len()..];
        let is_part = text[..at].ends_with(is_digit) || after.starts_with(is_digit);
        let is_place = after
            .strip_prefix('-')
            .is_some_and(|next| next.starts_with(is_digit));
        let unit = after.trim_start_matches([' ', '-']);
        let turns = || TURNS.iter().any(|turns| unit.starts_with(turns));
        !is_part && !is_place && (!word.starts_with(is_digit) || turns())
    };
    let mut places = text.match_indices(word).map(|(at, _)| at);
    places.any(|at| !word.ends_with(is_digit) || is_meant(at))
}

/// Figures above what the kind of disk that the page names can do, where it names no faster one.
fn beyond_kind(material: &Material<'_>) -> Vec<Fault> {
    let page = material.page;
    if page.says(&["nvme", "raid", "optane", "zram", "tmpfs", "ramdisk"]) {
        return Vec::new();
    }
    let ssd = page.says(&["ssd"]);
    let kind = LIMITS
        .iter()
        .enumerate()
        .find(|(at, (words, _, _))| !(ssd && *at == 0) && names(page, words));
    let Some((_, (_, limit, why))) = kind else {
        return Vec::new();
    };
    let figures = material
        .figures
        .iter()
        .filter(|f| f.action != Action::CachedRead);
    let beyond = figures.filter(|f| f.bytes_per_second.is_some_and(|rate| rate > limit * 1.1));
    beyond
        .take(2)
        .map(|f| {
            CHECK.at(
                f.line,
                say!(
                    "fault-faster-than-device-kind",
                    label = f.label,
                    rate = bytes_in_words(f.bytes_per_second.unwrap_or(0.0)),
                    quoted = f.quoted,
                    why = why(),
                ),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_other_things_name_no_disk() {
        for (text, word, expected) in [
            ("wd10ezex 7200 rpm", "7200", true),
            ("7200rpm", "7200", true),
            ("a 7200-rpm disk", "7200", true),
            ("disques durs a 7200 tours", "7200", true),
            ("momentus 7200.2 series", "7200", true),
            ("iops=7200, bw=28.1mib/s", "7200", false),
            ("iops=17.2k, bw=17200kib/s", "7200", false),
            ("7200 iops for 7200 s", "7200", false),
            ("usb 2", "usb 2", true),
            ("usb 2.0 hub", "usb 2", true),
            ("usb 20gbps", "usb 2", false),
            ("usb 2-1.4: new superspeed usb device", "usb 2", false),
            ("an hdd", "hdd", true),
        ] {
            assert_eq!(is_named(text, word), expected, "{text}");
        }
    }
}
