//! One request and its answer, within limits.

use http_body_util::{BodyExt as _, Empty};
use hyper::body::Incoming;
use hyper::header::{HOST, HeaderMap, LOCATION, USER_AGENT};
use hyper::{Request, Response};
use tokio::time::timeout;

use super::connection::BrowserConnection;
use crate::address::Address;
use crate::limits::ClientLimits;

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fetched {
    /// The whole body.
    Whole(Vec<u8>),
    /// The page is elsewhere.
    Moved(String),
    /// What was wrong, in a few words that many requests share.
    Failed(String),
}

const BROKE_OFF: &str = "connection broke off";
const TIMED_OUT: &str = "no answer in time";
const TOO_LONG: &str = "endless body";

impl Fetched {
    pub(super) fn failed(kind: &str) -> Fetched {
        Fetched::Failed(kind.to_owned())
    }

    /// Whether the connection is of no use any more.
    pub(super) fn broke_off(&self) -> bool {
        matches!(self, Fetched::Failed(kind) if [BROKE_OFF, TIMED_OUT, TOO_LONG].contains(&kind.as_str()))
    }
}

/// Fetches a page; `bytes` is how long it has to be, where that is known.
pub(super) async fn fetch(
    connection: &mut BrowserConnection,
    address: &Address,
    bytes: Option<u64>,
    limits: ClientLimits,
) -> Fetched {
    let answer = timeout(limits.answer, answer(connection, address, limits)).await;
    match answer.unwrap_or_else(|_| Fetched::failed(TIMED_OUT)) {
        Fetched::Whole(body) if bytes.is_some_and(|bytes| bytes != body.len() as u64) => {
            Fetched::failed("wrong length")
        }
        fetched => fetched,
    }
}

async fn answer(
    connection: &mut BrowserConnection,
    address: &Address,
    limits: ClientLimits,
) -> Fetched {
    let Ok(request) = request(connection, address) else {
        return Fetched::failed("address that HTTP cannot carry");
    };
    let Ok(response) = connection.send(request).await else {
        return Fetched::failed(BROKE_OFF);
    };
    let status = response.status();
    let location = location(response.headers());
    match body(response, limits.body).await {
        Err(kind) => Fetched::failed(kind),
        Ok(body) if status.is_success() => Fetched::Whole(body),
        Ok(_) => match location.filter(|_| status.is_redirection()) {
            Some(location) => Fetched::Moved(location),
            None => Fetched::Failed(format!("status {}", status.as_u16())),
        },
    }
}

fn location(headers: &HeaderMap) -> Option<String> {
    let location = headers.get(LOCATION)?.to_str().ok();
    location.map(str::to_owned)
}

/// HTTP/1.1 names the host in a field, HTTP/2 in the address (RFC 9113, section 8.3.1).
fn request(
    connection: &BrowserConnection,
    address: &Address,
) -> Result<Request<Empty<hyper::body::Bytes>>, hyper::http::Error> {
    let (origin, path) = (&address.origin, &address.path);
    let agent = concat!("etalon/", env!("CARGO_PKG_VERSION"));
    let request = match connection {
        BrowserConnection::Http1(_) => Request::get(path.as_str()).header(HOST, origin.authority()),
        BrowserConnection::Http2(_) => Request::get(format!("{origin}{path}")),
    };
    request.header(USER_AGENT, agent).body(Empty::new())
}

async fn body(response: Response<Incoming>, most: usize) -> Result<Vec<u8>, &'static str> {
    let mut body = response.into_body();
    let mut all = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| BROKE_OFF)?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        if all.len() + data.len() > most {
            return Err(TOO_LONG);
        }
        all.extend_from_slice(&data);
    }
    Ok(all)
}
