//! A limit of a control group on a device.

use etalon_model::stack::LayerDelta;
use etalon_model::{DeviceLimit, LimitedQuantity, Run, Severity};
use etalon_units::ByteRate;

use super::{as_declared, is_level};
use crate::check::{CellFacts, Outcome};
use crate::resolution::LIMITED_REQUESTS;
use crate::sentence::{Value, figure, said, word};

/// A figure this near to a limit is the limit's.
const NEAR: f64 = 0.95;
/// A device that moves this much more than a limit is not held by it.
const BEYOND: f64 = 1.25;

/// The limit on a device that was come nearest to.
pub(super) fn of_device(run: &Run) -> Option<Outcome> {
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
pub(super) fn together(facts: &CellFacts) -> Option<Outcome> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, layer, read_run, with_layers};
    use etalon_model::stack::DevNo;
    use etalon_model::{LevelRecord, Limits};

    fn severity(run: &Run) -> Option<Severity> {
        of_device(run).map(|outcome| outcome.severity)
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
}
