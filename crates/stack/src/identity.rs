//! Which device of the running machine is which: the same disk by several names, and one name of several disks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use etalon_model::stack::{DevNo, tells_apart};

use crate::context::Context;
use crate::known_device::KnownDevice;
use crate::{layers, sysfs};

/// The block device of a directory of sysfs; none where it is none.
fn known(context: &Context<'_>, directory: &Path) -> Option<KnownDevice> {
    let name = directory.file_name()?.to_string_lossy().into_owned();
    let devno: DevNo = context.value(directory.join("dev"))?;
    let part = context.value(directory.join("partition"));
    let disk = match part {
        Some(_) => directory.parent()?,
        None => directory,
    };
    let serial = layers::serial(context, directory, devno);
    Some(KnownDevice {
        name,
        disk: disk.to_owned(),
        part,
        wwid: world_wide_name(context, disk),
        names: layers::by_id(context, devno)
            .into_iter()
            .chain(serial)
            .collect(),
    })
}

/// Whether a device is made of the other, as one of multipath is of its paths, which udev calls like it.
fn stands_on(context: &Context<'_>, device: &KnownDevice, other: &KnownDevice) -> bool {
    let disk = other.disk.file_name().unwrap_or_default().to_string_lossy();
    let beneath = beneath(context, &device.name);
    beneath.contains(&other.name) || beneath.contains(disk.as_ref())
}

/// Every device of the machine but the paths that the kernel hides behind its own multipath.
fn all_devices(context: &Context<'_>) -> Vec<KnownDevice> {
    let names = context.names(context.roots.sysfs.join("class/block"));
    let directories = names
        .iter()
        .filter_map(|name| sysfs::class_directory(context, name));
    let shown = directories.filter(|directory| !is_hidden(context, directory));
    shown
        .filter_map(|directory| known(context, &directory))
        .collect()
}

/// Of the serial number and by-id names of the device those that other devices have too, each with these devices: all slots
/// of a card reader have the serial number of the reader, all namespaces that of their controller, and cheap bridges one
/// that their maker gave to each.
pub(crate) fn shared_names(
    context: &Context<'_>,
    directory: &Path,
) -> BTreeMap<String, Vec<String>> {
    let mut shared: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let Some(own) = known(context, directory) else {
        return shared;
    };
    for other in context.devices_once(|| all_devices(context)) {
        let names: Vec<&String> = own.names.intersection(&other.names).collect();
        let is_it = || {
            own.is_part_of(other)
                || stands_on(context, &own, other)
                || stands_on(context, other, &own)
        };
        if names.is_empty() || is_it() {
            continue;
        }
        for name in names {
            let devices = shared.entry(name.clone()).or_default();
            devices.push(format!("/dev/{}", other.name.replace('!', "/")));
        }
    }
    shared
}

/// The name that a disk has in all the world; none of a disk without one, of one whose name tells it from no other, and of a
/// path that the kernel keeps hidden behind its own multipath.
pub(crate) fn world_wide_name(context: &Context<'_>, disk: &Path) -> Option<String> {
    layers::wwid(context, disk).filter(|wwid| !is_hidden(context, disk) && tells_apart(wwid))
}

fn is_hidden(context: &Context<'_>, disk: &Path) -> bool {
    context.flag(disk.join("hidden")) == Some(true)
}

/// The names of all devices that the one called `name` is made of, each looked at once: a copied machine may have one that
/// is made of itself.
fn beneath(context: &Context<'_>, name: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut left = vec![name.to_owned()];
    while let Some(name) = left.pop() {
        let directory = sysfs::class_directory(context, &name);
        let slaves = directory.map_or_else(Vec::new, |found| sysfs::slaves(context, &found));
        left.extend(
            slaves
                .into_iter()
                .filter(|slave| found.insert(slave.clone())),
        );
    }
    found
}
