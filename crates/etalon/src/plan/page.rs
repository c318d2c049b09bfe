//! A plan's page: its question, the answer, then the figures.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use etalon_experiment::plan::{
    Arrangement, NamedWorkload, PlanCell, PlanDescription, PlanRequest, RunTime, arrange,
};
use etalon_judge::{
    Arm, CompareOptions, CrossedCell, CrossedFactor, RowArms, compare_rows, condition_names,
    interactions,
};
use etalon_language::say;
use etalon_model::{
    Cell, Comparison, End, ExperimentHeader, ExperimentKind, FactorInteraction, Plan, Run,
};
use etalon_report::{
    ComparedRow, ComparisonPage, Look, Painted, fitted, interactions_page, missing_rows,
};
use etalon_stats::Margin;
use etalon_units::{Bytes, Nanos, Percent, visible};

use super::{Stored, request};

/// What answers the question.
pub(crate) struct PlanPage {
    comparisons: Vec<(Comparison, Cell)>,
    labels: Vec<String>,
    /// Rows of which not every arm has runs.
    missing: Vec<String>,
    question: String,
    expect: Option<String>,
    interactions: Vec<FactorInteraction>,
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
        let rows = rows(request, &arrangement, cells).into_iter();
        let rows = rows.filter(|_| labels.len() > 1);
        let rows = rows.map(|row| row_arms(&row, request, &arrangement, (cells, runs)));
        let (rows, missing): (Vec<RowArms<'_>>, Vec<RowArms<'_>>) =
            rows.partition(|row| row.arms.len() == labels.len());
        let conditions = rows.iter().flat_map(|row| condition_names(&row.arms));
        let options = CompareOptions {
            // What a factor changes of the workload is what is compared.
            by: conditions.collect::<BTreeSet<_>>().into_iter().collect(),
            baseline: 0,
            margin: Margin::default().get(),
        };
        let compared = compare_rows(&rows, &options)?.into_iter().zip(&rows);
        let with_base = |(comparison, row): (Comparison, &RowArms<'_>)| {
            let name = row.name.clone();
            let base = row.arms[0].cell.clone();
            (comparison, Cell { name, ..base })
        };
        let comparisons = compared.map(with_base).collect();
        Ok(PlanPage {
            comparisons,
            labels,
            missing: missing.into_iter().map(|row| row.name).collect(),
            question: plan.question.clone(),
            expect: plan.expect.clone(),
            interactions: tried(request, &arrangement, (cells, runs)),
        })
    }

    /// The page of an experiment of the store; `None` of what is no plan, or of one that this version does not read.
    pub(crate) fn of_stored(
        header: &ExperimentHeader,
        found: (&[Cell], &[Run]),
    ) -> Option<PlanPage> {
        if header.begun.kind != ExperimentKind::Plan {
            return None;
        }
        let stored = Stored::of(header).ok()?;
        let (request, parsed) = request(&stored.name, &stored.plan, &stored.given).ok()?;
        PlanPage::new(&parsed.plan, &request, found).ok()
    }

    /// As the plan asks it.
    pub(crate) fn question(&self) -> &str {
        self.question.trim()
    }

    /// Every interaction that was tried, for documents.
    pub(crate) fn interactions(&self) -> &[FactorInteraction] {
        &self.interactions
    }

    /// What was found, for documents.
    pub(crate) fn comparisons(&self) -> Vec<&Comparison> {
        self.comparisons
            .iter()
            .map(|(comparison, _)| comparison)
            .collect()
    }

    /// What the levels are called; the first is the base.
    pub(crate) fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The workloads that cannot be compared, as not every level has runs of them.
    pub(crate) fn missing(&self) -> &[String] {
        &self.missing
    }

    /// A comparison with the base's cell for each workload.
    pub(crate) fn rows(&self) -> Vec<ComparedRow<'_>> {
        self.comparisons
            .iter()
            .map(|(comparison, cell)| ComparedRow { comparison, cell })
            .collect()
    }

    /// The question and its answer.
    pub(crate) fn painted(&self, look: Look) -> Painted {
        look.speak(|| self.spoken(look))
    }

    fn spoken(&self, look: Look) -> Painted {
        let rows = self.rows();
        let intro = intro(&self.question, self.expect.as_deref());
        let intro = fitted(&intro, look.width);
        if rows.is_empty() {
            let missing = missing_rows(&self.missing);
            let missing = missing.iter().map(|line| fitted(line, look.width));
            return Painted::plain(&missing.fold(intro, |page, line| page + &line));
        }
        let page = ComparisonPage {
            rows: &rows,
            typed: &[],
            names: &self.labels,
            baseline: 0,
            by: &[],
            missing: &self.missing,
            differing: None,
            gate: None,
            like: None,
            mending: &[],
            store: "",
            look,
        };
        let told = interactions_page(&self.interactions, look.width);
        let told = match told.is_empty() {
            true => Painted::default(),
            false => Painted::plain(&format!("\n{told}")),
        };
        Painted::plain(&format!("{intro}\n")) + page.painted() + told
    }
}

/// What is compared by itself: a workload, or a step of one that is real work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row<'a> {
    workload: usize,
    step: Option<&'a str>,
}

/// Workload by workload, the steps of each in their order.
fn rows<'a>(request: &PlanRequest, arrangement: &Arrangement, cells: &'a [Cell]) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    for workload in 0..request.workloads.len() {
        if request.workloads[workload].task.work().is_none() {
            rows.push(Row {
                workload,
                step: None,
            });
            continue;
        }
        let own = arrangement.cells.iter().filter(|c| c.workload == workload);
        for planned in own {
            for step in cells.iter().map(|cell| planned.step(&cell.name)) {
                let row = Row { workload, step };
                if step.is_some() && !rows.contains(&row) {
                    rows.push(row);
                }
            }
        }
    }
    rows
}

/// The name of the runs of a planned cell, or of a step of it.
fn name_of(planned: &PlanCell, step: Option<&str>) -> String {
    step.map_or_else(|| planned.name.clone(), |step| planned.with_step(step))
}

/// The cells of a row, one for each combination of levels.
fn row_arms<'a>(
    row: &Row<'_>,
    request: &PlanRequest,
    arrangement: &Arrangement,
    (cells, runs): (&'a [Cell], &'a [Run]),
) -> RowArms<'a> {
    let arm = |planned: &PlanCell| {
        let name = name_of(planned, row.step);
        let cell = cells.iter().find(|cell| cell.name == name)?;
        let runs = runs.iter().filter(|run| run.cell == name);
        Some(Arm {
            label: planned.label.clone(),
            session: "this".to_owned(),
            cell,
            runs: runs.collect(),
        })
    };
    let own = arrangement.cells.iter();
    let own = own.filter(|cell| cell.workload == row.workload);
    RowArms {
        name: row_name(&request.workloads[row.workload].name, row.step),
        arms: own.filter_map(arm).collect(),
    }
}

fn row_name(workload: &str, step: Option<&str>) -> String {
    step.map_or_else(|| workload.to_owned(), |step| format!("{workload}: {step}"))
}

/// How long a round of the preconditioning takes, where there are any and all workloads say how long they last.
fn rounds_take(request: &PlanRequest) -> Option<Nanos> {
    let length = |named: &NamedWorkload| {
        let io = named.task.io()?;
        match io.end {
            End::Time(length) => Some(length.get() + io.warm_up.get()),
            End::Bytes(_) | End::Pass => None,
        }
    };
    let all = request.workloads.iter().map(length).sum::<Option<u64>>();
    all.filter(|_| request.precondition.rounds > 0).map(Nanos)
}

/// The interactions of a plan's factors, on each of its workloads and targets.
fn tried(
    request: &PlanRequest,
    arrangement: &Arrangement,
    (found, runs): (&[Cell], &[Run]),
) -> Vec<FactorInteraction> {
    let factors = request.factors.iter().map(|chosen| CrossedFactor {
        name: chosen.factor.name().to_owned(),
        levels: chosen.levels.iter().map(|level| level.name()).collect(),
    });
    let factors: Vec<CrossedFactor> = factors.collect();
    let several = request.targets.len() > 1;
    let name = |cell: &PlanCell, step: Option<&str>| {
        let name = row_name(&request.workloads[cell.workload].name, step);
        match several {
            true => format!("{name}, {}", request.targets[cell.target].display()),
            false => name,
        }
    };
    let mut crossed: Vec<(&PlanCell, Option<&str>, String)> = Vec::new();
    for Row { workload, step } in rows(request, arrangement, found) {
        let own = arrangement.cells.iter().filter(|c| c.workload == workload);
        crossed.extend(own.map(|cell| (cell, step, name(cell, step))));
    }
    let cells = crossed.iter().map(|(cell, step, workload)| {
        let own = name_of(cell, *step);
        CrossedCell {
            workload,
            levels: &cell.levels,
            runs: runs.iter().filter(|run| run.cell == own).collect(),
        }
    });
    interactions(&factors, &cells.collect::<Vec<_>>())
}

fn intro(question: &str, expect: Option<&str>) -> String {
    let expected = expect.map(|what| say!("plan-expected", what = &*visible(what)) + "\n");
    format!("{}\n{}", visible(question), expected.unwrap_or_default())
}

/// What would happen, as lines.
pub(crate) fn dry_run(plan: &Plan, request: &PlanRequest, told: &PlanDescription) -> String {
    let mut text = intro(&plan.question, plan.expect.as_deref());
    let arrangement = &told.arrangement;
    let whole = Nanos(told.block.get().saturating_mul(told.blocks as u64));
    let _ = writeln!(
        text,
        "\n{} in {}, {}, seed {}: about {whole}{}.",
        count(arrangement.cells.len(), "cell"),
        count(arrangement.plots.len(), "plot"),
        count(told.blocks, "block"),
        request.seed,
        taken(told)
    );
    text.push_str(&times(request, told));
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
        text.push_str(&section(heading, levels(told, of)));
    }
    text.push_str(&destroyed(told));
    for refusal in told.refusals.iter().chain(&told.refused_levels) {
        let _ = writeln!(text, "\nRefused: {}", visible(refusal));
    }
    if request.precondition.is_any() {
        let name = request.precondition.name();
        let round = rounds_take(request).map_or_else(String::new, |round| {
            format!("; a round takes {round}, and five are the fewest")
        });
        let _ = writeln!(text, "\nBefore the first run of a device: {name}{round}.");
    }
    for command in request.setup.iter().chain(&request.cleanup) {
        let _ = writeln!(text, "\nCommand: {}", visible(command));
    }
    for need in &told.needs {
        let _ = writeln!(text, "\nMissing: {need}");
    }
    text
}

/// What it takes of the target's filesystem and of the memory.
fn taken(told: &PlanDescription) -> String {
    let taken = [
        (told.space, "of files"),
        (told.memory, "of memory at the most for virtual disks"),
    ];
    let taken = taken.iter().filter(|(size, _)| *size > Bytes::ZERO);
    taken
        .map(|(size, what)| format!(", {size} {what}"))
        .collect()
}

fn is_work(named: &NamedWorkload) -> bool {
    named.task.work().is_some()
}

/// Where the time of a run comes from, where the workload does not say it.
fn times(request: &PlanRequest, told: &PlanDescription) -> String {
    let (mut text, mut unknown) = (String::new(), Vec::new());
    for (named, time) in request.workloads.iter().zip(&told.runs) {
        match time {
            RunTime::Given(_) => {}
            RunTime::Pilot(time) => {
                let _ = writeln!(text, "A pilot run of {} took {time}.", visible(&named.name));
            }
            RunTime::NotKnown => unknown.push(visible(&named.name).into_owned()),
        }
    }
    if request.workloads.iter().any(is_work) {
        text.push_str("Real work makes its own files; free space is checked before each run.\n");
    }
    if !unknown.is_empty() {
        let _ = writeln!(
            text,
            "Not known, and taken for 10 s: {}; --pilot measures it.",
            unknown.join(", ")
        );
    }
    text
}

/// What is lost for good: told by a dry run, and before anything of a real one.
pub(crate) fn destroyed(told: &PlanDescription) -> String {
    let targets = told
        .destroys
        .iter()
        .map(|line| format!("  {}\n", visible(line)));
    let mut lines: Vec<String> = targets.collect();
    lines.extend(levels(told, |level| &level.destroys));
    section("Destroyed for good:", lines)
}

fn levels(told: &PlanDescription, of: DescriptionPart) -> Vec<String> {
    let mut lines = Vec::new();
    for (level, what) in &told.levels {
        let told = of(what).iter();
        lines.extend(told.map(|line| format!("  {}: {}\n", visible(level), visible(line))));
    }
    lines
}

fn section(heading: &str, mut lines: Vec<String>) -> String {
    lines.dedup();
    match lines.is_empty() {
        true => String::new(),
        false => format!("\n{heading}\n{}", lines.concat()),
    }
}

fn count(number: usize, of: &str) -> String {
    match number {
        1 => format!("1 {of}"),
        number => format!("{number} {of}s"),
    }
}

type DescriptionPart = fn(&etalon_factor::condition::Description) -> &Vec<String>;
const HEADINGS: [(&str, DescriptionPart); 2] = [
    ("Changed, and put back:", |level| &level.changes),
    ("Made, and removed:", |level| &level.makes),
];
