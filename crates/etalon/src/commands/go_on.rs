//! `etalon continue ID`.

use anyhow::bail;
use clap::Args;
use etalon_experiment::{
    FileSize, Likeness, MeasureRequest, QuickRequest, SizeSource, measure, quick,
};
use etalon_model::{
    CacheMode, Experiment, ExperimentKind, ExperimentState, IoWorkload, Run, TotalTime,
};
use etalon_stats::{MAX_RUNS, MIN_RUNS_LAB};
use etalon_store::state_now;
use etalon_tools::Exit;
use etalon_units::{Bytes, Nanos, Percent};

use super::latency_target;
use super::subcommand::{Activity, Subcommand};
use crate::bench::Bench;
use crate::cli::{LookArgs, StoreArgs, StrictArgs, WaitArgs};
use crate::exit::BadUsage;
use crate::plan::refuse_of_guest;
use crate::{names, stores};

/// How long a check goes on without a word about it.
const BUDGET: Nanos = Nanos::secs(60);

/// Add runs to a check or a measurement, under the same conditions or not at all
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  etalon continue 7              another minute of a check, or six runs more
  etalon continue 7 --budget 5m
  etalon continue 8 --runs 20

The machine, its settings and the storage stack must be those of the last run; what has changed is named.
Experiments of other kinds are repeated as a whole, and compared: etalon compare 7 8")]
pub(crate) struct ContinueArgs {
    /// The experiment's number, as `etalon list` shows it
    #[arg(value_name = "ID", value_parser = names::experiment, allow_hyphen_values = true)]
    id: i64,
    /// How many runs more of each cell of a measurement [default: 6]
    #[arg(long, value_name = "N", value_parser = names::runs, allow_hyphen_values = true, conflicts_with = "budget")]
    runs: Option<usize>,
    /// How long a check may go on [default: 60s]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    budget: Option<Nanos>,
    /// Ask for an interval this narrow, half the width over the value [default: what was asked for at first]
    #[arg(long, value_name = "PERCENT", value_parser = names::precision, allow_hyphen_values = true)]
    precision: Option<Percent>,
    #[command(flatten)]
    wait: WaitArgs,
    /// Print one JSON document instead of the page
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    strict: StrictArgs,
    #[command(flatten)]
    store: StoreArgs,
}

impl Subcommand for ContinueArgs {
    const NAME: &'static str = "continue";
    const ACTIVITY: Activity = Activity::MakesFiles;

    fn run(&self) -> anyhow::Result<Exit> {
        let experiment = stores::open_read_only(&self.store)?.experiment(self.id)?;
        refuse_of_guest(&experiment.header)?;
        let header = &experiment.header;
        if state_now(header.state, header.begun.owner.as_deref()) == ExperimentState::Running {
            bail!(BadUsage(format!(
                "experiment {} is still being made; wait for its end",
                self.id
            )));
        }
        match experiment.header.begun.kind {
            ExperimentKind::Quick => self.check(experiment),
            ExperimentKind::Measure => self.measurement(experiment),
            kind => bail!(BadUsage(format!(
                "experiment {} is of the kind '{kind}', which is repeated as a whole: do it again, and `etalon compare` both",
                self.id
            ))),
        }
    }
}

impl ContinueArgs {
    /// The precision that is asked for: that of the experiment, unless another one is named.
    fn precision(&self, settings: &serde_json::Value) -> Option<Percent> {
        let kept = || serde_json::from_value(settings.get("precision")?.clone()).ok();
        self.precision.or_else(kept)
    }

    fn check(&self, experiment: Experiment) -> anyhow::Result<Exit> {
        if self.runs.is_some() {
            bail!(BadUsage(format!(
                "--runs: experiment {} is a check, which goes on for a time; give --budget",
                self.id
            )));
        }
        let header = experiment.header.clone();
        let request = self.more_of(experiment);
        let mut bench = Bench::go_on(&header, request.earlier.len(), &self.store)?;
        bench.strict = self.strict;
        let control = bench.control(self.wait)?;
        let outcome = quick(&request, &control, &mut bench);
        bench.close(outcome, self.json)
    }

    /// The same check once more, beside the runs that stand.
    fn more_of(&self, experiment: Experiment) -> QuickRequest {
        let earlier_took = experiment.header.elapsed(TotalTime::of(&experiment.runs));
        let begun = experiment.header.begun;
        let workloads = experiment.runs.iter().filter_map(|run| run.workload.io());
        let size = workloads.map(|io| io.file_size).find(|s| *s > Bytes::ZERO);
        let (min_runs, max_runs) = numbers(&begun.settings, &experiment.runs);
        QuickRequest {
            target: begun.target.path.into(),
            budget: self.budget.unwrap_or(BUDGET),
            precision: self.precision(&begun.settings),
            file_size: size.map(|size| FileSize {
                size,
                source: SizeSource::Continued,
                // The runs that stand say all of it.
                like: Likeness::default(),
            }),
            min_runs,
            max_runs,
            replacements: 0,
            needed_blocks: 1,
            seed: begun.seed,
            earlier: experiment.runs,
            earlier_took,
        }
    }

    fn measurement(&self, experiment: Experiment) -> anyhow::Result<Exit> {
        if self.budget.is_some() {
            bail!(BadUsage(format!(
                "--budget: experiment {} is a measurement of so many runs; give --runs",
                self.id
            )));
        }
        if latency_target::of_settings(&experiment.header.begun.settings).is_some() {
            bail!(BadUsage(format!(
                "experiment {} has a latency target, which is looked for as a whole: do it again",
                self.id
            )));
        }
        let Some(workloads) = workloads(&experiment) else {
            bail!(BadUsage(format!(
                "experiment {} has metadata operations, which are repeated as a whole: do it again, and `etalon compare` both",
                self.id
            )));
        };
        let made = experiment.runs.iter().map(|run| run.block as usize + 1);
        let more = self.runs.unwrap_or(MIN_RUNS_LAB);
        let target = experiment.header.begun.target.path.clone().into();
        let request = MeasureRequest {
            direct_or_nothing: workloads.iter().any(|one| one.cache == CacheMode::Direct),
            runs: Some(made.max().unwrap_or(0) + more),
            precision: self.precision(&experiment.header.begun.settings),
            watch: true,
            earlier_took: experiment.header.elapsed(TotalTime::of(&experiment.runs)),
            earlier: experiment.runs,
            ..MeasureRequest::new(target, workloads)
        };
        let mut bench = Bench::go_on(&experiment.header, request.earlier.len(), &self.store)?;
        bench.strict = self.strict;
        let control = bench.control(self.wait)?;
        let outcome = measure(&request, &control, &mut bench);
        bench.close(outcome, self.json)
    }
}

/// The fewest and the most runs that were asked for; of what has the most already, as many again.
fn numbers(settings: &serde_json::Value, runs: &[Run]) -> (usize, usize) {
    let asked = |key: &str| usize::try_from(settings[key].as_u64()?).ok();
    let fewest = asked("min_runs").unwrap_or(MIN_RUNS_LAB).max(MIN_RUNS_LAB);
    let most = asked("max_runs").unwrap_or(MAX_RUNS).max(fewest);
    match most_runs(runs) {
        made if made < most => (fewest, most),
        made => (fewest, made + most),
    }
}

/// The runs of the cell that has the most.
fn most_runs(runs: &[Run]) -> usize {
    let of = |cell: &str| runs.iter().filter(|run| run.cell == cell).count();
    runs.iter().map(|run| of(&run.cell)).max().unwrap_or(0)
}

/// What each cell does, in the order of the table; `None` where a cell is no plain I/O.
fn workloads(experiment: &Experiment) -> Option<Vec<IoWorkload>> {
    let mut names: Vec<&str> = Vec::new();
    for cell in &experiment.cells {
        names.push(&cell.name);
    }
    for run in &experiment.runs {
        if !names.contains(&run.cell.as_str()) {
            names.push(&run.cell);
        }
    }
    let workload = |name: &&str| {
        let first = experiment.runs_of(name).next()?;
        let io = first.workload.io()?;
        // Each block has a seed of its own, counted from that of the experiment.
        let seed = experiment.header.begun.seed;
        Some(IoWorkload { seed, ..io.clone() })
    };
    names.iter().map(workload).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use etalon_model::{ExperimentHeader, Measurement, NewExperiment, TargetRecord};

    use super::*;

    #[derive(clap::Parser)]
    struct Words {
        #[command(flatten)]
        args: ContinueArgs,
    }

    #[test]
    fn the_precision_of_the_experiment_is_asked_for_again() {
        let asked = |words: &[&str], kept: serde_json::Value| {
            let line = ["continue", "7"].iter().chain(words);
            let asked = Words::parse_from(line).args.precision(&kept);
            asked.map(Percent::fraction)
        };
        let kept = serde_json::json!({ "precision": Percent::from_fraction(0.02) });
        assert_eq!(asked(&[], kept.clone()), Some(0.02));
        assert_eq!(asked(&["--precision", "5%"], kept), Some(0.05));
        assert_eq!(asked(&[], serde_json::json!({ "precision": null })), None);
        assert_eq!(asked(&[], serde_json::Value::Null), None);
    }

    /// A check with these settings, each row of which has so many runs.
    fn check(settings: serde_json::Value, runs: usize) -> Experiment {
        let workload = IoWorkload {
            file_size: Bytes::mib(64),
            ..IoWorkload::default()
        };
        let measured = Measurement::of_nothing(Nanos::secs(1));
        let run = Run::of("streaming read", workload, measured);
        let header = ExperimentHeader {
            id: 7,
            schema_version: 1,
            state: ExperimentState::Interrupted,
            ended_unix_ns: None,
            elapsed_ns: None,
            choices: Vec::new(),
            begun: NewExperiment {
                kind: ExperimentKind::Quick,
                started_unix_ns: 0,
                target: TargetRecord::default(),
                settings,
                seed: 1,
                tool_version: String::new(),
                owner: None,
            },
        };
        Experiment {
            header,
            cells: Vec::new(),
            runs: vec![run; runs],
        }
    }

    #[test]
    fn what_the_check_was_asked_at_first_holds_for_what_is_added() {
        let args = Words::parse_from(["continue", "7"]).args;
        let asked = serde_json::json!({ "min_runs": 12, "max_runs": 20 });
        let request = args.more_of(check(asked.clone(), 8));
        assert_eq!((request.min_runs, request.max_runs), (12, 20));
        let source = request.file_size.map(|size| (size.size, size.source));
        assert_eq!(source, Some((Bytes::mib(64), SizeSource::Continued)));
        // What has all its runs is asked for as many again.
        let request = args.more_of(check(asked, 20));
        assert_eq!((request.min_runs, request.max_runs), (12, 40));
        let request = args.more_of(check(serde_json::Value::Null, 8));
        assert_eq!((request.min_runs, request.max_runs), (6, MAX_RUNS));
    }
}
