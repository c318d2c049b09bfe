//! Disks: who made them, how they are reached, what their queue allows.

use std::path::Path;

use etalon_model::stack::{Disk, Layer, LayerKind, Link, Queue, Transport, Warning};
use etalon_units::Bytes;

use super::write_cache;
use crate::context::Context;
use crate::identity::shared_names;
use crate::udev::{self, UdevEntry};
use crate::{links, served, smart, text};

pub(super) fn read(context: &Context<'_>, directory: &Path, layer: &mut Layer) {
    let entry = udev::entry(context, layer.devno);
    let links = links::read(context, directory);
    let mut disk = identify(context, directory, layer, &entry, links);
    let transport = disk.transport;
    layer.warnings.extend(links::warnings(&disk.links));
    let is_flash = is_flash(&directory.join("device"), layer.queue.as_ref());
    let ask = || {
        let told = smart::read(context, directory, layer, transport)?;
        Some(if is_flash {
            smart::of_flash(told)
        } else {
            told
        })
    };
    if let Some(health) = context.health_once(&layer.name, ask) {
        layer.warnings.extend(smart::warnings(&health));
        disk.temperature_celsius = disk.temperature_celsius.or(health.temperature_celsius);
        disk.smart = Some(Box::new(health));
    }
    layer.kind = LayerKind::Disk(disk);
    if let Some(queue) = &mut layer.queue {
        queue.volatile_cache = write_cache::of_disk(context, directory, transport);
    }
    layer.warnings.extend(queue_warnings(layer, transport));
}

fn identify(
    context: &Context<'_>,
    directory: &Path,
    layer: &Layer,
    entry: &UdevEntry,
    mut links: Vec<Link>,
) -> Disk {
    let device = directory.join("device");
    let attr = |name: &str| context.attr(device.join(name));
    let transport = transport(&layer.name, &links);
    let ata = Identify::read(&device);
    for link in &mut links {
        if let (Link::Sata { ability_gbps, .. }, Some(ata)) = (link, &ata) {
            *ability_gbps = ata.ability_gbps;
        }
    }
    // A PCI vendor number is not a maker's name, and "ATA" stands for every SATA disk.
    let vendor = attr("vendor").filter(|v| !v.starts_with("0x") && v != "ATA");
    let model = ata.as_ref().map(|i| i.model.clone());
    let model = model.or_else(|| entry.encoded("ID_MODEL_ENC").filter(|_| vendor.is_none()));
    let firmware = ata.as_ref().map(|i| i.firmware.clone());
    Disk {
        transport,
        vendor,
        model: model.or_else(|| attr("model")).or_else(|| attr("name")),
        serial: serial(context, directory, layer.devno),
        firmware: firmware
            .or_else(|| attr("firmware_rev"))
            .or_else(|| attr("rev"))
            .or_else(|| attr("fwrev")),
        wwid: wwid(context, directory),
        cache_size: ata.as_ref().and_then(|i| i.cache_size),
        rotation_rpm: ata
            .as_ref()
            .and_then(|i| rotation(i.rotation))
            .or_else(|| rotation_of_unit(&device).and_then(rotation)),
        removable: context.flag(directory.join("removable")).unwrap_or(false),
        driver: context.link_name(device.join("driver")),
        state: attr("state"),
        temperature_celsius: temperature(context, &device),
        smart: None,
        served_here: served::of_disk(context, directory, &links),
        links,
        by_id: by_id(context, layer.devno),
        shared_names: shared_names(context, directory).into_keys().collect(),
    }
}

/// The serial number of a disk, from the device itself or else from udev.
pub(crate) fn serial(
    context: &Context<'_>,
    directory: &Path,
    devno: etalon_model::stack::DevNo,
) -> Option<String> {
    let device = directory.join("device");
    let ata = Identify::read(&device).map(|i| i.serial);
    let own = context.attr(directory.join("serial"));
    let own = ata.or(own).or_else(|| context.attr(device.join("serial")));
    own.or_else(|| unit_serial(&device))
        .or_else(|| usb_serial(context, directory))
        .or_else(|| {
            let entry = udev::entry(context, devno);
            entry
                .property("ID_SERIAL_SHORT")
                .or_else(|| entry.property("ID_SERIAL"))
        })
}

/// The name that the disk gives itself in all the world; the same by each path to it.
pub(crate) fn wwid(context: &Context<'_>, directory: &Path) -> Option<String> {
    let of_namespace = context.attr(directory.join("wwid"));
    let wwid = of_namespace.or_else(|| context.attr(directory.join("device/wwid")))?;
    Some(wwid.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Names of the disk under `/dev/disk/by-id`, by udev.
pub(crate) fn by_id(context: &Context<'_>, devno: etalon_model::stack::DevNo) -> Vec<String> {
    let links = udev::entry(context, devno).links.into_iter();
    links
        .filter_map(|l| l.strip_prefix("disk/by-id/").map(str::to_owned))
        .collect()
}

/// The serial number of the USB device that a disk hangs on, which is its box rather than itself.
fn usb_serial(context: &Context<'_>, directory: &Path) -> Option<String> {
    let mut around = directory.ancestors();
    let usb = around.find(|d| {
        let subsystem = context.link_name(d.join("subsystem"));
        subsystem.as_deref() == Some("usb") && d.join("speed").exists()
    });
    context.attr(usb?.join("serial"))
}

/// The unit serial number page of SCSI (SPC-4, VPD page 80h): four bytes of header, then text.
fn unit_serial(device: &Path) -> Option<String> {
    let page = text::read_bytes(&device.join("vpd_pg80")).ok()?;
    let serial = text::clean(&String::from_utf8_lossy(page.get(4..)?));
    (!serial.is_empty()).then_some(serial)
}

/// What a SATA disk says of itself (ACS-3, IDENTIFY DEVICE), which SCSI carries in VPD page 89h.
struct Identify {
    model: String,
    serial: String,
    firmware: String,
    /// The fastest SATA generation of the disk.
    ability_gbps: Option<f64>,
    cache_size: Option<Bytes>,
    rotation: u16,
}

impl Identify {
    /// Offset of the 512 bytes of IDENTIFY data in the page (SAT-3, ATA Information VPD page).
    const OFFSET: usize = 60;

    fn read(device: &Path) -> Option<Identify> {
        let page = text::read_bytes(&device.join("vpd_pg89")).ok()?;
        let data = page.get(Self::OFFSET..Self::OFFSET + 512)?;
        // Text stands in 16-bit words with the first character in the high byte.
        let words = |from: usize, to: usize| {
            let pairs = data
                .get(from * 2..=to * 2 + 1)
                .unwrap_or_default()
                .chunks_exact(2);
            let bytes: Vec<u8> = pairs.flat_map(|pair| [pair[1], pair[0]]).collect();
            text::clean(&String::from_utf8_lossy(&bytes))
        };
        // Word 76, bits 1 to 3: generation 1 (1.5 Gbit/s), 2 (3) and 3 (6).
        let generations = [(1 << 3, 6.0), (1 << 2, 3.0), (1 << 1, 1.5)];
        let word = u16::from_le_bytes([data[152], data[153]]);
        let mut able = generations
            .into_iter()
            .filter(|(bit, _)| word & bit != 0 && word != 0xffff);
        let number = |word: usize| u16::from_le_bytes([data[word * 2], data[word * 2 + 1]]);
        // Word 21 counts 512 bytes; retired since ATA-4, and still told by most disks.
        let cache = Some(number(21)).filter(|n| !matches!(n, 0 | 0xffff));
        let identify = Identify {
            cache_size: cache.map(|n| Bytes(u64::from(n) * 512)),
            rotation: number(217),
            ability_gbps: able.next().map(|(_, gbps)| gbps),
            serial: words(10, 19),
            firmware: words(23, 26),
            model: words(27, 46),
        };
        (!identify.model.is_empty()).then_some(identify)
    }
}

/// What a disk without platters has for the turns per minute.
const SOLID_STATE: u16 = 1;

/// Word 217 of IDENTIFY DEVICE, and the same number of SCSI: 1 is solid state, 0x401 to 0xfffe are
/// revolutions per minute, 0 tells nothing (ACS-3; SBC-3).
fn rotation(number: u16) -> Option<u32> {
    (0x0401..=0xfffe).contains(&number).then(|| number.into())
}

/// The rotation rate of SCSI (SBC-3, VPD page B1h): bytes 4 and 5.
fn rotation_of_unit(device: &Path) -> Option<u16> {
    let page = text::read_bytes(&device.join("vpd_pgb1")).ok()?;
    Some(u16::from_be_bytes([*page.get(4)?, *page.get(5)?]))
}

/// Whether a disk does not turn, by its own account or else by its queue: of one that tells nothing the kernel assumes that
/// it turns.
fn is_flash(device: &Path, queue: Option<&Queue>) -> bool {
    let own = [
        Identify::read(device).map(|ata| ata.rotation),
        rotation_of_unit(device),
    ];
    let mut own = own.into_iter().flatten();
    match own.find(|number| *number == SOLID_STATE || rotation(*number).is_some()) {
        Some(number) => number == SOLID_STATE,
        None => queue.and_then(|queue| queue.rotational) == Some(false),
    }
}

/// Degrees Celsius from the hwmon device of the disk (drivetemp or nvme), which counts thousandths.
fn temperature(context: &Context<'_>, device: &Path) -> Option<f64> {
    let parents = [device.join("hwmon"), device.to_owned()];
    let inputs = parents.iter().flat_map(|parent| {
        let names = context
            .names(parent)
            .into_iter()
            .filter(|n| n.starts_with("hwmon"));
        names
            .map(|name| parent.join(name).join("temp1_input"))
            .collect::<Vec<_>>()
    });
    let mut values = inputs.filter_map(|path| context.value::<i64>(path));
    values.next().map(|thousandths| thousandths as f64 / 1000.0)
}

fn transport(name: &str, links: &[Link]) -> Transport {
    for link in links {
        match link {
            Link::Usb { .. } => return Transport::Usb,
            Link::Nvme { .. } => return Transport::Nvme,
            Link::Virtio { .. } => return Transport::Virtio,
            Link::Sata { .. } => return Transport::Ata,
            Link::Iscsi { .. } => return Transport::Iscsi,
            Link::Sas { .. } => return Transport::Sas,
            Link::Fc { .. } => return Transport::FibreChannel,
            Link::Mmc { .. } => return Transport::Mmc,
            Link::Pcie { .. } | Link::ScsiHost { .. } => {}
        }
    }
    let starts = |prefixes: &[&str]| prefixes.iter().any(|p| name.starts_with(p));
    match () {
        () if starts(&["nvme"]) => Transport::Nvme,
        () if starts(&["xvd"]) => Transport::Xen,
        () if starts(&["nbd", "rbd", "drbd"]) => Transport::Network,
        () if starts(&["ram", "pmem", "brd"]) => Transport::Memory,
        () if starts(&["mmcblk"]) => Transport::Mmc,
        () if starts(&["vd"]) => Transport::Virtio,
        () if starts(&["ublk"]) => Transport::UserSpace,
        () if starts(&["sd", "sr"]) => Transport::Scsi,
        () => Transport::Other,
    }
}

/// What "write through" means: a virtual disk or one with a protected cache rightly says so, and of a plain SATA disk the
/// cache was switched off. Of a USB bridge that shows no caching page it is what the kernel assumes ("Assuming drive cache:
/// write through", drivers/scsi/sd.c; drivers/usb/storage/scsiglue.c does not even ask for that page).
fn without_cache(transport: Transport) -> Option<Warning> {
    match transport {
        Transport::Ata => Some(Warning::WriteCacheOff),
        Transport::Usb => Some(Warning::WriteCacheUnknown),
        _ => None,
    }
}

fn queue_warnings(layer: &Layer, transport: Transport) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let Some(queue) = &layer.queue else {
        return warnings;
    };
    if transport == Transport::Memory && !layer.name.starts_with("pmem") {
        warnings.push(Warning::InMemory);
    }
    if queue.write_cache.as_deref() == Some("write through") && queue.volatile_cache != Some(true) {
        warnings.extend(without_cache(transport));
    }
    let solid = queue.rotational == Some(false);
    if solid
        && transport != Transport::Memory
        && queue.discard_max.is_some_and(|max| max.get() == 0)
    {
        warnings.push(Warning::NoDiscard);
    }
    warnings
}
