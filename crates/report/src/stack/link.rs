//! A line on a link.

use etalon_model::stack::Link;

use super::{facts, show};

pub(super) fn line(link: &Link) -> String {
    let (name, rest) = match link {
        Link::Pcie { .. } | Link::Sata { .. } | Link::Usb { .. } => local(link),
        Link::Nvme { .. } | Link::Virtio { .. } | Link::ScsiHost { .. } | Link::Mmc { .. } => {
            controller(link)
        }
        Link::Sas { .. } | Link::Fc { .. } | Link::Iscsi { .. } => storage_network(link),
    };
    match rest {
        Some(rest) => format!("{name}: {rest}"),
        None => name,
    }
}

/// Buses inside the machine and cables of its own.
fn local(link: &Link) -> (String, Option<String>) {
    match link {
        Link::Pcie {
            address,
            driver,
            id,
            controller,
            ..
        } => (
            format!("PCIe {address}"),
            facts(&[
                ("", show(id)),
                ("", show(controller)),
                ("driver", show(driver)),
                ("", pcie_speed(link)),
            ]),
        ),
        Link::Sata {
            name,
            speed_gbps,
            limit_gbps,
            ability_gbps,
        } => (
            format!("SATA {name}"),
            facts(&[
                ("", gbit(speed_gbps)),
                ("port able of", gbit(limit_gbps)),
                ("disk able of", gbit(ability_gbps)),
            ]),
        ),
        Link::Usb {
            port,
            version,
            speed_mbps,
            ability_mbps,
            product,
            driver,
        } => (
            format!("USB {port}"),
            facts(&[
                ("version", show(version)),
                ("", mbit(speed_mbps)),
                ("disk able of", mbit(ability_mbps)),
                ("", show(product)),
                ("driver", show(driver)),
            ]),
        ),
        _ => (String::new(), None),
    }
}

fn mbit(speed: &Option<f64>) -> Option<String> {
    speed.map(|speed| format!("{speed} Mbit/s"))
}

/// Controllers and slots.
fn controller(link: &Link) -> (String, Option<String>) {
    match link {
        Link::Nvme {
            controller,
            transport,
            address,
            state,
        } => (
            format!("NVMe {controller}"),
            facts(&[
                ("over", show(transport)),
                ("address", show(address)),
                ("", show(state)),
            ]),
        ),
        Link::Virtio { device, driver } => (
            format!("virtio {device}"),
            facts(&[("driver", show(driver))]),
        ),
        Link::ScsiHost {
            host,
            driver,
            power_policy,
        } => (
            format!("SCSI {host}"),
            facts(&[("driver", show(driver)), ("link power", show(power_policy))]),
        ),
        Link::Mmc { host, card } => (format!("card slot {host}"), facts(&[("", show(card))])),
        _ => (String::new(), None),
    }
}

/// Links that may lead to another machine.
fn storage_network(link: &Link) -> (String, Option<String>) {
    match link {
        Link::Sas { rate, max_rate } => (
            "SAS".to_owned(),
            facts(&[("", show(rate)), ("able of", show(max_rate))]),
        ),
        Link::Fc { speed, supported } => (
            "Fibre Channel".to_owned(),
            facts(&[("", show(speed)), ("able of", show(supported))]),
        ),
        Link::Iscsi {
            target,
            portal,
            state,
        } => (
            "iSCSI".to_owned(),
            facts(&[
                ("target", show(target)),
                ("at", show(portal)),
                ("", show(state)),
            ]),
        ),
        _ => (String::new(), None),
    }
}

fn pcie_speed(link: &Link) -> Option<String> {
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
    let words = |speed: &f64, width: u32| format!("{speed} GT/s x{width}");
    let now = speed_gts
        .zip(*width)
        .map(|(speed, width)| words(&speed, width))?;
    let able = max_speed_gts.zip(*max_width);
    let able = able.map(|(speed, width)| format!(" of {}", words(&speed, width)));
    Some(now + &able.unwrap_or_default())
}

fn gbit(speed: &Option<f64>) -> Option<String> {
    speed.map(|speed| format!("{speed} Gbit/s"))
}
