//! One go of one or several workloads, and what a workload needs for it.

use etalon_engine::{Control, EngineError, Prepared};
use etalon_model::{Backend, CacheMode, Choice, Ended, IoWorkload, Run};
use etalon_units::Nanos;
use etalon_workload::measurable::Pass;
use etalon_workload::metadata::{self, MetadataWorkload, PreparedNames};
use etalon_workload::together::{ConcurrentIo, Ready};
use etalon_workload::{Measurable as _, PlainIo};

use super::{Names, StreamWorkload, TogetherRequest};
use crate::grid::{PROBE, insist_on_direct};
use crate::run::quiet::Rest;
use crate::run::{BegunPass, Observer, cache};
use crate::witness::tell;
use crate::work_place::{WorkPlace, writes};
use crate::{Event, ExperimentError, Site, Witness};

/// A workload with all that its runs need.
pub(super) struct TrialStream<'a> {
    names: &'a Names,
    site: &'a Site,
    control: &'a Control,
    work_place: WorkPlace,
    workload: StreamWorkload,
    direct_or_nothing: bool,
}

impl<'a> TrialStream<'a> {
    /// All workloads, and what was chosen for them.
    pub(super) fn all(
        request: &TogetherRequest,
        sites: &'a [Site],
        names: &'a [Names],
        control: &'a Control,
    ) -> Result<(Vec<TrialStream<'a>>, Vec<Choice>), ExperimentError> {
        let (mut streams, mut choices) = (Vec::new(), Vec::new());
        for ((stream, site), names) in request.streams.iter().zip(sites).zip(names) {
            let same = |other: &&Site| other.device == site.device;
            let sharers = sites.iter().filter(same).count() as u64;
            let mut workload = stream.workload.clone();
            let (work_place, chosen) = match &mut workload {
                StreamWorkload::Io(io) => {
                    let work_place = WorkPlace::new(site, io)?;
                    let chosen = work_place.size(io, &stream.target, sharers)?;
                    (work_place, chosen)
                }
                StreamWorkload::Names(_) => (WorkPlace::in_directory(site)?, None),
            };
            choices.extend(chosen.map(|choice| Choice::Of {
                workload: names.together.clone(),
                what: Box::new(choice),
            }));
            let direct =
                matches!(&workload, StreamWorkload::Io(io) if io.cache == CacheMode::Direct);
            streams.push(TrialStream {
                names,
                site,
                control,
                work_place,
                workload,
                direct_or_nothing: stream.direct_or_nothing || direct,
            });
        }
        Ok((streams, choices))
    }

    /// Lays out what a run needs.
    fn ready(&self, pass: Pass) -> Result<Ready, ExperimentError> {
        match &self.workload {
            StreamWorkload::Io(io) => Ok(Ready::Io(Box::new(self.ready_io(io, pass)?))),
            StreamWorkload::Names(names) => {
                let ready = self.ready_names(names, pass)?;
                Ok(Ready::Names(Box::new(ready)))
            }
        }
    }

    fn ready_names(
        &self,
        names: &MetadataWorkload,
        pass: Pass,
    ) -> Result<PreparedNames, ExperimentError> {
        let seed = pass.seed(names.seed);
        let workload = MetadataWorkload {
            seed,
            ..names.clone()
        };
        let stop = &self.control.stop;
        let ready = metadata::prepare(&workload, self.work_place.path(), stop)?;
        match self.control.stopped() {
            true => Err(EngineError::Stopped.into()),
            false => Ok(ready),
        }
    }

    /// Lays out the files and sets the state of the cache.
    fn ready_io(&self, io: &IoWorkload, pass: Pass) -> Result<Prepared, ExperimentError> {
        let mut workload = io.clone();
        workload.seed = pass.seed(workload.seed);
        let mut work = PlainIo::new("", workload, self.work_place.place.clone(), self.control);
        let ready = work.get_ready(Pass::default());
        ready.map_err(|error| ExperimentError::from(error).shown())?;
        if self.direct_or_nothing {
            insist_on_direct(&self.site.path, &work)?;
        }
        cache::set(io.cache, &work.files(0))?;
        Ok(work.into_prepared().ok_or(EngineError::Stopped)?)
    }

    /// Whether no storage has a part in it.
    fn is_modelled(&self) -> bool {
        matches!(&self.workload, StreamWorkload::Io(io) if io.backend == Backend::Fake)
    }

    /// Whether it leaves something to be written.
    fn writes(&self) -> bool {
        match &self.workload {
            StreamWorkload::Io(io) => writes(io),
            StreamWorkload::Names(_) => true,
        }
    }

    fn cell(&self, is_alone: bool) -> &str {
        match is_alone {
            true => &self.names.alone,
            false => &self.names.together,
        }
    }
}

/// Workloads that are carried out at the same time, and who looks around them.
pub(super) struct Trial<'a> {
    streams: Vec<&'a TrialStream<'a>>,
    observer: Observer<'a>,
    is_alone: bool,
}

impl<'a> Trial<'a> {
    pub(super) fn new(streams: Vec<&'a TrialStream<'a>>, is_alone: bool) -> Trial<'a> {
        let sites = streams.iter().map(|stream| stream.site);
        let is_modelled = streams.iter().all(|stream| stream.is_modelled());
        let control = streams.first().map(|stream| stream.control);
        Trial {
            observer: match control {
                Some(control) if !is_modelled => Observer::new(sites, true).calibrated(control),
                _ => Observer::of_model(sites),
            },
            streams,
            is_alone,
        }
    }

    /// Lays out, runs and judges them, and lets the devices of those that write come to rest.
    pub(super) fn run(
        &self,
        begun: BegunPass,
        rest: &Rest,
        witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let before = Rest::unwritten();
        self.observer.keep_aftermath(rest.left());
        let runs = self.run_now(begun, witness)?;
        let mut rested: Vec<u64> = Vec::new();
        for stream in self.streams.iter().filter(|stream| stream.writes()) {
            // One filesystem is sent once.
            if !rested.contains(&stream.site.device) {
                rested.push(stream.site.device);
                let place = (stream.site, &stream.work_place);
                rest.behind(place, stream.control, before, Nanos::ZERO);
            }
        }
        Ok(runs)
    }

    fn run_now(
        &self,
        begun: BegunPass,
        witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let pass = begun.pass;
        let mut ready = Vec::new();
        for stream in &self.streams {
            let cell = stream.cell(self.is_alone).to_owned();
            ready.push((cell, stream.ready(pass)?));
        }
        let Some(first) = self.streams.first() else {
            return Ok(Vec::new());
        };
        if pass.block == 0 {
            for (target, (_, ready)) in ready.iter().enumerate() {
                if let Some(prepared) = ready.io() {
                    self.observer
                        .probe_below(target, prepared, PROBE, first.control);
                }
            }
        }
        for (cell, _) in &ready {
            tell(witness, Event::Running { cell })?;
        }
        let mut work = ConcurrentIo::new(ready, &first.control.stop);
        let observed = self.observer.observe(&mut work, begun, None)?;
        let none = |run: &Run| {
            run.measurement.ended == Ended::Interrupted && run.measurement.operations() == 0
        };
        if observed.runs.iter().any(none) {
            return Err(EngineError::Stopped.into());
        }
        Ok(observed.runs)
    }
}
