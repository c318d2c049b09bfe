//! TLS over a connection: certificates are checked against those that the machine trusts.

use std::io;
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
    let stream = stream.map_err(|error| explained(&error))?;
    let spoken = stream.get_ref().1.alpn_protocol();
    match protocol {
        Protocol::Http2 if spoken != Some(protocol.alpn()) => {
            Err("the server speaks no HTTP/2; take --set protocol=http1".to_owned())
        }
        _ => Ok(stream),
    }
}

/// What the handshake failed on, and what to do about it.
fn explained(error: &io::Error) -> String {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref());
    match cause {
        Some(rustls::Error::InvalidCertificate(cause)) => format!(
            "its certificate is not one that this machine trusts ({cause}); install the certificate of whoever signed it, or take http://"
        ),
        Some(rustls::Error::InvalidMessage(_)) => "it speaks no TLS there; take http://".to_owned(),
        _ => format!("TLS: {error}"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::{CertificateError, InvalidMessage};

    #[test]
    fn a_handshake_that_fails_is_told_in_words() {
        let told = |cause: rustls::Error| explained(&io::Error::other(cause));
        let certificate = told(CertificateError::UnknownIssuer.into());
        assert!(
            certificate.starts_with("its certificate is not one that this machine trusts"),
            "{certificate}"
        );
        let plain = told(InvalidMessage::InvalidContentType.into());
        assert_eq!(plain, "it speaks no TLS there; take http://");
        assert!(explained(&io::ErrorKind::BrokenPipe.into()).starts_with("TLS: "));
    }
}
