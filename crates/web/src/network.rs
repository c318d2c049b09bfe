//! The network between this machine and a server.

use std::fs;
use std::net::{IpAddr, UdpSocket};
use std::path::Path;

use etalon_host::clock;
use etalon_model::NetworkFacts;
use etalon_units::Bytes;

use crate::address::Origin;

/// The interface over which the way to a server goes; `None` where it stays on this machine, or cannot be known.
pub(crate) fn to(origin: &Origin) -> Option<NetworkFacts> {
    let here = own_address(origin)?;
    let interface = interface_of(here)?;
    (!here.is_loopback()).then(|| facts(Path::new("/sys/class/net"), &interface))
}

/// The own address that packets to the server would have; connect(2) of a datagram socket sends none. `None` for an
/// address of this machine, to which packets go by the loopback interface whatever its own interface is.
fn own_address(origin: &Origin) -> Option<IpAddr> {
    let host = origin.host.trim_matches(['[', ']']);
    let any = ["0.0.0.0:0", "[::]:0"];
    any.iter().find_map(|any| {
        let socket = UdpSocket::bind(any).ok()?;
        socket.connect((host, origin.port)).ok()?;
        let (here, there) = (
            socket.local_addr().ok()?.ip(),
            socket.peer_addr().ok()?.ip(),
        );
        (here != there).then_some(here)
    })
}

fn interface_of(address: IpAddr) -> Option<String> {
    let interfaces = nix::ifaddrs::getifaddrs().ok()?;
    let has_it = |found: &nix::ifaddrs::InterfaceAddress| {
        let found = found.address.as_ref();
        let v4 = found.and_then(|found| Some(IpAddr::V4(found.as_sockaddr_in()?.ip())));
        let v6 = found.and_then(|found| Some(IpAddr::V6(found.as_sockaddr_in6()?.ip())));
        v4.or(v6) == Some(address)
    };
    let mut interfaces = interfaces.filter(has_it);
    interfaces.next().map(|found| found.interface_name)
}

/// `speed` (Mbit/s, -1 where there is none) and `statistics/rx_bytes` of
/// Documentation/ABI/testing/sysfs-class-net.
fn facts(interfaces: &Path, interface: &str) -> NetworkFacts {
    let number = |name: &str| {
        let text = fs::read_to_string(interfaces.join(interface).join(name)).ok()?;
        text.trim().parse::<u64>().ok()
    };
    let megabits = number("speed").filter(|speed| *speed > 0 && *speed < u64::from(u32::MAX));
    NetworkFacts {
        interface: interface.to_owned(),
        speed: megabits.map(|megabits| Bytes(megabits * 125_000)),
        received_bytes: Bytes(number("statistics/rx_bytes").unwrap_or(0)),
        span: Some(clock::now()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_no_network() {
        let home = Origin {
            tls: false,
            host: "127.0.0.1".to_owned(),
            port: 80,
        };
        assert_eq!(to(&home), None);
        let all = nix::ifaddrs::getifaddrs().unwrap();
        let own = all.filter_map(|found| Some(found.address?.as_sockaddr_in()?.ip().to_string()));
        for host in own {
            assert_eq!(
                to(&Origin {
                    host: host.clone(),
                    ..home.clone()
                }),
                None,
                "{host}"
            );
        }
        assert_eq!(
            interface_of("127.0.0.1".parse().unwrap()).as_deref(),
            Some("lo")
        );
    }

    #[test]
    fn speed_and_counter_are_read_and_no_speed_is_none() {
        let place = tempfile::tempdir().unwrap();
        for (name, speed) in [("fast", "1000\n"), ("virtual", "-1\n")] {
            let counters = place.path().join(name).join("statistics");
            fs::create_dir_all(&counters).unwrap();
            fs::write(counters.join("rx_bytes"), "4711\n").unwrap();
            fs::write(place.path().join(name).join("speed"), speed).unwrap();
        }
        let fast = facts(place.path(), "fast");
        assert_eq!(fast.speed, Some(Bytes(125_000_000)));
        assert_eq!(fast.received_bytes, Bytes(4711));
        assert_eq!(facts(place.path(), "virtual").speed, None);
    }
}
