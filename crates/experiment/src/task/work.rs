//! Real work as an experiment: each step is a cell in seconds until everything was durable.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use etalon_engine::Control;
use etalon_factor::{Journal, Scratch, shown};
use etalon_model::{Ended, JobTotals, Measurement, OpTotals, TaskFigure, TaskWorkload};
use etalon_units::{Bytes, Nanos};
use etalon_work::{Context, RealWork, StepRecord, TARGET, WorkEnd, WorkRecord};
use etalon_workload::measurable::{EndedPart, PartReport, PassReport};
use etalon_workload::{Measurable, PartWitness};

use super::{Repeat, TaskOutcome, on_target};
use crate::{ExperimentError, Site, Witness};

/// Which real work is measured.
pub struct WorkRequest<'a> {
    /// On what and how often.
    pub repeat: Repeat,
    /// The work.
    pub work: &'a dyn RealWork,
    /// Its parameters by name, as typed; what is left out has its default.
    pub given: Vec<(String, String)>,
}

/// Every real work that there is, in the order of the help text.
pub fn works() -> impl Iterator<Item = &'static dyn RealWork> {
    let plain = etalon_work::REGISTRY.into_iter();
    plain.chain(etalon_database::WORKS).chain(etalon_web::WORKS)
}

/// Repeats a real work in a private directory, which is removed at the end, and judges each of its
/// steps.
///
/// # Errors
/// [`ExperimentError`] when nothing could be measured. A failure within a run ends the experiment
/// and is told by [`Outcome::failure`](crate::Outcome::failure).
pub fn work(
    request: &WorkRequest<'_>,
    control: &Control,
    witness: &mut dyn Witness,
) -> Result<TaskOutcome<WorkRecord>, ExperimentError> {
    let elsewhere = elsewhere(request.work, &request.given)?;
    let (outcome, steps) = on_target(&request.repeat, control, witness, |place| TaskSteps {
        work: request.work,
        given: &request.given,
        seed: request.repeat.seed,
        place: place.to_owned(),
        elsewhere: elsewhere.as_ref().map(Scratch::held_path),
        control,
        records: Vec::new(),
    })?;
    Ok(TaskOutcome {
        outcome,
        records: steps.records,
    })
}

/// A private directory on the other target, where the parameters name one; like that on the first
/// it is in the journal, so that a killed run leaves nothing behind.
pub(crate) fn elsewhere(
    work: &dyn RealWork,
    given: &[(String, String)],
) -> Result<Option<Scratch>, ExperimentError> {
    let has_one = work.parameters().iter().any(|p| p.name == TARGET);
    let named = given.iter().rev().find(|(name, _)| name == TARGET);
    match named {
        Some((_, path)) if has_one && !path.is_empty() => {
            let site = Site::look(Path::new(path))?;
            Ok(Some(Scratch::create(&Journal::open()?, &site.path)?))
        }
        _ => Ok(None),
    }
}

/// The task for one place.
pub(crate) struct TaskSteps<'a> {
    pub(crate) work: &'a dyn RealWork,
    pub(crate) given: &'a [(String, String)],
    /// The same input each time: another one would be other work.
    pub(crate) seed: u64,
    pub(crate) place: PathBuf,
    pub(crate) elsewhere: Option<PathBuf>,
    pub(crate) control: &'a Control,
    pub(crate) records: Vec<WorkRecord>,
}

impl Measurable for TaskSteps<'_> {
    type Error = ExperimentError;

    fn carry_out(&mut self, witness: &(dyn PartWitness + Sync)) -> Result<(), ExperimentError> {
        let mut record = self.work.run(&Context {
            directory: &self.place,
            elsewhere: self.elsewhere.as_deref(),
            seed: self.seed,
            given: self.given,
            stop: &self.control.stop,
            witness,
        })?;
        if let WorkEnd::DiskFull { message }
        | WorkEnd::Failed { message }
        | WorkEnd::LeftOver { message } = &mut record.ended
        {
            *message = shown(message);
        }
        self.records.push(record);
        Ok(())
    }

    fn report(&mut self, ended: &[EndedPart]) -> PassReport {
        let last = self.records.last();
        last.map_or_else(PassReport::default, |record| report(record, ended))
    }
}

/// The steps, and which of them failed.
pub(super) fn report(record: &WorkRecord, ended_parts: &[EndedPart]) -> PassReport {
    let mut report = PassReport::default();
    if let Some(input) = &record.input {
        // How large the pages of somebody's server are is known once they have come.
        report.notes.push(match input.bytes {
            Bytes::ZERO => format!("Input: {}.", input.source),
            bytes => format!("Input: {}, {} files, {bytes}.", input.source, input.files),
        });
    }
    for step in &record.steps {
        let task = TaskWorkload {
            cache: step.cache,
            ..workload_of(record, &step.name, figure_of(step))
        };
        report.parts.push(PartReport {
            cache_before: step.cache_before,
            ..PartReport::alone(&step.name, task.into(), measurement_of(step))
        });
    }
    let (ended, message) = match &record.ended {
        WorkEnd::Complete | WorkEnd::Interrupted => return report,
        // That is no step's fault.
        WorkEnd::LeftOver { message } => {
            report.failure = Some(format!("{message}."));
            return report;
        }
        WorkEnd::DiskFull { message } => (Ended::DiskFull, message.clone()),
        WorkEnd::Failed { message } => {
            let message = message.clone();
            (
                Ended::Broken {
                    message: message.clone(),
                },
                message,
            )
        }
    };
    report.failure = Some(format!("{message}."));
    let is_unfinished = |part: &&EndedPart| record.step(&part.part).is_none();
    match ended_parts.iter().find(is_unfinished) {
        Some(EndedPart { part, elapsed }) => {
            let measurement = Measurement {
                ended,
                ..measurement(*elapsed, 0, Bytes::ZERO)
            };
            let task = workload_of(record, part, TaskFigure::Time);
            report
                .parts
                .push(PartReport::alone(part, task.into(), measurement));
        }
        // What fails between the steps is the proof of the last one.
        None => {
            if let Some(last) = report.parts.last_mut() {
                last.measurement.ended = ended;
            }
        }
    }
    report
}

fn figure_of(step: &StepRecord) -> TaskFigure {
    match step.rate {
        Some(_) => TaskFigure::Rate,
        None => TaskFigure::Time,
    }
}

fn workload_of(record: &WorkRecord, step: &str, figure: TaskFigure) -> TaskWorkload {
    let values = record.parameters.iter();
    let parameters: BTreeMap<String, String> = values
        .map(|(name, values)| (name.clone(), values.join("; ")))
        .collect();
    TaskWorkload {
        seed: Some(record.seed),
        ..TaskWorkload::of_texts(&record.work, step, figure, parameters)
    }
}

fn measurement_of(step: &StepRecord) -> Measurement {
    let rate = step.rate;
    let operations = rate.map_or(step.files, |rate| rate.operations);
    let duration = rate.map_or(step.durable(), |rate| rate.duration);
    Measurement {
        final_fsync: step.sync,
        metadata: OpTotals {
            operations,
            bytes: step.bytes,
            latency: step.latency.clone().unwrap_or_default(),
        },
        lag: step.lag.clone(),
        service: step.service.clone(),
        cpu_user: Some(step.user),
        cpu_system: Some(step.system),
        ..measurement(duration, operations, step.bytes)
    }
}

/// One job that moved so much.
fn measurement(duration: Nanos, operations: u64, bytes: Bytes) -> Measurement {
    let job = JobTotals {
        operations,
        bytes,
        duration,
    };
    Measurement {
        jobs: vec![job],
        ..Measurement::of_nothing(duration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_work::Values;

    #[test]
    fn every_default_of_every_work_is_a_value_that_could_be_typed() {
        for work in works() {
            let given = work.parameters().iter().map(|parameter| {
                let (name, default) = (parameter.name.to_owned(), parameter.default.to_owned());
                (name, default)
            });
            let given: Vec<_> = given.filter(|(_, default)| !default.is_empty()).collect();
            let parsed = Values::parse(work.parameters(), &given);
            assert!(parsed.is_ok(), "{}: {:?}", work.name(), parsed.err());
            // Whoever types all of them has what he has who types none.
            let resolved = parsed.unwrap().resolved(work.parameters());
            assert_eq!(resolved, Values::default().resolved(work.parameters()));
        }
    }
}
