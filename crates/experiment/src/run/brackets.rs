//! The counters of the stack around each part of a pass.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use etalon_model::Limits;
use etalon_model::stack::{CounterDelta, CounterSnapshot, StackTree};
use etalon_stack::{LimitCounts, Roots, limit_counts, snapshot};
use etalon_workload::PartWitness;
use etalon_workload::measurable::EndedPart;

/// Looks at the counters when a part begins and when it ends; asked for by whichever thread carries
/// the part out. Parts may be under way at the same time.
pub(super) struct Brackets<'a> {
    tree_of: &'a (dyn Fn(&str) -> &'a StackTree + Sync),
    roots: Roots,
    /// Whether anything is limited at all, so that nobody else is asked for each part.
    has_limits: bool,
    state: Mutex<BracketState>,
}

#[derive(Default)]
struct BracketState {
    open: BTreeMap<String, Open>,
    closed: Vec<Bracket>,
}

struct Open {
    started: SystemTime,
    clock: Instant,
    before: CounterSnapshot,
    counts: LimitCounts,
}

/// One part that has ended.
#[derive(Debug)]
pub(super) struct Bracket {
    pub(super) part: EndedPart,
    pub(super) started: SystemTime,
    pub(super) delta: CounterDelta,
    /// The limits, with what came of them meanwhile; `None` without any.
    pub(super) limits: Option<Limits>,
}

impl<'a> Brackets<'a> {
    /// `tree_of` gives the stack beneath the target of a part.
    pub(super) fn new(tree_of: &'a (dyn Fn(&str) -> &'a StackTree + Sync)) -> Brackets<'a> {
        let roots = Roots::default();
        Brackets {
            tree_of,
            has_limits: !limit_counts(&roots).is_empty(),
            roots,
            state: Mutex::default(),
        }
    }

    fn counts(&self) -> LimitCounts {
        let counts = self.has_limits.then(|| limit_counts(&self.roots));
        counts.unwrap_or_default()
    }

    fn state(&self) -> MutexGuard<'_, BracketState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The parts in the order in which they ended.
    pub(super) fn into_closed(self) -> Vec<Bracket> {
        let state = self.state.into_inner();
        state.unwrap_or_else(PoisonError::into_inner).closed
    }
}

impl PartWitness for Brackets<'_> {
    fn begins(&self, part: &str) {
        let mut state = self.state();
        let (counts, before) = (self.counts(), snapshot((self.tree_of)(part), &self.roots));
        let open = Open {
            counts,
            started: SystemTime::now(),
            clock: Instant::now(),
            before,
        };
        state.open.insert(part.to_owned(), open);
    }

    fn ended(&self, part: &str) {
        let ended = Instant::now();
        let now = snapshot((self.tree_of)(part), &self.roots);
        let counts = self.counts();
        let mut state = self.state();
        let Some(open) = state.open.remove(part) else {
            return;
        };
        state.closed.push(Bracket {
            part: EndedPart {
                part: part.to_owned(),
                elapsed: ended.duration_since(open.clock).into(),
            },
            started: open.started,
            delta: now.since(&open.before),
            limits: (!counts.is_empty()).then(|| counts.since(&open.counts)),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Site;

    #[test]
    fn only_parts_that_were_begun_are_bracketed() {
        let directory = tempfile::tempdir().unwrap();
        let site: &'static Site = Box::leak(Box::new(Site::look(directory.path()).unwrap()));
        let tree_of = |_: &str| &site.tree;
        let brackets = Brackets::new(&tree_of);
        brackets.ended("never begun");
        brackets.begins("one");
        brackets.begins("two");
        brackets.ended("two");
        brackets.ended("one");
        let closed = brackets.into_closed();
        let parts: Vec<&str> = closed.iter().map(|b| b.part.part.as_str()).collect();
        assert_eq!(parts, ["two", "one"]);
    }
}
