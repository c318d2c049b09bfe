//! Ports of this machine's own addresses of which the kernel sends the packets on to other machines, as kube-proxy has it do.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::context::Context;

/// Whether a service of IPVS has this address and port, by `/proc/net/ip_vs`, which root may read.
pub(super) fn is_sent_on(context: &Context<'_>, address: &str, port: u16) -> bool {
    let lines = context.attr_lines(context.roots.procfs.join("net/ip_vs"));
    let asked = address.parse().ok().map(|address: IpAddr| (address, port));
    let mut services = lines.iter().filter_map(|line| service(line));
    asked.is_some_and(|asked| services.any(|service| service == asked))
}

/// `TCP  0A600001:0801 rr` or `TCP  [2001:0db8:...]:0801 rr`; servers behind it have lines that begin with an arrow
/// (net/netfilter/ipvs/ip_vs_ctl.c, `ip_vs_info_seq_show`).
fn service(line: &str) -> Option<(IpAddr, u16)> {
    let mut words = line.split_whitespace();
    words.next().filter(|protocol| *protocol == "TCP")?;
    let (address, port) = words.next()?.rsplit_once(':')?;
    let bare = address.strip_prefix('[').and_then(|a| a.strip_suffix(']'));
    let address = match bare {
        Some(address) => IpAddr::V6(address.parse::<Ipv6Addr>().ok()?),
        None => IpAddr::V4(Ipv4Addr::from(u32::from_str_radix(address, 16).ok()?)),
    };
    Some((address, u16::from_str_radix(port, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_has_an_address_and_a_port() {
        let of = |line: &str| service(line).map(|(address, port)| (address.to_string(), port));
        let v4 = Some(("10.96.0.1".to_owned(), 2049));
        assert_eq!(of("TCP  0A600001:0801 rr  "), v4);
        let v6 = Some(("2001:db8::1".to_owned(), 2049));
        assert_eq!(
            of("TCP  [2001:0db8:0000:0000:0000:0000:0000:0001]:0801 rr "),
            v6
        );
        for other in [
            "  -> 0A600001:0801      Masq    1      0          0",
            "Prot LocalAddress:Port Scheduler Flags",
            "UDP  0A600001:0801 rr",
            "TCP",
            "",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
