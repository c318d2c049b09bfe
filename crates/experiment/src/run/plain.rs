//! Runs of plain I/O on one target.

use std::sync::Arc;
use std::time::Duration;

use etalon_engine::{Control, EngineError, TargetPlace};
use etalon_factor::CacheLimit;
use etalon_model::{Aftermath, Backend, Ended, EnvironmentRecord, IoWorkload, LevelRecord, Run};
use etalon_workload::measurable::Pass;
use etalon_workload::{Measurable, PlainIo};

use super::quiet::send_overlaid;
use super::{BegunPass, Observed, Observer};
use crate::{ExperimentError, Site};

/// Makes runs of the engine on one site.
pub(crate) struct Runner<'a> {
    pub(crate) site: &'a Site,
    pub(crate) control: &'a Control,
    observer: Observer<'a>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(site: &'a Site, control: &'a Control, watch: bool) -> Runner<'a> {
        Runner {
            site,
            control,
            observer: Observer::new([site], watch).calibrated(control),
        }
    }

    /// For runs by a backend: the modelled device needs no look at the machine, and no cost of an operation.
    pub(crate) fn by(
        backend: Backend,
        site: &'a Site,
        control: &'a Control,
        watch: bool,
    ) -> Runner<'a> {
        match backend {
            Backend::Fake if watch => Runner {
                site,
                control,
                observer: Observer::of_model([site]),
            },
            _ => Runner::new(site, control, watch),
        }
    }

    /// Checks the workload against its place and lays out its files; outside any clock.
    pub(crate) fn ready(
        &self,
        cell: &str,
        workload: &IoWorkload,
        place: &TargetPlace,
    ) -> Result<PlainIo<'a>, ExperimentError> {
        let mut work = PlainIo::new(cell, workload.clone(), place.clone(), self.control);
        let ready = work.get_ready(Pass::default());
        ready.map_err(|error| ExperimentError::from(error).shown())?;
        if !workload.operation.changes() {
            send_overlaid(&self.site.tree, self.control);
        }
        Ok(work)
    }

    /// Reads blocks of what is ready twice, to find a cache below the devices.
    pub(crate) fn probe_below(&self, work: &PlainIo<'_>, time: Duration) {
        if let Some(prepared) = work.prepared() {
            self.observer.probe_below(0, prepared, time, self.control);
        }
    }

    /// Keeps what earlier runs left behind, for the record of the next one.
    pub(crate) fn keep_aftermath(&self, aftermath: Option<Aftermath>) {
        self.observer.keep_aftermath(aftermath);
    }

    /// Holds the machine against that of the first run of the cell, which was made before.
    pub(crate) fn hold_against(&self, earlier: Option<&Arc<EnvironmentRecord>>) {
        self.observer.hold_against(earlier);
    }

    /// Makes and judges one pass of anything that is ready.
    pub(crate) fn pass<W: Measurable>(
        &self,
        work: &mut W,
        begun: BegunPass,
    ) -> Result<Observed, ExperimentError>
    where
        ExperimentError: From<W::Error>,
    {
        self.observer.observe(work, begun, None)
    }

    /// Makes and judges one run of what is ready. A run that was stopped before
    /// it had done anything is none.
    pub(crate) fn run(
        &self,
        work: &mut PlainIo<'_>,
        begun: BegunPass,
        limit: Option<&CacheLimit>,
    ) -> Result<Run, ExperimentError> {
        self.run_under(work, begun, limit, &Vec::new)
    }

    /// The same under levels of a plan, which are asked for the moment that the run has ended.
    pub(crate) fn run_under(
        &self,
        work: &mut PlainIo<'_>,
        begun: BegunPass,
        limit: Option<&CacheLimit>,
        levels: &dyn Fn() -> Vec<LevelRecord>,
    ) -> Result<Run, ExperimentError> {
        let observed = self.observer.observe_under(work, begun, limit, levels)?;
        let made = observed.runs.into_iter().next();
        let counts = made.filter(|run| {
            let m = &run.measurement;
            m.ended != Ended::Interrupted || m.operations() > 0
        });
        Ok(counts.ok_or(EngineError::Stopped)?)
    }
}
