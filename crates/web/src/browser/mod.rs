//! One client: a connection that stays open, and what came over it.

mod connection;
mod fetch;

use std::collections::BTreeMap;
use std::net::SocketAddr;

use etalon_service::load::Client;
use etalon_units::Bytes;
use tokio::runtime::{Builder, Runtime};

use crate::WebError;
use crate::site::{Page, Resource};
use connection::Connection;

pub(crate) use fetch::Fetched;

/// How requests stand on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// One after another.
    Http1,
    /// Several at once.
    Http2,
}

impl Protocol {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Protocol::Http1 => "HTTP/1.1",
            Protocol::Http2 => "HTTP/2",
        }
    }
}

/// What one client asked for and got.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) pages: u64,
    /// Pages that came whole, with all their images.
    pub(crate) whole_pages: u64,
    pub(crate) requests: u64,
    pub(crate) bytes: Bytes,
    /// Requests without a whole answer, by what was wrong.
    pub(crate) failed: BTreeMap<String, u64>,
}

impl Tally {
    /// Adds what another client got.
    pub(crate) fn add(&mut self, other: &Tally) {
        self.pages += other.pages;
        self.whole_pages += other.whole_pages;
        self.requests += other.requests;
        self.bytes.0 += other.bytes.get();
        for (kind, count) in &other.failed {
            *self.failed.entry(kind.clone()).or_default() += count;
        }
    }

    /// `3 x status 404, 1 x timeout`.
    pub(crate) fn kinds(&self) -> String {
        let kinds = self.failed.iter();
        let kinds: Vec<String> = kinds
            .map(|(kind, count)| format!("{count} x {kind}"))
            .collect();
        kinds.join(", ")
    }

    fn book(&mut self, fetched: &Fetched) -> bool {
        self.requests += 1;
        match fetched {
            Fetched::Whole(bytes) => self.bytes.0 += bytes.len() as u64,
            Fetched::Failed(kind) => *self.failed.entry(kind.clone()).or_default() += 1,
        }
        matches!(fetched, Fetched::Whole(_))
    }
}

/// One client and its connection.
pub(crate) struct Browser {
    address: SocketAddr,
    protocol: Protocol,
    runtime: Runtime,
    connection: Option<Connection>,
    tally: Tally,
}

impl Browser {
    /// One that has not connected yet.
    pub(crate) fn new(address: SocketAddr, protocol: Protocol) -> Result<Browser, WebError> {
        Ok(Browser {
            address,
            protocol,
            runtime: Builder::new_current_thread().enable_all().build()?,
            connection: None,
            tally: Tally::default(),
        })
    }

    /// What it got until now.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Fetches one file, over a new connection where there is none.
    pub(crate) fn fetch(&mut self, resource: &Resource) -> Result<Fetched, WebError> {
        let resources = std::slice::from_ref(resource);
        let mut fetched = self.fetch_all(resources)?;
        Ok(fetched
            .pop()
            .unwrap_or(Fetched::Failed("no answer".to_owned())))
    }

    /// Fetches the page, then its images; whether all of it came.
    pub(crate) fn page(&mut self, page: &Page) -> Result<bool, WebError> {
        self.tally.pages += 1;
        let html = self.fetch(&page.html)?;
        let mut is_whole = self.tally.book(&html);
        if is_whole {
            for image in self.fetch_all(&page.images)? {
                is_whole &= self.tally.book(&image);
            }
        }
        self.tally.whole_pages += u64::from(is_whole);
        Ok(is_whole)
    }

    fn fetch_all(&mut self, resources: &[Resource]) -> Result<Vec<Fetched>, WebError> {
        let (address, protocol) = (self.address, self.protocol);
        let connection = &mut self.connection;
        self.runtime.block_on(async {
            let open = match connection.take().filter(Connection::is_open) {
                Some(open) => open,
                None => Connection::open(address, protocol).await?,
            };
            let open = connection.insert(open);
            let fetched = open.fetch_all(resources).await;
            // What failed in the middle has left the connection in no known state.
            if fetched.iter().any(Fetched::broke_off) {
                *connection = None;
            }
            Ok(fetched)
        })
    }
}

/// A browser with the pages that it is to fetch.
pub(crate) struct Visitor<'s> {
    pub(crate) browser: Browser,
    pub(crate) pages: &'s [Page],
}

impl Client for Visitor<'_> {
    type Error = WebError;

    fn operate(&mut self, number: u64) -> Result<(), WebError> {
        let count = self.pages.len().max(1) as u64;
        let page = usize::try_from(number % count).unwrap_or(0);
        self.browser.page(&self.pages[page]).map(|_| ())
    }
}
