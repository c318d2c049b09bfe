//! A limit of a control group on a device.

use std::borrow::Cow;

use etalon_model::stack::LayerDelta;
use etalon_model::{DeviceLimit, GroupTraffic, LimitedQuantity, Run, Severity};
use etalon_units::ByteRate;

use super::{as_declared, is_level};
use crate::check::{CellFacts, Outcome};
use crate::resolution::LIMITED_REQUESTS;
use crate::sentence::{Value, figure, said, word};

/// A figure this near to a limit is the limit's.
const NEAR: f64 = 0.95;
/// What moves this much more than a limit is not held by it.
const BEYOND: f64 = 1.25;

/// The limit on a device that was come nearest to.
pub(super) fn of_device(run: &Run) -> Option<Outcome> {
    let limits = run.circumstances.limits.as_ref()?.devices.iter();
    let reached = limits.filter_map(|limit| {
        let moved = Moved::under(run, limit)?;
        let share = moved.per_second / limit.per_second as f64;
        (NEAR..=BEYOND).contains(&share).then_some((limit, moved))
    });
    let (limit, moved) = reached.min_by_key(|(limit, _)| limit.per_second)?;
    let rate = moved.per_second;
    let message = said!(
        "{file} holds {device} at {limit} {what}, and the run came to {rate}.",
        file = &limit.file,
        device = moved.device.as_ref(),
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
    Some(LIMITED_REQUESTS.weigh(outcome, moved.requests))
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
    device: Cow<'a, str>,
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
            device: Cow::default(),
            seconds: 0.0,
            requests: 0.0,
            moved: 0.0,
            under_way: 0.0,
        };
        for run in runs {
            let limits = run.circumstances.limits.as_ref()?;
            let own = limits.devices.iter().find(|own| own.is_same(limit))?;
            let moved = Moved::under(run, own)?;
            let seconds = run.circumstances.counters.as_ref()?.span.as_secs_f64();
            let amount = moved.per_second * seconds;
            all.device = moved.device;
            all.seconds += seconds;
            all.requests += moved.requests;
            all.moved += amount;
            all.under_way += amount / moved.requests.max(1.0) / 2.0;
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
        device = all.device.as_ref(),
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

/// What was moved under a limit.
struct Moved<'a> {
    /// The device that it is on, by its number where no layer of the stack is that one.
    device: Cow<'a, str>,
    per_second: f64,
    requests: f64,
}

impl<'a> Moved<'a> {
    /// What the group that has the limit moved, or, where nobody counted that, all that the device did.
    fn under(run: &'a Run, limit: &DeviceLimit) -> Option<Moved<'a>> {
        let counters = run.circumstances.counters.as_ref()?;
        let mut layers = counters.layers.iter();
        let layer = layers.find(|layer| layer.devno == limit.device);
        let traffic = match limit.moved {
            Some(moved) => moved,
            None => of_layer(layer?, limit.quantity)?,
        };
        let amount = match limit.quantity {
            LimitedQuantity::ReadBytes | LimitedQuantity::WriteBytes => traffic.bytes.as_f64(),
            LimitedQuantity::ReadRequests | LimitedQuantity::WriteRequests => {
                traffic.requests as f64
            }
        };
        let seconds = counters.span.as_secs_f64();
        (seconds > 0.0).then(|| Moved {
            device: match layer {
                Some(layer) => Cow::Borrowed(layer.name.as_str()),
                None => Cow::Owned(limit.device.to_string()),
            },
            per_second: amount / seconds,
            requests: traffic.requests as f64,
        })
    }
}

/// What a device moved in the direction of a quantity, for whomever.
fn of_layer(layer: &LayerDelta, quantity: LimitedQuantity) -> Option<GroupTraffic> {
    let delta = layer.delta.as_ref()?;
    let (bytes, requests) = match quantity {
        LimitedQuantity::ReadBytes | LimitedQuantity::ReadRequests => {
            (delta.read_bytes, delta.read_ios)
        }
        LimitedQuantity::WriteBytes | LimitedQuantity::WriteRequests => {
            (delta.write_bytes, delta.write_ios)
        }
    };
    Some(GroupTraffic { bytes, requests })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{facts, layer, read_run, with_layers};
    use etalon_model::stack::DevNo;
    use etalon_model::{LevelRecord, Limits};
    use etalon_units::Bytes;

    fn severity(run: &Run) -> Option<Severity> {
        of_device(run).map(|outcome| outcome.severity)
    }

    /// What a group may do on a device in a second.
    fn at_most(per_second: u64, minor: u32, quantity: LimitedQuantity) -> Limits {
        Limits {
            devices: vec![DeviceLimit {
                device: DevNo { major: 8, minor },
                quantity,
                per_second,
                file: "io.max".to_owned(),
                moved: None,
            }],
            processor: None,
        }
    }

    /// So many MiB a second from the device of [`layer`].
    fn reads_at_most(mib: u64) -> Limits {
        at_most(mib << 20, 0, LimitedQuantity::ReadBytes)
    }

    #[test]
    fn a_figure_at_the_limit_of_its_device_is_the_limits() {
        let mut run = read_run();
        with_layers(&mut run, vec![layer("sda", 256, 0)]);
        let (reads, writes) = (LimitedQuantity::ReadBytes, LimitedQuantity::WriteBytes);
        for (limits, found) in [
            (at_most(256 << 20, 0, reads), Some(Severity::Invalid)),
            (at_most(265 << 20, 0, reads), Some(Severity::Invalid)),
            // Far from it, another device, the other way, and a limit that does not hold this I/O.
            (at_most(300 << 20, 0, reads), None),
            (at_most(256 << 20, 16, reads), None),
            (at_most(256 << 20, 0, writes), None),
            (at_most(100 << 20, 0, reads), None),
            // The layer counts 256 requests.
            (
                at_most(250, 0, LimitedQuantity::ReadRequests),
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
        run.circumstances.limits = Some(at_most(15, 0, LimitedQuantity::ReadRequests));
        assert_eq!(severity(&run), Some(Severity::Info));
    }

    /// A run of a second in which all of the machine read so many MiB from a device, and the own group so many of them.
    fn shared(of_all: &[u64], of_group: u64) -> Run {
        let mut run = read_run();
        let layers = of_all.iter().map(|mib| layer("sda", *mib, 0));
        with_layers(&mut run, layers.collect());
        let mut limits = reads_at_most(100);
        limits.devices[0].moved = Some(GroupTraffic {
            bytes: Bytes::mib(of_group),
            requests: of_group,
        });
        run.circumstances.limits = Some(limits);
        run
    }

    #[test]
    fn a_limit_holds_what_its_group_moves_and_not_what_others_do() {
        let invalid = Some(Severity::Invalid);
        for (of_all, of_group, found) in [
            (vec![100], 60, None),
            (vec![150], 100, invalid),
            // No layer of the stack is the device, as beneath the root of a container.
            (vec![], 100, invalid),
            (vec![], 60, None),
        ] {
            let run = shared(&of_all, of_group);
            assert_eq!(severity(&run), found, "{of_all:?} {of_group}");
        }
        let message = of_device(&shared(&[], 100)).unwrap().message;
        assert!(message.contains("holds 8:0 at"), "{message:?}");
    }

    #[test]
    fn runs_under_one_limit_count_together_whatever_each_moved() {
        let runs = [95, 97, 99].map(|mib| {
            let mut run = shared(&[150], mib);
            let limits = run.circumstances.limits.as_mut().unwrap();
            limits.devices[0].moved.as_mut().unwrap().requests = 10;
            run
        });
        let limit = &runs[0].circumstances.limits.as_ref().unwrap().devices[0];
        let runs: Vec<&Run> = runs.iter().collect();
        let (_, outcome) = of_all(&runs, limit).unwrap();
        assert_eq!(outcome.severity, Severity::Invalid);
        assert_eq!(outcome.evidence[1].value, 97.0 * 1024.0 * 1024.0);
    }

    #[test]
    fn few_requests_of_each_of_many_runs_are_many() {
        let judged = |limit: u64, runs: usize| {
            let mut run = read_run();
            let mut few = layer("sda", 256, 0);
            few.delta.as_mut().unwrap().read_ios = 10;
            with_layers(&mut run, vec![few]);
            run.circumstances.limits = Some(reads_at_most(limit));
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
        run.circumstances.limits = Some(reads_at_most(256));
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
