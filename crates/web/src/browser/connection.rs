//! A connection over which requests go.

use http_body_util::Empty;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{Protocol, tls};
use crate::WebError;
use crate::address::Origin;
use crate::limits::ClientLimits;

/// One that stands: where requests are handed over.
pub(super) enum BrowserConnection {
    Http1(http1::SendRequest<Empty<Bytes>>),
    Http2(http2::SendRequest<Empty<Bytes>>),
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
            BrowserConnection::Http1(sender) => !sender.is_closed(),
            BrowserConnection::Http2(sender) => !sender.is_closed(),
        }
    }

    /// Another way to hand requests over to the same connection, where it takes several at once.
    pub(super) fn another(&self) -> Option<BrowserConnection> {
        match self {
            BrowserConnection::Http1(_) => None,
            BrowserConnection::Http2(sender) => Some(BrowserConnection::Http2(sender.clone())),
        }
    }

    pub(super) async fn send(
        &mut self,
        request: Request<Empty<Bytes>>,
    ) -> hyper::Result<Response<Incoming>> {
        match self {
            BrowserConnection::Http1(sender) => {
                sender.ready().await?;
                sender.send_request(request).await
            }
            BrowserConnection::Http2(sender) => sender.send_request(request).await,
        }
    }
}

async fn opened(origin: &Origin, protocol: Protocol) -> Result<BrowserConnection, String> {
    let host = origin.host.trim_matches(['[', ']']);
    let stream = TcpStream::connect((host, origin.port)).await;
    let stream = stream.map_err(|error| error.to_string())?;
    stream
        .set_nodelay(true)
        .map_err(|error| error.to_string())?;
    match origin.tls {
        false => over(stream, protocol).await,
        true => over(tls::wrap(stream, host, protocol).await?, protocol).await,
    }
}

async fn over<S>(stream: S, protocol: Protocol) -> Result<BrowserConnection, String>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let stream = TokioIo::new(stream);
    let made = match protocol {
        Protocol::Http1 => http1::handshake(stream).await.map(|(sender, connection)| {
            // Its end is seen by the sender, which then is closed.
            tokio::spawn(connection);
            BrowserConnection::Http1(sender)
        }),
        Protocol::Http2 => {
            let made = http2::handshake(TokioExecutor::new(), stream).await;
            made.map(|(sender, connection)| {
                tokio::spawn(connection);
                BrowserConnection::Http2(sender)
            })
        }
    };
    made.map_err(|error| error.to_string())
}
