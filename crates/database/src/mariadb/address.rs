//! Where a server of MariaDB is, and as whom it is spoken to.

use std::fmt;

use crate::standing::NoAddress;
use crate::stream::Endpoint;

/// The port of MariaDB.
const PORT: u16 = 3306;

/// A server, and the user there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) place: Endpoint,
    pub(super) user: String,
}

impl Address {
    /// Reads `mariadb://USER@HOST`, with a port behind the host or `?socket=PATH` at the end.
    pub(super) fn parse(text: &str) -> Result<Address, NoAddress> {
        let schemes = ["mariadb://", "mysql://"];
        let rest = schemes.iter().find_map(|scheme| text.strip_prefix(scheme));
        let rest = rest.ok_or(NoAddress::Form)?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (user, host) = rest.rsplit_once('@').ok_or(NoAddress::Form)?;
        if user.contains(':') || query.contains("password=") {
            return Err(NoAddress::Password);
        }
        let place = match (query.strip_prefix("socket="), query) {
            (Some(path), _) if path.starts_with('/') => Endpoint::Socket(path.into()),
            (None, "") => of_host(host).ok_or(NoAddress::Form)?,
            _ => return Err(NoAddress::Form),
        };
        let is_name = |name: &str| !name.is_empty() && !name.contains(['/', '\0']);
        match is_name(user) {
            true => Ok(Address {
                place,
                user: user.to_owned(),
            }),
            false => Err(NoAddress::Form),
        }
    }

    /// The options of MariaDB's own client for it.
    pub(super) fn options(&self) -> Vec<String> {
        let mut options = vec![format!("--user={}", self.user)];
        options.extend(match &self.place {
            Endpoint::Socket(path) => vec![format!("--socket={}", path.display())],
            Endpoint::Host(host, port) => vec![
                "--protocol=tcp".to_owned(),
                format!("--host={host}"),
                format!("--port={port}"),
            ],
        });
        options
    }
}

/// `db.example`, `db.example:3307` or `[::1]:3307`.
fn of_host(text: &str) -> Option<Endpoint> {
    let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, "")) => (host, None),
        Some((host, rest)) => (host, Some(rest.strip_prefix(':')?)),
        None => match text.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        },
    };
    let port = port.map_or(Some(PORT), |port| port.parse().ok())?;
    let is_host = !host.is_empty() && !host.contains(['/', '\0']);
    is_host.then(|| Endpoint::Host(host.to_owned(), port))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Endpoint::Socket(path) => {
                write!(f, "mariadb://{}@/?socket={}", self.user, path.display())
            }
            Endpoint::Host(host, port) if host.contains(':') => {
                write!(f, "mariadb://{}@[{host}]:{port}", self.user)
            }
            Endpoint::Host(host, port) => write!(f, "mariadb://{}@{host}:{port}", self.user),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_written_again() {
        for (text, shown) in [
            ("mariadb://me@db.example", "mariadb://me@db.example:3306"),
            (
                "mysql://me@db.example:3307/",
                "mariadb://me@db.example:3307",
            ),
            ("mariadb://me@[::1]:3307", "mariadb://me@[::1]:3307"),
            ("mariadb://me@[::1]", "mariadb://me@[::1]:3306"),
            (
                "mariadb://a@b@/?socket=/run/s",
                "mariadb://a@b@/?socket=/run/s",
            ),
        ] {
            let address = Address::parse(text).unwrap();
            assert_eq!(address.to_string(), shown);
            assert_eq!(Address::parse(shown), Ok(address));
        }
    }

    #[test]
    fn what_is_no_address_is_none_and_a_password_is_refused() {
        for text in [
            "",
            "me@db",
            "postgresql://me@db/x",
            "mariadb://db",
            "mariadb://@db",
            "mariadb://me@",
            "mariadb://me@db/shop",
            "mariadb://me@db:x",
            "mariadb://me@db:70000",
            "mariadb://me@db?x=1",
            "mariadb://me@/?socket=s",
            "mariadb://me@[::1]x",
        ] {
            assert_eq!(Address::parse(text), Err(NoAddress::Form), "{text}");
        }
        for text in ["mariadb://me:secret@db", "mariadb://me@db?password=secret"] {
            assert_eq!(Address::parse(text), Err(NoAddress::Password), "{text}");
        }
    }
}
