//! Who asks, and by which way.

use std::net::{IpAddr, SocketAddr};

/// The two ends of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client {
    /// Whose connection it is.
    pub(crate) peer: IpAddr,
    /// The address of this machine that it came to.
    pub(crate) local: IpAddr,
}

impl Client {
    pub(crate) fn new(peer: SocketAddr, local: SocketAddr) -> Client {
        Client {
            peer: peer.ip().to_canonical(),
            local: local.ip().to_canonical(),
        }
    }

    /// Whether the host that a browser names is where the connection came to. A name that an attacker has pointed
    /// here (DNS rebinding) is neither the address nor one of the names that were given; the port says nothing, and
    /// differs behind `ssh -L`.
    pub(crate) fn came_to(&self, host: &str, names: &[String]) -> bool {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>() {
            let address = address.to_canonical();
            return address == self.local || address.is_loopback() && self.local.is_loopback();
        }
        let same = |name: &str| name.eq_ignore_ascii_case(host);
        self.local.is_loopback() && same("localhost") || names.iter().any(|name| same(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(local: &str) -> Client {
        let local = SocketAddr::new(local.parse().unwrap(), 80);
        Client::new(local, local)
    }

    #[test]
    fn only_its_own_address_and_names_are_its_own() {
        let names = ["nas.home".to_owned()];
        let is = |local, host| client(local).came_to(host, &names);
        assert!(is("127.0.0.1", "127.0.0.1") && is("127.0.0.1", "LocalHost"));
        assert!(is("127.0.0.1", "[::1]") && is("::1", "[::1]"));
        assert!(is("10.0.0.5", "10.0.0.5") && is("::ffff:10.0.0.5", "10.0.0.5"));
        assert!(is("10.0.0.5", "nas.home") && is("127.0.0.1", "NAS.home"));
        assert!(!is("10.0.0.5", "localhost") && !is("10.0.0.5", "127.0.0.1"));
        for host in [
            "evil.example",
            "127.0.0.1.evil.example",
            "10.0.0.6",
            "",
            "0",
        ] {
            assert!(!is("127.0.0.1", host), "{host}");
        }
    }
}
