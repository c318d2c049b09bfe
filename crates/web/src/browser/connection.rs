//! A connection over which requests go.

use std::net::SocketAddr;
use std::time::Duration;

use http_body_util::Empty;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Protocol;
use super::fetch::{Fetched, fetch};
use crate::WebError;
use crate::site::Resource;

/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// One that stands.
pub(super) struct Connection {
    host: String,
    sender: Sender,
}

/// Where requests are handed over.
pub(super) enum Sender {
    Http1(http1::SendRequest<Empty<Bytes>>),
    Http2(http2::SendRequest<Empty<Bytes>>),
}

impl Sender {
    pub(super) async fn send(
        &mut self,
        request: Request<Empty<Bytes>>,
    ) -> hyper::Result<Response<Incoming>> {
        match self {
            Sender::Http1(sender) => {
                sender.ready().await?;
                sender.send_request(request).await
            }
            Sender::Http2(sender) => sender.send_request(request).await,
        }
    }
}

impl Connection {
    pub(super) async fn open(
        address: SocketAddr,
        protocol: Protocol,
    ) -> Result<Connection, WebError> {
        let refused = |why: String| WebError::Connect { address, why };
        let stream = timeout(CONNECT_TIMEOUT, TcpStream::connect(address)).await;
        let stream = stream
            .map_err(|_| refused("it took longer than 10 s".to_owned()))?
            .map_err(|error| refused(error.to_string()))?;
        stream
            .set_nodelay(true)
            .map_err(|error| refused(error.to_string()))?;
        let sender = match protocol {
            Protocol::Http1 => over_http1(stream).await,
            Protocol::Http2 => over_http2(stream).await,
        };
        Ok(Connection {
            host: address.to_string(),
            sender: sender.map_err(|error| refused(error.to_string()))?,
        })
    }

    pub(super) fn is_open(&self) -> bool {
        match &self.sender {
            Sender::Http1(sender) => !sender.is_closed(),
            Sender::Http2(sender) => !sender.is_closed(),
        }
    }

    /// Fetches files: one after another, or all at once where the protocol can.
    pub(super) async fn fetch_all(&mut self, resources: &[Resource]) -> Vec<Fetched> {
        match &mut self.sender {
            Sender::Http1(_) => {
                let mut all = Vec::with_capacity(resources.len());
                for resource in resources {
                    let fetched = fetch(&mut self.sender, &self.host, resource).await;
                    let is_over = fetched.broke_off();
                    all.push(fetched);
                    if is_over {
                        break;
                    }
                }
                all
            }
            Sender::Http2(sender) => at_once(sender, &self.host, resources).await,
        }
    }
}

async fn at_once(
    sender: &http2::SendRequest<Empty<Bytes>>,
    host: &str,
    resources: &[Resource],
) -> Vec<Fetched> {
    let mut under_way = JoinSet::new();
    for resource in resources {
        let mut sender = Sender::Http2(sender.clone());
        let (host, resource) = (host.to_owned(), resource.clone());
        under_way.spawn(async move { fetch(&mut sender, &host, &resource).await });
    }
    under_way.join_all().await
}

async fn over_http1(stream: TcpStream) -> hyper::Result<Sender> {
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    // Its end is seen by the sender, which then is closed.
    tokio::spawn(connection);
    Ok(Sender::Http1(sender))
}

async fn over_http2(stream: TcpStream) -> hyper::Result<Sender> {
    let (sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(Sender::Http2(sender))
}
