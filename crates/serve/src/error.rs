//! Why nothing is served.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use etalon_store::StoreError;

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another program has the port.
    #[error(
        "{address} is in use by another program; end it, or give another port with --listen {}:PORT (port 0 takes a free one)",
        shown(address)
    )]
    InUse {
        /// The address.
        address: SocketAddr,
    },
    /// The kernel refuses the address.
    #[error(
        "cannot listen at {address}: {answer}; give an address of this machine and a port from 1024 on"
    )]
    Address {
        /// The address.
        address: SocketAddr,
        /// The kernel's answer.
        answer: io::Error,
    },
    /// Others could read along, or ask.
    #[error(
        "{address} can be reached from other machines: give --token, --certificate and --key too, or stay at 127.0.0.1 and come by 'ssh -L'"
    )]
    Open {
        /// The address.
        address: SocketAddr,
    },
    /// The file of the token is of no use.
    #[error("--token '{}': {why}; 'umask 077; openssl rand -base64 33 > FILE' makes a new one", path.display())]
    Token {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Certificate and key are of no use.
    #[error("'{}': {why}; --certificate and --key take files in PEM", path.display())]
    Identity {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What drives the connections could not be begun.
    #[error(
        "cannot begin to serve: {0}; is the limit on open files or processes reached (ulimit -a)?"
    )]
    Runtime(io::Error),
}

/// An address as it stands before a port.
fn shown(address: &SocketAddr) -> String {
    match address {
        SocketAddr::V4(four) => four.ip().to_string(),
        SocketAddr::V6(six) => format!("[{}]", six.ip()),
    }
}
