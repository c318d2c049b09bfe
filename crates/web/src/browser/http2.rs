//! HTTP/2, whose requests are under way at the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http_body_util::Empty;
use hyper::body::Bytes;
use hyper::client::conn::http2::{SendRequest, handshake};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::Protocol;
use super::fetch::{Fetched, Wanted, answer};
use crate::limits::ClientLimits;

/// How long a connection that gave no answer has to come to its end: a server that goes away says so first, and hangs
/// up then.
const CLOSING: Duration = Duration::from_millis(10);

/// A connection and the way to hand requests over to it.
pub(super) struct Http2 {
    sender: SendRequest<Empty<Bytes>>,
    /// What reads and writes; it ends with the connection.
    connection: JoinHandle<hyper::Result<()>>,
    /// Whether it came to its end before any of the last requests was answered.
    had_ended: bool,
}

impl Http2 {
    pub(super) async fn over<S>(stream: S) -> hyper::Result<Http2>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (sender, connection) = handshake(TokioExecutor::new(), TokioIo::new(stream)).await?;
        Ok(Http2 {
            sender,
            connection: tokio::spawn(connection),
            had_ended: false,
        })
    }

    pub(super) fn is_open(&self) -> bool {
        !self.connection.is_finished() && !self.sender.is_closed()
    }

    /// Whether the server had hung up before it was asked: what it did not answer may be asked again over another
    /// connection, since it changes nothing (RFC 9110, section 9.2.2; RFC 9113, section 8.7).
    pub(super) fn had_ended(&self) -> bool {
        self.had_ended
    }

    /// Fetches all of them at once.
    pub(super) async fn fetch_all(
        &mut self,
        wanted: &[Wanted],
        limits: ClientLimits,
    ) -> Vec<Fetched> {
        let is_answered = Arc::new(AtomicBool::new(false));
        let mut under_way = JoinSet::new();
        for one in wanted {
            let (sender, is_answered) = (self.sender.clone(), Arc::clone(&is_answered));
            under_way.spawn(fetch(sender, one.clone(), limits, is_answered));
        }
        let fetched = under_way.join_all().await;
        let is_broken = |fetched: &Fetched| *fetched == Fetched::broken_off();
        let nothing_came = !is_answered.load(Ordering::Relaxed) && fetched.iter().all(is_broken);
        self.had_ended = nothing_came && self.ends().await;
        fetched
    }

    /// Whether it is over, or will be in a moment.
    async fn ends(&mut self) -> bool {
        self.connection.is_finished() || timeout(CLOSING, &mut self.connection).await.is_ok()
    }
}

/// One request and its answer; notes that one has begun.
async fn fetch(
    mut sender: SendRequest<Empty<Bytes>>,
    wanted: Wanted,
    limits: ClientLimits,
    is_answered: Arc<AtomicBool>,
) -> Fetched {
    let request = match wanted.request(Protocol::Http2) {
        Err(fetched) => return fetched,
        Ok(request) => request,
    };
    let sending = async {
        let response = sender.send_request(request).await;
        is_answered.fetch_or(response.is_ok(), Ordering::Relaxed);
        response
    };
    let fetched = timeout(limits.answer, answer(sending, limits.body)).await;
    wanted.judged(fetched.unwrap_or_else(|_| Fetched::timed_out()))
}
