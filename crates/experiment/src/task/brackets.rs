//! The counters of the stack around each part of a pass.

use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use etalon_model::stack::{CounterDelta, CounterSnapshot, StackTree};
use etalon_stack::{Roots, snapshot};
use etalon_units::Nanos;
use etalon_workload::PartWitness;

/// Looks at the counters when a part begins and when it ends; asked for by whichever thread carries
/// the part out.
pub(super) struct Brackets<'a> {
    tree: &'a StackTree,
    roots: Roots,
    open: Mutex<Option<Open>>,
    closed: Mutex<Vec<Bracket>>,
}

struct Open {
    started: SystemTime,
    clock: Instant,
    before: CounterSnapshot,
}

/// One part that has ended.
pub(super) struct Bracket {
    pub(super) part: String,
    pub(super) started: SystemTime,
    pub(super) elapsed: Nanos,
    pub(super) delta: CounterDelta,
}

impl<'a> Brackets<'a> {
    pub(super) fn new(tree: &'a StackTree) -> Brackets<'a> {
        Brackets {
            tree,
            roots: Roots::default(),
            open: Mutex::new(None),
            closed: Mutex::new(Vec::new()),
        }
    }

    /// The parts in the order in which they ended.
    pub(super) fn into_closed(self) -> Vec<Bracket> {
        self.closed
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl PartWitness for Brackets<'_> {
    fn begins(&self, _part: &str) {
        let before = snapshot(self.tree, &self.roots);
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = Some(Open {
            started: SystemTime::now(),
            clock: Instant::now(),
            before,
        });
    }

    fn ended(&self, part: &str) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = open.take() else { return };
        let elapsed = open.clock.elapsed().into();
        let delta = snapshot(self.tree, &self.roots).since(&open.before);
        let mut closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        closed.push(Bracket {
            part: part.to_owned(),
            started: open.started,
            elapsed,
            delta,
        });
    }
}
