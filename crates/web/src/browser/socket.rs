//! A socket that never waits, as hyper asks for one.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use hyper::rt::{Read, ReadBufCursor, Write};
use rustls::{ClientConnection, StreamOwned};

/// What is read at once: a page of a site comes in one piece.
const CHUNK: usize = 64 << 10;

/// What whoever waits for the socket has found.
#[derive(Debug, Default)]
pub(super) struct Readiness {
    /// Something may have come since the last time that nothing was there.
    pub(super) may_read: AtomicBool,
    /// The kernel had no room for what was to be sent.
    pub(super) waits_to_write: AtomicBool,
}

/// How bytes go over it.
enum Stream {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

/// A stream that does not block, and what is known of it.
pub(super) struct Socket {
    stream: Stream,
    readiness: Arc<Readiness>,
    chunk: Box<[u8]>,
}

impl Socket {
    pub(super) fn plain(stream: TcpStream) -> Socket {
        Socket::over(Stream::Plain(stream))
    }

    pub(super) fn tls(connection: ClientConnection, stream: TcpStream) -> Socket {
        Socket::over(Stream::Tls(Box::new(StreamOwned::new(connection, stream))))
    }

    fn over(stream: Stream) -> Socket {
        Socket {
            stream,
            readiness: Arc::default(),
            chunk: vec![0; CHUNK].into(),
        }
    }

    pub(super) fn stream(&self) -> &TcpStream {
        match &self.stream {
            Stream::Plain(stream) => stream,
            Stream::Tls(stream) => &stream.sock,
        }
    }

    pub(super) fn readiness(&self) -> Arc<Readiness> {
        Arc::clone(&self.readiness)
    }

    /// Less than was asked for is all that was there; what TLS has deciphered may be more than it gave.
    fn is_emptied_by(&self, read: usize, asked: usize) -> bool {
        read < asked && matches!(self.stream, Stream::Plain(_))
    }
}

impl Read for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        mut into: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let asked = into.remaining().min(CHUNK);
        while this.readiness.may_read.load(Ordering::Relaxed) {
            let chunk = &mut this.chunk[..asked];
            let read = match &mut this.stream {
                Stream::Plain(stream) => stream.read(chunk),
                Stream::Tls(stream) => stream.read(chunk),
            };
            match read {
                Ok(length) => {
                    into.put_slice(&this.chunk[..length]);
                    // The end is told as often as it is asked for.
                    if length > 0 && this.is_emptied_by(length, asked) {
                        this.readiness.may_read.store(false, Ordering::Relaxed);
                    }
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    this.readiness.may_read.store(false, Ordering::Relaxed);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Pending
    }
}

impl Socket {
    /// Does it once more where a signal came, and has whoever waits told where the kernel has no room.
    fn sent<T>(
        &mut self,
        mut act: impl FnMut(&mut Stream) -> io::Result<T>,
    ) -> Poll<io::Result<T>> {
        loop {
            match act(&mut self.stream) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.readiness.waits_to_write.store(true, Ordering::Relaxed);
                    return Poll::Pending;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                done => return Poll::Ready(done),
            }
        }
    }
}

impl Write for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.sent(|stream| match stream {
            Stream::Plain(stream) => stream.write(bytes),
            Stream::Tls(stream) => stream.write(bytes),
        })
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.sent(|stream| match stream {
            Stream::Plain(_) => Ok(()),
            Stream::Tls(stream) => stream.flush(),
        })
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.sent(|stream| match stream {
            Stream::Plain(stream) => stream.shutdown(std::net::Shutdown::Write),
            Stream::Tls(stream) => {
                stream.conn.send_close_notify();
                stream.flush()
            }
        })
    }
}
