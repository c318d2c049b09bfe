//! What a cell is for people: its name, and the question that it answers.

use etalon_language::localized;
use etalon_model::{
    Cell, FsyncPolicy, IoWorkload, Operation, SyncMode, TaskFigure, Unit, Workload,
};
use etalon_units::{ByteRate, Bytes, Figure, Nanos, OpRate, visible};

/// From here on a sequential access stands for large files.
const LARGE: Bytes = Bytes::kib(128);
/// Up to here a random access is a small one.
const SMALL: Bytes = Bytes::kib(64);

/// What the cell's figure tells of the storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Large files, read or written from the start to the end.
    Large { reads: bool },
    /// Small accesses at random offsets, so many at a time.
    Small { reads: bool, depth: u32 },
    /// Anything else.
    Other,
}

/// The question that the cell answers.
pub(crate) fn role(cell: &Cell) -> Role {
    let Some(io) = cell.workload.io() else {
        return Role::Other;
    };
    // Each job keeps so many of its own in flight.
    let depth = io.queue_depth.max(1).saturating_mul(io.jobs.max(1));
    match io.operation {
        _ if io.block_size.is_mix() => Role::Other,
        Operation::Read | Operation::Write if io.block_size.largest() >= LARGE => Role::Large {
            reads: io.operation == Operation::Read,
        },
        Operation::RandRead | Operation::RandWrite if io.block_size.largest() <= SMALL => {
            Role::Small {
                reads: io.operation == Operation::RandRead,
                depth,
            }
        }
        _ => Role::Other,
    }
}

/// Whether what is counted are metadata operations.
pub(crate) fn is_metadata(cell: &Cell) -> bool {
    match &cell.workload {
        Workload::Io(_) => false,
        Workload::Task(task) => task.figure == TaskFigure::Rate,
    }
}

/// Whether it goes past the page cache.
pub(crate) fn is_direct(cell: &Cell) -> bool {
    cell.workload.io().is_some_and(|io| io.direct)
}

/// Whether each of its writes returns, or is followed by what returns, only once it is durable.
pub(crate) fn waits_for_each_write(cell: &Cell) -> bool {
    let waits = |io: &IoWorkload| {
        let is_waited_for = io.sync != SyncMode::None || io.fsync == FsyncPolicy::Every(1);
        io.operation.writes() && is_waited_for
    };
    cell.workload.io().is_some_and(waits)
}

/// The cell's name as people say it: `random read 4 KiB QD32`. Whoever names a workload `read` may have it do something else.
pub fn label(cell: &Cell) -> String {
    let named: Option<Operation> = cell.name.split(' ').next().and_then(|it| it.parse().ok());
    match (cell.workload.io(), named) {
        (Some(io), Some(named)) if named != io.operation => cell.name.clone(),
        _ => display_name(&cell.name),
    }
}

/// The same for the column of a table: whatever a user wrote in it, it is one line.
pub(crate) fn line_label(cell: &Cell) -> String {
    visible(&label(cell)).into_owned()
}

/// A cell's name as people say it: `random read 4 KiB QD32`. It comes from the name, since what a user called a workload and
/// the levels that a plan set stand nowhere in the workload, and lists read nothing but names.
pub fn display_name(name: &str) -> String {
    let name = name.replace(", depth ", " QD");
    let (first, rest) = name.split_once(' ').unwrap_or((&name, ""));
    let words = match first.parse() {
        Ok(operation) => operation_words(operation),
        Err(_) if first == "streaming" => "sequential",
        Err(_) => return name,
    };
    format!("{words} {rest}").trim_end().to_owned()
}

/// An operation as people say it.
pub(crate) fn operation_words(operation: Operation) -> &'static str {
    match operation {
        Operation::Read => "sequential read",
        Operation::Write => "sequential write",
        Operation::Rw => "sequential read/write",
        Operation::RandRead => "random read",
        Operation::RandWrite => "random write",
        Operation::RandRw => "random read/write",
        Operation::BackRead => "backward read",
        Operation::BackWrite => "backward write",
        Operation::StrideRead => "strided read",
        Operation::StrideWrite => "strided write",
        Operation::Trim => "sequential trim",
        Operation::RandTrim => "random trim",
        Operation::TrimWrite => "sequential trim+write",
        Operation::RandTrimWrite => "random trim+write",
    }
}

/// A figure of the cell with its unit: MiB/s, IOPS, metadata operations a second, or a time.
pub fn figure(cell: &Cell, value: f64) -> String {
    figure_apart(cell, value).to_string()
}

/// The same, the unit apart.
pub(crate) fn figure_apart(cell: &Cell, value: f64) -> Figure {
    figure_in(value, cell.unit, !is_metadata(cell))
}

/// A figure with its unit; operations that are no metadata operations are counted in IOPS.
pub fn figure_in(value: f64, unit: Unit, is_io: bool) -> Figure {
    match unit {
        Unit::OperationsPerSecond if is_io => localized(OpRate(value).figure("IOPS")),
        Unit::OperationsPerSecond => localized(OpRate(value).figure("/s")),
        Unit::BytesPerSecond => localized(ByteRate(value).figure()),
        Unit::Seconds => localized(Nanos::from_secs_f64(value).figure()),
    }
}

/// The same of a row of which no workload is at hand, only its [`display_name`].
pub(crate) fn figure_of(name: &str, value: f64, unit: Unit) -> Figure {
    figure_in(value, unit, is_io(name))
}

/// Whether a row with this [`display_name`] is I/O, and no task.
pub fn is_io(name: &str) -> bool {
    let is_of = |operation| name.starts_with(operation_words(operation));
    Operation::ALL.into_iter().any(is_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use etalon_model::TaskWorkload;

    #[test]
    fn cells_are_called_as_people_say_it() {
        let mut cell = samples::cells().remove(0);
        let mut labelled = |name: &str, operation| {
            cell.name = name.to_owned();
            cell.workload.io_mut().unwrap().operation = operation;
            label(&cell)
        };
        use Operation::{RandRead, RandWrite, Read};
        for (name, operation, said) in [
            ("streaming read", Read, "sequential read"),
            (
                "random read 4 KiB, depth 32",
                RandRead,
                "random read 4 KiB QD32",
            ),
            (
                "randwrite 4 KiB, depth 8, 2 jobs",
                RandWrite,
                "random write 4 KiB QD8, 2 jobs",
            ),
            ("read 1 MiB", Read, "sequential read 1 MiB"),
            ("create files", Read, "create files"),
            // As somebody called a workload.
            ("read", RandRead, "read"),
        ] {
            assert_eq!(labelled(name, operation), said);
        }
    }

    #[test]
    fn accesses_are_iops_and_metadata_operations_are_not() {
        let mut cell = samples::cells().remove(0);
        assert_eq!(figure(&cell, 13_204.0), "13.2 k IOPS");
        let create = TaskWorkload::of_texts("metadata", "create", TaskFigure::Rate, [].into());
        cell.workload = create.into();
        assert_eq!(figure(&cell, 13_204.0), "13.2 k/s");
    }
}
