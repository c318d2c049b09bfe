//! Whether there is time for creations of which each is durable, and for how many.

use etalon_engine::EngineError;
use etalon_stats::MIN_RUNS_LAB;
use etalon_units::Nanos;
use etalon_workload::measurable::Pass;

use super::QuickRequest;
use super::groups::{DURABLE, durable_files};
use crate::ExperimentError;
use crate::run::{BegunPass, Runner};
use crate::work_place::WorkPlace;

/// The shortest budget that has room for the row.
const BUDGET: Nanos = Nanos::secs(60);
/// Files that its pilot creates: a slow disk takes a tenth of a second for each.
const PILOT_FILES: u64 = 5;
/// Share of a run that creating them is to take.
const SHARE: f64 = 0.4;
/// Fewest and most files of a pass.
const FILES: std::ops::RangeInclusive<u64> = 10..=5000;
/// Workloads of the engine in a block of a target that is written.
const DATA_ROWS: f64 = 6.0;
/// Of a pilot so short, what the whole pass may take longer.
const SPARE: f64 = 1.5;

/// What is planned without the row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planned {
    /// Length of a run.
    pub(super) run: Nanos,
    /// Blocks of them.
    pub(super) blocks: usize,
    /// Blocks that every other row must have.
    pub(super) needed_blocks: usize,
    /// What a pass over names takes.
    pub(super) names: Nanos,
    /// Most files that a pass may have.
    pub(super) most_files: u64,
}

impl Planned {
    /// Whether all other rows keep the runs of an interval at their planned length beside a row of which a pass takes
    /// so long, and it costs no more than one of them.
    fn has_room(&self, pass: Nanos) -> bool {
        let run = self.run.as_secs_f64();
        let all = run * (DATA_ROWS + 1.0) * self.blocks as f64;
        let block = run * DATA_ROWS + (self.names.as_secs_f64() + pass.as_secs_f64());
        let needed = self.needed_blocks.max(MIN_RUNS_LAB);
        pass <= self.run && block * needed as f64 <= all
    }
}

impl WorkPlace {
    /// Files of a pass that makes each of them durable, and what it takes; `None` where the row is not planned.
    pub(super) fn durable_for(
        &self,
        runner: &Runner<'_>,
        request: &QuickRequest,
        planned: Planned,
    ) -> Result<Option<(u64, Nanos)>, ExperimentError> {
        let followed = followed(request);
        let has_time = request.budget >= BUDGET && planned.has_room(Nanos::ZERO);
        let is_asked = followed.unwrap_or(has_time);
        // Where nothing is durable, waiting for it tells nothing.
        if !is_asked || runner.site.is_memory() {
            return Ok(None);
        }
        let found = self.durable_pilot(runner, request, planned)?;
        Ok(Some(found).filter(|(_, takes)| followed.is_some() || planned.has_room(*takes)))
    }

    fn durable_pilot(
        &self,
        runner: &Runner<'_>,
        request: &QuickRequest,
        planned: Planned,
    ) -> Result<(u64, Nanos), ExperimentError> {
        let begun = BegunPass::now(Pass::default());
        let workload = durable_files(PILOT_FILES, request.seed)?;
        let runs = self.names(runner, workload, begun)?.runs;
        let took = Nanos::from(begun.since.elapsed());
        if runner.control.stopped() {
            return Err(EngineError::Stopped.into());
        }
        let timed = runs.iter().map(|run| run.measurement.duration.get()).sum();
        Ok(pass_after(took, Nanos(timed), planned))
    }
}

/// Whether the row stood in the check that goes on or is followed; `None` where there is none.
fn followed(request: &QuickRequest) -> Option<bool> {
    let like = request.file_size.as_ref();
    match request.earlier.is_empty() {
        true => like.and_then(|given| given.like.durable_names),
        false => Some(request.earlier.iter().any(|run| run.cell == DURABLE)),
    }
}

/// Files of a pass, and what it takes, after a pilot that took so long in all and between its clock's ends.
fn pass_after(took: Nanos, timed: Nanos, planned: Planned) -> (u64, Nanos) {
    let each = timed.as_secs_f64() / PILOT_FILES as f64;
    let files = (planned.run.as_secs_f64() * SHARE / each.max(1e-9)) as u64;
    let files = files.clamp(*FILES.start(), *FILES.end());
    let files = files.min(planned.most_files);
    let around = took.saturating_sub(timed).as_secs_f64();
    let takes = around + each * files as f64 * SPARE;
    (files, Nanos::from_secs_f64(takes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(names_ms: u64) -> Planned {
        Planned {
            run: Nanos::millis(800),
            blocks: 8,
            needed_blocks: 1,
            names: Nanos::millis(names_ms),
            most_files: 20_000,
        }
    }

    #[test]
    fn the_others_keep_their_six_runs_or_the_row_is_not_planned() {
        for (what, names, pass, has) in [
            ("an SSD", 600, 450, true),
            ("a disk that turns, with quick names", 1000, 700, true),
            ("its names take the time", 2500, 300, false),
            ("it would cost more than another row", 600, 900, false),
        ] {
            let found = planned(names).has_room(Nanos::millis(pass));
            assert_eq!(found, has, "{what}");
        }
        assert!(!planned(9000).has_room(Nanos::ZERO));
        let all_needed = Planned {
            needed_blocks: 8,
            ..planned(600)
        };
        assert!(!all_needed.has_room(Nanos::millis(450)));
    }

    #[test]
    fn a_pass_takes_its_share_of_a_run_and_a_slow_one_as_many_files_as_tell_something() {
        let usual = planned(600);
        let of = |each_us: u64| {
            let timed = Nanos::micros(each_us * PILOT_FILES);
            pass_after(Nanos(timed.get() + 50_000_000), timed, usual)
        };
        let (files, takes) = of(500);
        assert_eq!(files, 640);
        assert!(takes > Nanos::millis(500) && takes < Nanos::millis(560));
        // 30 ms each, as on a disk that turns, and 200 ms.
        let (files, takes) = of(30_000);
        assert_eq!(files, 10);
        assert!(planned(600).has_room(takes), "{takes}");
        let (files, takes) = of(200_000);
        assert_eq!(files, 10);
        assert!(!planned(600).has_room(takes), "{takes}");
        assert_eq!(of(1).0, 5000);
        let few_inodes = Planned {
            most_files: 300,
            ..usual
        };
        assert_eq!(pass_after(Nanos(100), Nanos(50), few_inodes).0, 300);
    }
}
