//! A socket as hyper asks for one: it never waits, and gives what came while its owner waited.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::ops::Range;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use hyper::rt::{self, ReadBufCursor};
use rustls::{ClientConnection, StreamOwned};

use super::POLL_INTERVAL;

/// What is read at once: a page of a site comes in one piece.
const CHUNK: usize = 64 << 10;

/// What came and was not read yet.
struct Unread {
    bytes: Box<[u8]>,
    place: Range<usize>,
    /// The end of the stream, or why there will be no more of it.
    end: Option<io::Result<()>>,
}

/// Where the owner of a socket puts what comes, and the socket takes it from.
#[derive(Clone)]
pub(super) struct Inbox {
    stream: Arc<TcpStream>,
    unread: Arc<Mutex<Unread>>,
    /// Whether bytes of HTTP have been read since the last request began. What TLS says of itself, its goodbye for one,
    /// is none.
    is_answered: Arc<AtomicBool>,
}

impl Inbox {
    /// Of a stream that shall wait for a moment and no longer.
    fn of(stream: TcpStream) -> io::Result<Inbox> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(POLL_INTERVAL))?;
        stream.set_write_timeout(Some(POLL_INTERVAL))?;
        let unread = Unread {
            bytes: vec![0; CHUNK].into(),
            place: 0..0,
            end: None,
        };
        Ok(Inbox {
            stream: Arc::new(stream),
            unread: Arc::new(Mutex::new(unread)),
            is_answered: Arc::default(),
        })
    }

    fn unread(&self) -> MutexGuard<'_, Unread> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets what was answered before.
    pub(super) fn begin_request(&self) {
        self.is_answered.store(false, Ordering::Relaxed);
    }

    /// Whether the server has begun to answer since.
    pub(super) fn is_answered(&self) -> bool {
        self.is_answered.load(Ordering::Relaxed)
    }

    /// Waits a moment for more.
    pub(super) fn wait(&self) {
        let mut unread = self.unread();
        if !unread.place.is_empty() || unread.end.is_some() {
            return;
        }
        match (&*self.stream).read(&mut unread.bytes) {
            Ok(0) => unread.end = Some(Ok(())),
            Ok(length) => unread.place = 0..length,
            Err(error) if is_passing(&error) => {}
            Err(error) => unread.end = Some(Err(error)),
        }
    }

    /// Hands what came to `take`, which says how much it took; [`ErrorKind::WouldBlock`] where nothing is there.
    fn taken(&self, take: impl FnOnce(&[u8]) -> usize) -> io::Result<usize> {
        let mut unread = self.unread();
        if unread.place.is_empty() {
            return match &mut unread.end {
                None => Err(ErrorKind::WouldBlock.into()),
                Some(end) => std::mem::replace(end, Ok(())).map(|()| 0),
            };
        }
        let length = take(&unread.bytes[unread.place.clone()]);
        unread.place.start += length;
        Ok(length)
    }
}

/// Nothing came in that time, or a signal did.
fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

/// As TLS asks for it.
impl Read for Inbox {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.taken(|unread| {
            let length = unread.len().min(into.len());
            into[..length].copy_from_slice(&unread[..length]);
            length
        })
    }
}

impl Write for Inbox {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self.stream).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How bytes go over a stream.
pub(super) enum Socket {
    Plain(Inbox),
    Tls(Box<StreamOwned<ClientConnection, Inbox>>),
}

impl Socket {
    pub(super) fn plain(stream: TcpStream) -> io::Result<Socket> {
        Ok(Socket::Plain(Inbox::of(stream)?))
    }

    pub(super) fn tls(secured: ClientConnection, stream: TcpStream) -> io::Result<Socket> {
        let stream = StreamOwned::new(secured, Inbox::of(stream)?);
        Ok(Socket::Tls(Box::new(stream)))
    }

    pub(super) fn inbox(&self) -> &Inbox {
        match self {
            Socket::Plain(inbox) => inbox,
            Socket::Tls(stream) => &stream.sock,
        }
    }
}

/// What can only be done later is asked for again by whoever owns the socket.
fn polled<T>(done: io::Result<T>) -> Poll<io::Result<T>> {
    match done {
        Err(error) if is_passing(&error) => Poll::Pending,
        done => Poll::Ready(done),
    }
}

impl rt::Read for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        mut into: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let most = into.remaining();
        let read = match &mut *self {
            Socket::Plain(inbox) => inbox.taken(|unread| {
                let length = unread.len().min(most);
                into.put_slice(&unread[..length]);
                length
            }),
            Socket::Tls(stream) => {
                let mut chunk = [0; RECORD];
                let asked = most.min(RECORD);
                let read = stream.read(&mut chunk[..asked]);
                read.inspect(|length| into.put_slice(&chunk[..*length]))
            }
        };
        if read.as_ref().is_ok_and(|length| *length > 0) {
            self.inbox().is_answered.store(true, Ordering::Relaxed);
        }
        polled(read.map(drop))
    }
}

/// The longest record of TLS (RFC 8446, section 5.1).
const RECORD: usize = 16 << 10;

impl rt::Write for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        polled(match &mut *self {
            Socket::Plain(inbox) => inbox.write(bytes),
            Socket::Tls(stream) => stream.write(bytes),
        })
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        polled(match &mut *self {
            Socket::Plain(_) => Ok(()),
            Socket::Tls(stream) => stream.flush(),
        })
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut *self {
            Socket::Plain(inbox) => Poll::Ready(inbox.stream.shutdown(std::net::Shutdown::Write)),
            Socket::Tls(stream) => {
                stream.conn.send_close_notify();
                self.poll_flush(context)
            }
        }
    }
}
