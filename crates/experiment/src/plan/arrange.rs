//! The cells of a plan, and which of them share what is expensive to change: a split plot, with the
//! expensive factors between plots and everything else within them.

use std::collections::HashSet;
use std::time::Duration;

use etalon_factor::condition::{Cost, factor};
use etalon_model::Run;

use super::request::PlanRequest;
use crate::run::order_of_block;

/// One workload under one combination of levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanCell {
    /// Its name: the workload's, and the levels'.
    pub name: String,
    /// What tells it from others of its workload: the levels.
    pub label: String,
    /// The number of its workload.
    pub workload: usize,
    /// The number of its target.
    pub target: usize,
    /// The number of the level of each factor.
    pub levels: Vec<usize>,
    /// The name of the workload, where it is a real work, whose runs are of one of its steps each.
    pub steps_of: Option<String>,
}

impl PlanCell {
    /// What the runs of a step are called.
    pub fn with_step(&self, step: &str) -> String {
        let workload = self.steps_of.as_deref().unwrap_or_default();
        joined([&format!("{workload}: {step}"), &self.label])
    }

    /// Whether runs of that name are of this cell.
    pub fn has(&self, name: &str) -> bool {
        let Some(workload) = &self.steps_of else {
            return self.name == name;
        };
        self.step_of(name, workload).is_some()
    }

    /// The step in the name of a run of a real work.
    pub fn step<'a>(&self, name: &'a str) -> Option<&'a str> {
        self.step_of(name, self.steps_of.as_deref()?)
    }

    fn step_of<'a>(&self, name: &'a str, workload: &str) -> Option<&'a str> {
        let step = name.strip_prefix(workload)?.strip_prefix(": ")?;
        match self.label.as_str() {
            "" => Some(step),
            label => step.strip_suffix(label)?.strip_suffix(", "),
        }
    }
}

fn joined(parts: [&str; 2]) -> String {
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

/// Cells that share the target and the levels of every expensive factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plot {
    /// The number of the target.
    pub target: usize,
    /// The number of the level of each factor; of a cheap one it means nothing.
    pub levels: Vec<usize>,
    /// Its cells, by their numbers.
    pub cells: Vec<usize>,
}

/// All cells, and their plots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrangement {
    /// Every cell: workload by workload, and within each in the order of the combinations.
    pub cells: Vec<PlanCell>,
    /// The plots.
    pub plots: Vec<Plot>,
    /// Whether each block is shuffled, and by what.
    pub seed: Option<u64>,
}

/// Makes cells and plots of a plan.
pub fn arrange(request: &PlanRequest) -> Arrangement {
    let mut cells = Vec::new();
    for (number, workload) in request.workloads.iter().enumerate() {
        for target in 0..request.targets.len() {
            for levels in combinations(request) {
                let label = label(request, target, &levels);
                let is_work = workload.task.work().is_some();
                cells.push(PlanCell {
                    name: joined([&workload.name, &label]),
                    label,
                    steps_of: is_work.then(|| workload.name.clone()),
                    workload: number,
                    target,
                    levels,
                });
            }
        }
    }
    Arrangement {
        plots: plots(request, &cells),
        cells,
        seed: request.is_shuffled.then_some(request.seed),
    }
}

impl Arrangement {
    /// The number of the cell that runs of that name are of. Of two that could be meant it is the one that says more.
    pub fn cell_of(&self, name: &str) -> Option<usize> {
        let meant = (0..self.cells.len()).filter(|at| self.cells[*at].has(name));
        meant.max_by_key(|at| self.cells[*at].name.len())
    }

    /// A run of each pass over a cell. The steps of a real work, which are runs of their own, each carry the time of their
    /// whole pass, to the nanosecond, by which they are known to be of one.
    pub(super) fn passes<'a>(&self, runs: &'a [Run]) -> impl Iterator<Item = (usize, &'a Run)> {
        let mut known = HashSet::new();
        let of_cell = runs
            .iter()
            .filter_map(|run| Some((self.cell_of(&run.cell)?, run)));
        of_cell.filter(move |(cell, run)| known.insert((*cell, run.block, run.elapsed)))
    }

    /// What all these runs took.
    pub(super) fn time_taken(&self, runs: &[Run]) -> Duration {
        self.passes(runs)
            .map(|(_, run)| Duration::from(run.elapsed))
            .sum()
    }

    /// The order of the cells of a plot in a block, by their numbers.
    pub fn within(&self, plot: usize, block: u32) -> Vec<usize> {
        let cells = &self.plots[plot].cells;
        match self.seed {
            None => cells.clone(),
            // Another stream for each plot, so that equal orders are chance.
            Some(seed) => {
                let plot = u64::try_from(plot).unwrap_or_default();
                let seed = seed ^ (plot + 1).wrapping_mul(0xD1B5_4A32_D192_ED03);
                let order = order_of_block(cells.len(), block, seed);
                order.into_iter().map(|at| cells[at]).collect()
            }
        }
    }
}

fn combinations(request: &PlanRequest) -> Vec<Vec<usize>> {
    if let Some(listed) = &request.combinations {
        return listed.clone();
    }
    let mut all = vec![Vec::new()];
    for factor in &request.factors {
        let longer = |levels: &Vec<usize>| {
            let levels = levels.clone();
            (0..factor.levels.len()).map(move |level| {
                let mut levels = levels.clone();
                levels.push(level);
                levels
            })
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// What of the levels differs between cells; a factor of one level is only set.
fn label(request: &PlanRequest, target: usize, levels: &[usize]) -> String {
    let varied = request
        .factors
        .iter()
        .filter(|f| f.levels.len() > 1)
        .count();
    let mut parts = Vec::new();
    if request.targets.len() > 1 {
        parts.push(request.targets[target].display().to_string());
    }
    for (chosen, &level) in request.factors.iter().zip(levels) {
        if chosen.levels.len() < 2 {
            continue;
        }
        let name = chosen.levels[level].name();
        // What a server is set to says nothing without its name: on, 16M, 1.
        let is_bare = name.chars().all(|c| c.is_ascii_digit() || c == '-')
            || factor(chosen.factor.name()).is_none();
        parts.push(match varied > 1 || is_bare {
            true => format!("{} {name}", chosen.factor.name()),
            false => name,
        });
    }
    parts.join(", ")
}

fn plots(request: &PlanRequest, cells: &[PlanCell]) -> Vec<Plot> {
    let mut plots: Vec<Plot> = Vec::new();
    for (number, cell) in cells.iter().enumerate() {
        let known = plots
            .iter_mut()
            .find(|plot| plot.target == cell.target && is_one(request, &plot.levels, &cell.levels));
        match known {
            Some(plot) => plot.cells.push(number),
            None => plots.push(Plot {
                target: cell.target,
                levels: cell.levels.clone(),
                cells: vec![number],
            }),
        }
    }
    plots
}

/// Whether two combinations agree in all that is expensive.
fn is_one(request: &PlanRequest, a: &[usize], b: &[usize]) -> bool {
    let mut pairs = request.factors.iter().zip(a.iter().zip(b));
    pairs.all(|(chosen, (a, b))| a == b || chosen.factor.cost() == Cost::Cheap)
}
