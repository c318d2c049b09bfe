//! The steps that every site goes through.

use std::time::Duration;

use etalon_model::ServiceFacts;
use etalon_service::load::{Done, Load};
use etalon_units::Bytes;
use etalon_work::{Job, RateRecord, StepDetails, WorkError};

use crate::WebError;
use crate::browser::{Browser, Tally, Visitor};
use crate::nginx::Nginx;
use crate::parameters::{Caches, RATE, clients, pause};
use crate::site::Site;

/// A server that stands, its site, and the work that it is a part of.
pub(crate) struct Steps<'s, 'n, 'c> {
    job: &'s mut Job<'c>,
    nginx: &'s mut Nginx<'n>,
    site: &'s Site,
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

impl<'s, 'n, 'c> Steps<'s, 'n, 'c> {
    pub(crate) fn new(
        job: &'s mut Job<'c>,
        nginx: &'s mut Nginx<'n>,
        site: &'s Site,
    ) -> Result<Steps<'s, 'n, 'c>, WorkError> {
        let clients = clients(job.values())?;
        Ok(Steps {
            job,
            nginx,
            site,
            clients,
        })
    }

    /// Every way, each with the caches as they were asked for.
    pub(crate) fn all(&mut self) -> Result<(), WorkError> {
        for way in self.ways() {
            for caches in Caches::asked(self.job.values()) {
                self.step(&way, *caches)?;
            }
        }
        Ok(())
    }

    fn ways(&self) -> Vec<Way> {
        let most = self.clients.iter().copied().max().unwrap_or(1);
        let sequential = Way {
            name: "one after another".to_owned(),
            clients: 1,
            rate: 0,
            pause: pause(self.job.values()),
        };
        let at_once = self.clients.iter().map(|count| Way {
            name: format!("{count} at once"),
            clients: *count,
            rate: 0,
            pause: Duration::ZERO,
        });
        let rate = self.job.values().count(&RATE);
        let at_rate = (rate > 0).then(|| Way {
            name: format!("{rate} a second"),
            clients: most,
            rate,
            pause: Duration::ZERO,
        });
        std::iter::once(sequential)
            .chain(at_once)
            .chain(at_rate)
            .collect()
    }

    fn step(&mut self, way: &Way, caches: Caches) -> Result<(), WorkError> {
        let kept = match caches {
            Caches::Cold => self.nginx.make_cold()?,
            Caches::Warm => self.warm()?,
        };
        let mut visitors = self.visitors(way.clients)?;
        let before = self.nginx.processor_time();
        let load = Load {
            operations: self.site.pages.len() as u64,
            rate: way.rate,
            pause: way.pause,
        };
        let name = format!("{}, {}", way.name, caches.word());
        let mut tally = Tally::default();
        let done = self.job.reading(&name, |step| {
            let done = load.make(&mut visitors, step.stop())?;
            visitors
                .iter()
                .for_each(|visitor| tally.add(visitor.browser.tally()));
            step.book(tally.requests, tally.bytes.get());
            Ok(done)
        });
        let done = done.map_err(|error| self.nginx.explained(error))?;
        self.refuse_nothing(&tally)?;
        let service = ServiceFacts {
            engine: self.nginx.engine(),
            settings: self.nginx.settings(),
            clients: way.clients,
            cold: caches == Caches::Cold,
            kept_in_memory: if caches == Caches::Cold {
                kept
            } else {
                Bytes::ZERO
            },
            server_cpu: self.nginx.processor_time().saturating_sub(before),
            requests: tally.requests,
            failed: tally.failed.clone(),
            ..ServiceFacts::default()
        };
        self.job.add_to_last(details(service, done, way, &tally));
        Ok(())
    }

    /// Every page once, so that all that fits is in memory.
    fn warm(&mut self) -> Result<Bytes, WorkError> {
        let mut visitors = self.visitors(1)?;
        let load = Load {
            operations: self.site.pages.len() as u64,
            rate: 0,
            pause: Duration::ZERO,
        };
        let made = self
            .job
            .untimed(|step| load.make(&mut visitors, step.stop()));
        made.map_err(|error| self.nginx.explained(error))?;
        Ok(Bytes::ZERO)
    }

    fn visitors(&self, count: u32) -> Result<Vec<Visitor<'s>>, WebError> {
        let protocol = self.nginx.protocol();
        let Some(origin) = self.nginx.origin() else {
            return Ok(Vec::new());
        };
        let visitors = (0..count).map(|_| {
            Ok(Visitor {
                browser: Browser::new(origin.clone(), protocol)?,
                pages: &self.site.pages,
            })
        });
        visitors.collect()
    }

    fn refuse_nothing(&self, tally: &Tally) -> Result<(), WebError> {
        match tally.whole_pages {
            0 => Err(WebError::NoPage {
                pages: tally.pages,
                kinds: tally.kinds(),
            }),
            _ => Ok(()),
        }
    }
}

/// Pages a second; pauses are no part of the time.
fn details(service: ServiceFacts, done: Done, way: &Way, tally: &Tally) -> StepDetails {
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
