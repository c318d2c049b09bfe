//! By what the server shows who it is: a certificate and its key.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::error::ServeError;

/// No certificate with its chain is longer.
const MOST_BYTES: u64 = 1 << 20;

/// A certificate with its key, ready for TLS 1.2 and 1.3.
#[derive(Clone)]
pub struct Identity(pub(crate) Arc<ServerConfig>);

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Identity")
    }
}

impl Identity {
    /// Reads a chain of certificates, the server's own first, and the key of that one.
    ///
    /// # Errors
    /// [`ServeError::Identity`] where a file cannot be read, holds nothing of the kind, or the two do not fit.
    pub fn read(certificate: &Path, key: &Path) -> Result<Identity, ServeError> {
        let (chain, secret) = (text(certificate)?, text(key)?);
        let chain = CertificateDer::pem_slice_iter(&chain).collect::<Result<Vec<_>, _>>();
        let chain = chain.map_err(|e| refused(certificate, &e))?;
        if chain.is_empty() {
            return Err(refused(certificate, &"it holds no certificate"));
        }
        let secret = PrivateKeyDer::from_pem_slice(&secret);
        let secret = secret.map_err(|e| refused(key, &e))?;
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|begun| begun.with_no_client_auth().with_single_cert(chain, secret))
            .map_err(|e| refused(certificate, &e))?;
        Ok(Identity(Arc::new(config)))
    }
}

fn text(path: &Path) -> Result<Vec<u8>, ServeError> {
    let found = fs::metadata(path).map_err(|e| refused(path, &e))?;
    if !found.is_file() || found.len() > MOST_BYTES {
        return Err(refused(path, &"it is no file of at most 1 MiB"));
    }
    fs::read(path).map_err(|e| refused(path, &e))
}

fn refused(path: &Path, why: &impl std::fmt::Display) -> ServeError {
    ServeError::Identity {
        path: path.to_owned(),
        why: why.to_string(),
    }
}
