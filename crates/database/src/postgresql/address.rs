//! Where a server of PostgreSQL is, and as whom it is spoken to.

use std::fmt;
use std::path::Path;

use tokio_postgres::Config;
use tokio_postgres::config::{ChannelBinding, Host, SslMode};

use crate::standing::NoAddress;
use crate::stream::Endpoint;

/// The port of PostgreSQL.
const PORT: u16 = 5432;

/// Who connects to which server.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Login {
    /// Where it may listen; the first place that answers is taken.
    pub(super) places: Vec<Endpoint>,
    pub(super) user: String,
    /// The one of the user's name without one.
    pub(super) database: Option<String>,
    pub(super) options: Option<String>,
    pub(super) password: Option<Vec<u8>>,
}

/// Without the password.
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login")
            .field("places", &self.places)
            .field("user", &self.user)
            .field("database", &self.database)
            .finish_non_exhaustive()
    }
}

impl Login {
    /// The user `etalon` of a private server whose socket lies in `directory`.
    pub(super) fn private(directory: &Path) -> Login {
        Login {
            places: vec![socket(directory, PORT)],
            user: "etalon".to_owned(),
            database: Some("postgres".to_owned()),
            options: None,
            password: None,
        }
    }

    /// Reads an address as PostgreSQL's own programs take it (the manual, Connection URIs).
    pub(super) fn parse(text: &str) -> Result<Login, NoAddress> {
        let schemes = ["postgresql://", "postgres://"];
        let is_url = schemes.iter().any(|scheme| text.starts_with(scheme));
        let config: Option<Config> = text.parse().ok().filter(|_| is_url);
        let config = config.ok_or(NoAddress::Form)?;
        let places = places(&config);
        match config.get_user() {
            _ if config.get_password().is_some() => Err(NoAddress::Password),
            _ if wants_encryption(&config) => Err(NoAddress::Encryption),
            Some(user) if !places.is_empty() => Ok(Login {
                places,
                user: user.to_owned(),
                database: config.get_dbname().map(str::to_owned),
                options: config.get_options().map(str::to_owned),
                password: None,
            }),
            _ => Err(NoAddress::Form),
        }
    }
}

fn wants_encryption(config: &Config) -> bool {
    config.get_ssl_mode() == SslMode::Require
        || config.get_channel_binding() == ChannelBinding::Require
}

/// Its hosts, each at its port, or at the one port of all.
fn places(config: &Config) -> Vec<Endpoint> {
    let ports = config.get_ports();
    let port = |at: usize| ports.get(at).or(ports.first()).copied().unwrap_or(PORT);
    let addresses = config.get_hostaddrs();
    let hosts = config.get_hosts().iter().enumerate();
    let mut places: Vec<Endpoint> = hosts
        .map(|(at, host)| match (host, addresses.get(at)) {
            (_, Some(address)) => Endpoint::Host(address.to_string(), port(at)),
            (Host::Tcp(name), None) => Endpoint::Host(name.clone(), port(at)),
            (Host::Unix(directory), None) => socket(directory, port(at)),
        })
        .collect();
    let others = addresses.iter().enumerate().skip(places.len());
    places.extend(others.map(|(at, address)| Endpoint::Host(address.to_string(), port(at))));
    places
}

/// The socket of the server at that port (the manual, unix_socket_directories).
fn socket(directory: &Path, port: u16) -> Endpoint {
    Endpoint::Socket(directory.join(format!(".s.PGSQL.{port}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(name: &str, port: u16) -> Endpoint {
        Endpoint::Host(name.to_owned(), port)
    }

    #[test]
    fn addresses_are_read_as_postgresqls_own_programs_read_them() {
        for (text, places) in [
            (
                "postgresql://me@db.example/shop",
                vec![host("db.example", 5432)],
            ),
            ("postgres://me@db:5433/shop", vec![host("db", 5433)]),
            ("postgresql://me@[::1]:5433/shop", vec![host("::1", 5433)]),
            (
                "postgresql://me@a,b/shop",
                vec![host("a", 5432), host("b", 5432)],
            ),
            (
                "postgresql://me@a:1,b:2/shop",
                vec![host("a", 1), host("b", 2)],
            ),
            (
                "postgresql://me@/shop?host=/run/pg&port=7",
                vec![Endpoint::Socket("/run/pg/.s.PGSQL.7".into())],
            ),
            (
                "postgresql://me@%2Frun%2Fpg/shop",
                vec![Endpoint::Socket("/run/pg/.s.PGSQL.5432".into())],
            ),
            (
                "postgresql://me@name/shop?hostaddr=127.0.0.1",
                vec![host("127.0.0.1", 5432)],
            ),
        ] {
            let login = Login::parse(text).ok().unwrap();
            assert_eq!(
                (login.places, login.user.as_str(), login.database.as_deref()),
                (places, "me", Some("shop")),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_address_is_none_and_neither_password_nor_encryption_is_taken() {
        for (text, why) in [
            ("", NoAddress::Form),
            ("mysql://me@db/x", NoAddress::Form),
            ("host=db user=me", NoAddress::Form),
            ("postgresql://db/x", NoAddress::Form),
            ("postgresql://me@/x", NoAddress::Form),
            ("postgresql://me@db:port/x", NoAddress::Form),
            ("postgresql://me:secret@db/x", NoAddress::Password),
            ("postgresql://me@db/x?password=secret", NoAddress::Password),
            (
                "postgresql://me@db/x?sslmode=require",
                NoAddress::Encryption,
            ),
            (
                "postgresql://me@db/x?channel_binding=require",
                NoAddress::Encryption,
            ),
        ] {
            assert_eq!(Login::parse(text).err(), Some(why), "{text}");
        }
    }
}
