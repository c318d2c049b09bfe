//! Quotas of processor time on the control groups that hold this process.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use etalon_model::ProcessorQuota;
use etalon_units::Nanos;

use crate::context::Context;
use crate::groups::Hierarchy;

/// The quota of each group that has one, by the group's directory, with what it did so far.
///
/// A group counts from when it was made: what two of them have come to says nothing of which stopped this process meanwhile.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ProcessorQuotas(BTreeMap<PathBuf, ProcessorQuota>);

impl ProcessorQuotas {
    /// Whether no group has a quota.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What they did since `earlier`: the least of them, and what the group met that was stopped most; `None` without any.
    pub(crate) fn since(&self, earlier: &ProcessorQuotas) -> Option<ProcessorQuota> {
        let met = self.0.iter();
        let met = met.map(|(group, quota)| quota.since(earlier.0.get(group).copied()));
        met.reduce(tighter)
    }
}

/// The quotas of these groups now.
pub(crate) fn of(context: &Context<'_>, all: &[Hierarchy]) -> ProcessorQuotas {
    let found = all.iter().flat_map(|h| of_hierarchy(context, h));
    ProcessorQuotas(found.collect())
}

/// Reads the quota of a group.
type Reader = fn(&Context<'_>, &Path) -> Option<f64>;

fn of_hierarchy(context: &Context<'_>, hierarchy: &Hierarchy) -> Vec<(PathBuf, ProcessorQuota)> {
    let quota: Reader = match hierarchy.controller.as_deref() {
        None => of_version_2,
        Some("cpu") => of_version_1,
        Some(_) => return Vec::new(),
    };
    let levels = hierarchy.levels.iter();
    let found = levels.filter_map(|level| {
        let processors = quota(context, level)?;
        Some((level.clone(), so_far(context, level, processors)))
    });
    found.collect()
}

fn so_far(context: &Context<'_>, group: &Path, processors: f64) -> ProcessorQuota {
    let lines = context.attr_lines(group.join("cpu.stat"));
    let number = |key: &str| {
        let mut pairs = lines.iter().filter_map(|line| line.split_once(' '));
        pairs.find(|(name, _)| *name == key)?.1.trim().parse().ok()
    };
    // Nanoseconds in version 1, microseconds in version 2.
    let micros = number("throttled_usec").map(|us: u64| us.saturating_mul(1000));
    ProcessorQuota {
        processors,
        periods: number("nr_periods").unwrap_or(0),
        throttled_periods: number("nr_throttled").unwrap_or(0),
        throttled: Nanos(micros.or_else(|| number("throttled_time")).unwrap_or(0)),
    }
}

fn tighter(one: ProcessorQuota, other: ProcessorQuota) -> ProcessorQuota {
    let most = if other.throttled > one.throttled {
        other
    } else {
        one
    };
    ProcessorQuota {
        processors: one.processors.min(other.processors),
        ..most
    }
}

/// `cpu.max`: `20000 100000`, or `max` for no quota.
fn of_version_2(context: &Context<'_>, group: &Path) -> Option<f64> {
    let text = context.attr(group.join("cpu.max"))?;
    let (quota, period) = text.split_once(' ')?;
    share(quota.parse().ok()?, period.parse().ok()?)
}

/// A quota of -1 is none.
fn of_version_1(context: &Context<'_>, group: &Path) -> Option<f64> {
    let quota = context.attr(group.join("cpu.cfs_quota_us"))?.parse().ok()?;
    share(quota, context.value(group.join("cpu.cfs_period_us"))?)
}

fn share(quota: f64, period: f64) -> Option<f64> {
    (quota > 0.0 && period > 0.0).then_some(quota / period)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::hierarchies;
    use crate::roots::Roots;

    /// A group with a quota of 20 % within one of two processors, and how long each has been stopped, in milliseconds.
    fn nested(outer: u64, inner: u64) -> ProcessorQuotas {
        let directory = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| etalon_testbed::put(directory.path(), path, text);
        put("proc/self/cgroup", "0::/outer/inner\n");
        let mount = "1 0 0:5 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
        put("proc/self/mountinfo", mount);
        for (group, quota, stopped) in [
            ("outer", "200000 100000", outer),
            ("outer/inner", "20000 100000", inner),
        ] {
            put(&format!("sys/fs/cgroup/{group}/cpu.max"), quota);
            let stat = format!(
                "nr_periods {stopped}\nnr_throttled {stopped}\nthrottled_usec {stopped}000\n"
            );
            put(&format!("sys/fs/cgroup/{group}/cpu.stat"), &stat);
        }
        // Groups are the same in another copy of the machine.
        let roots = Roots::under(directory.path());
        let context = Context::new(&roots);
        let found = of(&context, &hierarchies(&context)).0.into_iter();
        let names = found.map(|(group, quota)| {
            let group = group.strip_prefix(directory.path()).unwrap().to_owned();
            (group, quota)
        });
        ProcessorQuotas(names.collect())
    }

    #[test]
    fn the_group_that_was_stopped_meanwhile_is_told_and_not_the_one_that_was_before() {
        let met = |before: (u64, u64), after: (u64, u64)| {
            let before = nested(before.0, before.1);
            let quota = nested(after.0, after.1).since(&before).unwrap();
            assert_eq!(quota.processors, 0.2);
            (quota.throttled, quota.throttled_periods)
        };
        assert_eq!(met((9000, 0), (9000, 700)), (Nanos::millis(700), 700));
        assert_eq!(met((0, 9000), (700, 9000)), (Nanos::millis(700), 700));
        // The larger total has passed from the one to the other.
        assert_eq!(met((500, 400), (500, 900)), (Nanos::millis(500), 500));
        assert_eq!(met((500, 400), (500, 400)), (Nanos::ZERO, 0));
    }

    #[test]
    fn without_quotas_nothing_was_met() {
        let none = ProcessorQuotas::default();
        assert!(none.is_empty() && !nested(0, 0).is_empty());
        assert_eq!(none.since(&nested(1, 2)), None);
    }
}
