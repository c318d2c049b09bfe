//! Listening, and ending well.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use etalon_store::Store;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use crate::connection::carry;
use crate::content::Reporter;
use crate::error::ServeError;
use crate::gate::Gate;
use crate::pages::PageSource;
use crate::settings::Settings;
use crate::shared::Shared;
use crate::watch::Sampler;

/// How often the end is looked for.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Pages made at once: they read the store of somebody who may be measuring.
const MOST_READERS: usize = 2;
/// How long answers under way may take at the end.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);

/// A server that listens.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
    connections: usize,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server({})", self.address)
    }
}

impl Server {
    /// Listens. Whether there is a store is known when this returns.
    ///
    /// # Errors
    /// [`ServeError`], with what to do about it.
    pub fn bind(settings: Settings, reporter: Box<dyn Reporter>) -> Result<Server, ServeError> {
        settings.check()?;
        drop(Store::open_read_only(&settings.store)?);
        let address = settings.listen;
        let listener = TcpListener::bind(address).map_err(|e| refused(address, e))?;
        let address = listener.local_addr().map_err(ServeError::Runtime)?;
        let runtime = Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(MOST_READERS)
            .build()
            .map_err(ServeError::Runtime)?;
        Ok(Server {
            runtime,
            listener,
            address,
            connections: settings.limits.connections,
            shared: Arc::new(shared(settings, reporter)),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where a browser finds it.
    pub fn url(&self) -> String {
        let scheme = match self.shared.acceptor.is_some() {
            true => "https",
            false => "http",
        };
        format!("{scheme}://{}/", self.address)
    }

    /// Serves until `stop` is set; answers under way are brought to their end, streams are ended.
    ///
    /// # Errors
    /// [`ServeError::Runtime`] where the listener cannot be waited for.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServeError> {
        let begun = self.listener.set_nonblocking(true);
        begun.map_err(ServeError::Runtime)?;
        let places = Arc::new(Semaphore::new(self.connections));
        let served = self.runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            accept(&self.shared, &listener, &places, stop).await;
            drop(listener);
            self.shared.stopping.store(true, Ordering::Relaxed);
            let all = u32::try_from(self.connections).unwrap_or(u32::MAX);
            let _ = timeout(DRAIN_TIMEOUT, places.acquire_many(all)).await;
            io::Result::Ok(())
        });
        self.runtime.shutdown_timeout(DRAIN_TIMEOUT);
        served.map_err(ServeError::Runtime)
    }
}

fn shared(settings: Settings, reporter: Box<dyn Reporter>) -> Shared {
    let acceptor = settings
        .identity
        .map(|identity| TlsAcceptor::from(identity.0));
    Shared {
        gate: Gate::new(settings.names, settings.token, &settings.limits),
        source: PageSource::new(settings.store, Sampler::new(settings.watched), reporter),
        streams: Arc::new(Semaphore::new(settings.limits.streams)),
        pages: Arc::new(Semaphore::new(settings.limits.pages)),
        readers: Arc::new(Semaphore::new(MOST_READERS)),
        language: settings.language,
        limits: settings.limits,
        acceptor,
        stopping: AtomicBool::new(false),
    }
}

/// Takes connections until the end. Where there is no place for one, it is closed: who waits for a place would wait
/// for those who hold theirs on purpose.
async fn accept(
    shared: &Arc<Shared>,
    listener: &tokio::net::TcpListener,
    places: &Arc<Semaphore>,
    stop: &AtomicBool,
) {
    while !stop.load(Ordering::Relaxed) {
        shared.source.sampler.rest();
        match timeout(POLL_INTERVAL, listener.accept()).await {
            Ok(Ok((stream, _))) => {
                if let Ok(place) = Arc::clone(places).try_acquire_owned() {
                    let carried = carry(Arc::clone(shared), stream);
                    tokio::spawn(async move {
                        carried.await;
                        drop(place);
                    });
                }
            }
            // Too many open files: some are closed soon.
            Ok(Err(_)) => sleep(POLL_INTERVAL).await,
            Err(_) => {}
        }
    }
}

fn refused(address: SocketAddr, answer: io::Error) -> ServeError {
    match answer.kind() {
        ErrorKind::AddrInUse => ServeError::InUse { address },
        _ => ServeError::Address { address, answer },
    }
}
