//! The noise passport of a target: ten times the same thing, and what has changed since the last.

use etalon_model::{Cell, Experiment, Passport, PassportChange, Run, Unit};
use etalon_stats::{
    Level, NoisePassport, PASSPORT_RUNS, PLANNED_POWER, PassportError, Sample, smallest_detectable,
};

use crate::figures::record;

/// Nanoseconds of an hour.
const HOUR_NS: f64 = 3.6e12;

/// The passport of each cell that has ten valid runs, compared with `earlier` where it has the
/// same cell.
pub fn passports(cells: &[Cell], runs: &[Run], earlier: Option<&Experiment>) -> Vec<Passport> {
    let of_cell = |cell: &Cell| {
        let (now, unit) = noise(&cell.name, runs).ok()?;
        let then = earlier.and_then(|e| {
            let (then, _) = noise(&cell.name, &e.runs).ok()?;
            Some((e.header.id, then))
        });
        Some(describe(&cell.name, unit, &now, then))
    };
    cells.iter().filter_map(of_cell).collect()
}

/// The noise of a cell's valid runs, and their unit.
fn noise(name: &str, runs: &[Run]) -> Result<(NoisePassport, Unit), PassportError> {
    let runs: Vec<&Run> = runs
        .iter()
        .filter(|run| run.cell == name && !run.is_invalid() && !run.is_cut())
        .collect();
    let few = PassportError::TooFew { n: runs.len() };
    let (Some(first), true) = (runs.first(), runs.len() >= PASSPORT_RUNS) else {
        return Err(few);
    };
    let hours: Vec<f64> = runs
        .iter()
        .map(|run| (run.started_unix_ns - first.started_unix_ns) as f64 / HOUR_NS)
        .collect();
    let Ok(sample) = Sample::new(runs.iter().map(|run| run.figure()).collect()) else {
        return Err(few);
    };
    Ok((
        NoisePassport::new(&hours, &sample, Level::REPORTED)?,
        first.unit(),
    ))
}

fn describe(
    name: &str,
    unit: Unit,
    now: &NoisePassport,
    then: Option<(i64, NoisePassport)>,
) -> Passport {
    let since_last = then.map(|(experiment, then)| {
        let change = now.change_since(&then);
        PassportChange {
            experiment,
            level: record(&change.level),
            level_p: change.level_p,
            spread: change.spread_ratio,
            spread_p: change.spread_p,
        }
    });
    Passport {
        name: name.to_owned(),
        unit,
        median: record(&now.median),
        cv: now.cv,
        range: now.relative_range,
        drift_per_hour: now.trend.per_hour,
        drift_p: now.trend.p,
        two_modes: now.bimodality.is_some(),
        visible: smallest_detectable(now.cv, now.median.n, Level::REPORTED, PLANNED_POWER),
        since_last,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::judge_cell;
    use crate::goal::Goal;
    use crate::samples::read_run;
    use etalon_units::Percent;

    fn session(level: f64) -> (Vec<Run>, Vec<Cell>) {
        let steps = [-0.02, 0.01, 0.0, 0.02, -0.01, 0.01, -0.02, 0.02, 0.0, -0.01];
        let runs: Vec<Run> = steps
            .iter()
            .enumerate()
            .map(|(i, step)| {
                let mut run = read_run();
                run.started_unix_ns = i as i64 * 60_000_000_000;
                run.measurement.reads.operations = (level * (1.0 + step)) as u64;
                run
            })
            .collect();
        let goal = Goal::new(Some(Percent::from_fraction(0.05)), 6, 30).unwrap();
        let all: Vec<&Run> = runs.iter().collect();
        let cell = judge_cell("a cell", &all, &goal).unwrap();
        (runs, vec![cell])
    }

    #[test]
    fn ten_runs_make_a_passport_and_nine_do_not() {
        let (runs, cells) = session(10_000.0);
        let passport = &passports(&cells, &runs, None)[0];
        assert!((passport.cv - 0.0156).abs() < 0.001, "{}", passport.cv);
        assert!((passport.range - 0.04).abs() < 0.001);
        assert!(passport.visible.unwrap() > 0.015 && passport.since_last.is_none());
        assert!(passports(&cells, &runs[..9], None).is_empty());
    }
}
