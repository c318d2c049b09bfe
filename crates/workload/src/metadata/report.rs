//! What the record of a run becomes for those who measure: a part with its figure for each
//! operation.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use etalon_model::{Ended, JobTotals, Measurement, OpTotals, TaskFigure, TaskWorkload, Workload};
use etalon_units::Bytes;

use super::operation::MetadataOperation;
use super::record::{MetadataEnd, MetadataRecord, PhaseOutcome, PhaseRecord};
use super::settings::{Directories, Durability, FileOrder, MetadataWorkload};
use crate::measurable::{PartReport, PassReport};

/// The operations that have a figure, and what the others lack.
pub fn report(record: &MetadataRecord) -> PassReport {
    let mut report = PassReport::default();
    let end = end_of(record);
    for phase in &record.phases {
        let own_end = end.as_ref().filter(|(at, _, _)| *at == phase.operation);
        let ended = match (own_end, phase.outcome) {
            (Some((_, ended, _)), _) => ended.clone(),
            (None, PhaseOutcome::Complete) if phase.count > 0 => Ended::Complete,
            (None, PhaseOutcome::Unsupported { errno }) => {
                report.notes.push(unsupported(phase.operation, errno));
                continue;
            }
            // Nothing was to be done, or the user stopped it.
            (None, PhaseOutcome::Complete | PhaseOutcome::Partial) => continue,
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

/// The figures of a run of one operation, also of one that was stopped.
///
/// # Errors
/// Why there are none, in words.
pub(crate) fn measurement_of_one(record: &MetadataRecord) -> Result<Measurement, String> {
    let end = end_of(record);
    let Some(phase) = record.phases.first() else {
        return Err(end.map_or_else(
            || "it was stopped before it had begun".to_owned(),
            |(_, _, words)| words,
        ));
    };
    let ended = match (end, phase.outcome) {
        (Some((_, ended, _)), _) => ended,
        (None, PhaseOutcome::Complete) => Ended::Complete,
        (None, PhaseOutcome::Partial) => Ended::Interrupted,
        (None, PhaseOutcome::Unsupported { errno }) => {
            return Err(unsupported(phase.operation, errno));
        }
    };
    Ok(measurement_of(&record.workload, phase, ended))
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

/// What is done, as records have it.
pub(crate) fn workload_of(names: &MetadataWorkload, operation: MetadataOperation) -> Workload {
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
        FileOrder::Created => "created",
        FileOrder::Random => "random",
    };
    let mut all = vec![
        ("files", names.files.to_string()),
        ("jobs", names.jobs.to_string()),
        ("directories", directories.to_owned()),
        ("durability", durability.to_owned()),
        ("order", order.to_owned()),
    ];
    // So many files in all stand in as many directories as they need.
    match names.files_in_all {
        Some(files) => all.push(("files_in_all", files.to_string())),
        None => all.extend([
            ("depth", names.depth.to_string()),
            ("breadth", names.breadth.to_string()),
            ("file_size", names.file_size.to_string()),
            ("block_size", names.block_size.to_string()),
        ]),
    }
    let all = all.into_iter();
    all.map(|(name, value)| (name.to_owned(), value)).collect()
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
        cpu_user: Some(phase.cpu_user),
        cpu_system: Some(phase.cpu_system),
        jobs: jobs.collect(),
        ..Measurement::of_nothing(phase.duration)
    }
}
