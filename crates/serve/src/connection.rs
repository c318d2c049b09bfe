//! One connection: one request, one answer, each within its time.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::answer;
use crate::body::Body;
use crate::client::Client;
use crate::events;
use crate::limits::{MOST_HEADER_BYTES, MOST_HEADERS};
use crate::pages::{self, PageSource};
use crate::refusal::Refusal;
use crate::route::Route;
use crate::shared::Shared;

/// Plain or within TLS: one kind for hyper, whose machinery is then built in once.
trait ByteStream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> ByteStream for T {}

/// Carries a connection to its end.
pub(crate) async fn carry(shared: Arc<Shared>, stream: TcpStream) {
    let (Ok(peer), Ok(local)) = (stream.peer_addr(), stream.local_addr()) else {
        return;
    };
    let Some(stream) = opened(&shared, stream).await else {
        return;
    };
    let (page, whole) = (shared.limits.page, shared.limits.stream);
    let lasting = Arc::new(AtomicBool::new(false));
    let asked = RequestInPlace {
        client: Client::new(peer, local),
        lasting: Arc::clone(&lasting),
        shared,
    };
    let mut talk = pin!(talk(asked, stream));
    let is_over = timeout(page, talk.as_mut()).await.is_ok();
    if !is_over && lasting.load(Ordering::Relaxed) {
        let _ = timeout(whole, talk).await;
    }
}

async fn opened(shared: &Shared, stream: TcpStream) -> Option<Box<dyn ByteStream>> {
    // A delayed small answer is of no use to anybody.
    let _ = stream.set_nodelay(true);
    let Some(acceptor) = &shared.acceptor else {
        return Some(Box::new(stream));
    };
    let shaken = timeout(shared.limits.header, acceptor.accept(stream)).await;
    Some(Box::new(shaken.ok()?.ok()?))
}

async fn talk(asked: RequestInPlace, stream: Box<dyn ByteStream>) {
    let header = asked.shared.limits.header;
    let service = service_fn(|request| {
        let asked = asked.clone();
        async move { Ok::<_, Infallible>(asked.answer(request).await) }
    });
    let connection = http1::Builder::new()
        .keep_alive(false)
        .max_buf_size(MOST_HEADER_BYTES)
        .max_headers(MOST_HEADERS)
        .timer(TokioTimer::new())
        .header_read_timeout(header)
        .serve_connection(TokioIo::new(stream), service);
    // Whoever broke it off knows; nobody else needs to.
    let _ = connection.await;
}

/// A request in its surroundings.
#[derive(Clone)]
struct RequestInPlace {
    client: Client,
    shared: Arc<Shared>,
    /// Set where the answer is a stream, which may last.
    lasting: Arc<AtomicBool>,
}

impl RequestInPlace {
    async fn answer(self, request: Request<Incoming>) -> Response<Body> {
        let (parts, _unread) = request.into_parts();
        let language = self.shared.language;
        let admitted = self.shared.gate.admit(self.client, &parts);
        let route = admitted.and_then(|()| language.speak(|| Route::of(&parts.uri)));
        let answered = match route {
            Ok(Route::LiveEvents) => self.stream(&parts.method, pages::live_event),
            Ok(Route::WatchEvents) => self.stream(&parts.method, pages::watch_event),
            Ok(Route::Asset(asset)) => Ok(answer::asset(asset)),
            Ok(Route::Icon) => Ok(answer::nothing()),
            Ok(route) => self.page(route).await.map(answer::page),
            Err(why) => Err(why),
        };
        answered.unwrap_or_else(|why| language.speak(|| answer::refused(&why)))
    }

    fn stream(
        self,
        method: &Method,
        next: fn(&PageSource) -> Option<String>,
    ) -> Result<Response<Body>, Refusal> {
        let permit = Arc::clone(&self.shared.streams).try_acquire_owned();
        let permit = permit.map_err(|_| Refusal::TooManyStreams)?;
        self.lasting
            .store(*method == Method::GET, Ordering::Relaxed);
        Ok(answer::events(events::stream(self.shared, permit, next)))
    }

    /// Reading the store blocks, and is done beside, a few pages at once. Who goes away before his turn has nothing made for him;
    /// a page that is begun keeps its place until it is done.
    async fn page(self, route: Route) -> Result<String, Refusal> {
        let place = Arc::clone(&self.shared.pages).try_acquire_owned();
        let place = place.map_err(|_| Refusal::TooManyPages)?;
        let turn = Arc::clone(&self.shared.readers).acquire_owned().await;
        let made = tokio::task::spawn_blocking(move || {
            let _held = (place, turn);
            let language = self.shared.language;
            language.speak(|| self.shared.source.page(&route))
        });
        let failed = |_| Err(Refusal::failed("the page could not be made"));
        made.await.unwrap_or_else(failed)
    }
}
