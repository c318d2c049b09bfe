//! The links between a disk and the machine, read from the directories around the disk.

use std::path::Path;

use etalon_model::stack::{Link, Warning};

use crate::context::Context;
use crate::usb_bos;

/// Links from the disk outwards, up to the first PCI function.
pub(crate) fn read(context: &Context<'_>, directory: &Path) -> Vec<Link> {
    let mut found = Vec::new();
    for start in starts(context, directory) {
        walk(context, &start, &mut found);
    }
    found
}

/// Where to begin: the disk's own directory, or the controllers behind an NVMe subsystem.
fn starts(context: &Context<'_>, directory: &Path) -> Vec<std::path::PathBuf> {
    let device = context.follow(directory.join("device"));
    let Some(subsystem) = device.filter(|d| name_of(d).starts_with("nvme-subsys")) else {
        return vec![directory.to_owned()];
    };
    let names = context.names(&subsystem).into_iter();
    // Controllers are links named nvme0, nvme1; namespaces are directories named nvme0n1.
    let controllers = names.filter(|n| {
        let number = n.strip_prefix("nvme");
        number.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
    });
    controllers
        .filter_map(|n| context.follow(subsystem.join(n)))
        .collect()
}

fn walk(context: &Context<'_>, start: &Path, found: &mut Vec<Link>) {
    let root = context.follow(&context.roots.sysfs);
    for directory in start.ancestors() {
        if Some(directory) == root.as_deref() {
            return;
        }
        let link = link_at(context, directory);
        let is_pci = matches!(link, Some(Link::Pcie { .. }));
        if let Some(link) = link.filter(|l| !found.contains(l)) {
            found.push(link);
        }
        if is_pci {
            return;
        }
    }
}

fn name_of(directory: &Path) -> String {
    directory
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The link that one directory of `/sys/devices` stands for, if any.
fn link_at(context: &Context<'_>, directory: &Path) -> Option<Link> {
    let name = name_of(directory);
    let numbered = |prefix: &str| {
        let rest = name.strip_prefix(prefix);
        rest.is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()))
    };
    if numbered("host") {
        return Some(host(context, directory, name));
    }
    if numbered("ata") {
        return sata(context, directory, &name);
    }
    if numbered("session") {
        return Some(iscsi(context, directory, &name));
    }
    if name.starts_with("end_device-") {
        return Some(sas(context, directory));
    }
    let subsystem = context.link_name(directory.join("subsystem"))?;
    match subsystem.as_str() {
        "pci" => Some(pcie(context, directory, name)),
        "usb" => usb(context, directory, name),
        "virtio" => Some(Link::Virtio {
            driver: context.link_name(directory.join("driver")),
            device: name,
        }),
        "nvme" => Some(Link::Nvme {
            transport: context.attr(directory.join("transport")),
            address: context.attr(directory.join("address")),
            state: context.attr(directory.join("state")),
            controller: name,
        }),
        "mmc" => Some(Link::Mmc {
            card: context.attr(directory.join("type")),
            host: name,
        }),
        _ => None,
    }
}

fn host(context: &Context<'_>, directory: &Path, name: String) -> Link {
    let channel = directory.join("fc_host").join(&name);
    if channel.exists() {
        return Link::Fc {
            speed: context.attr(channel.join("speed")),
            supported: context.attr(channel.join("supported_speeds")),
        };
    }
    let host = directory.join("scsi_host").join(&name);
    Link::ScsiHost {
        driver: context
            .attr(host.join("proc_name"))
            .filter(|n| n != "(null)" && n != "<NULL>"),
        power_policy: context.attr(host.join("link_power_management_policy")),
        host: name,
    }
}

/// libata shows the link of port ataN as ataN/linkN/ata_link/linkN.
fn sata(context: &Context<'_>, directory: &Path, name: &str) -> Option<Link> {
    let link = name.replacen("ata", "link", 1);
    let attributes = directory.join(&link).join("ata_link").join(&link);
    let speed = |file: &str| {
        context
            .attr(attributes.join(file))
            .as_deref()
            .and_then(first_number)
    };
    attributes.exists().then(|| Link::Sata {
        speed_gbps: speed("sata_spd"),
        limit_gbps: speed("hw_sata_spd_limit"),
        ability_gbps: None,
        name: link,
    })
}

fn iscsi(context: &Context<'_>, directory: &Path, name: &str) -> Link {
    let session = directory.join("iscsi_session").join(name);
    let names = context.names(directory);
    let connection = names.into_iter().find(|n| n.starts_with("connection"));
    let connection = connection.map(|n| directory.join(&n).join("iscsi_connection").join(n));
    let portal = connection.and_then(|connection| {
        let address = context.attr(connection.join("persistent_address"))?;
        let port = context.attr(connection.join("persistent_port"));
        Some(port.map_or(address.clone(), |port| format!("{address}:{port}")))
    });
    Link::Iscsi {
        target: context.attr(session.join("targetname")),
        state: context.attr(session.join("state")),
        portal,
    }
}

/// The phys of the port that leads to an end device.
fn sas(context: &Context<'_>, directory: &Path) -> Link {
    let port = directory.parent();
    let phy = port.and_then(|port| {
        let names = context.names(port);
        let phy = names.into_iter().find(|n| n.starts_with("phy-"))?;
        context
            .follow(port.join(&phy))
            .map(|p| p.join("sas_phy").join(phy))
    });
    let rate = |file: &str| phy.as_ref().and_then(|phy| context.attr(phy.join(file)));
    Link::Sas {
        rate: rate("negotiated_linkrate"),
        max_rate: rate("maximum_linkrate"),
    }
}

fn pcie(context: &Context<'_>, directory: &Path, name: String) -> Link {
    let attr = |file: &str| context.attr(directory.join(file));
    let number = |file: &str| attr(file).as_deref().and_then(first_number);
    let lanes = |file: &str| {
        attr(file)
            .and_then(|t| t.parse().ok())
            .filter(|n| (1..=32).contains(n))
    };
    let hex = |file: &str| attr(file).map(|t| t.trim_start_matches("0x").to_owned());
    Link::Pcie {
        driver: context.link_name(directory.join("driver")),
        id: hex("vendor")
            .zip(hex("device"))
            .map(|(v, d)| format!("{v}:{d}")),
        controller: attr("class").as_deref().and_then(controller),
        speed_gts: number("current_link_speed"),
        max_speed_gts: number("max_link_speed"),
        width: lanes("current_link_width"),
        max_width: lanes("max_link_width"),
        address: name,
    }
}

/// A mass storage controller by its PCI class (`0x010601`): base class 01, then kind and mode (PCI
/// Code and ID Assignment Specification, 1.2).
fn controller(class: &str) -> Option<String> {
    const KINDS: [(&str, &str); 12] = [
        ("0100", "SCSI"),
        ("0101", "IDE"),
        ("0104", "RAID"),
        ("0105", "ATA"),
        ("010600", "SATA, own mode of its maker"),
        ("010601", "SATA, AHCI"),
        ("0106", "SATA"),
        ("0107", "SAS"),
        ("010802", "NVMe"),
        ("0108", "non-volatile memory"),
        ("0109", "UFS"),
        ("01", "mass storage"),
    ];
    let digits = class.strip_prefix("0x")?;
    let known = KINDS.iter().find(|(code, _)| digits.starts_with(code));
    known.map(|(_, name)| (*name).to_owned())
}

/// A USB device has a speed; its interfaces, in between, only name the driver.
fn usb(context: &Context<'_>, directory: &Path, name: String) -> Option<Link> {
    let attr = |file: &str| context.attr(directory.join(file));
    // Root hubs are named usb1, usb2 and stand for the controller.
    if name.starts_with("usb") || !directory.join("speed").exists() {
        return None;
    }
    let words = [attr("manufacturer"), attr("product")];
    let product: Vec<String> = words.into_iter().flatten().collect();
    let interface = context
        .names(directory)
        .into_iter()
        .find(|n| n.starts_with(&format!("{name}:")));
    Some(Link::Usb {
        version: attr("version"),
        speed_mbps: attr("speed").as_deref().and_then(first_number),
        ability_mbps: usb_bos::ability_mbps(directory),
        product: (!product.is_empty()).then(|| product.join(" ")),
        driver: interface.and_then(|i| context.link_name(directory.join(i).join("driver"))),
        port: name,
    })
}

/// The number at the beginning of texts such as `6.0 Gbps` and `8.0 GT/s PCIe`.
fn first_number(text: &str) -> Option<f64> {
    let number = text.split_whitespace().next()?.parse().ok()?;
    f64::is_finite(number).then_some(number)
}

/// What is wrong with the links.
pub(crate) fn warnings(links: &[Link]) -> Vec<Warning> {
    let mut found = Vec::new();
    // The disk's own device is the first; those behind it are hubs, whose halves of USB 2 are able of USB 3 as well.
    let usb = links.iter().find(|link| matches!(link, Link::Usb { .. }));
    found.extend(usb.and_then(usb_warning));
    for link in links {
        match link {
            Link::Pcie { address, .. } => found.extend(pcie_warning(link, address)),
            Link::Sata {
                name,
                speed_gbps: Some(speed),
                limit_gbps,
                ability_gbps,
            } => {
                let able = ability_gbps.or(*limit_gbps).filter(|able| able > speed);
                found.extend(able.map(|able| Warning::LinkBelowAbility {
                    link: format!("SATA {name}"),
                    now: format!("{speed} Gbit/s"),
                    able: format!("{able} Gbit/s"),
                }));
            }
            _ => {}
        }
    }
    found
}

/// USB 3 begins at 5 Gbit/s; a USB 2 link runs at 480 Mbit/s (USB 3.2 specification, 3.1).
const USB_2_MBPS: f64 = 480.0;

/// A device of USB 3 declares 2.10 on a link of USB 2, as some of USB 2 do (USB 3.2 specification, 9.6.1): which of them
/// it is stands in its BOS descriptor alone.
fn usb_warning(link: &Link) -> Option<Warning> {
    let Link::Usb {
        version: Some(version),
        speed_mbps: Some(speed_mbps),
        ability_mbps,
        ..
    } = link
    else {
        return None;
    };
    let (speed_mbps, version) = (*speed_mbps, version.clone());
    if speed_mbps > USB_2_MBPS {
        return None;
    }
    let is_able = ability_mbps.is_some_and(|able| able > USB_2_MBPS);
    if is_able || version.starts_with('3') {
        return Some(Warning::SlowUsb {
            speed_mbps,
            version,
            ability_mbps: *ability_mbps,
        });
    }
    let may_be_able = ability_mbps.is_none() && version.starts_with("2.1");
    may_be_able.then_some(Warning::MaybeSlowUsb {
        speed_mbps,
        version,
    })
}

fn pcie_warning(link: &Link, address: &str) -> Option<Warning> {
    let Link::Pcie {
        speed_gts,
        max_speed_gts,
        width,
        max_width,
        ..
    } = link
    else {
        return None;
    };
    let below = |now: Option<f64>, able: Option<f64>| now.zip(able).is_some_and(|(n, a)| n < a);
    let lanes = |width: &Option<u32>| width.map(f64::from);
    let slow = below(*speed_gts, *max_speed_gts) || below(lanes(width), lanes(max_width));
    let words = |speed: &Option<f64>, width: &Option<u32>| {
        let speed = speed.map_or("unknown speed".to_owned(), |s| format!("{s} GT/s"));
        format!(
            "{speed} x{}",
            width.map_or("?".to_owned(), |w| w.to_string())
        )
    };
    slow.then(|| Warning::LinkBelowAbility {
        link: format!("PCIe {address}"),
        now: words(speed_gts, width),
        able: words(max_speed_gts, max_width),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_tells_the_controller_and_its_mode() {
        for (class, name) in [
            ("0x010601", Some("SATA, AHCI")),
            ("0x010185", Some("IDE")),
            ("0x010400", Some("RAID")),
            ("0x010802", Some("NVMe")),
            ("0x018000", Some("mass storage")),
            ("0x020000", None),
            ("", None),
        ] {
            assert_eq!(controller(class).as_deref(), name, "{class}");
        }
    }
}
