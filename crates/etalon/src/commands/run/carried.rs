//! A plan on its way: told, or measured, kept and shown.

use anyhow::bail;
use etalon_engine::Control;
use etalon_exchange::SummaryBody;
use etalon_experiment::Outcome;
use etalon_experiment::plan::{
    PlanDescription, PlanRequest, PlanText, carry_out, describe, pilots,
};
use etalon_factor::condition::booted_block;
use etalon_model::{Experiment, ExperimentKind, Run, RunId, TotalTime};
use etalon_stack::Roots;
use etalon_tools::Exit;

use super::HowArgs;
use super::later::{MachineWall, Wall as _, wait_until};
use crate::bench::{Bench, exit_of, summary};
use crate::exit::{BadUsage, Dangerous};
use crate::output;
use crate::plan::{PlanPage, Stored, destroyed, dry_run, identities, insist_on_the_same, request};
use crate::{put_back, signals};
use etalon_report::{Painted, fitted};

/// How it is carried out.
pub(super) struct How<'a> {
    pub(super) how: &'a HowArgs,
    pub(super) dry_run: bool,
    /// Whether runs of unknown length are made once before.
    pub(super) pilot: bool,
}

/// A plan that was read.
pub(super) struct Carried {
    stored: Stored,
    request: PlanRequest,
    parsed: PlanText,
    /// The experiment that is gone on with, and its runs.
    begun: Option<(RunId, Vec<Run>)>,
}

impl Carried {
    pub(super) fn new(stored: Stored) -> anyhow::Result<Carried> {
        let (request, parsed) = request(&stored.name, &stored.plan, &stored.given)?;
        Ok(Carried {
            stored,
            request,
            parsed,
            begun: None,
        })
    }

    /// The same, of an experiment that was begun.
    pub(super) fn begun(mut self, experiment: Experiment) -> Carried {
        let header = experiment.header;
        self.request.seed = header.begun.seed;
        self.request.earlier_took = header.elapsed(TotalTime::of(&experiment.runs));
        self.begun = Some((header.id, experiment.runs));
        self
    }

    pub(super) fn run(self, how: &How<'_>) -> anyhow::Result<Exit> {
        let pilots = match how.pilot {
            true => pilots(&self.request, &pilot_control()?)?,
            false => Vec::new(),
        };
        let told = describe(&self.request, &pilots)?;
        if how.dry_run {
            let page = dry_run(&self.parsed.plan, &self.request, &told);
            output::print_page(&fitted(&page, output::width()))?;
            return Ok(Exit::Done);
        }
        refuse(&self.stored.name, &told)?;
        let budget = self.request.budget.map(|budget| budget.as_secs_f64());
        if budget.is_some_and(|budget| told.block.as_secs_f64() > budget) {
            bail!(BadUsage(format!(
                "one block takes about {}, more than the budget: give --budget {:.0}m or more",
                told.block,
                (told.block.as_secs_f64() / 60.0).ceil() * 2.0
            )));
        }
        let lost = destroyed(&told);
        if !lost.is_empty() {
            output::note_lines(lost.trim());
        }
        self.measure(how)
    }

    fn measure(mut self, how: &How<'_>) -> anyhow::Result<Exit> {
        let HowArgs {
            wait,
            at,
            done,
            json,
            strict,
            store,
            ..
        } = how.how;
        self.request.manual_step_is_done = *done;
        self.request.only_block = booted_block(&Roots::default());
        let begins = at.map(|at| at.moment(&MachineWall.now())).transpose()?;
        let storage = identities(&self.request.targets)?;
        match self.begun {
            Some(_) => insist_on_the_same(&self.request.targets, &self.stored.storage, &storage)?,
            None => self.stored.storage = storage,
        }
        let settings = serde_json::to_value(&self.stored)?;
        let mut bench = Bench::open(ExperimentKind::Plan, store, self.request.seed, settings)?;
        bench.strict = *strict;
        let control = bench.control(*wait)?;
        if let Some(then) = &begins {
            wait_until(then, &MachineWall, &control.stop)?;
            // Others may have left something meanwhile.
            put_back::before_a_run();
        }
        let made = match self.begun.take() {
            Some((id, runs)) => {
                bench.go_on_with(id, runs.len())?;
                runs
            }
            None => Vec::new(),
        };
        let outcome = bench_outcome(&self.request, made, &control, &mut bench)?;
        tell_plan(&bench, (&self.parsed, &self.request), &outcome, *json)?;
        Ok(exit_of(&outcome, *strict))
    }
}

/// What cannot end well, or may not be written, is refused before anything is done.
pub(crate) fn refuse(name: &str, told: &PlanDescription) -> anyhow::Result<()> {
    if !told.needs.is_empty() {
        let needs: Vec<String> = told.needs.iter().map(ToString::to_string).collect();
        bail!("{name} cannot end well: {}", needs.join("; "));
    }
    if !told.refused_levels.is_empty() {
        bail!(Dangerous(told.refused_levels.join(" ")));
    }
    Ok(())
}

/// Prints a plan's answer with its figures, or their document.
pub(crate) fn tell_plan(
    bench: &Bench,
    (parsed, request): (&PlanText, &PlanRequest),
    outcome: &Outcome,
    json: bool,
) -> anyhow::Result<()> {
    let found = (&outcome.cells[..], &outcome.runs[..]);
    let page = PlanPage::new(&parsed.plan, request, found)?;
    if json {
        let body = SummaryBody::<()> {
            comparisons: Some(page.comparisons().into_iter().cloned().collect()),
            interactions: Some(page.interactions().to_vec()),
            ..summary(outcome)
        };
        return output::print(&bench.document(outcome, body)?);
    }
    let page = page.painted(bench.look) + Painted::plain("\n") + bench.page(outcome);
    output::print_painted(&page)
}

fn bench_outcome(
    request: &PlanRequest,
    made: Vec<Run>,
    control: &Control,
    bench: &mut Bench,
) -> anyhow::Result<Outcome> {
    let outcome = carry_out(request, made, control, bench);
    bench.keep(outcome)
}

/// Stops a pilot run on a signal.
fn pilot_control() -> anyhow::Result<Control> {
    let control = Control::default();
    signals::ask_to_stop_on_signal(&control.stop)?;
    Ok(control)
}
