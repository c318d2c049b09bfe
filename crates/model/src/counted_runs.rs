//! Which runs of a cell are in its figures: decided here for all that tell them.

use crate::{Cell, Run};

/// The runs of a cell that count.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedRuns<'a> {
    /// In their order.
    pub runs: Vec<&'a Run>,
    /// Whether so many runs are invalid that the cell is.
    pub spoiled: bool,
}

impl<'a> CountedRuns<'a> {
    /// A run that was cut short never counts, and one that a check calls invalid only where such runs are half of all
    /// or more. Of those, the runs that failed count where no other got anything done.
    pub fn of(runs: &[&'a Run]) -> CountedRuns<'a> {
        let whole = only(runs, |run| !run.is_cut());
        let clean = only(&whole, |run| !run.is_invalid());
        let left_out = whole.len() - clean.len();
        let spoiled = left_out * 2 >= whole.len() && left_out > 0;
        let runs = if spoiled { unbroken(&whole) } else { clean };
        CountedRuns { runs, spoiled }
    }
}

impl Cell {
    /// Those of its own `runs` that its values are of: the runs that count, and all of a series of iozone that ended
    /// early.
    pub fn counted<'a>(&self, runs: &[&'a Run]) -> Vec<&'a Run> {
        let counted = CountedRuns::of(runs).runs;
        match !self.has_values_of(&counted) && self.has_values_of(runs) {
            true => runs.to_vec(),
            false => counted,
        }
    }

    fn has_values_of(&self, runs: &[&Run]) -> bool {
        let figures = runs.iter().map(|run| run.figure());
        figures.eq(self.values.iter().copied())
    }
}

/// The runs that came to their end; where none did, those that got anything done, or all.
fn unbroken<'a>(runs: &[&'a Run]) -> Vec<&'a Run> {
    let sets = [
        only(runs, |run| !run.has_failed()),
        only(runs, |run| run.figure() > 0.0),
    ];
    let found = sets.into_iter().find(|set| !set.is_empty());
    found.unwrap_or_else(|| runs.to_vec())
}

fn only<'a>(runs: &[&'a Run], counts: fn(&Run) -> bool) -> Vec<&'a Run> {
    runs.iter().copied().filter(|run| counts(run)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Ended, Estimate, Finding, Headline, LatencyHistogram, Measurement, Severity, Verdict,
        Workload,
    };
    use etalon_units::Nanos;

    fn run(operations: u64) -> Run {
        let mut measurement = Measurement::of_nothing(Nanos::secs(1));
        measurement.reads.operations = operations;
        Run::of("a cell", Workload::default(), measurement)
    }

    fn disturbed(operations: u64) -> Run {
        Run {
            findings: vec![Finding::new("foreign-io", Severity::Invalid, "", "")],
            ..run(operations)
        }
    }

    fn ended(mut run: Run, ended: Ended) -> Run {
        run.measurement.ended = ended;
        run
    }

    /// The operations of the runs that count.
    fn counted(runs: &[Run]) -> (Vec<u64>, bool) {
        let all: Vec<&Run> = runs.iter().collect();
        let found = CountedRuns::of(&all);
        let operations = found.runs.iter().map(|run| run.measurement.operations());
        (operations.collect(), found.spoiled)
    }

    #[test]
    fn cut_and_invalid_runs_are_left_out_and_half_of_them_spoil_the_cell() {
        let cut = ended(run(1), Ended::Interrupted);
        let runs = [run(10), disturbed(2), cut, run(11)];
        assert_eq!(counted(&runs), (vec![10, 11], false));
        assert_eq!(counted(&runs[..3]), (vec![10, 2], true));
        assert_eq!(counted(&[]), (Vec::new(), false));
    }

    #[test]
    fn a_run_that_failed_counts_where_none_ended_well() {
        let failed = |operations| ended(disturbed(operations), Ended::DiskFull);
        assert_eq!(counted(&[run(9), failed(3)]), (vec![9], true));
        assert_eq!(counted(&[failed(0), failed(3)]), (vec![3], true));
        assert_eq!(counted(&[failed(0), failed(0)]), (vec![0, 0], true));
    }

    #[test]
    fn a_cell_of_all_its_runs_has_all_of_them() {
        let runs = [run(10), disturbed(2), run(11)];
        let all: Vec<&Run> = runs.iter().collect();
        let estimate = Estimate {
            value: 10.0,
            interval: None,
            runs: 3,
        };
        let mut cell = Cell {
            name: "a cell".to_owned(),
            workload: Workload::default(),
            unit: runs[0].unit(),
            median: estimate,
            mean: estimate,
            headline: Headline::Median,
            values: vec![10.0, 11.0],
            latency: LatencyHistogram::new(),
            device_share: None,
            findings: Vec::new(),
            verdict: Verdict::Valid,
            precision: None,
        };
        assert_eq!(cell.counted(&all).len(), 2);
        cell.values = vec![10.0, 2.0, 11.0];
        assert_eq!(cell.counted(&all).len(), 3);
    }
}
