//! Operations on names as an experiment: each operation is a cell in operations per second.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use etalon_engine::Control;
use etalon_model::{
    Backend, Ended, JobTotals, Measurement, OpTotals, TaskFigure, TaskWorkload, Workload,
};
use etalon_units::Bytes;
use etalon_workload::measurable::{EndedPart, PartReport, Pass, PassReport};
use etalon_workload::metadata::{
    Directories, Durability, MetadataEnd, MetadataOperation, MetadataRecord, MetadataWorkload,
    Order, Outcome, PhaseRecord, run,
};
use etalon_workload::{Measurable, PartWitness};

use super::{Repeat, TaskOutcome, on_target};
use crate::{ExperimentError, Witness};

/// What is measured of operations on names.
#[derive(Debug, Clone, PartialEq)]
pub struct MetadataRequest {
    /// On what and how often.
    pub repeat: Repeat,
    /// What is done; its seed is that of the first run.
    pub workload: MetadataWorkload,
}

/// Repeats operations on names in a private directory, which is removed at the end, and judges
/// each operation.
///
/// # Errors
/// [`ExperimentError`] when nothing could be measured. A failure within a run ends the experiment
/// and is told by [`Outcome::failure`](crate::Outcome::failure).
pub fn metadata(
    request: &MetadataRequest,
    control: &Control,
    witness: &mut dyn Witness,
) -> Result<TaskOutcome<MetadataRecord>, ExperimentError> {
    let (outcome, names) = on_target(&request.repeat, control, witness, |place| Names {
        workload: &request.workload,
        place: place.to_owned(),
        control,
        block: 0,
        records: Vec::new(),
    })?;
    Ok(TaskOutcome {
        outcome,
        records: names.records,
    })
}

/// The task for one place.
struct Names<'a> {
    workload: &'a MetadataWorkload,
    place: PathBuf,
    control: &'a Control,
    block: u32,
    records: Vec<MetadataRecord>,
}

impl Measurable for Names<'_> {
    type Error = ExperimentError;

    fn get_ready(&mut self, pass: Pass) -> Result<(), ExperimentError> {
        self.block = pass.block;
        Ok(())
    }

    fn carry_out(&mut self, witness: &(dyn PartWitness + Sync)) -> Result<(), ExperimentError> {
        let workload = MetadataWorkload {
            seed: self.workload.seed.wrapping_add(u64::from(self.block)),
            ..self.workload.clone()
        };
        let record = run(&workload, &self.place, &self.control.stop, witness)?;
        self.records.push(record);
        Ok(())
    }

    fn report(&mut self, _ended: &[EndedPart]) -> PassReport {
        self.records.last().map_or_else(PassReport::default, report)
    }
}

/// The operations that have a figure, and what the others lack.
pub(super) fn report(record: &MetadataRecord) -> PassReport {
    let mut report = PassReport::default();
    let end = end_of(record);
    for phase in &record.phases {
        let own_end = end.as_ref().filter(|(at, _, _)| *at == phase.operation);
        let ended = match (own_end, phase.outcome) {
            (Some((_, ended, _)), _) => ended.clone(),
            (None, Outcome::Complete) if phase.count > 0 => Ended::Complete,
            (None, Outcome::Unsupported { errno }) => {
                report.notes.push(unsupported(phase.operation, errno));
                continue;
            }
            // Nothing was to be done, or the user stopped it.
            (None, Outcome::Complete | Outcome::Partial) => continue,
        };
        report.parts.push(PartReport::alone(
            phase.operation.name(),
            workload_of(&record.workload, phase.operation),
            measurement_of(&record.workload, phase, ended),
        ));
    }
    report.failure = end.map(|(_, _, words)| format!("{words}."));
    report
}

fn unsupported(operation: MetadataOperation, errno: i32) -> String {
    let why = io::Error::from_raw_os_error(errno);
    format!("{operation}: the filesystem does not have it ({why}).")
}

/// In which operation a run failed, how, and in words.
fn end_of(record: &MetadataRecord) -> Option<(MetadataOperation, Ended, String)> {
    let words = |operation: &MetadataOperation, path: &Path, errno: i32| {
        let why = io::Error::from_raw_os_error(errno);
        // A sync is about no single name.
        match path.as_os_str().is_empty() {
            true => format!("{operation} failed when it was synced: {why}"),
            false => format!("{operation} of '{}' failed: {why}", path.display()),
        }
    };
    match &record.ended {
        MetadataEnd::Complete | MetadataEnd::Interrupted => None,
        MetadataEnd::DiskFull {
            operation,
            path,
            errno,
        } => Some((*operation, Ended::DiskFull, words(operation, path, *errno))),
        MetadataEnd::Failed {
            operation,
            path,
            errno,
        } => {
            let message = words(operation, path, *errno);
            let ended = Ended::Broken {
                message: message.clone(),
            };
            Some((*operation, ended, message))
        }
    }
}

fn workload_of(names: &MetadataWorkload, operation: MetadataOperation) -> Workload {
    let (step, figure) = (operation.name(), TaskFigure::Rate);
    let task = TaskWorkload {
        seed: Some(names.seed),
        ..TaskWorkload::of_texts("metadata", step, figure, parameters(names))
    };
    task.into()
}

fn parameters(names: &MetadataWorkload) -> BTreeMap<String, String> {
    let directories = match names.directories {
        Directories::Own => "own",
        Directories::Shared => "shared",
    };
    let durability = match names.durability {
        Durability::Never => "never",
        Durability::Phase => "phase",
        Durability::Each => "each",
    };
    let order = match names.order {
        Order::Created => "created",
        Order::Random => "random",
    };
    let all = [
        ("depth", names.depth.to_string()),
        ("breadth", names.breadth.to_string()),
        ("files", names.files.to_string()),
        ("file_size", names.file_size.to_string()),
        ("block_size", names.block_size.to_string()),
        ("jobs", names.jobs.to_string()),
        ("directories", directories.to_owned()),
        ("durability", durability.to_owned()),
        ("order", order.to_owned()),
    ];
    all.map(|(name, value)| (name.to_owned(), value)).into()
}

fn measurement_of(names: &MetadataWorkload, phase: &PhaseRecord, ended: Ended) -> Measurement {
    let writes_a_file = matches!(
        phase.operation,
        MetadataOperation::Create | MetadataOperation::Write
    );
    let jobs = phase.jobs.iter().map(|job| JobTotals {
        operations: job.count,
        bytes: Bytes::ZERO,
        duration: job.end,
    });
    Measurement {
        ended,
        final_fsync: phase.sync,
        metadata: OpTotals {
            operations: phase.count,
            bytes: phase.bytes,
            latency: phase.latency.clone(),
        },
        fsyncs: match names.durability {
            Durability::Never => 0,
            Durability::Phase => 1,
            Durability::Each if writes_a_file => phase.count,
            Durability::Each => 0,
        },
        cpu_user: phase.cpu_user,
        cpu_system: phase.cpu_system,
        jobs: jobs.collect(),
        ..Measurement::of_nothing(Backend::Sync, phase.duration)
    }
}
