//! HTTP/1.1 over a socket of its own: hyper says what goes over it, and one thread waits for it.
//!
//! A runtime watches many sockets by many timers, which took 26 points of a processor more than wrk does at 10 000 pages a
//! second (`benches --bin clients`): a client that does one thing after another needs to watch one.

use std::net::TcpStream;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use http_body_util::Empty;
use hyper::body::Bytes;
use hyper::client::conn::http1::{Connection, SendRequest, handshake};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::fetch::{Fetched, Wanted, answer};
use super::socket::{Readiness, Socket};
use super::{POLL_INTERVAL, Protocol};
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
    stream: TcpStream,
    readiness: Arc<Readiness>,
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
    /// Over a socket that does not block.
    pub(super) async fn over(socket: Socket) -> Result<Http1, String> {
        let told = |error: std::io::Error| error.to_string();
        let stream = socket.stream().try_clone().map_err(told)?;
        let readiness = socket.readiness();
        let made = handshake(socket).await.map_err(|error| error.to_string());
        let (sender, connection) = made?;
        let handed = Arc::new(Handed::default());
        Ok(Http1 {
            sender,
            wire: Wire {
                connection,
                is_over: false,
                stream,
                readiness,
                waker: Waker::from(Arc::clone(&handed)),
                handed,
            },
        })
    }

    /// Whether the server has not hung up meanwhile.
    pub(super) fn is_open(&mut self) -> bool {
        self.wire.wait(Duration::ZERO);
        self.wire.turn();
        !self.wire.is_over && !self.sender.is_closed()
    }

    /// Fetches one file after the other, until the connection breaks off.
    pub(super) fn fetch_all(
        &mut self,
        wanted: &[Wanted],
        limits: ClientLimits,
        stop: &AtomicBool,
    ) -> Vec<Fetched> {
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
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Fetched::timed_out();
            }
            self.wait(left.min(POLL_INTERVAL));
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

    /// Waits for what the connection waits for, no longer than that.
    fn wait(&self, most: Duration) {
        let writes = self.readiness.waits_to_write.load(Ordering::Relaxed);
        let wanted = match writes {
            true => PollFlags::IN | PollFlags::OUT,
            false => PollFlags::IN,
        };
        let mut fds = [PollFd::new(&self.stream, wanted)];
        let most = Timespec::try_from(most).ok();
        // What fails here fails at the socket too, where it is told.
        let is_due = poll(&mut fds, most.as_ref()).is_ok_and(|due| due > 0);
        if is_due {
            self.readiness.may_read.store(true, Ordering::Relaxed);
            self.readiness
                .waits_to_write
                .store(false, Ordering::Relaxed);
        }
    }
}
