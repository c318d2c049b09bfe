//! Token and TLS, and where they are needed.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use etalon_serve::{Identity, Server, Token};
use etalon_store::Store;

use crate::common::{Numbers, Served, data, settings, until_closed};

/// A word that is long enough.
const WORD: &str = "0123456789abcdef0123456789abcdef";

fn token(directory: &Path) -> Token {
    use std::os::unix::fs::PermissionsExt as _;
    let path = directory.join("token");
    std::fs::write(&path, WORD).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    Token::read(&path).unwrap()
}

fn identity() -> Identity {
    Identity::read(&data("certificate.pem"), &data("key.pem")).unwrap()
}

fn refused(change: impl FnOnce(&mut etalon_serve::Settings)) -> String {
    let home = tempfile::tempdir().unwrap();
    let store = home.path().join("store.sqlite");
    drop(Store::open(&store).unwrap());
    let mut settings = settings(store);
    change(&mut settings);
    let bound = Server::bind(settings, Box::new(Numbers));
    bound.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn without_the_token_nothing_is_shown() {
    let home = tempfile::tempdir().unwrap();
    let served = Served::with(|settings| settings.token = Some(token(home.path())));
    for path in [
        "/",
        "/experiment/1",
        "/live/events",
        "/static/style.css",
        "/none",
    ] {
        let said = served.get(path);
        assert_eq!(said.status(), 401, "{path}");
        assert!(
            said.header("www-authenticate")
                .unwrap()
                .starts_with("Basic ")
        );
        assert!(!said.0.contains(WORD));
    }
    let bearer = |word: &str| format!("Authorization: Bearer {word}\r\n");
    assert_eq!(served.ask("GET", "/", &bearer("x")).status(), 401);
    assert_eq!(served.ask("GET", "/", &bearer(WORD)).status(), 200);
}

#[test]
fn beyond_this_machine_token_and_certificate_are_needed() {
    let home = tempfile::tempdir().unwrap();
    let open: SocketAddr = "0.0.0.0:0".parse().unwrap();
    let why = refused(|settings| settings.listen = open);
    assert!(why.contains("--token") && why.contains("ssh -L"), "{why}");
    let half = refused(|settings| {
        settings.listen = open;
        settings.token = Some(token(home.path()));
    });
    assert!(half.contains("--certificate"), "{half}");
    refused(|settings| {
        settings.listen = "[::]:0".parse().unwrap();
        settings.identity = Some(identity());
    });
    drop(Served::with(|settings| {
        settings.listen = open;
        settings.token = Some(token(home.path()));
        settings.identity = Some(identity());
    }));
}

#[test]
fn what_cannot_be_served_says_what_to_do() {
    let taken = Served::new();
    let why = refused(|settings| settings.listen = taken.address);
    assert!(why.contains("in use") && why.contains("--listen"), "{why}");
    let why = refused(|settings| settings.store = "/no/such/store".into());
    assert!(why.contains("no store at '/no/such/store'"), "{why}");
    let elsewhere = "127.0.0.1:1".parse().unwrap();
    if let Ok(bound) = std::net::TcpListener::bind(elsewhere) {
        drop(bound);
        return;
    }
    let why = refused(|settings| settings.listen = elsewhere);
    assert!(why.contains("127.0.0.1:1"), "{why}");
}

#[test]
fn files_that_are_no_certificate_or_key_are_named() {
    let (certificate, key) = (data("certificate.pem"), data("key.pem"));
    for (a, b, named) in [
        (&key, &key, "key.pem"),
        (&certificate, &certificate, "certificate.pem"),
    ] {
        let why = Identity::read(a, b).unwrap_err().to_string();
        assert!(why.contains(named) && why.contains("PEM"), "{why}");
    }
    assert!(Identity::read(Path::new("/dev/zero"), &key).is_err());
}

#[test]
fn pages_come_within_tls_and_plain_requests_get_none() {
    let served = Served::with(|settings| settings.identity = Some(identity()));
    let said = served.get("/");
    assert_eq!(said.status(), 0, "{said:?}");
    let page = tls::get(&served, "/");
    assert!(page.starts_with("HTTP/1.1 200 OK"), "{page}");
    assert!(page.contains("Nothing has been measured yet"), "{page}");
}

#[test]
fn who_begins_no_handshake_is_cut_off() {
    let served = Served::with(|settings| {
        settings.identity = Some(identity());
        settings.limits.header = Duration::from_millis(50);
        settings.limits.page = Duration::from_secs(3600);
    });
    assert_eq!(until_closed(&mut served.connect()), "");
}

/// A client that trusts the tests' certificate alone.
mod tls {
    use std::io::{Read as _, Write as _};
    use std::sync::Arc;

    use rustls::pki_types::pem::PemObject as _;
    use rustls::pki_types::{CertificateDer, ServerName};
    use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

    use crate::common::{Served, data};

    pub(super) fn get(served: &Served, path: &str) -> String {
        let mut roots = RootCertStore::empty();
        let certificate = CertificateDer::from_pem_file(data("certificate.pem")).unwrap();
        roots.add(certificate).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from("localhost").unwrap();
        let client = ClientConnection::new(Arc::new(config), name).unwrap();
        let mut stream = StreamOwned::new(client, served.connect());
        let host = served.address;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }
}
