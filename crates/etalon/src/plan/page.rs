//! A plan's page: its question, the answer, then the figures.

use std::fmt::Write as _;

use etalon_experiment::plan::{PlanDescription, PlanRequest, arrange};
use etalon_judge::{Arm, CompareOptions, compare_arms, condition_names};
use etalon_model::{Cell, Comparison, Plan, Run};
use etalon_report::{ComparedRow, ComparisonPage, Look, Painted};
use etalon_units::{Nanos, Percent, visible};

/// Differences up to this share of the baseline count as none, as in `compare`.
const MARGIN: f64 = 0.05;

/// What answers the question.
pub(crate) struct PlanPage {
    comparisons: Vec<(Comparison, Cell)>,
    labels: Vec<String>,
    intro: String,
}

impl PlanPage {
    /// Compares the levels, workload by workload, over complete blocks.
    pub(crate) fn new(
        plan: &Plan,
        request: &PlanRequest,
        (cells, runs): (&[Cell], &[Run]),
    ) -> anyhow::Result<PlanPage> {
        let arrangement = arrange(request);
        let mut labels: Vec<String> = Vec::new();
        for cell in &arrangement.cells {
            if !labels.contains(&cell.label) {
                labels.push(cell.label.clone());
            }
        }
        let mut comparisons = Vec::new();
        for (number, workload) in request.workloads.iter().enumerate() {
            let own = arrangement
                .cells
                .iter()
                .filter(|cell| cell.workload == number);
            let arms: Vec<Arm<'_>> = own
                .filter_map(|planned| {
                    let cell = cells.iter().find(|cell| cell.name == planned.name)?;
                    let runs = runs.iter().filter(|run| run.cell == planned.name);
                    Some(Arm {
                        label: planned.label.clone(),
                        session: "this".to_owned(),
                        cell,
                        runs: runs.collect(),
                    })
                })
                .collect();
            if labels.len() < 2 || arms.len() < labels.len() {
                continue;
            }
            let options = CompareOptions {
                // What a factor changes of the workload is what is compared.
                by: condition_names(&arms).into_iter().collect(),
                baseline: 0,
                margin: MARGIN,
            };
            let comparison = compare_arms(&workload.name, &arms, &options)?;
            let cell = Cell {
                name: workload.name.clone(),
                ..arms[0].cell.clone()
            };
            comparisons.push((comparison, cell));
        }
        Ok(PlanPage {
            comparisons,
            labels,
            intro: intro(plan),
        })
    }

    /// What was found, for documents.
    pub(crate) fn comparisons(&self) -> Vec<&Comparison> {
        self.comparisons
            .iter()
            .map(|(comparison, _)| comparison)
            .collect()
    }

    /// The question and its answer.
    pub(crate) fn painted(&self, look: Look) -> Painted {
        let rows: Vec<ComparedRow<'_>> = self
            .comparisons
            .iter()
            .map(|(comparison, cell)| ComparedRow { comparison, cell })
            .collect();
        if rows.is_empty() {
            return Painted::plain(&self.intro);
        }
        let page = ComparisonPage {
            rows: &rows,
            typed: &self.labels,
            names: &self.labels,
            baseline: 0,
            missing: &[],
            differing: None,
            gate: None,
            look,
        };
        Painted::plain(&format!("{}\n", self.intro)) + page.painted()
    }
}

fn intro(plan: &Plan) -> String {
    let mut text = format!("{}\n", visible(&plan.question));
    if let Some(expect) = &plan.expect {
        let _ = writeln!(text, "Expected: {}", visible(expect));
    }
    text
}

/// What would happen, as lines.
pub(crate) fn dry_run(plan: &Plan, request: &PlanRequest, told: &PlanDescription) -> String {
    let mut text = intro(plan);
    let arrangement = &told.arrangement;
    let whole = Nanos(told.block.get() * told.blocks as u64);
    let _ = writeln!(
        text,
        "\n{} in {}, {}, seed {}: about {whole}, {} of files.",
        count(arrangement.cells.len(), "cell"),
        count(arrangement.plots.len(), "plot"),
        count(told.blocks, "block"),
        request.seed,
        told.space
    );
    if let Some(budget) = request.budget {
        let _ = writeln!(
            text,
            "Budget: {}.",
            Nanos::from_secs_f64(budget.as_secs_f64())
        );
    }
    if let Some(precision) = request.precision {
        let _ = writeln!(
            text,
            "Precision asked for: {}.",
            Percent::from_fraction(precision.fraction())
        );
    }
    let order = etalon_experiment::order_of_block(arrangement.plots.len(), 0, request.seed);
    let order = match request.is_shuffled {
        true => order,
        false => (0..arrangement.plots.len()).collect(),
    };
    let _ = writeln!(text, "\nOrder of the first block:");
    let mut number = 0;
    for plot in order {
        for cell in arrangement.within(plot, 0) {
            number += 1;
            let _ = writeln!(
                text,
                "{number:4}  {}",
                visible(&arrangement.cells[cell].name)
            );
        }
    }
    for (heading, of) in HEADINGS {
        let mut lines = Vec::new();
        for (level, what) in &told.levels {
            lines.extend(of(what).iter().map(|line| format!("  {level}: {line}\n")));
        }
        lines.dedup();
        if !lines.is_empty() {
            let _ = write!(text, "\n{heading}\n{}", lines.concat());
        }
    }
    for command in request.setup.iter().chain(&request.cleanup) {
        let _ = writeln!(text, "\nCommand: {}", visible(command));
    }
    for need in &told.needs {
        let _ = writeln!(text, "\nMissing: {need}");
    }
    text
}

fn count(number: usize, of: &str) -> String {
    match number {
        1 => format!("1 {of}"),
        number => format!("{number} {of}s"),
    }
}

type Part = fn(&etalon_factor::condition::Description) -> &Vec<String>;
const HEADINGS: [(&str, Part); 3] = [
    ("Changed, and put back:", |level| &level.changes),
    ("Made, and removed:", |level| &level.makes),
    ("Destroyed for good:", |level| &level.destroys),
];
