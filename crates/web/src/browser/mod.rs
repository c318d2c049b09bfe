//! One client: connections that stay open, and what came over them.

mod connection;
mod fetch;
mod http1;
mod http2;
mod socket;
mod tally;
mod tls;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use etalon_service::load::Client;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use crate::WebError;
use crate::address::{Address, Origin};
use crate::limits::ClientLimits;
use crate::pages::Pages;
use crate::site::{Resource, SitePage};
use connection::BrowserConnection;
use fetch::Wanted;

pub(crate) use fetch::Fetched;
pub(crate) use tally::Tally;

/// How often whoever waits for a server looks whether it was told to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// How requests stand on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// One after another.
    Http1,
    /// Several at once.
    Http2,
}

impl Protocol {
    /// By its word among the parameters.
    pub(crate) fn named(word: &str) -> Protocol {
        match word {
            "http2" => Protocol::Http2,
            _ => Protocol::Http1,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Protocol::Http1 => "HTTP/1.1",
            Protocol::Http2 => "HTTP/2",
        }
    }

    /// What TLS calls it (RFC 7301, RFC 9113).
    fn alpn(self) -> &'static [u8] {
        match self {
            Protocol::Http1 => b"http/1.1",
            Protocol::Http2 => b"h2",
        }
    }
}

/// One client and its connections, one to each server.
pub(crate) struct Browser<'a> {
    /// The server that paths without one of their own are on.
    home: Origin,
    protocol: Protocol,
    limits: ClientLimits,
    stop: &'a AtomicBool,
    runtime: Runtime,
    connections: HashMap<Origin, BrowserConnection>,
    tally: Tally,
}

impl<'a> Browser<'a> {
    /// One that has not connected yet, and waits for nothing once `stop` is set.
    pub(crate) fn new(
        home: Origin,
        protocol: Protocol,
        stop: &'a AtomicBool,
    ) -> Result<Browser<'a>, WebError> {
        Ok(Browser {
            home,
            protocol,
            limits: ClientLimits::default(),
            stop,
            runtime: Builder::new_current_thread().enable_all().build()?,
            connections: HashMap::new(),
            tally: Tally::default(),
        })
    }

    /// What it got until now.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    fn address(&self, resource: &Resource) -> Address {
        let origin = resource.origin.as_ref().unwrap_or(&self.home);
        Address {
            origin: origin.clone(),
            path: resource.path.clone(),
        }
    }

    /// Fetches one file, and goes where it is sent on to.
    ///
    /// # Errors
    /// [`WebError::Connect`].
    pub(crate) fn fetch(&mut self, resource: &Resource) -> Result<Fetched, WebError> {
        let mut address = self.address(resource);
        for _ in 0..=self.limits.moves {
            let mut fetched = self.fetch_at(
                &address.origin,
                &[Wanted {
                    address: address.clone(),
                    bytes: resource.bytes,
                }],
            )?;
            let location = match fetched.pop() {
                Some(Fetched::Moved(location)) => location,
                Some(fetched) => return Ok(fetched),
                None => return Ok(Fetched::failed("no answer")),
            };
            address = match address.moved_to(&location) {
                Some(address) => address,
                None => return Ok(Fetched::failed("moved to what is no web address")),
            };
        }
        let moves = self.limits.moves;
        Ok(Fetched::Failed(format!("moved more than {moves} times")))
    }

    /// Fetches the page, then its images; whether all of it came.
    ///
    /// # Errors
    /// [`WebError::Connect`].
    pub(crate) fn page(&mut self, page: &SitePage) -> Result<bool, WebError> {
        self.tally.pages += 1;
        let html = self.fetch(&page.html)?;
        let mut is_whole = self.tally.book(&html);
        if is_whole && !page.images.is_empty() {
            let origin = self.address(&page.html).origin;
            let images = page.images.iter();
            let images: Vec<_> = images
                .map(|image| Wanted {
                    address: self.address(image),
                    bytes: image.bytes,
                })
                .collect();
            for image in self.fetch_at(&origin, &images)? {
                is_whole &= self.tally.book(&image);
            }
        }
        self.tally.whole_pages += u64::from(is_whole);
        Ok(is_whole)
    }

    /// Fetches files of one server, over a new connection where there is none, or none any more.
    fn fetch_at(&mut self, origin: &Origin, wanted: &[Wanted]) -> Result<Vec<Fetched>, WebError> {
        let open = self.connections.remove(origin);
        if let Some(mut open) = open.filter(BrowserConnection::is_open) {
            let fetched = self.fetch_over(&mut open, wanted);
            if !open.had_ended() {
                return Ok(self.kept(origin, open, fetched));
            }
        }
        let opening = BrowserConnection::connect(origin, self.protocol, self.limits);
        let Some(opened) = self.runtime.block_on(unless(self.stop, opening)) else {
            return Ok(vec![Fetched::stopped()]);
        };
        let mut opened = opened?;
        let fetched = self.fetch_over(&mut opened, wanted);
        Ok(self.kept(origin, opened, fetched))
    }

    fn fetch_over(&self, connection: &mut BrowserConnection, wanted: &[Wanted]) -> Vec<Fetched> {
        let (limits, stop) = (self.limits, self.stop);
        match connection {
            BrowserConnection::Http1(connection) => connection.fetch_all(wanted, limits, stop),
            BrowserConnection::Http2(connection) => {
                let fetching = unless(stop, connection.fetch_all(wanted, limits));
                let fetched = self.runtime.block_on(fetching);
                fetched.unwrap_or_else(|| vec![Fetched::stopped()])
            }
        }
    }

    /// What failed in the middle has left the connection in no known state.
    fn kept(
        &mut self,
        origin: &Origin,
        connection: BrowserConnection,
        fetched: Vec<Fetched>,
    ) -> Vec<Fetched> {
        if !fetched.iter().any(Fetched::broke_off) {
            self.connections.insert(origin.clone(), connection);
        }
        fetched
    }
}

/// The end of `act`, or nothing once `stop` is set: a server may take as long as the limits allow.
async fn unless<T>(stop: &AtomicBool, act: impl Future<Output = T>) -> Option<T> {
    let mut act = pin!(act);
    while !stop.load(Ordering::Relaxed) {
        if let Ok(done) = timeout(POLL_INTERVAL, act.as_mut()).await {
            return Some(done);
        }
    }
    None
}

/// A browser with the pages that it is to fetch.
pub(crate) struct Visitor<'a> {
    pub(crate) browser: Browser<'a>,
    pub(crate) pages: Pages,
}

impl Client for Visitor<'_> {
    type Error = WebError;

    fn operate(&mut self, number: u64) -> Result<(), WebError> {
        match self.pages.page(number) {
            Some(page) => self.browser.page(&page).map(|_| ()),
            None => Ok(()),
        }
    }
}
