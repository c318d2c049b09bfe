//! What the disks of a run moved for whoever used them, without what caches moved between them.

use etalon_model::stack::{BlockDelta, CounterDelta};
use etalon_model::{BeneathFacts, CacheLayer, Run};

/// Bytes that disks read and wrote.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct DiskTraffic {
    pub(crate) read: f64,
    pub(crate) written: f64,
}

impl DiskTraffic {
    /// What the disks at the bottom moved, or the devices beneath the target where they are the same; `None` without
    /// any, or where a cache is among them that was not counted.
    ///
    /// A cache is filled by reads and written back at any time. So what it does with its members is taken out, and
    /// what was asked of it put in: those who use its device, or the rest of its members' disks, stay.
    pub(crate) fn of(run: &Run) -> Option<DiskTraffic> {
        let disks = run.leaves.as_ref().or(run.device.as_ref())?;
        let moved = DiskTraffic {
            read: disks.read_bytes.as_f64(),
            written: disks.written_bytes.as_f64(),
        };
        let beneath = run.circumstances.beneath.as_ref();
        match beneath.map(|beneath| beneath.caches.as_slice()) {
            None | Some([]) => Some(moved),
            // The device of a cache is the bottom only where its members are not known.
            Some(_) if run.leaves.is_none() => Some(moved),
            Some(_) => without_caches(run, moved),
        }
    }
}

/// The counters are those of the machine, and of several runs at once each has its part of what the disks moved:
/// that part shrinks as the whole does.
fn without_caches(run: &Run, moved: DiskTraffic) -> Option<DiskTraffic> {
    let counters = run.circumstances.counters.as_ref()?;
    let beneath = run.circumstances.beneath.as_ref()?;
    let read = Balance::of(counters, beneath, |delta| delta.read_bytes.as_f64(), false)?;
    let written = Balance::of(counters, beneath, |delta| delta.write_bytes.as_f64(), true)?;
    Some(DiskTraffic {
        read: moved.read * read.rest(),
        written: moved.written * written.rest(),
    })
}

/// Bytes of one direction at the bottom, at the members of the caches and at the caches.
struct Balance {
    bottom: f64,
    members: f64,
    caches: f64,
}

impl Balance {
    fn of(
        counters: &CounterDelta,
        beneath: &BeneathFacts,
        bytes: fn(&BlockDelta) -> f64,
        with_copies: bool,
    ) -> Option<Balance> {
        let of = |name: &str| counters.layer(name).map(bytes);
        let leaves = counters.layers.iter().filter(|layer| layer.is_leaf);
        let bottom = leaves.map(|leaf| leaf.delta.as_ref().map(bytes));
        let caches = beneath.caches.iter().map(|cache| of(&cache.device));
        let members = members(&beneath.caches).into_iter().map(|(name, copies)| {
            let copies = if with_copies { copies } else { 1.0 };
            Some(of(name)? * copies)
        });
        Some(Balance {
            bottom: bottom.sum::<Option<f64>>()?,
            members: members.sum::<Option<f64>>()?,
            caches: caches.sum::<Option<f64>>()?,
        })
    }

    /// What is left of the bottom, as a share of it.
    fn rest(&self) -> f64 {
        if self.bottom <= 0.0 {
            return 0.0;
        }
        ((self.bottom - self.members).max(0.0) + self.caches) / self.bottom
    }
}

/// Each device once: two caches may share the fast one.
fn members(caches: &[CacheLayer]) -> Vec<(&str, f64)> {
    let all = caches.iter().flat_map(|cache| &cache.members);
    let mut all: Vec<(&str, f64)> = all
        .map(|member| (member.device.as_str(), member.write_copies))
        .collect();
    all.sort_by(|a, b| a.0.cmp(b.0));
    all.dedup_by(|a, b| a.0 == b.0);
    all
}
