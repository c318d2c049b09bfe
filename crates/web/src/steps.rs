//! The steps that every site goes through.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use etalon_model::ServiceFacts;
use etalon_service::load::{Load, LoadDone};
use etalon_work::{Job, RateRecord, StepDetails, WorkError};

use crate::WebError;
use crate::browser::{Browser, Tally, Visitor};
use crate::pages::Pages;
use crate::parameters::{Caches, RATE, clients, pause};
use crate::served::Served;

/// A server that stands, and the work that it is a part of.
pub(crate) struct Steps<'s, 'c> {
    job: &'s mut Job<'c>,
    server: &'s mut dyn Served,
    clients: Vec<u32>,
}

/// One way to fetch all pages.
#[derive(Debug, Clone)]
struct Way {
    name: String,
    clients: u32,
    rate: u64,
    pause: Duration,
}

impl Way {
    /// Each client begins its next page when it has one.
    fn closed(name: String, clients: u32) -> Way {
        Way {
            name,
            clients,
            rate: 0,
            pause: Duration::ZERO,
        }
    }

    fn load(&self, pages: u64) -> Load {
        Load {
            operations: pages,
            rate: self.rate,
            pause: self.pause,
        }
    }
}

impl<'s, 'c> Steps<'s, 'c> {
    pub(crate) fn new(
        job: &'s mut Job<'c>,
        server: &'s mut dyn Served,
    ) -> Result<Steps<'s, 'c>, WorkError> {
        let clients = clients(job.values())?;
        Ok(Steps {
            job,
            server,
            clients,
        })
    }

    /// Every way, each with the caches as they were asked for.
    pub(crate) fn all(&mut self) -> Result<(), WorkError> {
        let caches: Vec<Option<Caches>> = match self.server.can_be_cold() {
            true => Caches::asked(self.job.values())
                .iter()
                .map(|caches| Some(*caches))
                .collect(),
            false => vec![None],
        };
        for way in self.ways() {
            for caches in &caches {
                self.step(&way, *caches)?;
            }
        }
        Ok(())
    }

    fn ways(&self) -> Vec<Way> {
        let most = self.clients.iter().copied().max().unwrap_or(1);
        let sequential = Way {
            pause: pause(self.job.values()),
            ..Way::closed("one after another".to_owned(), 1)
        };
        let at_once = self.clients.iter();
        let at_once = at_once.map(|count| Way::closed(format!("{count} at once"), *count));
        let rate = self.job.values().count(&RATE);
        let at_rate = (rate > 0).then(|| Way {
            rate,
            ..Way::closed(format!("{rate} a second"), most)
        });
        std::iter::once(sequential)
            .chain(at_once)
            .chain(at_rate)
            .collect()
    }

    fn step(&mut self, way: &Way, caches: Option<Caches>) -> Result<(), WorkError> {
        let mut cold = None;
        let mut name = way.name.clone();
        match caches {
            Some(Caches::Cold) => cold = Some(self.server.make_cold()?),
            Some(Caches::Warm) => self.warm()?,
            None => {}
        }
        if let Some(caches) = caches {
            name = format!("{name}, {}", caches.word());
        }
        let before = self.server.facts();
        let (mut done, tally) = self.fetch(way, &name)?;
        let facts = self.server.facts().since(&before);
        let service = ServiceFacts {
            clients: way.clients,
            cold: cold.is_some(),
            kept_in_memory: cold.and_then(|cold| cold.kept),
            requests: tally.requests,
            failed: tally.failed.clone(),
            operation_times: match tally.failed.is_empty() {
                true => std::mem::take(&mut done.each),
                false => Vec::new(),
            },
            ..facts
        };
        self.job.add_to_last(details(service, done, way, &tally));
        Ok(())
    }

    /// All pages, timed.
    fn fetch(&mut self, way: &Way, name: &str) -> Result<(LoadDone, Tally), WorkError> {
        let pages = self.server.pages();
        let load = way.load(pages.count());
        let mut visitors = visitors(self.server, &pages, (way.clients, self.job.stop()))?;
        let mut tally = Tally::default();
        let done = self.job.reading(name, |step| {
            let done = load.make(&mut visitors, step.stop());
            let browsers = visitors.iter().map(|visitor| visitor.browser.tally());
            browsers.for_each(|got| tally.add(got));
            step.book(tally.requests, tally.bytes.get());
            let done = done?;
            step.book_threads(done.client_cpu);
            self.server.check().map(|()| done)
        });
        drop(visitors);
        let done = done.map_err(|error| self.server.explained(error))?;
        match tally.whole_pages {
            0 => Err(WebError::NoPage {
                pages: tally.pages,
                kinds: tally.kinds(),
            }
            .into()),
            _ => Ok((done, tally)),
        }
    }

    /// Every page once, so that all that fits is in memory.
    fn warm(&mut self) -> Result<(), WorkError> {
        let pages = self.server.pages();
        let load = Load::closed(pages.count());
        let mut visitors = visitors(self.server, &pages, (1, self.job.stop()))?;
        let made = self
            .job
            .untimed(|step| load.make(&mut visitors, step.stop()));
        drop(visitors);
        made.map_err(|error| self.server.explained(error))?;
        self.server.check()
    }
}

fn visitors<'a>(
    server: &dyn Served,
    pages: &Pages,
    (count, stop): (u32, &'a AtomicBool),
) -> Result<Vec<Visitor<'a>>, WebError> {
    let (home, protocol) = (server.home(), server.protocol());
    let visitors = (0..count).map(|_| {
        Ok(Visitor {
            browser: Browser::new(home.clone(), protocol, stop)?,
            pages: pages.clone(),
        })
    });
    visitors.collect()
}

/// Pages a second; pauses are no part of the time.
fn details(service: ServiceFacts, done: LoadDone, way: &Way, tally: &Tally) -> StepDetails {
    let duration = match way.pause.is_zero() {
        true => done.duration,
        false => done.busy,
    };
    let rate = RateRecord {
        operations: tally.whole_pages,
        duration,
    };
    StepDetails {
        service: Some(service),
        latency: Some(done.latency),
        lag: done.lag,
        rate: Some(rate),
    }
}
