//! Which device or filesystem something is, whatever it is called today: the kernel gives names and numbers anew with
//! each boot.
//!
//! `is_same` holds two records against each other and answers nothing where either knows too little; `identity` puts
//! the same into words that are kept, and has none where another thing could be meant by them.

mod disk;
mod filesystem;
mod layer;

use super::{Layer, StackTree};

pub use disk::tells_apart;

impl StackTree {
    /// Whether it is the same filesystem on the same disks, or the same device; none where too little is known of
    /// either. A filesystem whose UUID was copied is another one where its disks are others.
    pub fn is_same(&self, other: &StackTree) -> Option<bool> {
        let (own, its) = match (&self.filesystem, &other.filesystem) {
            (None, None) => return same_each(&self.top(), &other.top()),
            (Some(own), Some(its)) => (own, its),
            _ => return Some(false),
        };
        match (own.is_same(its), self.has_same_disks(other)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (said, _) => said,
        }
    }

    /// Whether the disks beneath are the same, whatever stands on them; none where too little is known of them.
    pub fn has_same_disks(&self, other: &StackTree) -> Option<bool> {
        same_each(&self.leaves(), &other.leaves())
    }

    /// What the target is in words, which stay the same as long as it does; none where nothing is known that tells it.
    pub fn identity(&self) -> Option<String> {
        if let Some(filesystem) = &self.filesystem {
            return filesystem.identity();
        }
        let device = self.devices.first()?;
        Some(format!("{}, {}", device.size, device.identity()?))
    }

    /// The same with the disks beneath, which tell a filesystem from a copy of it.
    pub fn described(&self) -> Option<String> {
        let own = self.identity();
        let disks = self.filesystem.as_ref().and_then(|_| self.disks());
        match (own, disks) {
            (Some(own), Some(disks)) => Some(format!("{own} on {disks}")),
            (own, disks) => own.or(disks),
        }
    }

    /// The disks beneath, all of them.
    fn disks(&self) -> Option<String> {
        let leaves = self.leaves().into_iter();
        let disks: Option<Vec<String>> = leaves.map(Layer::identity).collect();
        let disks = disks.filter(|found| !found.is_empty())?;
        Some(disks.join(" and "))
    }

    fn top(&self) -> Vec<&Layer> {
        self.devices.iter().collect()
    }
}

/// Whether the devices are the same, in whatever order. Each two are compared once: what stands on many others would take
/// for ever.
fn same_each(own: &[&Layer], others: &[&Layer]) -> Option<bool> {
    if own.len() != others.len() {
        return Some(false);
    }
    let answers = |layer: &&Layer| -> Vec<Option<bool>> {
        others.iter().map(|other| layer.is_same(other)).collect()
    };
    let answers: Vec<Vec<Option<bool>>> = own.iter().map(answers).collect();
    let there = answers.iter().map(|row| is_among(row.iter().copied()));
    let back = (0..others.len()).map(|at| is_among(answers.iter().map(|row| row[at])));
    all_of(there.chain(back).collect())
}

/// Whether one of some devices is meant, by what is said of each.
fn is_among(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let answers: Vec<Option<bool>> = answers.collect();
    match answers.contains(&Some(true)) {
        true => Some(true),
        false if answers.contains(&None) => None,
        false => Some(false),
    }
}

/// Of no device at all nothing is known.
fn all_of(answers: Vec<Option<bool>>) -> Option<bool> {
    match answers.contains(&Some(false)) {
        true => Some(false),
        false if answers.contains(&None) || answers.is_empty() => None,
        false => Some(true),
    }
}

#[cfg(test)]
mod tests;
