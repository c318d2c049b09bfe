//! A connection to a server, by its socket or over the network.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a server may take to take a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// No answer takes longer; a server that stands still is ended with the work.
const READ_TIMEOUT: Duration = Duration::from_secs(24 * 3600);

/// Where it listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Socket(PathBuf),
    Host(String, u16),
}

/// Bytes to and from a server.
pub(crate) enum Stream {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Stream {
    pub(crate) fn open(place: &Endpoint) -> io::Result<Stream> {
        match place {
            Endpoint::Socket(path) => unix(path),
            Endpoint::Host(host, port) => tcp(host, *port),
        }
    }

    /// Closes it from another thread, so that whoever waits for it gets an error.
    pub(crate) fn breaker(&self) -> io::Result<impl Fn() + Send + use<>> {
        let same = match self {
            Stream::Unix(stream) => Stream::Unix(stream.try_clone()?),
            Stream::Tcp(stream) => Stream::Tcp(stream.try_clone()?),
        };
        Ok(move || {
            // One that is closed already has nobody waiting for it.
            let _ = match &same {
                Stream::Unix(stream) => stream.shutdown(Shutdown::Both),
                Stream::Tcp(stream) => stream.shutdown(Shutdown::Both),
            };
        })
    }
}

fn unix(path: &Path) -> io::Result<Stream> {
    let stream = UnixStream::connect(path)?;
    stream.set_read_timeout(Some(READ_TIMEOUT))?;
    Ok(Stream::Unix(stream))
}

/// The first of its addresses that answers.
fn tcp(host: &str, port: u16) -> io::Result<Stream> {
    let mut failed = io::Error::from(io::ErrorKind::NotFound);
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
            Err(error) => failed = error,
            Ok(stream) => {
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(READ_TIMEOUT))?;
                return Ok(Stream::Tcp(stream));
            }
        }
    }
    Err(failed)
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Unix(stream) => stream.read(into),
            Stream::Tcp(stream) => stream.read(into),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Unix(stream) => stream.write(bytes),
            Stream::Tcp(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
