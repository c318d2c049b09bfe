//! Filesystems of servers, and the network card on the way to them.

use std::cmp::Reverse;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use etalon_model::stack::{FsDetail, Mount, NetworkCard};

use super::option_size;
use super::server::{self, Place};
use crate::context::Context;
use crate::served;

/// What the mount line tells, and the card that the way to the server begins at.
pub(super) fn read(context: &Context<'_>, mount: &Mount) -> FsDetail {
    let (server, export) = server::server_and_export(mount);
    let by_host = server::place(mount) == Some(Place::Host);
    let text = |key: &str| mount.super_option(key).map(str::to_owned);
    let size = |key: &str| mount.super_option(key).and_then(option_size);
    let hard = mount.has_option("hard");
    let soft = mount.has_option("soft") || mount.has_option("softerr");
    let address = text("addr").unwrap_or_else(|| server.clone());
    FsDetail::Network {
        served_here: served::of_mount(context, mount, (&address, &export)),
        export,
        version: text("vers"),
        protocol: text("proto").or_else(|| text("trans")),
        read_size: size("rsize"),
        write_size: size("wsize"),
        hard: (hard || soft).then_some(hard),
        card: card(context, &address),
        address: text("addr"),
        by_host,
        server,
    }
}

/// Whose disks it lies on, in words.
pub(super) fn why_no_block(context: &Context<'_>, mount: &Mount, detail: &FsDetail) -> String {
    let FsDetail::Network {
        server,
        address,
        served_here,
        by_host,
        ..
    } = detail
    else {
        return "served over the network".to_owned();
    };
    let fs_type = &mount.fs_type;
    let source = served_here.as_ref().and_then(|here| here.source.as_ref());
    match (source, server.as_str()) {
        (Some(source), _) => {
            format!("served by {server}, which is this very machine, from {source}")
        }
        _ if *by_host => {
            format!(
                "served by the host of this machine ({fs_type}), no block device on this machine"
            )
        }
        (None, "") => {
            format!("served over the network ({fs_type}), no block device on this machine")
        }
        _ if served::is_reached_here(context, address.as_ref().unwrap_or(server)) => format!(
            "served by {server}, an address of this machine; whether the server is here or is another behind a proxy is not known"
        ),
        _ => format!("served by {server} over the network, no block device on this machine"),
    }
}

/// The card that packets to `address` leave by; none where no route tells.
fn card(context: &Context<'_>, address: &str) -> Option<NetworkCard> {
    let routes = |file: &str| context.attr_lines(context.roots.procfs.join("net").join(file));
    let name = match address.parse().ok()? {
        IpAddr::V4(address) => way_v4(&routes("route"), address),
        IpAddr::V6(address) => way_v6(&routes("ipv6_route"), address),
    }?;
    let directory = context.roots.sysfs.join("class/net").join(&name);
    let speed: Option<i64> = context
        .attr(directory.join("speed"))
        .and_then(|t| t.parse().ok());
    Some(NetworkCard {
        // A card without a link says -1.
        speed_mbps: speed.and_then(|speed| u64::try_from(speed).ok()),
        duplex: context.attr(directory.join("duplex")),
        mtu: context.value(directory.join("mtu")),
        driver: context.link_name(directory.join("device/driver")),
        name,
    })
}

/// The interface of the route of `/proc/net/route` that `address` goes by: name, destination, gateway, three numbers, the
/// metric, mask; addresses in hexadecimal, the first byte last (net/ipv4/fib_trie.c, `fib_route_seq_show`).
fn way_v4(lines: &[String], address: Ipv4Addr) -> Option<String> {
    let address = u32::from_le_bytes(address.octets());
    let routes = lines.iter().skip(1).filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| u32::from_str_radix(words.get(at)?, 16).ok();
        let (destination, mask) = (number(1)?, number(7)?);
        let matches = address & mask == destination;
        let name = words.first()?;
        matches.then(|| Route {
            length: mask.count_ones(),
            metric: metric_v4(words[6]),
            name: plain_name(name),
        })
    });
    best(routes)
}

/// The largest metrics are written as negative numbers.
fn metric_v4(word: &str) -> u32 {
    let metric = word.parse::<i64>().ok();
    metric
        .and_then(|metric| metric.try_into().ok())
        .unwrap_or(u32::MAX)
}

/// The same of `/proc/net/ipv6_route`: destination, length of its prefix, source, its length, gateway, metric, two numbers,
/// flags, name; all numbers in hexadecimal (net/ipv6/ip6_fib.c, `ipv6_route_native_seq_show`).
fn way_v6(lines: &[String], address: Ipv6Addr) -> Option<String> {
    let address = u128::from(address);
    let routes = lines.iter().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let destination = u128::from_str_radix(words.first()?, 16).ok()?;
        let length = u32::from_str_radix(words.get(1)?, 16).ok()?;
        let mask = u128::MAX
            .checked_shl(128_u32.checked_sub(length)?)
            .unwrap_or(0);
        let metric = u32::from_str_radix(words.get(5)?, 16).ok()?;
        let name = *words.get(9)?;
        let matches = name != "lo" && address & mask == destination & mask;
        matches.then(|| Route {
            length,
            metric,
            name: plain_name(name),
        })
    });
    best(routes)
}

/// A name that stays within the directory of all cards.
fn plain_name(name: &str) -> Option<String> {
    let is_plain = !name.contains('/') && !matches!(name, "." | "..");
    is_plain.then(|| name.to_owned())
}

/// A route that holds an address.
struct Route {
    /// Of its prefix, in bits.
    length: u32,
    metric: u32,
    name: Option<String>,
}

/// The narrowest, and of several the one with the least metric.
fn best(routes: impl Iterator<Item = Route>) -> Option<String> {
    let worst_last = |route: &Route| (Reverse(route.length), route.metric);
    routes.min_by_key(worst_last)?.name
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ROUTE: &str = "\
Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
ib0\t0000000A\t00000000\t0001\t0\t0\t100\t000000FF\t0\t0\t0
";
    const ROUTE_V6: &str = "\
fe800000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
20010db8000000000000000000000000 20 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001      ib0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth0
";

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_narrowest_route_leads_to_the_server() {
        let way = |address: &str| way_v4(&lines(ROUTE), address.parse().unwrap());
        assert_eq!(way("192.168.1.7").as_deref(), Some("eth0"));
        assert_eq!(way("10.9.8.7").as_deref(), Some("ib0"));
        assert_eq!(way("8.8.8.8").as_deref(), Some("eth0"));
        let way = |address: &str| way_v6(&lines(ROUTE_V6), address.parse().unwrap());
        assert_eq!(way("2001:db8::1").as_deref(), Some("ib0"));
        assert_eq!(way("2a00::1").as_deref(), Some("eth0"));
        assert_eq!(way_v4(&[], Ipv4Addr::LOCALHOST), None);
    }

    #[test]
    fn of_two_routes_to_the_same_network_the_one_with_the_least_metric_is_taken() {
        let cable = "eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n";
        let wireless = cable.replace("eth0", "wlan0").replace("\t100\t", "\t600\t");
        let last = cable.replace("eth0", "ppp0").replace("\t100\t", "\t-1\t");
        for routes in [
            format!("Iface\n{cable}{wireless}{last}"),
            format!("Iface\n{last}{wireless}{cable}"),
        ] {
            let way = way_v4(&lines(&routes), Ipv4Addr::new(8, 8, 8, 8));
            assert_eq!(way.as_deref(), Some("eth0"), "{routes}");
        }
        let cable = ROUTE_V6.lines().last().unwrap();
        let wireless = cable
            .replace("eth0", "wlan0")
            .replace("00000400", "00000a00");
        for routes in [
            format!("{cable}\n{wireless}"),
            format!("{wireless}\n{cable}"),
        ] {
            let way = way_v6(&lines(&routes), "2a00::1".parse().unwrap());
            assert_eq!(way.as_deref(), Some("eth0"), "{routes}");
        }
    }

    proptest! {
        #[test]
        fn no_table_panics(text in ".{0,300}", v4 in any::<u32>(), v6 in any::<u128>()) {
            let _ = way_v4(&lines(&text), v4.into());
            let _ = way_v6(&lines(&text), v6.into());
        }
    }
}
