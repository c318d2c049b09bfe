//! What the devices of arms are called: by what they are, whatever the kernel calls them.

use etalon_model::stack::{Disk, LayerKind};

use super::group::Group;

/// How a device is told from another, the shortest first.
const LABELS: [fn(&Group<'_>) -> String; 3] = [kernel_names, with_models, with_numbers];

/// A name for the devices of each arm, the same where they are the same: a disk got another name at boot, or those of two
/// machines have one. Where nothing tells what they are, the kernel's names stand.
pub fn device_names(groups: &[Group<'_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let mut earlier = groups[..number].iter().zip(&names);
        let known = earlier.find(|(other, _)| same(other, group) == Some(true));
        let name = known.map_or_else(|| label(group, groups), |(_, name)| name.clone());
        names.push(name);
    }
    names
}

/// Whether no two arms that `alike` takes for one in all else are on the same device, as far as is known.
pub(super) fn differ(groups: &[Group<'_>], alike: impl Fn(&Group<'_>, &Group<'_>) -> bool) -> bool {
    let differ = |a: &Group<'_>, b: &Group<'_>| match same(a, b) {
        Some(same) => !same,
        None => kernel_names(a) != kernel_names(b),
    };
    let mut pairs =
        (1..groups.len()).flat_map(|n| groups[..n].iter().map(move |a| (a, &groups[n])));
    pairs.all(|(a, b)| !alike(a, b) || differ(a, b))
}

/// None where it is not known of either.
fn same(a: &Group<'_>, b: &Group<'_>) -> Option<bool> {
    let (a, b) = a.environment.zip(b.environment)?;
    a.stack.has_same_disks(&b.stack)
}

/// The shortest label that no other device has.
fn label(group: &Group<'_>, groups: &[Group<'_>]) -> String {
    let others = groups
        .iter()
        .filter(|other| same(group, other) == Some(false));
    let others: Vec<&Group<'_>> = others.collect();
    let tells = |label: &&fn(&Group<'_>) -> String| {
        let own = label(group);
        others.iter().all(|other| label(other) != own)
    };
    let found = LABELS.iter().find(tells).unwrap_or(&LABELS[0]);
    found(group)
}

fn kernel_names(group: &Group<'_>) -> String {
    group.target.devices.join("+")
}

fn with_models(group: &Group<'_>) -> String {
    with(group, |disk| disk.model.clone())
}

fn with_numbers(group: &Group<'_>) -> String {
    with(group, Disk::identity)
}

/// `nvme0n1 (Samsung SSD 980)`.
fn with(group: &Group<'_>, word: fn(&Disk) -> Option<String>) -> String {
    let leaves = group.environment.iter();
    let leaves = leaves.flat_map(|environment| environment.stack.leaves());
    let words = leaves.filter_map(|leaf| match &leaf.kind {
        LayerKind::Disk(disk) => word(disk),
        _ => None,
    });
    let words: Vec<String> = words.collect();
    format!("{} ({})", kernel_names(group), words.join(", "))
}
