//! `faster-than-device`

use etalon_language::say;

use crate::quantity::bytes_in_words;
use crate::{Action, Fault, FaultCheck, Figure, Material};

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
        .find(|(at, (words, _, _))| !(ssd && *at == 0) && page.says(words));
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
