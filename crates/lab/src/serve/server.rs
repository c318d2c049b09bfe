//! Clients of a model, one after the other.

use std::io;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::answers::{Answers, NbdClient};
use super::urgency::{ANSWERS, go_before_others};
use super::{
    Agreed, Content, Export, NbdRequest, ProtocolError, RequestHead, ServedFacts, Socket, handshake,
};
use crate::disk::Disk;

/// How often a wish to end is looked for.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// A client that says nothing for so long does not get to requests: others wait behind it.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// Errors that are kept until they are asked for.
const MOST_TOLD: usize = 100;

/// Why a model cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The name of the socket is not free.
    #[error("'{}' is {what}", path.display())]
    Taken {
        /// The name.
        path: PathBuf,
        /// What lies there, and what to do.
        what: &'static str,
    },
    /// The kernel refused the socket.
    #[error("no socket can be made at '{}': {source}; give a name of at most 107 bytes in a directory of your own", path.display())]
    Socket {
        /// The name.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The kernel refused memory or a thread.
    #[error("a disk cannot be served: {0}")]
    Start(#[source] io::Error),
}

/// What the threads of a server share.
struct ServerState {
    export: Export,
    answers: Answers,
    is_ending: AtomicBool,
    /// The client that is served now, to be cut off at the end.
    served: Mutex<Option<UnixStream>>,
    told: Mutex<Vec<String>>,
}

/// A model behind a socket. Dropping it cuts its client off and ends its threads.
pub struct ModelServer {
    shared: Arc<ServerState>,
    accepting: Option<JoinHandle<()>>,
    socket: Arc<Socket>,
}

impl std::fmt::Debug for ModelServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "ModelServer {{ {:?} at {:?} }}",
            self.shared.export, self.socket
        )
    }
}

impl ModelServer {
    /// Serves a disk with this content, which is as large as the export, at the socket. What was written is there
    /// for the next server of the same content.
    ///
    /// # Errors
    /// [`ServeError::Start`].
    pub fn start(
        socket: Socket,
        export: Export,
        disk: Box<dyn Disk>,
        content: impl Into<Arc<Content>>,
    ) -> Result<ModelServer, ServeError> {
        let shared = Arc::new(ServerState {
            answers: Answers::new(disk, content.into()).map_err(ServeError::Start)?,
            export,
            is_ending: AtomicBool::new(false),
            served: Mutex::new(None),
            told: Mutex::new(Vec::new()),
        });
        let socket = Arc::new(socket);
        let nonblocking = socket.listener().set_nonblocking(true);
        nonblocking.map_err(ServeError::Start)?;
        let (theirs, listening) = (Arc::clone(&shared), Arc::clone(&socket));
        let accepting = thread::Builder::new().name("lab-clients".to_owned());
        let accepting = accepting.spawn(move || theirs.accept(&listening));
        Ok(ModelServer {
            accepting: Some(accepting.map_err(ServeError::Start)?),
            shared,
            socket,
        })
    }

    /// What its clients may know of the disk.
    #[must_use]
    pub fn export(&self) -> &Export {
        &self.shared.export
    }

    /// How well it has kept to its model until now.
    #[must_use]
    pub fn facts(&self) -> ServedFacts {
        self.shared.answers.facts()
    }

    /// Clients whose conversation ended by an error since this was last asked, in words.
    pub fn refused(&self) -> Vec<String> {
        let told = self.shared.told.lock();
        std::mem::take(&mut *told.unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.shared.is_ending.store(true, Ordering::SeqCst);
        let served = self.shared.served.lock();
        if let Some(client) = served.unwrap_or_else(PoisonError::into_inner).as_ref() {
            // It may have gone by itself.
            let _ = client.shutdown(std::net::Shutdown::Both);
        }
        if let Some(accepting) = self.accepting.take() {
            // What it had to say stands in `told`.
            let _ = accepting.join();
        }
    }
}

impl ServerState {
    fn accept(&self, socket: &Socket) {
        go_before_others(ANSWERS);
        while !self.is_ending.load(Ordering::SeqCst) {
            match socket.listener().accept() {
                Ok((client, _)) => self.serve(client),
                Err(_) => thread::sleep(POLL_INTERVAL),
            }
        }
    }

    fn serve(&self, client: UnixStream) {
        let ended = self.converse(client);
        *self.served.lock().unwrap_or_else(PoisonError::into_inner) = None;
        if let Err(error) = ended
            && !self.is_ending.load(Ordering::SeqCst)
        {
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            told.truncate(MOST_TOLD - 1);
            told.push(error.to_string());
        }
    }

    fn converse(&self, mut stream: UnixStream) -> Result<(), ProtocolError> {
        stream.set_nonblocking(false)?;
        let cut_off = stream.try_clone()?;
        *self.served.lock().unwrap_or_else(PoisonError::into_inner) = Some(cut_off);
        // Who ended the server before the line above has cut nobody off.
        if self.is_ending.load(Ordering::SeqCst) {
            return Ok(());
        }
        stream.set_read_timeout(Some(HANDSHAKE_TIMEOUT))?;
        stream.set_write_timeout(Some(HANDSHAKE_TIMEOUT))?;
        if handshake(&mut stream, &self.export)? == Agreed::Leave {
            return Ok(());
        }
        stream.set_read_timeout(None)?;
        stream.set_write_timeout(None)?;
        let client = NbdClient::new(stream.try_clone()?);
        let mut requests = io::BufReader::with_capacity(64 << 10, stream);
        loop {
            let head = RequestHead::read(&mut requests)?;
            let came = Instant::now();
            match head.request(&mut requests, &self.export)? {
                NbdRequest::Leave => return Ok(()),
                asked => self.answers.take(&client, asked, came)?,
            }
        }
    }
}
