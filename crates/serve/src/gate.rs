//! Who may ask: every request comes by here before anything is looked up.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use hyper::header::{
    AUTHORIZATION, CONTENT_LENGTH, HOST, HeaderName, HeaderValue, ORIGIN, TRANSFER_ENCODING,
};
use hyper::http::request::Parts;
use hyper::http::uri::Authority;
use hyper::{HeaderMap, Method, Uri};

use crate::client::Client;
use crate::limits::{Limits, MOST_URI_BYTES};
use crate::rate::Rate;
use crate::refusal::Refusal;
use crate::token::Token;

/// How a browser says whose page asks (Fetch Metadata, <https://www.w3.org/TR/fetch-metadata/>).
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// What is asked of every request.
#[derive(Debug)]
pub(crate) struct Gate {
    names: Vec<String>,
    token: Option<Token>,
    rate: Mutex<Rate>,
}

impl Gate {
    pub(crate) fn new(names: Vec<String>, token: Option<Token>, limits: &Limits) -> Gate {
        let rate = Mutex::new(Rate::new(limits));
        Gate { names, token, rate }
    }

    /// Lets a request in, or says why not. What costs least and says least comes first.
    pub(crate) fn admit(&self, client: Client, request: &Parts) -> Result<(), Refusal> {
        self.rate(client)?;
        let host = self.host(client, request)?;
        same_site(&host, request)?;
        if ![Method::GET, Method::HEAD].contains(&request.method) {
            return Err(Refusal::Method);
        }
        no_body(&request.headers)?;
        short(&request.uri)?;
        self.token(&request.headers)
    }

    fn rate(&self, client: Client) -> Result<(), Refusal> {
        let mut rate = self.rate.lock().unwrap_or_else(PoisonError::into_inner);
        match rate.allows(client.peer, Instant::now()) {
            true => Ok(()),
            false => Err(Refusal::TooOften),
        }
    }

    /// The host that the request is for, which must be this one. Its line names it too where it is meant for a proxy
    /// (RFC 9112, 3.2.2), which this is none of.
    fn host(&self, client: Client, request: &Parts) -> Result<Authority, Refusal> {
        let mut hosts = request.headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err(Refusal::NoHost);
        };
        let host = host.to_str().ok().and_then(|text| text.parse().ok());
        let host: Authority = host.ok_or(Refusal::NoHost)?;
        let named = request.uri.authority().unwrap_or(&host);
        let is_own = |of: &Authority| is_plain(of) && client.came_to(of.host(), &self.names);
        let other = [&host, named].into_iter().find(|of| !is_own(of));
        if let Some(other) = other.map(ToString::to_string) {
            return Err(Refusal::WrongHost(other));
        }
        Ok(host)
    }

    fn token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        match text(headers, AUTHORIZATION).is_some_and(|given| token.is_in(given)) {
            true => Ok(()),
            false => Err(Refusal::NoToken),
        }
    }
}

/// Whether an authority is a host and at most a port: no user, and nothing else behind a colon.
fn is_plain(authority: &Authority) -> bool {
    let port = authority
        .port_u16()
        .map_or_else(String::new, |port| format!(":{port}"));
    authority.as_str() == authority.host().to_owned() + &port
}

/// Pages of other sites may link here, and neither send, embed nor fetch anything.
fn same_site(host: &Authority, request: &Parts) -> Result<(), Refusal> {
    let headers = &request.headers;
    let origin = headers
        .get(ORIGIN)
        .map(|value| value.to_str().unwrap_or(""));
    let is_own = |origin: &str| {
        let authority = origin.split_once("://").map(|(_, authority)| authority);
        authority.is_some_and(|given| given.eq_ignore_ascii_case(host.as_str()))
    };
    let own_origin = origin.is_none_or(is_own);
    let own_page = match headers.get(FETCH_SITE).map(|value| value.as_bytes()) {
        None | Some(b"same-origin" | b"none") => true,
        Some(_) => follows_link(request),
    };
    match own_origin && own_page {
        true => Ok(()),
        false => Err(Refusal::CrossSite),
    }
}

/// Whether somebody opens the page for himself. A frame of another site's page navigates too: it would show nothing, and have
/// the page made all the same. Browsers that do not say where a page goes to are taken to open it.
fn follows_link(request: &Parts) -> bool {
    let headers = &request.headers;
    let opened = |goes_to: &HeaderValue| goes_to.as_bytes() == b"document";
    request.method == Method::GET
        && text(headers, FETCH_MODE).is_some_and(|mode| mode == "navigate")
        && headers.get(FETCH_DEST).is_none_or(opened)
}

fn no_body(headers: &HeaderMap) -> Result<(), Refusal> {
    let length = headers.get(CONTENT_LENGTH).map(|value| value.as_bytes());
    match headers.contains_key(TRANSFER_ENCODING) || length.is_some_and(|n| n != b"0") {
        true => Err(Refusal::Body),
        false => Ok(()),
    }
}

fn short(uri: &Uri) -> Result<(), Refusal> {
    match uri.path_and_query().map_or(0, |text| text.as_str().len()) {
        ..=MOST_URI_BYTES => Ok(()),
        _ => Err(Refusal::LongUri),
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}
