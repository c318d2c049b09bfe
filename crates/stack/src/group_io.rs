//! What a control group moved on each device so far, as the kernel counts it of the group alone.

use std::collections::BTreeMap;
use std::path::Path;

use etalon_model::stack::DevNo;
use etalon_model::{GroupTraffic, LimitedQuantity};
use etalon_units::Bytes;

use crate::context::Context;
use crate::text::read_text;

/// What was read and written on a device.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Moved {
    read_bytes: u64,
    written_bytes: u64,
    reads: u64,
    writes: u64,
}

/// What a group moved, by device: one that has no line there it has not used yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct GroupIo(BTreeMap<DevNo, Moved>);

impl GroupIo {
    /// `io.stat` of version 2, which counts the groups within as well; `None` where it cannot be read.
    pub(crate) fn of_version_2(group: &Path) -> Option<GroupIo> {
        let mut found = GroupIo::default();
        for line in read_text(&group.join("io.stat")).ok()?.lines() {
            let mut words = line.split_whitespace();
            if let Some(device) = words.next().and_then(|word| word.parse().ok()) {
                let values = words.filter_map(|word| word.split_once('='));
                let moved = found.0.entry(device).or_default();
                values.for_each(|(key, value)| moved.set(key, value));
            }
        }
        Some(found)
    }

    /// The files of version 1, which count the processes of the group alone: `8:16 Read 4096`.
    pub(crate) fn of_version_1(context: &Context<'_>, group: &Path) -> Option<GroupIo> {
        let mut found = GroupIo::default();
        for (file, keys) in VERSION_1 {
            let path = group.join(file);
            if !path.exists() {
                return None;
            }
            for line in context.attr_lines(path) {
                let words: Vec<&str> = line.split_whitespace().collect();
                if let [device, kind, value] = words[..]
                    && let Ok(device) = device.parse()
                    && let Some((_, key)) = keys.iter().find(|(name, _)| *name == kind)
                {
                    found.0.entry(device).or_default().set(key, value);
                }
            }
        }
        Some(found)
    }

    /// What was moved on a device in the direction of a limited quantity.
    pub(crate) fn moved(&self, device: DevNo, quantity: LimitedQuantity) -> GroupTraffic {
        let moved = self.0.get(&device).copied().unwrap_or_default();
        let (bytes, requests) = match quantity {
            LimitedQuantity::ReadBytes | LimitedQuantity::ReadRequests => {
                (moved.read_bytes, moved.reads)
            }
            LimitedQuantity::WriteBytes | LimitedQuantity::WriteRequests => {
                (moved.written_bytes, moved.writes)
            }
        };
        GroupTraffic {
            bytes: Bytes(bytes),
            requests,
        }
    }
}

/// Words of a file of version 1, each with its key of version 2.
type Keys = [(&'static str, &'static str); 2];

const VERSION_1: [(&str, Keys); 2] = [
    (
        "blkio.throttle.io_service_bytes",
        [("Read", "rbytes"), ("Write", "wbytes")],
    ),
    (
        "blkio.throttle.io_serviced",
        [("Read", "rios"), ("Write", "wios")],
    ),
];

impl Moved {
    fn set(&mut self, key: &str, value: &str) {
        let count = match key {
            "rbytes" => &mut self.read_bytes,
            "wbytes" => &mut self.written_bytes,
            "rios" => &mut self.reads,
            "wios" => &mut self.writes,
            _ => return,
        };
        *count = value.parse().unwrap_or(0);
    }
}
