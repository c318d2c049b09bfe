//! A request queue of a device that is shorter than the depth asked for.

use etalon_model::{Run, Severity};

use super::{as_declared, is_level};
use crate::check::Outcome;
use crate::resolution::QUEUE_TIME;
use crate::sentence::said;

/// A queue with this share of its requests under way in the mean is full.
const FULL: f64 = 0.75;
/// The same of a queue that takes at most a quarter of what was to be under way: between two short requests it stands
/// empty for as long as a processor needs to fill it again.
const OFTEN_FULL: f64 = 0.4;

/// A request queue that holds fewer requests than were to be under way, and was full.
pub(super) fn of_queue(run: &Run) -> Option<Outcome> {
    let io = run.workload.io()?;
    let asked = u64::from(io.queue_depth).saturating_mul(u64::from(io.jobs));
    let circumstances = &run.circumstances;
    let counters = circumstances.counters.as_ref()?;
    let millis = counters.span.as_secs_f64() * 1000.0;
    let queues = &circumstances.beneath.as_ref()?.queues;
    let full = queues.iter().filter_map(|queue| {
        let under_way = counters.layer(&queue.device)?.queue_ticks_ms as f64 / millis;
        let is_full = under_way >= queue.requests as f64 * full(queue.requests, asked);
        (queue.requests < asked && is_full).then_some((queue, under_way))
    });
    let (queue, under_way) = full.min_by_key(|(queue, _)| queue.requests)?;
    // Half of what was asked for may well be all that the device takes at once.
    let severity = match queue.requests.saturating_mul(2) < asked {
        true => Severity::Invalid,
        false => Severity::Warn,
    };
    let message = said!(
        "the queue of {device} takes {requests} requests (nr_requests) and was full, where {asked} were to be under way.",
        device = &queue.device,
        requests = queue.requests,
        asked = asked,
    );
    let evidence = [
        ("queue_requests", queue.requests as f64),
        ("requests_asked", asked as f64),
        ("requests_under_way", under_way),
    ];
    if let Some(factor) = factor_of_queue(run, queue.requests) {
        return Some(as_declared(factor, message, &evidence));
    }
    let outcome = Outcome::new(severity, message, &evidence);
    Some(QUEUE_TIME.weigh(outcome, counters.span.as_secs_f64()))
}

/// The factor of a plan that made a queue take so many requests.
fn factor_of_queue(run: &Run, requests: u64) -> Option<&'static str> {
    if is_level(run, "nr_requests", requests) {
        return Some("nr_requests");
    }
    is_parameter(run, requests).then_some("kernel")
}

/// Whether a kernel was booted with the number, as a parameter of a driver for its queue, such as `virtio_blk.queue_depth=16`
/// or `null_blk.hw_queue_depth=16`; `loglevel=4` makes no queue short. A scheduler takes twice as many (`blk_mq_init_sched` in the kernel's block/blk-mq-sched.c).
fn is_parameter(run: &Run, requests: u64) -> bool {
    let levels = run.circumstances.levels.iter();
    let kernels = levels.filter(|level| level.factor == "kernel");
    let facts = kernels.flat_map(|level| &level.facts);
    let mut parameters = facts.filter(|fact| fact.name == "parameters");
    let is_depth = |word: &str| {
        let named = word
            .split_once('=')
            .filter(|(name, _)| name.contains("queue"));
        let depth = named.and_then(|(_, number)| number.parse::<u64>().ok());
        depth.is_some_and(|depth| requests == depth || requests == depth.saturating_mul(2))
    };
    parameters.any(|fact| fact.value.to_string().split_whitespace().any(is_depth))
}

/// The share of its requests with which a queue is full that takes so many, where so many were to be under way.
fn full(requests: u64, asked: u64) -> f64 {
    match requests.saturating_mul(4) <= asked {
        true => OFTEN_FULL,
        false => FULL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{layer, read_run, with_layers};
    use etalon_model::{BeneathFacts, LevelFact, LevelRecord, RequestQueue};
    use etalon_units::Nanos;

    fn severity(run: &Run) -> Option<Severity> {
        of_queue(run).map(|outcome| outcome.severity)
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
        // Of short requests half of so few are under way in the mean; half of what a device takes at once is not full.
        assert_eq!(with(4, 2060), Some(Severity::Invalid));
        assert_eq!(with(32, 19_000), None);
        // Not full, and as deep as was asked for.
        assert_eq!(with(4, 1000), None);
        assert_eq!(with(64, 63_000), None);
        with(4, 156);
        let counters = run.circumstances.counters.as_mut().unwrap();
        counters.span = Nanos::millis(39);
        assert_eq!(severity(&run), Some(Severity::Info));
    }

    #[test]
    fn a_queue_that_a_kernels_parameter_made_short_is_a_remark() {
        let mut run = read_run();
        run.workload.io_mut().unwrap().queue_depth = 64;
        let mut sda = layer("sda", 256, 0);
        sda.delta.as_mut().unwrap().queue_ticks_ms = 15_000;
        with_layers(&mut run, vec![sda]);
        run.circumstances.beneath = Some(BeneathFacts {
            queues: vec![RequestQueue {
                device: "sda".to_owned(),
                requests: 16,
            }],
            ..BeneathFacts::default()
        });
        for (factor, words, severity) in [
            ("kernel", "quiet virtio_blk.queue_depth=16", Severity::Info),
            // With a scheduler.
            ("kernel", "virtio_blk.queue_depth=8", Severity::Info),
            ("kernel", "virtio_blk.queue_depth=64", Severity::Invalid),
            ("kernel", "16", Severity::Invalid),
            ("kernel", "nvme.poll_queues=2 maxcpus=16", Severity::Invalid),
            ("sysctl", "virtio_blk.queue_depth=16", Severity::Invalid),
        ] {
            run.circumstances.levels = vec![LevelRecord {
                factor: factor.to_owned(),
                level: "short".to_owned(),
                facts: vec![LevelFact::words("parameters", words)],
                rebuild: None,
            }];
            assert_eq!(self::severity(&run), Some(severity), "{factor} {words}");
        }
    }
}
