//! Which cell stands for which question about the storage.

use std::collections::BTreeMap;

use etalon_model::{Cell, ExperimentKind, IoWorkload};

use crate::role::{Role, role};

/// So many queue depths are named one by one.
const DEPTHS_NAMED: usize = 4;

/// Whether a cell has a figure that stands for the storage.
pub(crate) fn is_told(cell: &Cell) -> bool {
    cell.estimate().runs > 0 && !cell.verdict.is_invalid()
}

/// The cell of each role that no other cell of the experiment has: of several none is the figure of the storage.
pub(super) struct ByRole<'a>(BTreeMap<Role, &'a Cell>);

impl<'a> ByRole<'a> {
    pub(super) fn of(kind: ExperimentKind, cells: &'a [Cell]) -> ByRole<'a> {
        let mut all: BTreeMap<Role, Vec<&Cell>> = BTreeMap::new();
        // What is measured together takes from one another.
        let own = cells.iter().filter(|_| kind != ExperimentKind::Together);
        own.for_each(|cell| all.entry(role(cell)).or_default().push(cell));
        let alone = all.into_iter().filter_map(|(role, cells)| match cells[..] {
            [cell] if role != Role::Other && is_told(cell) => Some((role, cell)),
            _ => None,
        });
        let mut roles = ByRole(alone.collect());
        roles.drop_unlike_pairs(kind);
        roles
    }

    /// Reads and writes that stand in one sentence were measured under the same conditions.
    fn drop_unlike_pairs(&mut self, kind: ExperimentKind) {
        let known = self.0.clone();
        self.0.retain(|role, cell| {
            let other = known.get(&other_way(*role));
            other.is_none_or(|other| are_alike(kind, cell, other))
        });
    }

    /// Whether the cell stands for a question.
    pub(super) fn has(&self, cell: &Cell) -> bool {
        self.0.values().any(|known| std::ptr::eq(*known, cell))
    }

    pub(super) fn get(&self, wanted: Role) -> Option<&'a Cell> {
        self.0.get(&wanted).copied()
    }

    /// The queue depths that a sentence names, the lowest first: of many the lowest, the highest, and the one at which most
    /// is done.
    pub(super) fn depths_named(&self) -> Vec<u32> {
        let depths = self.depths();
        let [lowest, .., highest] = depths[..] else {
            return depths;
        };
        if depths.len() <= DEPTHS_NAMED {
            return depths;
        }
        let rate = |depth: u32| {
            let both = [true, false].map(|reads| self.get(Role::Small { reads, depth }));
            let rates = both.into_iter().flatten();
            rates.fold(0.0, |most: f64, cell| most.max(cell.estimate().value))
        };
        let best = depths
            .iter()
            .copied()
            .max_by(|a, b| rate(*a).total_cmp(&rate(*b)));
        let mut named = vec![lowest, best.unwrap_or(highest), highest];
        named.sort_unstable();
        named.dedup();
        named
    }

    /// The queue depths of the small accesses, the lowest first.
    pub(super) fn depths(&self) -> Vec<u32> {
        let depth = |role: &Role| match role {
            Role::Small { depth, .. } => Some(*depth),
            _ => None,
        };
        let mut depths: Vec<u32> = self.0.keys().filter_map(depth).collect();
        depths.sort_unstable();
        depths.dedup();
        depths
    }
}

/// What writes where this reads, or reads where it writes.
fn other_way(role: Role) -> Role {
    match role {
        Role::Large { reads } => Role::Large { reads: !reads },
        Role::Small { reads, depth } => Role::Small {
            reads: !reads,
            depth,
        },
        Role::Other => Role::Other,
    }
}

/// Whether nothing but the direction differs between two cells.
fn are_alike(kind: ExperimentKind, one: &Cell, other: &Cell) -> bool {
    let conditions = |cell: &'_ Cell| {
        let io: &IoWorkload = cell.workload.io()?;
        // A quick check makes its writes durable one by one where the page cache cannot be bypassed.
        let sync = (kind != ExperimentKind::Quick).then_some(io.sync);
        Some((io.block_size.clone(), io.direct, io.cache, sync))
    };
    conditions(one) == conditions(other) && levels(&one.name) == levels(&other.name)
}

/// What a name says behind the workload: depth, jobs, and the target and the levels that a plan set.
fn levels(name: &str) -> &str {
    name.split_once(", ").map_or("", |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::answer::answer;
    use crate::samples;
    use etalon_model::{Estimate, FsyncPolicy, Interval, Operation, SyncMode, Unit, Verdict};
    use etalon_units::Bytes;

    fn cell(name: &str, operation: Operation, kib: u64, value: f64) -> Cell {
        let mut cell = samples::cells().remove(0);
        cell.name = name.to_owned();
        cell.workload = IoWorkload {
            operation,
            block_size: Bytes::kib(kib).into(),
            ..IoWorkload::default()
        }
        .into();
        cell.unit = match kib {
            0..128 => Unit::OperationsPerSecond,
            _ => Unit::BytesPerSecond,
        };
        let (low, high) = (value * 0.99, value * 1.01);
        let interval = Some(Interval {
            low,
            high,
            level: 0.95,
        });
        let runs = 6;
        cell.mean = Estimate {
            value,
            interval,
            runs,
        };
        cell.median = cell.mean;
        cell
    }

    fn io(cell: &mut Cell) -> &mut IoWorkload {
        cell.workload.io_mut().unwrap()
    }

    fn answer_of(cells: &[Cell]) -> String {
        answer(ExperimentKind::Measure, cells).join(" ")
    }

    use Operation::{RandRead, RandWrite, Read, Write};

    #[test]
    fn of_two_block_sizes_neither_is_the_figure_of_large_files() {
        let (small, large) = (1.3e9, 4.1e10);
        let cells = [
            cell("read 128 KiB", Read, 128, small),
            cell("write 128 KiB", Write, 128, small),
            cell("read 4 MiB", Read, 4096, large),
            cell("write 4 MiB", Write, 4096, large),
        ];
        let told = answer_of(&cells);
        assert!(!told.contains("Large files"), "{told}");
        assert!(
            told.starts_with("From 1240 MiB/s (sequential read 128 KiB) to 38.2 GiB/s"),
            "{told}"
        );
        let told = answer_of(&cells[..2]);
        assert!(told.contains("Large files: read at"), "{told}");
    }

    #[test]
    fn each_job_keeps_so_many_in_flight_and_large_random_accesses_are_not_small() {
        let mut cells = [
            cell("randread 4 KiB, depth 8", RandRead, 4, 1e4),
            cell("randread 4 KiB, depth 8, 4 jobs", RandRead, 4, 4e4),
        ];
        for (cell, jobs) in cells.iter_mut().zip([1, 4]) {
            (io(cell).queue_depth, io(cell).jobs) = (8, jobs);
        }
        let told = answer_of(&cells);
        assert!(
            told.contains("10.0 k reads a second at queue depth 8;"),
            "{told}"
        );
        assert!(
            told.contains("40.0 k reads a second at queue depth 32."),
            "{told}"
        );
        let large = [
            cell("randread 1 MiB", RandRead, 1024, 1e9),
            cell("randwrite 1 MiB", RandWrite, 1024, 1e9),
        ];
        let told = answer_of(&large);
        assert!(!told.contains("Small accesses"), "{told}");
    }

    #[test]
    fn reads_of_one_level_are_not_set_against_writes_of_another() {
        let mut cells = vec![
            cell("read 1 MiB, ext4", Read, 1024, 1e9),
            cell("write 1 MiB, ext4", Write, 1024, 1e9),
            cell("read 1 MiB, xfs", Read, 1024, 2e9),
            cell("write 1 MiB, xfs", Write, 1024, 2e9),
        ];
        cells[0].verdict = Verdict::Invalid {
            reasons: vec!["foreign-io".to_owned()],
        };
        let told = answer_of(&cells);
        assert!(
            !told.contains("times as fast") && !told.contains("Large files"),
            "{told}"
        );
        // The plan was interrupted before the others had a run.
        let told = answer_of(&cells[1..3]);
        assert!(
            !told.contains("times as fast") && !told.contains("Large files"),
            "{told}"
        );
    }

    #[test]
    fn writes_that_are_durable_one_by_one_stand_beside_reads_in_a_quick_check_alone() {
        let mut cells = [
            cell("random read 4 KiB", RandRead, 4, 1e4),
            cell("random write 4 KiB", RandWrite, 4, 1e3),
        ];
        io(&mut cells[1]).sync = SyncMode::DSync;
        let of = |kind| answer(kind, &cells).join(" ").contains("Small accesses");
        assert!(of(ExperimentKind::Quick) && !of(ExperimentKind::Plan));
        let told = answer(ExperimentKind::Quick, &cells).join(" ");
        let small = "10.0 k reads and 1000 writes a second one at a time, each write durable.";
        assert!(told.contains(small), "{told}");
        // They wait for what no read waits for.
        assert!(!told.contains("times as fast"), "{told}");
        io(&mut cells[1]).sync = SyncMode::None;
        let of = |kind| answer(kind, &cells).join(" ").contains("Small accesses");
        assert!(of(ExperimentKind::Plan) && !of(ExperimentKind::Together));
        let told = answer(ExperimentKind::Plan, &cells).join(" ");
        assert!(
            !told.contains("durable") && told.contains("times as fast"),
            "{told}"
        );
    }

    #[test]
    fn a_durable_write_is_called_one_also_where_the_reads_were_opened_alike() {
        let mut cells = [
            cell("randread 4 KiB", RandRead, 4, 1e4),
            cell("randwrite 4 KiB", RandWrite, 4, 1e3),
            cell("read 1 MiB", Read, 1024, 1e9),
            cell("write 1 MiB", Write, 1024, 1e8),
        ];
        cells
            .iter_mut()
            .for_each(|cell| io(cell).sync = SyncMode::DSync);
        let told = answer_of(&cells);
        let large = "Large files: read at 954 MiB/s, written at 95.4 MiB/s, each write durable.";
        assert!(told.starts_with(large), "{told}");
        let small = "one at a time, each write durable.";
        assert!(
            told.contains(small) && !told.contains("times as fast"),
            "{told}"
        );
        // Nothing is said of writes where only reads stand.
        let told = answer_of(&[cells[0].clone(), cells[2].clone()]);
        assert!(!told.contains("durable"), "{told}");
        cells
            .iter_mut()
            .for_each(|cell| io(cell).sync = SyncMode::None);
        assert!(!answer_of(&cells).contains("durable"));
        io(&mut cells[1]).fsync = FsyncPolicy::Every(1);
        let told = answer_of(&cells);
        assert!(
            told.contains(small) && !told.contains("95.4 MiB/s, each"),
            "{told}"
        );
    }
}
