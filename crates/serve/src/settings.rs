//! What a server is asked to be.

use std::net::SocketAddr;
use std::path::PathBuf;

use etalon_language::Language;
use etalon_model::stack::StackTree;

use crate::error::ServeError;
use crate::identity::Identity;
use crate::limits::Limits;
use crate::token::Token;

/// What a server is asked to be.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Names by which browsers may call it, beside its address and, on a loopback address, `localhost`.
    pub names: Vec<String>,
    /// What must be known to ask; needed beyond a loopback address.
    pub token: Option<Token>,
    /// Certificate and key; needed beyond a loopback address.
    pub identity: Option<Identity>,
    /// The store's file.
    pub store: PathBuf,
    /// Whose disks are watched.
    pub watched: Watched,
    /// What its pages are written in.
    pub language: Language,
    /// What it puts up with.
    pub limits: Limits,
}

/// Whose disks are watched.
#[derive(Debug, Clone)]
pub struct Watched {
    /// The target and what lies beneath it, in a line.
    pub heading: String,
    /// The layers.
    pub tree: StackTree,
}

impl Settings {
    /// Whether others than this machine's users could reach it unasked.
    pub(crate) fn check(&self) -> Result<(), ServeError> {
        let address = self.listen;
        let guarded = self.token.is_some() && self.identity.is_some();
        match address.ip().to_canonical().is_loopback() || guarded {
            true => Ok(()),
            false => Err(ServeError::Open { address }),
        }
    }
}
