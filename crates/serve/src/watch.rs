//! What the disks and the machine do: one sampler for all who look, and none while nobody does.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use etalon_model::stack::{DiskRates, Sample};
use etalon_stack::{Monitor, MonitorOptions, Roots};
use etalon_units::Nanos;
use serde_json::{Value, json};

use crate::settings::Watched;

/// The first look gives a sample of no time, from which no rate follows.
const SHORTEST: Nanos = Nanos(500_000_000);
/// Nobody has looked for this long: nobody does any more. Pages without scripts look every few seconds.
const UNUSED: Duration = Duration::from_secs(15);

/// The sampler, at work while somebody looks.
#[derive(Debug)]
pub(crate) struct Sampler {
    watched: Watched,
    at_work: Mutex<Option<AtWork>>,
}

#[derive(Debug)]
struct AtWork {
    monitor: Monitor,
    looked: Instant,
}

impl Sampler {
    pub(crate) fn new(watched: Watched) -> Sampler {
        Sampler {
            watched,
            at_work: Mutex::new(None),
        }
    }

    /// The target and what lies beneath it.
    pub(crate) fn heading(&self) -> &str {
        &self.watched.heading
    }

    /// The newest sample; none in the first second.
    pub(crate) fn latest(&self) -> Option<Sample> {
        let mut at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        if at_work.is_none() {
            *at_work = self.begun();
        }
        let at_work = at_work.as_mut()?;
        at_work.looked = Instant::now();
        let whole = |sample: &Sample| sample.span >= SHORTEST;
        at_work.monitor.latest().filter(whole)
    }

    /// As `etalon watch` samples, but for the short interval and the processes, which it does not show.
    fn begun(&self) -> Option<AtWork> {
        let options = MonitorOptions {
            disks_every: Nanos::secs(1),
            machine_every: Nanos::secs(1),
            processes: false,
        };
        let monitor = Monitor::start(&self.watched.tree, &Roots::default(), options).ok()?;
        let looked = Instant::now();
        Some(AtWork { monitor, looked })
    }

    /// Stops the sampler where nobody has looked for some time.
    pub(crate) fn rest(&self) {
        let mut at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        if at_work
            .as_ref()
            .is_some_and(|work| work.looked.elapsed() > UNUSED)
        {
            *at_work = None;
        }
    }
}

/// A sample as the charts take it. Rates are bytes per second, shares are from 0 to 1.
pub(crate) fn document(sample: &Sample) -> Value {
    let layers = sample.disks.iter().filter_map(|disk| {
        let rates = DiskRates::of(disk.delta.as_ref()?, sample.span);
        Some(json!({
            "name": etalon_units::visible(&disk.name),
            "read": rates.read_rate.0,
            "write": rates.write_rate.0,
            "busy": rates.utilisation.fraction(),
            "queue": rates.queue,
        }))
    });
    let cpu = sample.cpu.as_ref().map(|cpu| {
        json!({
            "busy": cpu.user.fraction() + cpu.system.fraction() + cpu.interrupts.fraction(),
            "iowait": cpu.iowait.fraction(),
        })
    });
    json!({ "at": sample.at.as_secs_f64(), "layers": layers.collect::<Vec<_>>(), "cpu": cpu })
}
