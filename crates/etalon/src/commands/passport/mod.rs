//! `etalon passport [TARGET]`.

mod earlier;

use std::collections::BTreeSet;

use etalon_exchange::{DocumentFormat, Envelope, PassportBody};
use etalon_experiment::{Outcome, QuickRequest, quick};
use etalon_judge::passports;
use etalon_language::in_ascii;
use etalon_model::{Cell, Choice, ExperimentKind, Passport, Run, Severity};
use etalon_report::{LastPassport, PassportPage, choice_in_words, display_name, paragraph};
use etalon_stats::PASSPORT_RUNS;
use etalon_tools::Exit;
use etalon_units::Nanos;

use earlier::Earlier;

use super::subcommand::{Activity, Subcommand};
use crate::bench::{Bench, dropped_rows, exit_of, seed};
use crate::cli::{PassportArgs, SessionArgs, StrictArgs};
use crate::output;
use crate::stores;

/// Runs of a workload that may stand in for some that others disturbed.
const REPLACEMENTS: usize = 4;

impl Subcommand for PassportArgs {
    const NAME: &'static str = "passport";
    const ACTIVITY: Activity = Activity::MakesFiles;

    fn run(&self) -> anyhow::Result<Exit> {
        run(self)
    }
}

fn run(args: &PassportArgs) -> anyhow::Result<Exit> {
    let request = QuickRequest {
        target: args.target.clone(),
        budget: args.budget,
        precision: None,
        file_size: None,
        min_runs: PASSPORT_RUNS,
        max_runs: PASSPORT_RUNS,
        replacements: REPLACEMENTS,
        needed_blocks: PASSPORT_RUNS,
        seed: seed(args.session.seed),
        earlier: Vec::new(),
        earlier_took: Nanos::ZERO,
    };
    let settings = serde_json::json!({ "budget_ns": args.budget });
    let mut bench = Bench::open(
        ExperimentKind::Passport,
        &args.session.store,
        request.seed,
        settings,
    )?;
    let control = bench.control(args.session.wait)?;
    let outcome = quick(&request, &control, &mut bench);
    let outcome = bench.keep(outcome)?;
    let store = stores::open_read_only(&args.session.store)?;
    let now = outcome.runs.iter().rev().find_map(Run::environment);
    let earlier = Earlier::find(&store, &outcome.target.path, now, bench.kept_as())?;
    print(&bench, &outcome, &earlier, &args.session)
}

fn print(
    bench: &Bench,
    outcome: &Outcome,
    earlier: &Earlier,
    session: &SessionArgs,
) -> anyhow::Result<Exit> {
    let passports = passports(&outcome.cells, &outcome.runs, earlier.experiment.as_ref());
    if session.json {
        let body = PassportBody {
            passports: &passports,
            dropped: dropped_rows(&outcome.choices),
            interrupted: outcome.interrupted,
            failure: outcome.failure.as_deref(),
            differences_since_last: &earlier.differences,
            last_of_another: earlier.of_another,
        };
        let document = Envelope::new(DocumentFormat::Passport, "passport", body);
        let document = document.on(&outcome.target).of(bench.kept_as());
        output::print(&document.to_text()?)?;
    } else if outcome.cells.is_empty() {
        output::print_painted(&bench.page(outcome))?;
    } else {
        let notes = bench.notes(outcome);
        let page = || page(outcome, &passports, earlier, notes);
        output::print_page(&in_ascii(output::is_ascii(), page))?;
    }
    Ok(ended(outcome, missing(outcome, &passports), session.strict))
}

/// The passports, why workloads have none, and what `notes` say of the whole.
fn page(
    outcome: &Outcome,
    passports: &[Passport],
    earlier: &Earlier,
    notes: Vec<String>,
) -> String {
    let width = output::width();
    let mut text = PassportPage {
        target: &outcome.target,
        passports,
        cells: &outcome.cells,
        last: LastPassport {
            differences: &earlier.differences,
            of_another: earlier.of_another,
        },
        width,
    }
    .to_string();
    for paragraphs in [shortfalls(outcome, passports), notes] {
        if !paragraphs.is_empty() {
            text.push('\n');
        }
        for said in paragraphs {
            text.push_str(&paragraph(&said, width));
        }
    }
    text
}

/// Why workloads have no passport, and what would help. One that was interrupted says so, and lacks nothing else.
fn shortfalls(outcome: &Outcome, passports: &[Passport]) -> Vec<String> {
    if outcome.interrupted {
        return Vec::new();
    }
    let dropped = dropped_rows(&outcome.choices);
    let is_short_of_time = |choice: &&Choice| !choice.dropped_rows().is_empty();
    let is_note = |choice: &&Choice| matches!(choice, Choice::Note { .. });
    let choices = outcome.choices.iter();
    let choices = choices.filter(|choice| is_short_of_time(choice) || is_note(choice));
    let has_one = |cell: &Cell| passports.iter().any(|passport| passport.name == cell.name);
    let cells = outcome.cells.iter();
    let left_out = cells.filter(|cell| !has_one(cell) && !dropped.contains(&cell.name.as_str()));
    let left_out = left_out.map(|cell| left_out_of(cell, &outcome.runs));
    choices.map(choice_in_words).chain(left_out).collect()
}

/// How many runs of a cell do not count, and for what.
fn left_out_of(cell: &Cell, runs: &[Run]) -> String {
    let own: Vec<&Run> = runs.iter().filter(|run| run.cell == cell.name).collect();
    let left_out = own.iter().filter(|run| run.is_invalid() || run.is_cut());
    let findings = own.iter().flat_map(|run| &run.findings);
    let invalid = findings.filter(|finding| finding.severity == Severity::Invalid);
    let codes: BTreeSet<&str> = invalid.map(|finding| finding.code.as_ref()).collect();
    let why = match codes.is_empty() {
        true => String::new(),
        false => format!(" ({})", Vec::from_iter(codes).join(", ")),
    };
    format!(
        "No passport of {}: {} of its {} runs were left out{why}, and {PASSPORT_RUNS} must count.",
        display_name(&cell.name),
        left_out.count(),
        own.len()
    )
}

/// As of every check, where each workload has its passport.
fn ended(outcome: &Outcome, missing: usize, strict: StrictArgs) -> Exit {
    match exit_of(outcome, strict) {
        Exit::Done if missing > 0 => Exit::NotValid,
        exit => exit,
    }
}

/// How many workloads have no passport, also those without any run, which have no cell.
fn missing(outcome: &Outcome, passports: &[Passport]) -> usize {
    let cells = outcome.cells.iter().map(|cell| cell.name.as_str());
    let all: BTreeSet<&str> = cells.chain(dropped_rows(&outcome.choices)).collect();
    let has_one = |name: &&str| passports.iter().any(|passport| passport.name == *name);
    all.into_iter().filter(|name| !has_one(name)).count()
}

#[cfg(test)]
mod tests {
    use etalon_judge::{Goal, judge_cells};
    use etalon_model::{Finding, IoWorkload, Measurement, TargetRecord};
    use etalon_units::Nanos;

    use super::*;

    fn outcome(choices: Vec<Choice>, runs: Vec<Run>) -> Outcome {
        Outcome {
            target: TargetRecord::default(),
            choices,
            forecast: None,
            cells: judge_cells(&runs, &Goal::default()),
            runs,
            seed: 1,
            elapsed: Nanos::secs(1),
            interrupted: false,
            failure: None,
        }
    }

    /// So many runs of a workload, of which some were disturbed.
    fn runs(count: usize, disturbed: usize) -> Vec<Run> {
        let mut measured = Measurement::of_nothing(Nanos::secs(1));
        measured.reads.operations = 100;
        let run = Run::of("streaming read", IoWorkload::default(), measured);
        let mut runs = vec![run; count];
        for run in &mut runs[..disturbed] {
            let finding = Finding::new("foreign-io", Severity::Invalid, "Others read.", "Wait.");
            run.findings.push(finding);
        }
        runs
    }

    #[test]
    fn what_lacks_a_passport_says_why_and_an_interrupted_one_says_that() {
        let told = |outcome: &Outcome| {
            page(
                outcome,
                &[],
                &Earlier::default(),
                vec!["Interrupted: so far.".to_owned()],
            )
        };
        let mut disturbed = outcome(Vec::new(), runs(14, 5));
        let text = told(&disturbed)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let why = "No passport of sequential read: 5 of its 14 runs were left out (foreign-io), and 10 must count.";
        assert!(text.contains(why), "{text}");
        assert!(!text.contains("--budget"), "{text}");
        disturbed.interrupted = true;
        let text = told(&disturbed);
        assert!(
            text.contains("Interrupted") && !text.contains("left out"),
            "{text}"
        );
        let short = Choice::Dropped {
            rows: vec!["streaming read".to_owned()],
            least_runs: 10,
            needed_ns: Nanos::secs(9),
            budget_ns: Nanos::secs(240),
        };
        let text = told(&outcome(vec![short], runs(7, 0)));
        assert!(
            text.contains("--budget 4m would do") && !text.contains("left out"),
            "{text}"
        );
    }

    #[test]
    fn a_workload_without_any_run_has_no_passport_either() {
        let dropped = Choice::Dropped {
            rows: vec!["create files".to_owned()],
            least_runs: 10,
            needed_ns: Nanos::secs(9),
            budget_ns: Nanos::secs(60),
        };
        let outcome = |choices| outcome(choices, Vec::new());
        let exit = |choices| {
            let outcome = outcome(choices);
            let missing = missing(&outcome, &[]);
            ended(&outcome, missing, StrictArgs::default())
        };
        assert_eq!(exit(vec![dropped]), Exit::NotValid);
        assert_eq!(exit(Vec::new()), Exit::Done);
    }
}
