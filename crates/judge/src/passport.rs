//! The noise passport of a target: ten times the same thing, and what has changed since the last.

use etalon_model::{Cell, EnvironmentRecord, Experiment, Passport, PassportChange, Run, Unit};
use etalon_stats::{
    Level, NoisePassport, PASSPORT_RUNS, PLANNED_POWER, PassportError, Sample, smallest_detectable,
};
use etalon_units::Nanos;

use crate::comparison::{Arm, is_same_work, spread_between};
use crate::figures::record;

/// Nanoseconds of an hour.
const HOUR_NS: f64 = 3.6e12;

/// The passport of each cell that has ten valid runs, compared with `earlier` where that has the same cell, of the same
/// work: sizes of files and depths are chosen anew by the time and the speed, and a difference in them is no change.
pub fn passports(cells: &[Cell], runs: &[Run], earlier: Option<&Experiment>) -> Vec<Passport> {
    let of_cell = |cell: &Cell| {
        let (now, unit) = noise(&cell.name, runs).ok()?;
        let since_last = earlier.and_then(|earlier| since(earlier, (cell, runs), &now));
        Some(describe(&cell.name, unit, &now, since_last))
    };
    cells.iter().filter_map(of_cell).collect()
}

/// What has changed since an earlier passport; `None` where that has none of the same work.
fn since(
    earlier: &Experiment,
    (cell, runs): (&Cell, &[Run]),
    now: &NoisePassport,
) -> Option<PassportChange> {
    let base = earlier.cells.iter().find(|base| base.name == cell.name)?;
    let arms = [arm("earlier", base, &earlier.runs), arm("now", cell, runs)];
    if !is_same_work(&arms[0], &arms[1]) {
        return None;
    }
    let (then, _) = noise(&cell.name, &earlier.runs).ok()?;
    let change = now.change_since(&then, spread_between(&arms));
    Some(PassportChange {
        experiment: earlier.header.id,
        level: record(&change.level),
        level_p: change.level_p,
        spread: change.spread_ratio,
        spread_p: change.spread_p,
    })
}

/// Facts of the machine that a new kernel or setting leaves as they are.
const OF_MACHINE: [&str; 7] = [
    "machine.vendor",
    "machine.product",
    "machine.version",
    "board.vendor",
    "board.name",
    "board.version",
    "cpu.model",
];

/// Whether both are of the same filesystem or device on the same disks of one machine; none where too little is known of
/// either, and of what they are not known to differ.
pub fn is_same_target(
    then: Option<&EnvironmentRecord>,
    now: Option<&EnvironmentRecord>,
) -> Option<bool> {
    let (then, now) = then.zip(now)?;
    let fact = |key| {
        then.manifest
            .facts
            .get(key)
            .zip(now.manifest.facts.get(key))
    };
    let mut known = OF_MACHINE.iter().filter_map(|&key| fact(key));
    match known.any(|(then, now)| then != now) {
        true => Some(false),
        false => then.stack.is_same(&now.stack),
    }
}

fn arm<'a>(session: &str, cell: &'a Cell, runs: &'a [Run]) -> Arm<'a> {
    Arm {
        label: String::new(),
        session: session.to_owned(),
        cell,
        runs: runs.iter().filter(|run| run.cell == cell.name).collect(),
    }
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
    since_last: Option<PassportChange>,
) -> Passport {
    Passport {
        name: name.to_owned(),
        unit,
        median: record(&now.median),
        cv: now.cv,
        range: now.relative_range,
        drift: now.trend.change,
        drift_over: Nanos::from_secs_f64(now.trend.hours * 3600.0),
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
    use crate::samples::{disk, environment_on, experiment, read_run};
    use etalon_model::{BeneathFacts, ExperimentKind, IoWorkload};
    use etalon_units::{Bytes, Percent};

    fn session(level: f64) -> (Vec<Run>, Vec<Cell>) {
        let steps = [-0.02, 0.01, 0.0, 0.02, -0.01, 0.01, -0.02, 0.02, 0.0, -0.01];
        let runs: Vec<Run> = steps
            .iter()
            .enumerate()
            .map(|(i, step)| {
                let mut run = read_run();
                run.started_unix_ns = i as i64 * 60_000_000_000;
                run.workload.io_mut().unwrap().file_size = Bytes::mib(64);
                run.measurement.reads.operations = (level * (1.0 + step)) as u64;
                run
            })
            .collect();
        let goal = Goal::new(Some(Percent::from_fraction(0.05)), 6, 30).unwrap();
        let all: Vec<&Run> = runs.iter().collect();
        let cell = judge_cell("a cell", &all, &goal).unwrap();
        (runs, vec![cell])
    }

    fn earlier(change: impl Fn(&mut IoWorkload)) -> Experiment {
        let (mut runs, _) = session(10_000.0);
        for run in &mut runs {
            change(run.workload.io_mut().unwrap());
        }
        let mut kept = experiment(ExperimentKind::Passport, runs);
        kept.header.id = 7;
        kept
    }

    #[test]
    fn a_passport_is_held_against_the_last_one_of_the_same_work_alone() {
        let (runs, cells) = session(10_000.0);
        let since = |change: fn(&mut IoWorkload)| {
            let earlier = earlier(change);
            let passport = passports(&cells, &runs, Some(&earlier)).pop();
            passport.unwrap().since_last.map(|last| last.experiment)
        };
        assert_eq!(since(|_| ()), Some(7));
        assert_eq!(since(|io| io.seed += 1), Some(7));
        assert_eq!(
            since(|io| io.file_size = Bytes(8 * io.file_size.get())),
            None
        );
        assert_eq!(since(|io| io.queue_depth += 1), None);
    }

    #[test]
    fn what_memory_decides_is_another_figure_in_each_session() {
        let in_memory = |runs: &mut [Run]| {
            for run in runs {
                run.circumstances.beneath = Some(BeneathFacts {
                    in_memory: vec!["tmpfs at /dev/shm".to_owned()],
                    ..BeneathFacts::default()
                });
            }
        };
        let (mut runs, cells) = session(10_400.0);
        let mut earlier = earlier(|_| ());
        let level_p = |runs: &[Run], earlier: &Experiment| {
            let passport = passports(&cells, runs, Some(earlier)).pop().unwrap();
            passport.since_last.unwrap().level_p
        };
        assert!(level_p(&runs, &earlier) < 0.001);
        in_memory(&mut runs);
        in_memory(&mut earlier.runs);
        assert!(level_p(&runs, &earlier) > 0.5);
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

    #[test]
    fn runs_of_seconds_drift_by_what_was_seen_of_them() {
        let (mut runs, cells) = session(10_000.0);
        for (i, run) in runs.iter_mut().enumerate() {
            run.started_unix_ns = i as i64 * 1_000_000_000;
            run.measurement.reads.operations = (10_000.0 * 1.5_f64.powi(i as i32)) as u64;
        }
        let passport = &passports(&cells, &runs, None)[0];
        // An hour of it would be 10 to the power of 634 times as much.
        let seen = 1.5_f64.powi(9) - 1.0;
        assert!((passport.drift / seen - 1.0).abs() < 0.01, "{passport:?}");
        assert_eq!(passport.drift_over, Nanos::secs(9));
        assert!(passport.drift_p < 0.001);
    }

    #[test]
    fn the_same_disk_in_another_machine_is_another_target() {
        let of = |serial, processor| {
            environment_on(
                vec![disk("sda", "8:0", serial)],
                &[("cpu.model", processor)],
            )
        };
        let then = of("WFN1", "a");
        let same = |now: &EnvironmentRecord| is_same_target(Some(&then), Some(now));
        assert_eq!(same(&of("WFN1", "a")), Some(true));
        assert_eq!(same(&of("WFN2", "a")), Some(false));
        assert_eq!(same(&of("WFN1", "b")), Some(false));
        assert_eq!(same(&environment_on(Vec::new(), &[])), Some(false));
        assert_eq!(is_same_target(None, Some(&then)), None);
    }
}
