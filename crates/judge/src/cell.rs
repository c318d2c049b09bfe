//! The runs of one cell together: estimates, findings and the verdict.

use etalon_model::{
    Cell, CountedRuns, Estimate, Finding, LatencyHistogram, Run, Severity, Verdict,
};
use etalon_stats::{MIN_RUNS_LAB, Sample};

use crate::check::CellFacts;
use crate::figures::Figures;
use crate::goal::{Goal, time_of};
use crate::registry::check_cell;
use crate::run_findings::{gather, reasons, with_graver};

/// Gathers the runs of one cell, in the order in which they ran, and judges them; `None` when
/// there are none. A run that was cut short is kept beside them, and is in no figure.
///
/// A run that a check calls invalid is left out, with a finding that says so, as long as such runs
/// are fewer than half; else the cell itself is invalid. A run that failed is no value then either,
/// unless all did: the cell then has their values until they failed, and no interval.
pub fn judge_cell(name: &str, runs: &[&Run], goal: &Goal) -> Option<Cell> {
    sift(runs)?.judge(name, goal)
}

/// What the findings of its runs leave of a cell.
#[derive(Debug, Clone)]
pub struct Sifted<'a> {
    /// The runs that count, in their order.
    pub kept: Vec<&'a Run>,
    /// Their figures.
    pub sample: Sample,
    /// Those of the runs, and those of the cell.
    pub findings: Vec<Finding>,
    /// Whether so many runs are invalid that the cell is.
    pub spoiled: bool,
}

impl<'a> Sifted<'a> {
    /// All runs of a series that did not end well count, since its figure covers what was done until
    /// then, and what is found of one holds for the cell; `None` when there are none.
    pub fn ended_early(runs: &[&'a Run]) -> Option<Sifted<'a>> {
        Some(Sifted {
            kept: runs.to_vec(),
            sample: sample_of(runs)?,
            findings: gather(runs, true),
            spoiled: true,
        })
    }

    /// The judged cell of these runs.
    pub fn judge(self, name: &str, goal: &Goal) -> Option<Cell> {
        let Sifted { kept, sample, .. } = &self;
        let mut cell = gathered(name, kept, sample, goal.figures(sample))?;
        if kept.iter().all(|run| run.has_failed()) {
            // What runs did until they failed tells nothing of another run.
            (cell.mean.interval, cell.median.interval) = (None, None);
        }
        let verdict = self.invalid();
        Some(Cell {
            verdict: verdict.unwrap_or_else(|| verdict_of(cell.estimate(), kept)),
            precision: goal.precision(cell.estimate(), sample, kept),
            findings: self.findings,
            ..cell
        })
    }

    /// The verdict on a cell of which too many runs are invalid; `None` for any other.
    fn invalid(&self) -> Option<Verdict> {
        self.spoiled.then(|| Verdict::Invalid {
            reasons: reasons(&self.findings),
        })
    }
}

/// Leaves out the runs of a cell that [`judge_cell`] leaves out, and gathers all findings; `None` when
/// there are no runs. What a run did until it was cut short tells nothing of a whole one: it is none.
pub fn sift<'a>(runs: &[&'a Run]) -> Option<Sifted<'a>> {
    let whole_runs = runs.iter().copied().filter(|run| !run.is_cut());
    let runs = &whole_runs.collect::<Vec<_>>()[..];
    let CountedRuns {
        runs: kept,
        spoiled,
    } = CountedRuns::of(runs);
    let sample = sample_of(&kept)?;
    let together = check_cell(&CellFacts {
        runs: &kept,
        sample: &sample,
    });
    let spoils_all = |found: &Finding| found.severity == Severity::Invalid;
    Some(Sifted {
        kept,
        sample,
        spoiled: spoiled || together.iter().any(spoils_all),
        findings: with_graver(gather(runs, spoiled), together),
    })
}

/// Gathers runs in the order in which they were made and judges each cell that is among them, in the
/// order of their first runs.
pub fn judge_cells(runs: &[Run], goal: &Goal) -> Vec<Cell> {
    let mut names: Vec<&str> = Vec::new();
    for run in runs {
        if !names.contains(&run.cell.as_str()) {
            names.push(&run.cell);
        }
    }
    let judged = names.into_iter().filter_map(|name| {
        let own: Vec<&Run> = runs.iter().filter(|run| run.cell == name).collect();
        judge_cell(name, &own, goal)
    });
    judged.collect()
}

fn sample_of(runs: &[&Run]) -> Option<Sample> {
    Sample::new(runs.iter().map(|run| run.figure()).collect()).ok()
}

/// A cell of `runs`, whose values are in `sample`; without findings, and not judged yet. `None` without
/// runs.
fn gathered(name: &str, runs: &[&Run], sample: &Sample, figures: Figures) -> Option<Cell> {
    let last = runs.last()?;
    Some(Cell {
        name: name.to_owned(),
        workload: last.workload.clone(),
        unit: last.unit(),
        median: figures.median,
        mean: figures.mean,
        headline: figures.headline,
        values: sample.values().to_vec(),
        latency: latencies(runs),
        device_share: device_share(runs),
        findings: Vec::new(),
        verdict: Verdict::Undecided { needed: None },
        precision: None,
    })
}

/// Of a cell that is not invalid: valid where there is an interval.
fn verdict_of(estimate: &Estimate, runs: &[&Run]) -> Verdict {
    // No check could look at what another program measured.
    if runs.iter().any(|run| run.circumstances.published.is_some()) {
        return Verdict::Undecided { needed: None };
    }
    let missing = MIN_RUNS_LAB.saturating_sub(runs.len()).max(1);
    match estimate.interval {
        Some(_) => Verdict::Valid,
        None => Verdict::Undecided {
            needed: Some(time_of(missing, runs)),
        },
    }
}

pub(crate) fn latencies(runs: &[&Run]) -> LatencyHistogram {
    let mut all = LatencyHistogram::new();
    for run in runs {
        all.merge(&run.measurement.latency());
    }
    all
}

/// Of a mixture the lower of both: what a cache served of either kind is no figure of the devices.
pub(crate) fn device_share(runs: &[&Run]) -> Option<f64> {
    let both = |run: &&Run| [run.device_read_share(), run.device_write_share()];
    let shares: Option<Vec<f64>> = runs
        .iter()
        .map(|run| both(run).into_iter().flatten().min_by(f64::total_cmp))
        .collect();
    Some(Sample::new(shares?).ok()?.median())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Facts;
    use crate::goal::{FewRuns, needs_more};
    use crate::registry::check_run;
    use crate::samples::{read_run, series_of, task_run};
    use etalon_model::{AffectedRuns, Ended, JobTotals, TaskFigure};
    use etalon_stats::{CommonSpread, Level, MIN_FIGURES};
    use etalon_units::{Bytes, Nanos, Percent};

    fn goal() -> Goal {
        Goal::new(Some(Percent::from_fraction(0.05)), 6, 30).unwrap()
    }

    fn budget_decides() -> Goal {
        Goal::new(None, 6, 30).unwrap()
    }

    /// A run with this many operations a second, checked.
    fn run(operations: u64) -> Run {
        let mut run = read_run();
        run.measurement.reads.operations = operations;
        checked(run)
    }

    fn checked(mut run: Run) -> Run {
        run.findings = check_run(&Facts {
            run: &run,
            null_ns_per_operation: None,
        });
        run
    }

    fn judged(runs: &[Run]) -> Cell {
        let runs: Vec<&Run> = runs.iter().collect();
        judge_cell("a cell", &runs, &goal()).unwrap()
    }

    #[test]
    fn a_run_that_was_cut_short_is_in_no_figure() {
        let mut cut = run(1);
        cut.measurement.ended = Ended::Interrupted;
        assert_eq!(judge_cell("a cell", &[&cut], &goal()), None);
        let whole = [
            run(1000),
            run(1010),
            run(990),
            run(1005),
            run(995),
            run(1002),
        ];
        let mut all: Vec<&Run> = whole.iter().collect();
        let without = judge_cell("a cell", &all, &goal());
        all.push(&cut);
        assert_eq!(judge_cell("a cell", &all, &goal()), without);
    }

    #[test]
    fn six_close_runs_are_valid_and_five_are_not() {
        let runs: Vec<Run> = [1000, 1010, 990, 1005, 995, 1002].map(run).into();
        let cell = judged(&runs);
        assert_eq!(cell.verdict, Verdict::Valid);
        assert_eq!((cell.median.value, cell.mean.runs), (1001.0, 6));
        assert!(cell.estimate().interval.is_some());
        let five = judged(&runs[..5]);
        assert_eq!(five.estimate().interval, None);
        let needed = Some(Nanos::secs(1));
        assert_eq!(five.verdict, Verdict::Undecided { needed });
    }

    #[test]
    fn a_wide_interval_is_valid_and_the_missed_precision_stands_beside_it() {
        // CV 10 % needs 33 runs of a second for ±5 %; 6 are there.
        let wide = [1000, 1100, 900, 1120, 880, 1050].map(run);
        let cell = judged(&wide);
        assert_eq!(cell.verdict, Verdict::Valid);
        let precision = cell.precision.unwrap();
        let time = precision.needed_ns.unwrap();
        assert_eq!((precision.asked, precision.reached), (0.05, false));
        assert!(time > Nanos::secs(18) && time < Nanos::secs(40), "{time}");
        assert!(cell.misses_precision() && needs_more(&cell, 6, &goal()));

        let all: Vec<&Run> = wide.iter().collect();
        let free = judge_cell("a cell", &all, &budget_decides()).unwrap();
        assert_eq!((&free.verdict, free.precision), (&Verdict::Valid, None));
        assert!(needs_more(&free, 6, &budget_decides()));
        assert!(!needs_more(&free, 30, &budget_decides()));
    }

    #[test]
    fn a_precision_that_was_reached_is_enough() {
        let cell = judged(&[1000, 1010, 990, 1005, 995, 1002].map(run));
        let precision = cell.precision.unwrap();
        assert!(precision.reached && precision.needed_ns.is_none());
        assert!(!needs_more(&cell, 6, &goal()));
        // Between two looks it goes on.
        let seven = judged(&[1000, 1010, 990, 1005, 995, 1002, 1003].map(run));
        assert!(needs_more(&seven, 7, &goal()));
    }

    #[test]
    fn six_runs_of_two_speeds_have_an_interval() {
        let runs = [1, 2, 3, 2, 90, 1].map(run);
        let all: Vec<&Run> = runs.iter().collect();
        for goal in [goal(), budget_decides()] {
            let cell = judge_cell("a cell", &all, &goal).unwrap();
            assert_eq!(cell.verdict, Verdict::Valid);
            assert_eq!(cell.headline, etalon_model::Headline::Median);
            assert!(cell.estimate().interval.is_some());
        }
    }

    /// A run that failed after this many operations a second.
    fn broken(operations: u64) -> Run {
        let mut run = read_run();
        run.measurement.reads.operations = operations;
        run.measurement.ended = Ended::Failed {
            operation: "read".to_owned(),
            offset: 0,
            errno: 5,
        };
        checked(run)
    }

    #[test]
    fn a_failed_run_is_no_value() {
        let mut runs: Vec<Run> = [1000, 1010, 990, 1005, 995, 1002].map(run).into();
        runs.extend([0, 0, 0, 0, 0, 0, 10].map(broken));
        let cell = judged(&runs);
        assert!(cell.verdict.is_invalid());
        assert_eq!((cell.median.value, cell.median.runs), (1001.0, 6));

        let none_whole = judged(&runs[6..]);
        assert!(none_whole.verdict.is_invalid());
        assert_eq!(none_whole.values, [10.0]);

        let partial = judged(&[40, 50, 60, 50, 40, 60, 50].map(broken));
        assert_eq!((partial.mean.value, partial.mean.runs), (50.0, 7));
        assert_eq!(
            (&partial.mean.interval, &partial.median.interval),
            (&None, &None)
        );
        assert_eq!(judged(&[0, 0].map(broken)).values, [0.0, 0.0]);
    }

    #[test]
    fn a_cached_cell_is_invalid_whatever_its_precision() {
        let mut cached = read_run();
        cached.device.as_mut().unwrap().read_bytes = Bytes::ZERO;
        let runs = vec![checked(cached); 8];
        let cell = judged(&runs);
        let reasons = vec!["page-cache".to_owned()];
        assert_eq!(cell.verdict, Verdict::Invalid { reasons });
        assert!(!needs_more(&cell, 8, &goal()));
        assert!(needs_more(&cell, 3, &goal()));
        let twelve = Goal::new(Some(Percent::from_fraction(0.05)), 12, 30).unwrap();
        assert!(needs_more(&cell, 11, &twelve) && !needs_more(&cell, 12, &twelve));
    }

    #[test]
    fn one_disturbed_run_is_left_out_and_told() {
        let mut runs: Vec<Run> = [1000, 1010, 990, 1005, 995, 1002].map(run).into();
        let mut disturbed = run(500);
        disturbed.device.as_mut().unwrap().written_bytes = Bytes::mib(100);
        runs.push(checked(disturbed));
        let cell = judged(&runs);
        assert_eq!(cell.mean.runs, 6);
        assert_eq!(cell.verdict, Verdict::Valid);
        let finding = &cell.findings[0];
        assert_eq!(
            (finding.code.as_str(), finding.severity),
            ("foreign-io", Severity::Warn)
        );
        let affected = AffectedRuns {
            runs_affected: 1,
            runs: 7,
            left_out: true,
        };
        assert_eq!(finding.affected, Some(affected));
        assert!(!finding.message.contains("runs"), "{}", finding.message);
    }

    #[test]
    fn a_run_that_was_only_warned_is_not_told_as_left_out() {
        let mut runs: Vec<Run> = [1000, 1010, 990, 1005, 995, 1002].map(run).into();
        for mib in [8, 8, 100] {
            let mut beside = run(1000);
            beside.device.as_mut().unwrap().written_bytes = Bytes::mib(mib);
            runs.push(checked(beside));
        }
        let cell = judged(&runs);
        let affected = cell
            .findings
            .iter()
            .map(|finding| finding.affected.unwrap());
        let (left_out, counted): (Vec<_>, Vec<_>) = affected.partition(|of| of.left_out);
        let of = |affected: &[AffectedRuns]| (affected[0].runs_affected, affected[0].runs);
        assert_eq!((of(&left_out), left_out.len()), ((1, 9), 1));
        assert_eq!((of(&counted), counted.len()), ((2, 9), 1));
        assert_eq!(cell.values.len(), 8);
    }

    #[test]
    fn a_single_run_speaks_of_itself_alone() {
        let mut only = read_run();
        let noise = |i: u64| (i * 7919 % 13) as f64;
        only.measurement.series = series_of((0..300).map(|i| 1000.0 + noise(i)));
        let cell = judged(&[checked(only)]);
        assert!(matches!(cell.verdict, Verdict::Undecided { .. }));
        assert_eq!(cell.estimate().interval, None);
        let said = cell.findings.iter().find(|f| f.code == "one-run").unwrap();
        assert!(
            said.message.contains("within this one run"),
            "{}",
            said.message
        );
    }

    #[test]
    fn a_task_is_told_by_its_rate_or_by_its_time() {
        for (figure, unit, value) in [
            (TaskFigure::Rate, "op/s", 500.0),
            (TaskFigure::Time, "s", 2.0),
            (TaskFigure::Throughput, "B/s", 700.0),
        ] {
            let mut run = task_run(figure);
            run.measurement.duration = Nanos::secs(2);
            // Two jobs, each with a time of its own: 200 and 500 bytes per second.
            run.measurement.jobs = [(400, 2), (500, 1)]
                .map(|(bytes, seconds)| JobTotals {
                    operations: 1,
                    bytes: Bytes(bytes),
                    duration: Nanos::secs(seconds),
                })
                .into();
            let cell = judged(&vec![checked(run); 6]);
            assert_eq!((cell.unit.sign(), cell.mean.value), (unit, value));
            assert_eq!(cell.verdict, Verdict::Valid);
            assert_eq!(cell.findings, []);
        }
    }

    #[test]
    fn few_runs_have_the_interval_that_the_goal_gives_them() {
        let runs = [run(900), run(1000), run(1100)];
        let runs: Vec<&Run> = runs.iter().collect();
        let judged =
            |few| judge_cell("a cell", &runs, &Goal::default().with_few_runs(few)).unwrap();
        let without = judged(FewRuns::NoInterval);
        assert_eq!(without.estimate().interval, None);
        let own = judged(FewRuns::OwnSpread);
        assert_eq!((&own.verdict, own.values.len()), (&Verdict::Valid, 3));
        let goal = Goal::default().with_few_runs(FewRuns::OwnSpread);
        let two = judge_cell("a cell", &runs[..2], &goal).unwrap();
        assert_eq!(two.estimate().interval, None, "two tell no spread");
        assert!(matches!(two.verdict, Verdict::Undecided { .. }));
        let others = [99.0, 100.0, 101.0].map(|at| at / 100.0);
        let others = vec![Sample::new(others.to_vec()).unwrap(); MIN_FIGURES];
        let spread = CommonSpread::of(&others).unwrap();
        let common = judged(FewRuns::CommonSpread(spread, Level::REPORTED));
        let half = |cell: &Cell| cell.estimate().relative_half_width().unwrap();
        assert!(half(&common) < half(&own), "{common:?} {own:?}");
        assert_eq!(common.estimate().value, 1000.0);
    }

    #[test]
    fn no_interval_of_rates_reaches_below_zero() {
        let runs = [run(10), run(50), run(1000)];
        let few: Vec<&Run> = runs.iter().collect();
        let others = [1.0, 5.0, 100.0].map(|at| at * 10.0);
        let others = vec![Sample::new(others.to_vec()).unwrap(); MIN_FIGURES];
        let spread = CommonSpread::of(&others).unwrap();
        for rule in [
            FewRuns::OwnSpread,
            FewRuns::CommonSpread(spread, Level::REPORTED),
        ] {
            let goal = Goal::default().with_few_runs(rule);
            let cell = judge_cell("a cell", &few, &goal).unwrap();
            let interval = cell.estimate().interval.unwrap();
            assert_eq!(interval.low, 0.0, "{interval:?}");
            assert!(interval.high > 1000.0, "{interval:?}");
            // The ± beside the figure says no less than that.
            assert!(cell.estimate().relative_half_width().unwrap() > 1.0);
        }
        let six = [run(1), run(1), run(1), run(1), run(1), run(1000)];
        let six: Vec<&Run> = six.iter().collect();
        let mean = judge_cell("a cell", &six, &Goal::default()).unwrap().mean;
        assert_eq!(mean.interval.unwrap().low, 0.0);
    }

    #[test]
    fn a_series_that_ended_early_has_the_figure_of_all_its_runs() {
        let whole = [1000, 1010, 990, 1005, 995, 1002, 1001].map(run);
        let last = broken(400);
        let all: Vec<&Run> = whole.iter().chain([&last]).collect();
        let cell = Sifted::ended_early(&all).unwrap();
        let cell = cell.judge("a cell", &goal()).unwrap();
        let reasons = vec!["run-failed".to_owned()];
        assert_eq!(cell.verdict, Verdict::Invalid { reasons });
        assert_eq!(cell.values.len(), 8);
        // Elsewhere one failed run of eight is left out.
        let sifted = judge_cell("a cell", &all, &goal()).unwrap();
        assert_eq!((sifted.verdict, sifted.values.len()), (Verdict::Valid, 7));
    }

    #[test]
    fn no_runs_make_no_cell() {
        assert_eq!(judge_cell("a cell", &[], &goal()), None);
    }
}
