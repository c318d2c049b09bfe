//! TLS over a connection: certificates are checked against those that the machine trusts.

use std::sync::{Arc, OnceLock};

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::Protocol;

/// The same for all connections: reading the certificates takes milliseconds.
static TRUSTED: OnceLock<Arc<RootCertStore>> = OnceLock::new();

pub(super) async fn wrap(
    stream: TcpStream,
    host: &str,
    protocol: Protocol,
) -> Result<TlsStream<TcpStream>, String> {
    let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
    let connector = TlsConnector::from(Arc::new(config(protocol)?));
    let stream = connector.connect(name, stream).await;
    let stream = stream.map_err(|error| format!("TLS: {error}"))?;
    let spoken = stream.get_ref().1.alpn_protocol();
    match protocol {
        Protocol::Http2 if spoken != Some(protocol.alpn()) => {
            Err("the server speaks no HTTP/2; take --set protocol=http1".to_owned())
        }
        _ => Ok(stream),
    }
}

fn config(protocol: Protocol) -> Result<ClientConfig, String> {
    let trusted = TRUSTED.get_or_init(|| Arc::new(trusted())).clone();
    if trusted.is_empty() {
        return Err("this machine trusts no certificate; install ca-certificates".to_owned());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let mut config = config.with_root_certificates(trusted).with_no_client_auth();
    config.alpn_protocols = vec![protocol.alpn().to_vec()];
    Ok(config)
}

/// What cannot be read among them is not trusted.
fn trusted() -> RootCertStore {
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    store
}
