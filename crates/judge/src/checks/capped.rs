//! Limits that are not the storage's.

use etalon_model::{DeviceLimit, LimitedQuantity, Run, Severity};
use etalon_units::Percent;

use crate::check::{Check, Facts, Looks, Outcome};

/// A figure this near to a limit is the limit's.
const NEAR: f64 = 0.95;
/// A device that moves this much more than a limit is not held by it.
const BEYOND: f64 = 1.25;
/// Share of the time that the jobs stood still for a quota above which the figure carries a reservation.
const STOPPED_WARN: f64 = 0.01;
/// Above this share it is the quota's.
const STOPPED_INVALID: f64 = 0.05;
/// A queue with this share of its requests under way in the mean is full.
const FULL: f64 = 0.75;

pub(crate) const CHECK: Check = Check {
    code: "capped",
    about: "A limit set on this machine held the figure, not the storage.",
    advice: "Lift the limit and measure again.",
    looks: Looks::Run(run),
};

fn run(facts: &Facts) -> Option<Outcome> {
    let run = facts.run;
    let reached = [of_device(run), of_processor(run), of_queue(run)];
    let reached = reached.into_iter().flatten();
    reached.max_by_key(|outcome| outcome.severity)
}

/// The limit on a device that was come nearest to.
fn of_device(run: &Run) -> Option<Outcome> {
    let limits = run.circumstances.limits.as_ref()?.devices.iter();
    let reached = limits.filter_map(|limit| {
        let (name, rate) = moved(run, limit)?;
        let share = rate / limit.per_second as f64;
        (NEAR..=BEYOND)
            .contains(&share)
            .then_some((limit, name, rate))
    });
    let (limit, name, rate) = reached.min_by_key(|(limit, ..)| limit.per_second)?;
    let message = format!(
        "{} holds {name} at {} {}, and the run came to {rate:.0}.",
        limit.file,
        limit.per_second,
        quantity(limit.quantity)
    );
    let evidence = [
        ("limit_per_second", limit.per_second as f64),
        ("moved_per_second", rate),
    ];
    Some(Outcome::new(Severity::Invalid, message, &evidence))
}

fn quantity(quantity: LimitedQuantity) -> &'static str {
    match quantity {
        LimitedQuantity::ReadBytes => "bytes read a second",
        LimitedQuantity::WriteBytes => "bytes written a second",
        LimitedQuantity::ReadRequests => "reads a second",
        LimitedQuantity::WriteRequests => "writes a second",
    }
}

/// The layer that a limit is on, and what it moved a second.
fn moved<'a>(run: &'a Run, limit: &DeviceLimit) -> Option<(&'a str, f64)> {
    let counters = run.circumstances.counters.as_ref()?;
    let mut layers = counters.layers.iter();
    let layer = layers.find(|layer| layer.devno == limit.device)?;
    let delta = layer.delta.as_ref()?;
    let count = match limit.quantity {
        LimitedQuantity::ReadBytes => delta.read_bytes.get(),
        LimitedQuantity::WriteBytes => delta.write_bytes.get(),
        LimitedQuantity::ReadRequests => delta.read_ios,
        LimitedQuantity::WriteRequests => delta.write_ios,
    };
    let seconds = counters.span.as_secs_f64();
    (seconds > 0.0).then_some((layer.name.as_str(), count as f64 / seconds))
}

fn of_processor(run: &Run) -> Option<Outcome> {
    let quota = run.circumstances.limits.as_ref()?.processor?;
    let span = run.circumstances.counters.as_ref()?.span.as_secs_f64();
    let jobs = run.measurement.jobs.len().max(1) as f64;
    let share = quota.throttled.as_secs_f64() / (span * jobs);
    let severity = match share {
        share if share > STOPPED_INVALID => Severity::Invalid,
        share if share > STOPPED_WARN => Severity::Warn,
        _ => return None,
    };
    let message = format!(
        "a quota of {} of a processor stopped the run in {} of {} periods, {} of its time.",
        Percent::from_fraction(quota.processors),
        quota.throttled_periods,
        quota.periods,
        Percent::from_fraction(share.min(1.0))
    );
    let evidence = [
        ("quota_processors", quota.processors),
        ("throttled_periods", quota.throttled_periods as f64),
        ("throttled_share", share),
    ];
    Some(Outcome::new(severity, message, &evidence))
}

/// A request queue that holds fewer requests than were to be under way, and was full.
fn of_queue(run: &Run) -> Option<Outcome> {
    let io = run.workload.io()?;
    let asked = u64::from(io.queue_depth).saturating_mul(u64::from(io.jobs));
    let circumstances = &run.circumstances;
    let counters = circumstances.counters.as_ref()?;
    let millis = counters.span.as_secs_f64() * 1000.0;
    let queues = &circumstances.beneath.as_ref()?.queues;
    let full = queues.iter().filter_map(|queue| {
        let mut layers = counters.layers.iter();
        let layer = layers.find(|layer| layer.name == queue.device)?;
        let under_way = layer.delta.as_ref()?.queue_ticks_ms as f64 / millis;
        let is_full = under_way >= queue.requests as f64 * FULL;
        (queue.requests < asked && is_full).then_some((queue, under_way))
    });
    let (queue, under_way) = full.min_by_key(|(queue, _)| queue.requests)?;
    // Half of what was asked for may well be all that the device takes at once.
    let severity = match queue.requests.saturating_mul(2) < asked {
        true => Severity::Invalid,
        false => Severity::Warn,
    };
    let message = format!(
        "the queue of {} takes {} requests (nr_requests) and was full, where {asked} were to be under way.",
        queue.device, queue.requests
    );
    let evidence = [
        ("queue_requests", queue.requests as f64),
        ("requests_asked", asked as f64),
        ("requests_under_way", under_way),
    ];
    Some(Outcome::new(severity, message, &evidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, layer, read_run, with_layers};
    use etalon_model::stack::DevNo;
    use etalon_model::{BeneathFacts, Limits, ProcessorQuota, RequestQueue};
    use etalon_units::Nanos;

    fn severity(run: &Run) -> Option<Severity> {
        super::run(&facts(run)).map(|outcome| outcome.severity)
    }

    #[test]
    fn a_figure_at_the_limit_of_its_device_is_the_limits() {
        let mut run = read_run();
        with_layers(&mut run, vec![layer("sda", 256, 0)]);
        let limit = |per_second: u64, minor, quantity| Limits {
            devices: vec![DeviceLimit {
                device: DevNo { major: 8, minor },
                quantity,
                per_second,
                file: "io.max".to_owned(),
            }],
            processor: None,
        };
        let (reads, writes) = (LimitedQuantity::ReadBytes, LimitedQuantity::WriteBytes);
        for (limits, found) in [
            (limit(256 << 20, 0, reads), Some(Severity::Invalid)),
            (limit(265 << 20, 0, reads), Some(Severity::Invalid)),
            // Far from it, another device, the other way, and a limit that does not hold this I/O.
            (limit(300 << 20, 0, reads), None),
            (limit(256 << 20, 16, reads), None),
            (limit(256 << 20, 0, writes), None),
            (limit(100 << 20, 0, reads), None),
            // The layer counts 256 requests.
            (
                limit(250, 0, LimitedQuantity::ReadRequests),
                Some(Severity::Invalid),
            ),
        ] {
            run.circumstances.limits = Some(limits.clone());
            assert_eq!(severity(&run), found, "{limits:?}");
        }
    }

    #[test]
    fn throttled_time_is_weighed() {
        let mut run = read_run();
        with_layers(&mut run, Vec::new());
        let mut stopped = |ms| {
            let quota = ProcessorQuota {
                processors: 0.2,
                periods: 10,
                throttled_periods: 9,
                throttled: Nanos::millis(ms),
            };
            run.circumstances.limits = Some(Limits {
                devices: Vec::new(),
                processor: Some(quota),
            });
            severity(&run)
        };
        assert_eq!(stopped(0), None);
        assert_eq!(stopped(30), Some(Severity::Warn));
        assert_eq!(stopped(700), Some(Severity::Invalid));
    }

    #[test]
    fn a_full_queue_below_the_depth_asked_for_is_found() {
        let mut run = read_run();
        run.workload.io_mut().unwrap().queue_depth = 64;
        let mut with = |requests, under_way_ms| {
            let mut sda = layer("sda", 256, 0);
            sda.delta.as_mut().unwrap().queue_ticks_ms = under_way_ms;
            with_layers(&mut run, vec![sda]);
            run.circumstances.beneath = Some(BeneathFacts {
                queues: vec![RequestQueue {
                    device: "sda".to_owned(),
                    requests,
                }],
                ..BeneathFacts::default()
            });
            severity(&run)
        };
        assert_eq!(with(4, 3900), Some(Severity::Invalid));
        assert_eq!(with(32, 31_000), Some(Severity::Warn));
        // Not full, and as deep as was asked for.
        assert_eq!(with(4, 1000), None);
        assert_eq!(with(64, 63_000), None);
    }
}
