//! Whether an address is one of this machine's own.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::context::Context;

/// Whether a server at `address` is this machine.
pub(super) fn is_here(context: &Context<'_>, address: &str) -> bool {
    let lines = |file: &str| context.attr_lines(context.roots.procfs.join("net").join(file));
    match address.parse() {
        Ok(IpAddr::V4(address)) => {
            address.is_loopback() || local_v4(&lines("fib_trie")).any(|own| own == address)
        }
        Ok(IpAddr::V6(address)) => {
            address.is_loopback() || local_v6(&lines("if_inet6")).any(|own| own == address)
        }
        Err(_) => address == "localhost",
    }
}

/// The host of `host:port` or `[host]:port`.
pub(super) fn host_of(portal: &str) -> &str {
    let host = portal.rsplit_once(':').map_or(portal, |(host, _)| host);
    let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
    bare.unwrap_or(host)
}

/// Addresses of `/proc/net/fib_trie` that are this machine's: `|-- 192.0.2.1`, and below it `/32 host LOCAL`.
fn local_v4(lines: &[String]) -> impl Iterator<Item = Ipv4Addr> + '_ {
    let pairs = lines.iter().zip(lines.iter().skip(1));
    pairs.filter_map(|(above, line)| {
        let address = above.trim_start().strip_prefix("|-- ")?;
        let is_own = line.trim() == "/32 host LOCAL";
        address.trim_end().parse().ok().filter(|_| is_own)
    })
}

/// Addresses of `/proc/net/if_inet6`: each line begins with 32 hexadecimal digits.
fn local_v6(lines: &[String]) -> impl Iterator<Item = Ipv6Addr> + '_ {
    lines.iter().filter_map(|line| {
        let digits = line.split_whitespace().next()?;
        u128::from_str_radix(digits, 16).ok().map(Ipv6Addr::from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roots::Roots;

    const TRIE: &str = "\
Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 192.168.3.0
        /24 link UNICAST
     |-- 192.168.3.10
        /32 host LOCAL
     |-- 192.168.3.255
        /32 link BROADCAST
";
    const INET6: &str = "fe800000000000000000000000000010 02 40 20 80     eth0\n";

    #[test]
    fn a_machine_knows_its_own_addresses() {
        let root = tempfile::tempdir().unwrap();
        let net = root.path().join("proc/net");
        std::fs::create_dir_all(&net).unwrap();
        std::fs::write(net.join("fib_trie"), TRIE).unwrap();
        std::fs::write(net.join("if_inet6"), INET6).unwrap();
        let roots = Roots::under(root.path());
        let context = Context::new(&roots);
        for own in ["127.0.0.1", "192.168.3.10", "::1", "fe80::10", "localhost"] {
            assert!(is_here(&context, own), "{own}");
        }
        for other in ["192.168.3.255", "192.168.3.101", "fe80::11", "nas", ""] {
            assert!(!is_here(&context, other), "{other}");
        }
    }

    #[test]
    fn a_portal_names_its_host() {
        assert_eq!(host_of("192.0.2.1:3260"), "192.0.2.1");
        assert_eq!(host_of("[::1]:3260"), "::1");
        assert_eq!(host_of("nas"), "nas");
    }
}
