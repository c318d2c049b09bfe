//! Answers with the headers that all of them have.

use hyper::body::Bytes;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderName,
    HeaderValue, REFERRER_POLICY, RETRY_AFTER, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use hyper::{Response, StatusCode};
use tokio::sync::mpsc::Receiver;

use crate::assets::Asset;
use crate::body::Body;
use crate::pages;
use crate::refusal::Refusal;

/// Style and script are the program's own files, data come from here, and nothing else is loaded, run or framed.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const ALWAYS: [(HeaderName, &str); 6] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];

/// A page. What it shows is nobody else's, and may be another in a moment.
pub(crate) fn page(text: String) -> Response<Body> {
    answer(
        StatusCode::OK,
        "text/html; charset=utf-8",
        "no-store",
        text.into(),
    )
}

/// A style sheet or script.
pub(crate) fn asset(asset: &Asset) -> Response<Body> {
    let kept = "private, max-age=86400, immutable";
    answer(StatusCode::OK, asset.mime, kept, asset.bytes.clone())
}

/// Nothing, which is all there is.
pub(crate) fn nothing() -> Response<Body> {
    answer(
        StatusCode::NO_CONTENT,
        "text/plain",
        "private, max-age=86400",
        Bytes::new(),
    )
}

/// A stream of events (<https://html.spec.whatwg.org/multipage/server-sent-events.html>).
pub(crate) fn events(events: Receiver<Bytes>) -> Response<Body> {
    let mut response = answer(
        StatusCode::OK,
        "text/event-stream",
        "no-store",
        Bytes::new(),
    );
    *response.body_mut() = Body::Events(events);
    response
}

/// A page that says why there is none.
pub(crate) fn refused(why: &Refusal) -> Response<Body> {
    let text = pages::problem(why);
    let mut response = answer(
        why.status(),
        "text/html; charset=utf-8",
        "no-store",
        text.into(),
    );
    let more = match why {
        Refusal::Method => (ALLOW, "GET, HEAD"),
        Refusal::TooOften | Refusal::TooManyStreams | Refusal::TooManyPages => (RETRY_AFTER, "1"),
        Refusal::NoToken => (
            WWW_AUTHENTICATE,
            "Basic realm=\"etalon\", charset=\"UTF-8\"",
        ),
        _ => return response,
    };
    response
        .headers_mut()
        .insert(more.0, HeaderValue::from_static(more.1));
    response
}

fn answer(
    status: StatusCode,
    mime: &'static str,
    kept: &'static str,
    body: Bytes,
) -> Response<Body> {
    let mut response = Response::new(Body::Whole(body));
    *response.status_mut() = status;
    let headers: &mut HeaderMap = response.headers_mut();
    let own = [(CONTENT_TYPE, mime), (CACHE_CONTROL, kept)];
    for (name, value) in ALWAYS.into_iter().chain(own) {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
