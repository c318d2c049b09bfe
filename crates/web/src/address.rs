//! Addresses of pages: what is typed, and where an answer sends a browser on to.

use std::fmt;

use hyper::Uri;

/// A server: what a connection is made to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    /// Whether it is spoken to over TLS (`https`).
    pub(crate) tls: bool,
    pub(crate) host: String,
    pub(crate) port: u16,
}

/// A page on a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) origin: Origin,
    /// From the slash on, with what follows a question mark.
    pub(crate) path: String,
}

impl Origin {
    /// The port that its scheme has by default (RFC 9110, sections 4.2.1 and 4.2.2).
    fn usual_port(tls: bool) -> u16 {
        if tls { 443 } else { 80 }
    }

    pub(crate) fn scheme(&self) -> &'static str {
        if self.tls { "https" } else { "http" }
    }

    /// As a request names it: the port only where it is not the usual one.
    pub(crate) fn authority(&self) -> String {
        match self.port == Origin::usual_port(self.tls) {
            true => self.host.clone(),
            false => format!("{}:{}", self.host, self.port),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme(), self.authority())
    }
}

impl Address {
    /// What is typed: `http://HOST[:PORT]/PATH` or `https://`; `None` for everything else.
    pub(crate) fn parse(text: &str) -> Option<Address> {
        let uri: Uri = text.trim().parse().ok()?;
        let tls = match uri.scheme_str()? {
            "http" => false,
            "https" => true,
            _ => return None,
        };
        let authority = uri.authority()?;
        // A name and a password before the host would go over the wire and into the record.
        if authority.as_str().contains('@') || authority.host().is_empty() {
            return None;
        }
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        Some(Address {
            origin: Origin {
                tls,
                host: authority.host().to_owned(),
                port: authority.port_u16().unwrap_or(Origin::usual_port(tls)),
            },
            path: path.to_owned(),
        })
    }

    /// Where an answer sends on to: an address of its own, or one beside this one (RFC 9110, section 10.2.2).
    pub(crate) fn moved_to(&self, location: &str) -> Option<Address> {
        let location = location.split('#').next().unwrap_or_default();
        if location.contains("://") {
            return Address::parse(location);
        }
        if let Some(rest) = location.strip_prefix("//") {
            return Address::parse(&format!("{}://{rest}", self.origin.scheme()));
        }
        let path = match location.strip_prefix('/') {
            Some(_) => location.to_owned(),
            None => {
                let here = self.path.split('?').next().unwrap_or_default();
                let folder = here.rsplit_once('/').map_or("", |(folder, _)| folder);
                format!("{folder}/{location}")
            }
        };
        let origin = self.origin.clone();
        let is_sendable = path.parse::<Uri>().is_ok();
        is_sendable.then_some(Address { origin, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<String> {
        Address::parse(text).map(|address| format!("{}{}", address.origin, address.path))
    }

    #[test]
    fn addresses_are_read_and_others_are_not() {
        assert_eq!(parsed("http://a.b").unwrap(), "http://a.b/");
        assert_eq!(
            parsed(" https://a:8443/x?y=1 ").unwrap(),
            "https://a:8443/x?y=1"
        );
        assert_eq!(parsed("https://a:443/").unwrap(), "https://a/");
        assert_eq!(parsed("http://[::1]:81/x").unwrap(), "http://[::1]:81/x");
        for wrong in [
            "",
            "a.b/x",
            "ftp://a/",
            "http://",
            "http://u:p@a/",
            "file:///etc/passwd",
            "http://a b/",
        ] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_location_is_read_beside_the_page_that_names_it() {
        let page = Address::parse("https://a/x/y?z").unwrap();
        let to = |location: &str| {
            let address = page.moved_to(location);
            address.map(|address| format!("{}{}", address.origin, address.path))
        };
        assert_eq!(to("/b#c").unwrap(), "https://a/b");
        assert_eq!(to("b").unwrap(), "https://a/x/b");
        assert_eq!(to("//c/d").unwrap(), "https://c/d");
        assert_eq!(to("http://c:8/d").unwrap(), "http://c:8/d");
        assert_eq!(to("gopher://c/d"), None);
        assert_eq!(to("b c"), None);
    }

    proptest::proptest! {
        #[test]
        fn nothing_that_a_server_sends_panics(location in "\\PC{0,40}", typed in "\\PC{0,40}") {
            let page = Address::parse("http://a/x").unwrap();
            let _ = (page.moved_to(&location), Address::parse(&typed));
        }
    }
}
