//! One request and its answer, within limits: a server may be slow, endless or broken.

use std::time::Duration;

use http_body_util::{BodyExt as _, Empty};
use hyper::body::Incoming;
use hyper::header::{HOST, USER_AGENT};
use hyper::{Request, Response};
use tokio::time::timeout;

use super::connection::Sender;
use crate::site::Resource;

/// How long an answer may take, body and all.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// No body is longer: more than any page or image has.
const MOST_BYTES: usize = 256 << 20;

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fetched {
    /// The whole body.
    Whole(Vec<u8>),
    /// What was wrong, in a few words that many requests share.
    Failed(String),
}

const BROKE_OFF: &str = "connection broke off";
const TIMED_OUT: &str = "no answer within 30 s";
const TOO_LONG: &str = "body longer than 256 MiB";

impl Fetched {
    fn failed(kind: &str) -> Fetched {
        Fetched::Failed(kind.to_owned())
    }

    /// Whether the connection is of no use any more.
    pub(super) fn broke_off(&self) -> bool {
        matches!(self, Fetched::Failed(kind) if [BROKE_OFF, TIMED_OUT, TOO_LONG].contains(&kind.as_str()))
    }
}

pub(super) async fn fetch(sender: &mut Sender, host: &str, resource: &Resource) -> Fetched {
    let answer = timeout(ANSWER_TIMEOUT, answer(sender, host, resource)).await;
    answer.unwrap_or_else(|_| Fetched::failed(TIMED_OUT))
}

async fn answer(sender: &mut Sender, host: &str, resource: &Resource) -> Fetched {
    let request = match request(sender, host, &resource.path) {
        Ok(request) => request,
        Err(_) => return Fetched::failed("address that HTTP cannot carry"),
    };
    let response = match sender.send(request).await {
        Ok(response) => response,
        Err(_) => return Fetched::failed(BROKE_OFF),
    };
    let status = response.status();
    let body = body(response).await;
    match (body, resource.bytes) {
        (Err(kind), _) => Fetched::failed(kind),
        _ if !status.is_success() => Fetched::Failed(format!("status {}", status.as_u16())),
        (Ok(body), Some(bytes)) if body.len() as u64 != bytes => Fetched::failed("wrong length"),
        (Ok(body), _) => Fetched::Whole(body),
    }
}

/// HTTP/1.1 names the host in a field, HTTP/2 in the address (RFC 9113, section 8.3.1).
fn request(
    sender: &Sender,
    host: &str,
    path: &str,
) -> Result<Request<Empty<hyper::body::Bytes>>, hyper::http::Error> {
    let request = Request::get(match sender {
        Sender::Http1(_) => path.to_owned(),
        Sender::Http2(_) => format!("http://{host}{path}"),
    });
    let request = request.header(USER_AGENT, concat!("etalon/", env!("CARGO_PKG_VERSION")));
    match sender {
        Sender::Http1(_) => request.header(HOST, host),
        Sender::Http2(_) => request,
    }
    .body(Empty::new())
}

async fn body(response: Response<Incoming>) -> Result<Vec<u8>, &'static str> {
    let mut body = response.into_body();
    let mut all = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| BROKE_OFF)?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        if all.len() + data.len() > MOST_BYTES {
            return Err(TOO_LONG);
        }
        all.extend_from_slice(&data);
    }
    Ok(all)
}
