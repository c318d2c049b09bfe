//! The session in which an experiment is being made at this moment: since when, and until when.

use etalon_model::{ExperimentHeader, ExperimentKind, RunHeadline, TotalTime};
use etalon_store::owner_started_unix_ns;
use etalon_units::Nanos;

/// Blocks that tell how long the next ones take: runs get shorter on the way.
const RECENT: usize = 3;

/// Time until the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// What is left of the budget.
    AtMost(Nanos),
    /// By the blocks that were measured.
    About(Nanos),
}

/// When it began, and what those before it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Session {
    begun_unix_ns: i64,
    earlier: Nanos,
    is_first: bool,
}

impl Session {
    /// One that goes on began with its process, before whose start others made the runs that stand.
    pub(crate) fn of(header: &ExperimentHeader, runs: &[RunHeadline]) -> Session {
        let first = header.begun.started_unix_ns;
        let process = owner_started_unix_ns(header.begun.owner.as_deref());
        let begun_unix_ns = process.map_or(first, |process| process.max(first));
        let earlier = runs
            .iter()
            .filter(|run| run.started_unix_ns < begun_unix_ns);
        let is_first = begun_unix_ns == first;
        Session {
            begun_unix_ns,
            earlier: match is_first {
                true => Nanos::ZERO,
                false => header.elapsed(TotalTime::of(earlier)),
            },
            is_first,
        }
    }

    /// What all sessions took so far, without what lies between them.
    pub(crate) fn elapsed(&self, now: i64) -> Nanos {
        let own = since(self.begun_unix_ns, now);
        Nanos(self.earlier.0.saturating_add(own.0))
    }

    /// Whether the settings tell its end: what `etalon continue` is asked for stands in no settings, and a plan goes on with what
    /// was asked for at first.
    fn is_as_asked(&self, kind: ExperimentKind) -> bool {
        self.is_first || !matches!(kind, ExperimentKind::Quick | ExperimentKind::Measure)
    }

    pub(crate) fn asked_blocks(&self, header: &ExperimentHeader) -> Option<u32> {
        let runs = header.begun.settings["runs"].as_u64();
        let runs = runs.filter(|_| self.is_as_asked(header.begun.kind));
        runs.and_then(|runs| u32::try_from(runs).ok())
    }

    /// By the number of runs that was asked for, else by the budget; none where the end hangs on what is measured.
    pub(crate) fn left(
        &self,
        header: &ExperimentHeader,
        runs: &[RunHeadline],
        now: i64,
    ) -> Option<Left> {
        if let Some(asked) = self.asked_blocks(header) {
            let own = runs
                .iter()
                .filter(|run| run.started_unix_ns >= self.begun_unix_ns);
            return by_blocks(own, asked, now).map(Left::About);
        }
        let budget = header.begun.settings["budget_ns"].as_u64();
        let budget = Nanos(budget.filter(|_| self.is_as_asked(header.begun.kind))?);
        Some(Left::AtMost(budget.saturating_sub(self.elapsed(now))))
    }
}

fn since(then_unix_ns: i64, now_unix_ns: i64) -> Nanos {
    let ns = now_unix_ns.saturating_sub(then_unix_ns).max(0);
    Nanos(ns.unsigned_abs())
}

/// A block is over when a run of the next one stands in the store.
fn by_blocks<'a>(
    runs: impl IntoIterator<Item = &'a RunHeadline>,
    asked: u32,
    now: i64,
) -> Option<Nanos> {
    let mut begins: Vec<i64> = Vec::new();
    let mut block = None;
    for run in runs {
        if block != Some(run.block) {
            block = Some(run.block);
            begins.push(run.started_unix_ns);
        }
    }
    let last = *begins.last()?;
    let recent = &begins[begins.len().saturating_sub(RECENT + 1)..];
    let spans = (recent.len() - 1) as u64;
    let each = since(*recent.first()?, last).0.checked_div(spans)?;
    let blocks = u64::from(asked.saturating_sub(block?));
    Some(Nanos(each.saturating_mul(blocks)).saturating_sub(since(last, now)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::run;

    #[test]
    fn blocks_to_come_take_as_long_as_the_last_ones() {
        let ten_s = |block: u32| run("read", block, i64::from(block) * 10);
        let runs: Vec<RunHeadline> = (0..3).map(ten_s).collect();
        // Block 2 of 0 to 5 began 4 s ago: 6 s of it are left, and three more.
        assert_eq!(by_blocks(&runs, 6, 24_000_000_000), Some(Nanos::secs(36)));
        assert_eq!(by_blocks(&runs, 6, 99_000_000_000), Some(Nanos::ZERO));
        assert_eq!(by_blocks(&runs[..1], 6, 24_000_000_000), None);
        assert_eq!(by_blocks(&[], 6, 0), None);
    }
}
