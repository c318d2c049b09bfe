//! The cells of an experiment by their sizes, as iozone's spreadsheet has them.

use std::collections::BTreeMap;

use etalon_model::{Cell, Experiment, LevelRecord, Parameter, Unit, Workload};
use etalon_units::Bytes;

/// Sizes in bytes: of the files, which go down, and of the records, which go across.
pub(crate) type Sizes = (u64, u64);

/// Cells that differ in their sizes alone.
pub(crate) struct Block<'a> {
    /// What was done in all of them; no other block has the same.
    pub(crate) title: String,
    pub(crate) unit: Unit,
    pub(crate) cells: BTreeMap<Sizes, &'a Cell>,
    /// What was done, without the sizes, and under which levels of a plan.
    conditions: (Workload, String),
}

/// The blocks of the cells that have both sizes, in the order of their first cells.
pub(crate) fn blocks(experiment: &Experiment) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for cell in &experiment.cells {
        let Some((sizes, work)) = without_sizes(&cell.workload) else {
            continue;
        };
        let conditions = (work, levels(experiment, cell));
        // Where a place is taken, what differs stands in the name alone.
        let own = blocks.iter_mut().find(|block| {
            let is_same = block.conditions == conditions && block.unit == cell.unit;
            is_same && !block.cells.contains_key(&sizes)
        });
        match own {
            Some(block) => drop(block.cells.insert(sizes, cell)),
            None => blocks.push(Block {
                title: title(cell, &conditions.1),
                unit: cell.unit,
                cells: BTreeMap::from([(sizes, cell)]),
                conditions,
            }),
        }
    }
    told_apart(blocks)
}

/// Blocks of one title have the name of a cell as well.
fn told_apart(mut blocks: Vec<Block<'_>>) -> Vec<Block<'_>> {
    let titles: Vec<String> = blocks.iter().map(|block| block.title.clone()).collect();
    for block in &mut blocks {
        let is_shared = titles.iter().filter(|title| **title == block.title).count() > 1;
        let first = block.cells.values().next().filter(|_| is_shared);
        if let Some(first) = first {
            block.title = format!("{}, as in '{}'", block.title, first.name);
        }
    }
    blocks
}

/// The sizes of a workload that has both, and the rest of it.
fn without_sizes(workload: &Workload) -> Option<(Sizes, Workload)> {
    match workload {
        Workload::Io(io) => {
            let sizes = (io.file_size.get(), io.block_size.largest().get());
            let mut other = io.clone();
            other.file_size = Bytes::ZERO;
            if !io.block_size.is_mix() {
                other.block_size = Bytes::ZERO.into();
            }
            Some((sizes, other.into()))
        }
        Workload::Task(task) => {
            let sizes = (task.file_size?.get(), task.block_size?.get());
            let mut other = task.clone();
            let own = [other.file_size.take(), other.block_size.take()];
            // Tools keep their sizes as they were asked for, too.
            other.parameters.retain(|_, value| match value {
                Parameter::Size { bytes } => !own.contains(&Some(*bytes)),
                _ => true,
            });
            Some((sizes, other.into()))
        }
    }
}

/// `scheduler bfq`, of a plan.
fn levels(experiment: &Experiment, cell: &Cell) -> String {
    let first = experiment.runs_of(&cell.name).next();
    let levels = first.iter().flat_map(|run| &run.circumstances.levels);
    let words = levels.map(|LevelRecord { factor, level, .. }| format!("{factor} {level}"));
    words.collect::<Vec<_>>().join(", ")
}

/// `randread QD8, 4 jobs, scheduler bfq`.
fn title(cell: &Cell, levels: &str) -> String {
    let mut words = vec![match &cell.workload {
        Workload::Io(io) => format!("{} QD{}", io.operation.name(), io.queue_depth),
        Workload::Task(task) => format!("{} {}", task.work, task.step),
    }];
    let jobs = cell.workload.jobs().filter(|jobs| *jobs > 1);
    words.extend(jobs.map(|jobs| format!("{jobs} jobs")));
    words.extend((!levels.is_empty()).then(|| levels.to_owned()));
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::experiment;
    use etalon_model::IoWorkload;

    /// An experiment of these cells.
    fn of(cells: &[(&str, IoWorkload)]) -> Experiment {
        let mut experiment = experiment();
        let first = experiment.cells.remove(0);
        let cell = |(name, io): &(&str, IoWorkload)| Cell {
            name: (*name).to_owned(),
            workload: io.clone().into(),
            ..first.clone()
        };
        experiment.cells = cells.iter().map(cell).collect();
        experiment
    }

    fn sized(kib: u64, io: IoWorkload) -> IoWorkload {
        IoWorkload {
            block_size: Bytes::kib(kib).into(),
            file_size: Bytes::mib(64),
            ..io
        }
    }

    fn deep(queue_depth: u32, jobs: u32) -> IoWorkload {
        IoWorkload {
            queue_depth,
            jobs,
            ..IoWorkload::default()
        }
    }

    #[test]
    fn cells_that_differ_in_more_than_sizes_are_in_blocks_of_their_own() {
        let direct = IoWorkload {
            direct: true,
            ..IoWorkload::default()
        };
        let experiment = of(&[
            ("a 4", sized(4, deep(1, 1))),
            ("a 64", sized(64, deep(1, 1))),
            ("d 4", sized(4, direct)),
            ("8x1", sized(4, deep(8, 1))),
            ("4x2", sized(4, deep(4, 2))),
            ("b 4", sized(4, deep(1, 1))),
        ]);
        let blocks = blocks(&experiment);
        let told: Vec<(&str, usize)> = blocks
            .iter()
            .map(|block| (block.title.as_str(), block.cells.len()))
            .collect();
        let expected = [
            ("randread QD1, as in 'a 4'", 2),
            ("randread QD1, as in 'd 4'", 1),
            ("randread QD8", 1),
            ("randread QD4, 2 jobs", 1),
            ("randread QD1, as in 'b 4'", 1),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn levels_of_a_plan_are_told_apart() {
        let mut experiment = of(&[
            ("none", sized(4, deep(1, 1))),
            ("bfq", sized(4, deep(1, 1))),
        ]);
        for (run, level) in experiment.runs.iter_mut().zip(["none", "bfq"]) {
            run.cell = level.to_owned();
            run.circumstances.levels = vec![LevelRecord {
                factor: "scheduler".to_owned(),
                level: level.to_owned(),
                ..LevelRecord::default()
            }];
        }
        let blocks = blocks(&experiment);
        let titles: Vec<&str> = blocks.iter().map(|block| block.title.as_str()).collect();
        assert_eq!(
            titles,
            [
                "randread QD1, scheduler none",
                "randread QD1, scheduler bfq"
            ]
        );
    }
}
