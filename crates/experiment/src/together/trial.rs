//! One go of one or several workloads, and what a workload needs for it.

use std::time::Instant;

use etalon_engine::{Control, EngineError, Prepared};
use etalon_model::{CacheMode, Company, Ended, IoWorkload, Measurement, Run};
use etalon_workload::together::{StreamRecord, StreamResult, TogetherRecord, run_prepared};

use super::{Names, TogetherRequest};
use crate::cache;
use crate::ground::Ground;
use crate::measure::{PROBE, insist_on_direct};
use crate::runner::{Runner, Slot};
use crate::traffic::apportion;
use crate::witness::tell;
use crate::{Event, ExperimentError, Site, Witness};

/// A workload with all that its runs need.
pub(super) struct Stream<'a> {
    names: &'a Names,
    runner: Runner<'a>,
    ground: Ground,
    workload: IoWorkload,
    direct_or_nothing: bool,
}

impl<'a> Stream<'a> {
    /// All workloads, and what was chosen for them.
    pub(super) fn all(
        request: &TogetherRequest,
        sites: &'a [Site],
        names: &'a [Names],
        control: &'a Control,
    ) -> Result<(Vec<Stream<'a>>, Vec<String>), ExperimentError> {
        let (mut streams, mut choices) = (Vec::new(), Vec::new());
        for ((stream, site), names) in request.streams.iter().zip(sites).zip(names) {
            let same = |other: &&Site| other.device == site.device;
            let sharers = sites.iter().filter(same).count() as u64;
            let ground = Ground::new(site, &stream.workload)?;
            let mut workload = stream.workload.clone();
            let chosen = ground.size(&mut workload, &stream.target, sharers)?;
            choices.extend(
                chosen
                    .iter()
                    .map(|text| format!("{}: {text}", names.together)),
            );
            let cache = workload.cache;
            streams.push(Stream {
                names,
                runner: Runner::new(site, control, true),
                ground,
                workload,
                direct_or_nothing: stream.direct_or_nothing || cache == CacheMode::Direct,
            });
        }
        Ok((streams, choices))
    }

    /// Lays out what a run needs and sets the state of the cache.
    fn ready(&self, block: u32) -> Result<Prepared, ExperimentError> {
        let mut workload = self.workload.clone();
        workload.seed = workload.seed.wrapping_add(u64::from(block));
        let prepared = self.runner.ready(&workload, &self.ground.place)?;
        if self.direct_or_nothing {
            insist_on_direct(&self.runner.site.path, prepared.plan().fallbacks())?;
        }
        cache::set(workload.cache, prepared.plan().files())?;
        Ok(prepared)
    }
}

/// One go of one or several workloads.
pub(super) struct Trial {
    pub(super) block: u32,
    /// Place of its first run in the order of all.
    pub(super) position: u32,
    pub(super) is_alone: bool,
}

impl Trial {
    /// Lays out, runs and judges them.
    pub(super) fn run(
        &self,
        group: &[&Stream<'_>],
        control: &Control,
        witness: &mut dyn Witness,
    ) -> Result<Vec<Run>, ExperimentError> {
        let whole = Instant::now();
        let cells: Vec<&str> = group.iter().map(|stream| self.cell(stream)).collect();
        let ready: Vec<Prepared> = group
            .iter()
            .map(|stream| stream.ready(self.block))
            .collect::<Result<_, _>>()?;
        for (stream, prepared) in group.iter().zip(&ready).filter(|_| self.block == 0) {
            stream.runner.probe_below(prepared, PROBE);
        }
        for cell in &cells {
            tell(witness, Event::Running { cell })?;
        }
        let mut runs = self.work(group, &ready, &cells, control)?;
        for run in &mut runs {
            run.elapsed = whole.elapsed().into();
        }
        let none = |run: &Run| {
            run.measurement.ended == Ended::Interrupted && run.measurement.operations() == 0
        };
        if runs.iter().any(none) {
            return Err(EngineError::Stopped.into());
        }
        apportion(&mut runs);
        for (stream, run) in group.iter().zip(&mut runs) {
            stream.runner.judge(run);
        }
        Ok(runs)
    }

    /// All of them at once, with the counters around them; not judged yet.
    fn work(
        &self,
        group: &[&Stream<'_>],
        ready: &[Prepared],
        cells: &[&str],
        control: &Control,
    ) -> Result<Vec<Run>, ExperimentError> {
        let begun: Vec<_> = group
            .iter()
            .zip(ready)
            .map(|(stream, prepared)| stream.runner.begin(prepared))
            .collect();
        let named: Vec<(&str, &Prepared)> = cells.iter().copied().zip(ready).collect();
        let record = run_prepared(&named, &control.stop)?;
        let ended: Vec<_> = begun
            .into_iter()
            .zip(group.iter().zip(ready))
            .map(|(begun, (stream, prepared))| stream.runner.end(begun, prepared))
            .collect();
        let mut runs = Vec::new();
        for (at, ended) in ended.into_iter().enumerate() {
            let slot = Slot {
                cell: cells[at],
                block: self.block,
                position: self.position + at as u32,
            };
            let measurement = measured(&record.streams[at])?;
            let mut run = group[at]
                .runner
                .record(slot, &ready[at], ended, measurement);
            run.circumstances.company = company(&record, at);
            runs.push(run);
        }
        Ok(runs)
    }

    fn cell<'s>(&self, stream: &'s Stream<'_>) -> &'s str {
        if self.is_alone {
            &stream.names.alone
        } else {
            &stream.names.together
        }
    }
}

fn measured(record: &StreamRecord) -> Result<Measurement, ExperimentError> {
    match &record.result {
        StreamResult::Io(measurement) => Ok((**measurement).clone()),
        StreamResult::Failed { message } => Err(ExperimentError::Stream {
            name: record.name.clone(),
            message: message.clone(),
        }),
        // Only workloads of the engine are begun here.
        StreamResult::Metadata(_) => Err(EngineError::Stopped.into()),
    }
}

/// Who else was there, and for how long; `None` for a workload alone.
fn company(record: &TogetherRecord, at: usize) -> Option<Company> {
    let own = &record.streams[at];
    let others: Vec<String> = record
        .streams
        .iter()
        .filter(|stream| stream.name != own.name)
        .map(|stream| stream.name.clone())
        .collect();
    (!others.is_empty()).then(|| Company {
        others,
        span: own.end.saturating_sub(own.begin),
        shared: record.overlap,
    })
}
