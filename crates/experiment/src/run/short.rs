//! Passes of microseconds, of which many are looked around together.

use std::time::Duration;

use etalon_model::Run;
use etalon_workload::Measurable;
use etalon_workload::measurable::Pass;

use super::Observer;
use super::brackets::Bracket;
use super::observe::Watch;
use super::repeat::BegunPass;
use crate::ExperimentError;

/// Looking at the machine takes milliseconds, which leave a processor's caches cold: passes are looked
/// around together until they have taken this long.
const LOOK: Duration = Duration::from_millis(100);

/// Looks around passes that may be much shorter than the look itself.
#[derive(Debug)]
pub struct ShortPasses<'o, 'a> {
    observer: &'o Observer<'a>,
    open: Option<OpenPasses>,
}

/// Passes that are looked around together.
#[derive(Debug)]
struct OpenPasses {
    watch: Watch,
    /// The first of them.
    begun: BegunPass,
    closed: Vec<Bracket>,
}

impl<'o, 'a> ShortPasses<'o, 'a> {
    /// For passes that `observer` looks around.
    pub fn new(observer: &'o Observer<'a>) -> ShortPasses<'o, 'a> {
        ShortPasses {
            observer,
            open: None,
        }
    }

    /// Carries out one pass of `work`, whose parts have names that no other pass has. The runs come
    /// with the pass that ends the look: until then `work` keeps its report.
    ///
    /// # Errors
    /// That of the work.
    pub fn observe<W: Measurable>(
        &mut self,
        work: &mut W,
        pass: Pass,
    ) -> Result<Vec<Run>, ExperimentError>
    where
        ExperimentError: From<W::Error>,
    {
        let observer = self.observer;
        let open = self.open.get_or_insert_with(|| OpenPasses {
            watch: observer.watch(work),
            begun: BegunPass::now(pass),
            closed: Vec::new(),
        });
        open.closed.extend(observer.carry_out(work)?);
        let is_due = open.begun.since.elapsed() >= LOOK;
        Ok(if is_due { self.close(work) } else { Vec::new() })
    }

    /// Ends the look, and gives the runs of the passes since it began.
    pub fn close<W: Measurable>(&mut self, work: &mut W) -> Vec<Run> {
        let Some(open) = self.open.take() else {
            return Vec::new();
        };
        let over = self.observer.end(open.watch);
        self.observer
            .judged(work, over, open.closed, open.begun)
            .runs
    }
}
