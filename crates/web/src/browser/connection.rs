//! A connection over which requests go.

use std::io;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::http1::Http1;
use super::http2::Http2;
use super::socket::Socket;
use super::{Protocol, tls};
use crate::WebError;
use crate::address::Origin;
use crate::limits::ClientLimits;

/// One that stands.
pub(super) enum BrowserConnection {
    Http1(Box<Http1>),
    Http2(Box<Http2>),
}

impl BrowserConnection {
    pub(super) async fn connect(
        origin: &Origin,
        protocol: Protocol,
        limits: ClientLimits,
    ) -> Result<BrowserConnection, WebError> {
        let refused = |why: String| WebError::Connect {
            origin: origin.to_string(),
            why,
        };
        let opening = opened(origin, protocol);
        let opened = timeout(limits.connect, opening).await;
        let took_long = || refused(format!("it took longer than {:?}", limits.connect));
        opened.map_err(|_| took_long())?.map_err(refused)
    }

    pub(super) fn is_open(&self) -> bool {
        match self {
            BrowserConnection::Http1(connection) => connection.is_open(),
            BrowserConnection::Http2(connection) => connection.is_open(),
        }
    }

    /// Whether it had ended before the last request went over it.
    pub(super) fn had_ended(&self) -> bool {
        match self {
            BrowserConnection::Http1(connection) => connection.had_ended(),
            BrowserConnection::Http2(connection) => connection.had_ended(),
        }
    }
}

async fn opened(origin: &Origin, protocol: Protocol) -> Result<BrowserConnection, String> {
    let host = origin.host.trim_matches(['[', ']']);
    let stream = TcpStream::connect((host, origin.port)).await;
    let stream = stream.map_err(told)?;
    stream.set_nodelay(true).map_err(told)?;
    match (protocol, origin.tls) {
        (Protocol::Http1, false) => {
            let stream = stream.into_std().map_err(told)?;
            http1(Socket::plain(stream)).await
        }
        (Protocol::Http1, true) => {
            let (stream, secured) = tls::wrap(stream, host, protocol).await?.into_inner();
            let stream = stream.into_std().map_err(told)?;
            http1(Socket::tls(secured, stream)).await
        }
        (Protocol::Http2, false) => http2(stream).await,
        (Protocol::Http2, true) => http2(tls::wrap(stream, host, protocol).await?).await,
    }
}

async fn http1(socket: io::Result<Socket>) -> Result<BrowserConnection, String> {
    let made = Http1::over(socket.map_err(told)?).await;
    let made = made.map_err(|error| error.to_string())?;
    Ok(BrowserConnection::Http1(Box::new(made)))
}

async fn http2<S>(stream: S) -> Result<BrowserConnection, String>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let made = Http2::over(stream).await;
    let made = made.map_err(|error| error.to_string())?;
    Ok(BrowserConnection::Http2(Box::new(made)))
}

fn told(error: io::Error) -> String {
    error.to_string()
}
