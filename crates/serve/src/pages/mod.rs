//! The pages, and where what they show comes from.

mod event;
mod frame;
mod list;
mod live;
mod watch;

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use etalon_language::say;
use etalon_picture::escape;
use etalon_store::{Store, StoreError};

use crate::content::Reporter;
use crate::live::LiveSessions;
use crate::refusal::Refusal;
use crate::route::Route;
use crate::watch::{Sampler, document};
use frame::{SiteSection, framed};

/// Where what is shown comes from. The store is opened for each page: a file that was put in its place is seen.
pub(crate) struct PageSource {
    store: PathBuf,
    pub(crate) sampler: Sampler,
    reporter: Box<dyn Reporter>,
}

impl PageSource {
    pub(crate) fn new(store: PathBuf, sampler: Sampler, reporter: Box<dyn Reporter>) -> PageSource {
        PageSource {
            store,
            sampler,
            reporter,
        }
    }

    /// The page of a route.
    pub(crate) fn page(&self, route: &Route) -> Result<String, Refusal> {
        match route {
            Route::List(filter) => list::page(&self.open()?, filter, &*self.reporter),
            Route::Report(ids) => {
                let page = frame::around(SiteSection::Experiments, None, |frame| {
                    self.reporter.page(ids, frame)
                });
                Ok(page?)
            }
            Route::Live | Route::LiveEvents => Ok(live::page(&self.sessions()?)),
            Route::Watch | Route::WatchEvents => Ok(watch::page(&self.sampler)),
            Route::Asset(_) | Route::Icon => Err(Refusal::NoPage),
        }
    }

    fn open(&self) -> Result<Store, Refusal> {
        Store::open_read_only(&self.store).map_err(Refusal::from)
    }

    fn sessions(&self) -> Result<LiveSessions, Refusal> {
        Ok(crate::live::sessions(&self.open()?, now_unix_ns())?)
    }
}

/// What is being measured, as the page has it; where the store cannot be read at this moment, that what it has is old.
pub(crate) fn live_event(source: &PageSource) -> Option<String> {
    Some(match source.sessions() {
        Ok(sessions) => event::html(&live::fragment(&sessions)),
        Err(_) => event::stale(&say!("serve-stale")),
    })
}

/// The newest sample: the table as the page has it, and the figures for the charts.
pub(crate) fn watch_event(source: &PageSource) -> Option<String> {
    let sample = source.sampler.latest()?;
    let table = event::html(&watch::fragment(Some(&sample)));
    Some(table + &event::sample(&document(&sample)))
}

/// The page that says why there is none.
pub(crate) fn problem(why: &Refusal) -> String {
    let status = why.status();
    let reason = status.canonical_reason().unwrap_or("Refused");
    let heading = say!("refused-heading", reason = reason);
    let body = format!(
        "<main id=\"results\"><header class=\"top\"><h1>{}</h1><p class=\"answer\">{}</p>\
         <p class=\"note\">{} <a href=\"/\">{}</a></p></header></main>\n",
        escape(&heading),
        escape(&why.reason()),
        escape(&say!("refused-status", status = status.as_str())),
        escape(&say!("refused-all")),
    );
    framed(SiteSection::Elsewhere, None, &heading, &body)
}

fn now_unix_ns() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    now.and_then(|span| i64::try_from(span.as_nanos()).ok())
        .unwrap_or_default()
}

impl From<StoreError> for Refusal {
    fn from(why: StoreError) -> Refusal {
        Refusal::failed(why)
    }
}
