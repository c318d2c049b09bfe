//! What all connections have in common.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_language::Language;
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;

use crate::gate::Gate;
use crate::limits::Limits;
use crate::pages::PageSource;

/// What all connections have in common.
pub(crate) struct Shared {
    pub(crate) gate: Gate,
    pub(crate) source: PageSource,
    pub(crate) language: Language,
    pub(crate) limits: Limits,
    pub(crate) streams: Arc<Semaphore>,
    /// Pages that are made or wait for their turn.
    pub(crate) pages: Arc<Semaphore>,
    /// Pages that are made.
    pub(crate) readers: Arc<Semaphore>,
    pub(crate) acceptor: Option<TlsAcceptor>,
    pub(crate) stopping: AtomicBool,
}

impl Shared {
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}
