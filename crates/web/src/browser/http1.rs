//! HTTP/1.1 over a socket of its own: hyper says what goes over it, and one thread waits for it.
//!
//! A runtime watches many sockets by many timers, which took 26 points of a processor more than wrk does at 10 000 pages a
//! second (`benches --bin clients`): a client that does one thing after another needs to watch one.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

use http_body_util::Empty;
use hyper::body::Bytes;
use hyper::client::conn::http1::{Connection, SendRequest, handshake};

use super::Protocol;
use super::fetch::{Fetched, Wanted, answer};
use super::socket::{Inbox, Socket};
use crate::limits::ClientLimits;

/// A connection and the way to hand requests over to it.
pub(super) struct Http1 {
    sender: SendRequest<Empty<Bytes>>,
    wire: Wire,
}

/// What is waited for.
struct Wire {
    connection: Connection<Socket, Empty<Bytes>>,
    /// Whether it has ended, after which it must not be asked.
    is_over: bool,
    inbox: Inbox,
    handed: Arc<Handed>,
    waker: Waker,
}

/// Whether request or answer handed something to the other.
#[derive(Debug, Default)]
struct Handed(AtomicBool);

impl Wake for Handed {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Http1 {
    pub(super) async fn over(socket: Socket) -> hyper::Result<Http1> {
        let inbox = socket.inbox().clone();
        let (sender, connection) = handshake(socket).await?;
        let handed = Arc::new(Handed::default());
        Ok(Http1 {
            sender,
            wire: Wire {
                connection,
                is_over: false,
                inbox,
                waker: Waker::from(Arc::clone(&handed)),
                handed,
            },
        })
    }

    pub(super) fn is_open(&self) -> bool {
        !self.wire.is_over && !self.sender.is_closed()
    }

    /// Whether the server had hung up before it was asked: it has to be asked over another connection (RFC 9112, section
    /// 9.3.1).
    pub(super) fn had_ended(&self) -> bool {
        self.wire.is_over && !self.wire.inbox.is_answered()
    }

    /// Fetches one file after the other, until the connection breaks off.
    pub(super) fn fetch_all(
        &mut self,
        wanted: &[Wanted],
        limits: ClientLimits,
        stop: &AtomicBool,
    ) -> Vec<Fetched> {
        self.wire.inbox.begin_request();
        let mut all = Vec::with_capacity(wanted.len());
        for one in wanted {
            let fetched = self.fetch(one, limits, stop);
            let broke_off = fetched.broke_off();
            all.push(fetched);
            if broke_off {
                break;
            }
        }
        all
    }

    fn fetch(&mut self, wanted: &Wanted, limits: ClientLimits, stop: &AtomicBool) -> Fetched {
        let request = match wanted.request(Protocol::Http1) {
            Err(fetched) => return fetched,
            Ok(request) => request,
        };
        let sender = &mut self.sender;
        let sending = async {
            sender.ready().await?;
            sender.send_request(request).await
        };
        let until = Instant::now() + limits.answer;
        let answer = answer(sending, limits.body);
        wanted.judged(self.wire.carry(answer, until, stop))
    }
}

impl Wire {
    /// Carries a request and its answer.
    fn carry(
        &mut self,
        answer: impl Future<Output = Fetched>,
        until: Instant,
        stop: &AtomicBool,
    ) -> Fetched {
        let waker = self.waker.clone();
        let mut answer = pin!(answer);
        loop {
            if let Poll::Ready(fetched) = answer.as_mut().poll(&mut Context::from_waker(&waker)) {
                return fetched;
            }
            self.turn();
            if self.handed.0.swap(false, Ordering::Relaxed) {
                continue;
            }
            if self.is_over {
                return Fetched::broken_off();
            }
            if stop.load(Ordering::Relaxed) {
                return Fetched::stopped();
            }
            if Instant::now() >= until {
                return Fetched::timed_out();
            }
            self.inbox.wait();
        }
    }

    /// Lets the connection do what it can without waiting.
    fn turn(&mut self) {
        if !self.is_over {
            let connection = Pin::new(&mut self.connection);
            let turned = connection.poll(&mut Context::from_waker(&self.waker));
            self.is_over = turned.is_ready();
        }
    }
}
