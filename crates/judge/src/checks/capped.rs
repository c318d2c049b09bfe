//! Limits that are not the storage's.

use etalon_model::stack::LayerDelta;
use etalon_model::{DeviceLimit, LimitedQuantity, Run, Severity};
use etalon_units::{ByteRate, Bytes, Percent};

use crate::check::{CellFacts, Check, Facts, Outcome};
use crate::resolution::{LIMITED_REQUESTS, Levels, QUEUE_TIME, QUOTA_PERIODS, reached};
use crate::sentence::{Sentence, Value, figure, said, word};

/// A figure this near to a limit is the limit's.
const NEAR: f64 = 0.95;
/// A device that moves this much more than a limit is not held by it.
const BEYOND: f64 = 1.25;
/// Shares of the time that the jobs stood still for a quota above which the figure is the quota's, and above which it
/// carries a reservation.
const STOPPED: Levels<'_> = &[(0.05, Severity::Invalid), (0.01, Severity::Warn)];
/// Whoever stood still for more than this was stopped, in however few periods.
const MOSTLY: f64 = 0.5;
/// A queue with this share of its requests under way in the mean is full.
const FULL: f64 = 0.75;
/// The same of a queue that takes at most a quarter of what was to be under way: between two short requests it stands
/// empty for as long as a processor needs to fill it again.
const OFTEN_FULL: f64 = 0.4;

pub(crate) const CHECK: Check = Check {
    code: "capped",
    about: "A limit set on this machine held the figure, not the storage.",
    advice: "Lift the limit and measure again.",
    ..Check::of_run_and_cell(run, together)
};

/// What to do about a limit that a plan sets.
const DECLARED: &str = "Read it as the figure of that level.";

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
        let (layer, rate) = moved(run, limit)?;
        let share = rate / limit.per_second as f64;
        (NEAR..=BEYOND)
            .contains(&share)
            .then_some((limit, layer, rate))
    });
    let (limit, layer, rate) = reached.min_by_key(|(limit, ..)| limit.per_second)?;
    let message = said!(
        "{file} holds {device} at {limit} {what}, and the run came to {rate}.",
        file = &limit.file,
        device = &layer.name,
        limit = amount(limit.quantity, limit.per_second as f64),
        what = quantity(limit.quantity),
        rate = amount(limit.quantity, rate),
    );
    let evidence = [
        ("limit_per_second", limit.per_second as f64),
        ("moved_per_second", rate),
    ];
    if is_level(run, "io_limit", limit.per_second) {
        return Some(as_declared("io_limit", message, &evidence));
    }
    let outcome = Outcome::new(Severity::Invalid, message, &evidence);
    Some(LIMITED_REQUESTS.weigh(outcome, requests(layer, limit.quantity)))
}

/// What few requests of each run leave open, those of all runs may decide: a limit that all of them had.
fn together(facts: &CellFacts) -> Option<Outcome> {
    let first = facts.runs.first()?;
    let limits = first.circumstances.limits.as_ref()?.devices.iter();
    let reached = limits.filter_map(|limit| of_all(facts.runs, limit));
    reached
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, outcome)| outcome)
}

/// What the runs of a cell moved of a limited quantity, all together.
struct Pooled<'a> {
    device: &'a str,
    seconds: f64,
    requests: f64,
    moved: f64,
    /// Of the requests that were under way at the end of each run, half of one in the mean.
    under_way: f64,
}

impl<'a> Pooled<'a> {
    /// `None` where one of them did not have the limit.
    fn of(runs: &[&'a Run], limit: &DeviceLimit) -> Option<Pooled<'a>> {
        let mut all = Pooled {
            device: "",
            seconds: 0.0,
            requests: 0.0,
            moved: 0.0,
            under_way: 0.0,
        };
        for run in runs {
            let limits = run.circumstances.limits.as_ref()?;
            let (layer, rate) = moved(run, limit).filter(|_| limits.devices.contains(limit))?;
            let seconds = run.circumstances.counters.as_ref()?.span.as_secs_f64();
            let requests = requests(layer, limit.quantity);
            all.device = &layer.name;
            all.seconds += seconds;
            all.requests += requests;
            all.moved += rate * seconds;
            all.under_way += rate * seconds / requests.max(1.0) / 2.0;
        }
        Some(all)
    }

    fn is_at(&self, limit: f64) -> bool {
        let most = (self.moved + self.under_way) / self.seconds;
        most >= NEAR * limit && self.rate() <= BEYOND * limit
    }

    fn rate(&self) -> f64 {
        self.moved / self.seconds
    }
}

/// The limit with what is found of it, where all runs together came near to it.
fn of_all(runs: &[&Run], limit: &DeviceLimit) -> Option<(f64, Outcome)> {
    let (all, allowed) = (Pooled::of(runs, limit)?, limit.per_second as f64);
    let is_declared = is_level(runs.first()?, "io_limit", limit.per_second);
    if !all.is_at(allowed) || is_declared || !LIMITED_REQUESTS.resolves(all.requests) {
        return None;
    }
    let message = said!(
        "{file} holds {device} at {limit} {what}, and all runs together came to {rate}.",
        file = &limit.file,
        device = all.device,
        limit = amount(limit.quantity, allowed),
        what = quantity(limit.quantity),
        rate = amount(limit.quantity, all.rate()),
    );
    let evidence = [
        ("limit_per_second", allowed),
        ("moved_per_second", all.rate()),
    ];
    Some((allowed, Outcome::new(Severity::Invalid, message, &evidence)))
}

/// Whether a plan set the limit, as a level of this factor: one of this amount, or one with a name of its own.
fn is_level(run: &Run, factor: &str, amount: u64) -> bool {
    let levels = run.circumstances.levels.iter();
    let mut own = levels.filter(|level| level.factor == factor && level.level != "none");
    own.any(|level| match level.level.parse::<Bytes>() {
        Ok(said) => said.get() == amount,
        Err(_) => true,
    })
}

/// What is being compared is no lie.
fn as_declared(factor: &str, message: Sentence, evidence: &[(&str, f64)]) -> Outcome {
    let message = said!("as the plan declares ({factor}):", factor = factor).then(message);
    Outcome::new(Severity::Info, message, evidence).advising(DECLARED)
}

/// How many requests the limited quantity came in.
fn requests(layer: &LayerDelta, quantity: LimitedQuantity) -> f64 {
    let requests = layer.delta.map_or(0, |delta| match quantity {
        LimitedQuantity::ReadBytes | LimitedQuantity::ReadRequests => delta.read_ios,
        LimitedQuantity::WriteBytes | LimitedQuantity::WriteRequests => delta.write_ios,
    });
    requests as f64
}

/// So much of it a second, for the page.
fn amount(of: LimitedQuantity, per_second: f64) -> Value {
    match of {
        LimitedQuantity::ReadBytes | LimitedQuantity::WriteBytes => figure(ByteRate(per_second)),
        LimitedQuantity::ReadRequests | LimitedQuantity::WriteRequests => {
            figure(format!("{per_second:.0}"))
        }
    }
}

fn quantity(quantity: LimitedQuantity) -> &'static str {
    match quantity {
        LimitedQuantity::ReadBytes => word!("of reads"),
        LimitedQuantity::WriteBytes => word!("of writes"),
        LimitedQuantity::ReadRequests => word!("reads a second"),
        LimitedQuantity::WriteRequests => word!("writes a second"),
    }
}

/// The layer that a limit is on, and what it moved a second.
fn moved<'a>(run: &'a Run, limit: &DeviceLimit) -> Option<(&'a LayerDelta, f64)> {
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
    (seconds > 0.0).then_some((layer, count as f64 / seconds))
}

fn of_processor(run: &Run) -> Option<Outcome> {
    let quota = run.circumstances.limits.as_ref()?.processor?;
    let span = run.circumstances.counters.as_ref()?.span.as_secs_f64();
    let jobs = run.measurement.jobs.len().max(1) as f64;
    let share = quota.throttled.as_secs_f64() / (span * jobs);
    let severity = reached(share, STOPPED)?;
    let message = said!(
        "a quota of {quota} of a processor stopped the run in {stopped} of {periods} periods, {share} of its time.",
        quota = Percent::from_fraction(quota.processors),
        stopped = quota.throttled_periods,
        periods = quota.periods,
        share = Percent::from_fraction(share.min(1.0)),
    );
    let evidence = [
        ("quota_processors", quota.processors),
        ("throttled_periods", quota.throttled_periods as f64),
        ("throttled_share", share),
    ];
    let outcome = Outcome::new(severity, message, &evidence);
    let periods = quota.throttled_periods as f64;
    Some(match share > MOSTLY {
        true => outcome,
        false => QUOTA_PERIODS.weigh(outcome, periods),
    })
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
    if is_level(run, "nr_requests", queue.requests) {
        return Some(as_declared("nr_requests", message, &evidence));
    }
    let outcome = Outcome::new(severity, message, &evidence);
    Some(QUEUE_TIME.weigh(outcome, counters.span.as_secs_f64()))
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
    use crate::samples::{facts, layer, read_run, with_layers};
    use etalon_model::stack::DevNo;
    use etalon_model::{BeneathFacts, LevelRecord, Limits, ProcessorQuota, RequestQueue};
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
        // Of few requests one is more than the distance to the limit.
        let mut few = layer("sda", 256, 0);
        few.delta.as_mut().unwrap().read_ios = 15;
        with_layers(&mut run, vec![few]);
        run.circumstances.limits = Some(limit(15, 0, LimitedQuantity::ReadRequests));
        assert_eq!(severity(&run), Some(Severity::Info));
    }

    #[test]
    fn few_requests_of_each_of_many_runs_are_many() {
        let judged = |limit: u64, runs: usize| {
            let mut run = read_run();
            let mut few = layer("sda", 256, 0);
            few.delta.as_mut().unwrap().read_ios = 10;
            with_layers(&mut run, vec![few]);
            run.circumstances.limits = Some(Limits {
                devices: vec![DeviceLimit {
                    device: DevNo { major: 8, minor: 0 },
                    quantity: LimitedQuantity::ReadBytes,
                    per_second: limit << 20,
                    file: "io.max".to_owned(),
                }],
                processor: None,
            });
            run.findings = crate::check_run(&facts(&run));
            let runs = vec![run; runs];
            let cell = crate::judge_cells(&runs, &crate::Goal::default()).remove(0);
            let found = cell.findings.iter().find(|found| found.code == "capped");
            (cell.verdict.is_invalid(), found.map(|found| found.severity))
        };
        assert_eq!(judged(256, 6), (true, Some(Severity::Invalid)));
        // Half of the request that was under way at the end of each run is theirs too.
        assert_eq!(judged(275, 6), (true, Some(Severity::Invalid)));
        assert_eq!(judged(300, 6), (false, None));
        assert_eq!(judged(256, 1), (false, Some(Severity::Info)));
    }

    #[test]
    fn a_limit_that_a_plan_declares_is_a_remark_and_another_is_none() {
        let mut run = read_run();
        with_layers(&mut run, vec![layer("sda", 256, 0)]);
        run.circumstances.limits = Some(Limits {
            devices: vec![DeviceLimit {
                device: DevNo { major: 8, minor: 0 },
                quantity: LimitedQuantity::ReadBytes,
                per_second: 256 << 20,
                file: "io.max".to_owned(),
            }],
            processor: None,
        });
        for (factor, level, severity) in [
            ("io_limit", "256M", Severity::Info),
            ("io_limit", "slow", Severity::Info),
            ("io_limit", "none", Severity::Invalid),
            // Another limit, which is not the plan's, held the figure.
            ("io_limit", "900M", Severity::Invalid),
            ("scheduler", "none", Severity::Invalid),
        ] {
            run.circumstances.levels = vec![LevelRecord {
                factor: factor.to_owned(),
                level: level.to_owned(),
                facts: Vec::new(),
                rebuild: None,
            }];
            assert_eq!(self::severity(&run), Some(severity), "{factor} {level}");
        }
    }

    #[test]
    fn throttled_time_is_weighed() {
        let mut run = read_run();
        with_layers(&mut run, Vec::new());
        let mut stopped = |ms, throttled_periods| {
            let quota = ProcessorQuota {
                processors: 0.2,
                periods: 10,
                throttled_periods,
                throttled: Nanos::millis(ms),
            };
            run.circumstances.limits = Some(Limits {
                devices: Vec::new(),
                processor: Some(quota),
            });
            severity(&run)
        };
        assert_eq!(stopped(0, 9), None);
        assert_eq!(stopped(30, 9), Some(Severity::Warn));
        assert_eq!(stopped(700, 9), Some(Severity::Invalid));
        // One period decides nothing, unless it was most of the run.
        assert_eq!(stopped(80, 1), Some(Severity::Info));
        assert_eq!(stopped(700, 1), Some(Severity::Invalid));
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
}
