//! HTTP/2, whose requests are under way at the same time.

use http_body_util::Empty;
use hyper::body::Bytes;
use hyper::client::conn::http2::SendRequest;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Protocol;
use super::fetch::{Fetched, Wanted, answer};
use crate::limits::ClientLimits;

/// Fetches all of them at once.
pub(super) async fn fetch_all(
    sender: &SendRequest<Empty<Bytes>>,
    wanted: &[Wanted],
    limits: ClientLimits,
) -> Vec<Fetched> {
    let mut under_way = JoinSet::new();
    for one in wanted {
        under_way.spawn(fetch(sender.clone(), one.clone(), limits));
    }
    under_way.join_all().await
}

async fn fetch(
    mut sender: SendRequest<Empty<Bytes>>,
    wanted: Wanted,
    limits: ClientLimits,
) -> Fetched {
    let request = match wanted.request(Protocol::Http2) {
        Err(fetched) => return fetched,
        Ok(request) => request,
    };
    let answer = answer(sender.send_request(request), limits.body);
    let fetched = timeout(limits.answer, answer).await;
    wanted.judged(fetched.unwrap_or_else(|_| Fetched::timed_out()))
}
