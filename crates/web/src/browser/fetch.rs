//! One request and its answer.

use http_body_util::{BodyExt as _, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::header::{HOST, HeaderMap, LOCATION, USER_AGENT};
use hyper::{Request, Response};

use super::Protocol;
use crate::address::Address;

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fetched {
    /// The whole body, in the pieces in which it came.
    Whole(Vec<Bytes>),
    /// The page is elsewhere.
    Moved(String),
    /// What was wrong, in a few words that many requests share.
    Failed(String),
}

const BROKE_OFF: &str = "connection broke off";
const TIMED_OUT: &str = "no answer in time";
const TOO_LONG: &str = "endless body";
const STOPPED: &str = "stopped";

impl Fetched {
    pub(super) fn failed(kind: &str) -> Fetched {
        Fetched::Failed(kind.to_owned())
    }

    pub(super) fn broken_off() -> Fetched {
        Fetched::failed(BROKE_OFF)
    }

    pub(super) fn timed_out() -> Fetched {
        Fetched::failed(TIMED_OUT)
    }

    pub(super) fn stopped() -> Fetched {
        Fetched::failed(STOPPED)
    }

    /// Whether the connection is of no use any more.
    pub(super) fn broke_off(&self) -> bool {
        let kinds = [BROKE_OFF, TIMED_OUT, TOO_LONG, STOPPED];
        matches!(self, Fetched::Failed(kind) if kinds.contains(&kind.as_str()))
    }
}

/// A file that is to be fetched, and how long it has to be, where that is known.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) address: Address,
    pub(super) bytes: Option<u64>,
}

impl Wanted {
    /// What came, where it is as long as it has to be.
    pub(super) fn judged(&self, fetched: Fetched) -> Fetched {
        match fetched {
            Fetched::Whole(body) if self.bytes.is_some_and(|bytes| bytes != length(&body)) => {
                Fetched::failed("wrong length")
            }
            fetched => fetched,
        }
    }

    /// The request for it.
    pub(super) fn request(&self, protocol: Protocol) -> Result<Request<Empty<Bytes>>, Fetched> {
        let request = request(protocol, &self.address);
        request.map_err(|_| Fetched::failed("address that HTTP cannot carry"))
    }
}

/// The answer to a request that is on its way; `most` is the longest body that is read.
pub(super) async fn answer(
    sending: impl Future<Output = hyper::Result<Response<Incoming>>>,
    most: usize,
) -> Fetched {
    let Ok(response) = sending.await else {
        return Fetched::broken_off();
    };
    let status = response.status();
    let location = location(response.headers());
    match body(response, most).await {
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
    protocol: Protocol,
    address: &Address,
) -> Result<Request<Empty<Bytes>>, hyper::http::Error> {
    let (origin, path) = (&address.origin, &address.path);
    let agent = concat!("etalon/", env!("CARGO_PKG_VERSION"));
    let request = match protocol {
        Protocol::Http1 => Request::get(path.as_str()).header(HOST, origin.authority()),
        Protocol::Http2 => Request::get(format!("{origin}{path}")),
    };
    request.header(USER_AGENT, agent).body(Empty::new())
}

/// Bytes of a body.
pub(super) fn length(body: &[Bytes]) -> u64 {
    body.iter().map(|piece| piece.len() as u64).sum()
}

/// The pieces as they came: a copy of each page would be the client's own work, not the server's.
async fn body(response: Response<Incoming>, most: usize) -> Result<Vec<Bytes>, &'static str> {
    let mut body = response.into_body();
    let mut all = Vec::new();
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| BROKE_OFF)?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        length += data.len();
        if length > most {
            return Err(TOO_LONG);
        }
        all.push(data);
    }
    Ok(all)
}
