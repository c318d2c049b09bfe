//! The check of about a minute.

mod durable;
#[cfg(test)]
mod ends;
mod failed;
mod groups;
mod inodes;
mod lacking;
mod length;
mod pace;
mod pilot;
#[cfg(test)]
mod samples;
mod session;
mod sizing;
#[cfg(test)]
mod slow;
#[cfg(test)]
mod truth;

use std::path::PathBuf;
use std::time::Instant;

use etalon_engine::Control;
use etalon_judge::Goal;
use etalon_model::{Run, TargetRecord};
use etalon_units::{Bytes, Nanos, Percent};

use crate::claim::claim_for;
use crate::earlier::{elapsed, same_conditions, told};
use crate::measure::ended_early;
use crate::run::Runner;
use crate::witness::tell;
use crate::work_place::WorkPlace;
use crate::{Event, ExperimentError, Outcome, Site, SiteError, SiteKind, Witness};

use groups::{Means, as_before, groups};
use session::QuickSession;

/// What a quick check is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct QuickRequest {
    /// A directory, or a block device to read from.
    pub target: PathBuf,
    /// The most time that it may take.
    pub budget: Nanos,
    /// The relative half width that is asked for; `None` where the budget decides.
    pub precision: Option<Percent>,
    /// Size of the file to read and of the one to write; `None` to choose one.
    pub file_size: Option<FileSize>,
    /// Fewest runs of a cell, at least 6.
    pub min_runs: usize,
    /// Most runs of a cell.
    pub max_runs: usize,
    /// Runs beyond these that stand in for some that are left out, until `min_runs` count; 0 for none.
    pub replacements: usize,
    /// Blocks without which the check is worth nothing: a budget that is too short for them is refused. At least 1.
    pub needed_blocks: usize,
    /// Decides every random choice.
    pub seed: u64,
    /// Runs of the same check that stand already and are counted; the machine must not have changed since.
    pub earlier: Vec<Run>,
    /// What the sessions took that made these.
    pub earlier_took: Nanos,
}

/// A size of the files that is not left to the check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSize {
    /// Of each of the two files.
    pub size: Bytes,
    /// Where it comes from.
    pub source: SizeSource,
    /// What else the check had from which it comes; taken where the size is.
    pub like: Likeness,
}

/// What of a check depends on how fast its target was, beside the size of its files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Likeness {
    /// Operations of a stream in flight, at least 1; `None` to choose by speed.
    pub stream_depth: Option<u32>,
    /// Whether files were created with an fsync of each; `None` where time decides.
    pub durable_names: Option<bool>,
}

impl Likeness {
    /// Of the runs of a check that was named, which is to be followed in everything.
    pub fn of(runs: &[Run]) -> Likeness {
        let depth = runs.iter().find_map(groups::stream_depth_of);
        Likeness {
            stream_depth: depth,
            durable_names: Some(runs.iter().any(|run| run.cell == groups::DURABLE)),
        }
    }

    /// The same without what time decides, for a check that was not named.
    #[must_use]
    pub fn where_time_allows(self) -> Likeness {
        Likeness {
            durable_names: None,
            ..self
        }
    }
}

/// Where a size of the files comes from, and so how much is done for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizeSource {
    /// It was asked for itself, and nothing else will do.
    AskedFor,
    /// An experiment that was named; taken where there is room.
    Experiment,
    /// The runs that stand and are gone on with, so that nothing else will do.
    Continued,
    /// The last check of the same target; taken where it is laid out in time and not far below what would be chosen, since
    /// another disk may be mounted there now.
    SameTarget,
    /// A check of another target, with which this one may be compared; taken where it is laid out in good
    /// time and is not far from what would be chosen.
    OtherTarget,
}

/// Checks the storage beneath a target.
///
/// Lays out files in a private directory, repeats blocks of all workloads in random order until
/// every cell is decided or the budget is spent, and removes the files. A stop asked of `control`
/// ends it within a second with what had finished.
///
/// # Errors
/// [`ExperimentError`] when nothing could be measured; runs that had ended were told to `witness`.
pub fn quick(
    request: &QuickRequest,
    control: &Control,
    witness: &mut dyn Witness,
) -> Result<Outcome, ExperimentError> {
    let goal = Goal::new(request.precision, request.min_runs, request.max_runs)?
        .with_replacements(request.replacements);
    let site = Site::look(&request.target)?;
    if site.kind == SiteKind::File {
        return Err(ExperimentError::Site(SiteError::WrongKind {
            path: request.target.clone(),
            what: "a file, which this check would have to overwrite (`etalon measure FILE --op read` reads it)",
            wanted: "a directory or a block device",
        }));
    }
    refuse_size_of_device(&site, request)?;
    same_conditions(&request.earlier, &site)?;
    tell(
        witness,
        Event::Begun {
            target: &site.record,
            at_most: request.budget,
        },
    )?;
    let lock = claim_for(&[&site], control, witness)?;
    // Once nobody else measures here, and before anything is made.
    let runner = Runner::new(&site, control, true);
    let work_place = WorkPlace::to_read(&site)?.locked(Some(lock));
    // What was waited for is no part of the budget.
    let begun = Instant::now();
    let outcome = |session: QuickSession<'_>, choices, interrupted| Outcome {
        target: target_record(&site),
        choices,
        forecast: session.forecast.clone(),
        cells: session.cells(),
        runs: session.into_runs(),
        seed: request.seed,
        elapsed: elapsed(request.earlier_took, begun),
        interrupted,
        failure: None,
    };
    let mut session = QuickSession::new(
        &runner,
        &work_place,
        &goal,
        request.seed,
        begun,
        request.budget,
    );
    let plan = match work_place.plan(&runner, request, begun) {
        Ok(plan) => plan,
        Err(error) if stopped(&error) => return Ok(outcome(session, Vec::new(), true)),
        Err(error) => return Err(error.shown()),
    };
    tell(
        witness,
        Event::LayingOut {
            size: plan.laid_out(),
        },
    )?;
    let mut steps = groups(&plan.sizes, &plan.means, request.seed)?;
    as_before(&mut steps, &request.earlier);
    session.count(request.earlier.clone());
    let result = work_place
        .lay_out(&runner, &steps)
        .and_then(|()| session.blocks(steps, (plan.sizes.blocks, plan.names_take), witness));
    let failure = ended_early(result, session.made() > request.earlier.len())?;
    let mut choices = plan.sizes.reasons.clone();
    choices.extend(session.shortfalls());
    choices.extend(told(&request.earlier));
    Ok(Outcome {
        failure,
        ..outcome(session, choices, control.stopped())
    })
}

/// A device is read as a whole, whatever size is named.
fn refuse_size_of_device(site: &Site, request: &QuickRequest) -> Result<(), ExperimentError> {
    match &request.file_size {
        Some(given)
            if site.kind == SiteKind::BlockDevice && given.source == SizeSource::AskedFor =>
        {
            Err(ExperimentError::FileSizeOfDevice {
                target: request.target.clone(),
                size: given.size,
            })
        }
        _ => Ok(()),
    }
}

/// What was chosen after the pilot.
struct QuickPlan {
    sizes: sizing::Sizes,
    means: Means,
    /// What a pass over names is expected to take, and one that makes each durable.
    names_take: [Nanos; 2],
}

fn target_record(site: &Site) -> TargetRecord {
    site.record.clone()
}

fn stopped(error: &ExperimentError) -> bool {
    matches!(
        error,
        ExperimentError::Engine(etalon_engine::EngineError::Stopped)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_size_that_is_named_for_a_device_is_refused_and_that_of_another_check_is_not() {
        let directory = etalon_testbed::in_memory();
        let mut site = Site::look(directory.path()).unwrap();
        let of = |source| QuickRequest {
            file_size: Some(FileSize {
                size: Bytes::gib(1),
                source,
                like: Likeness::default(),
            }),
            ..samples::request(Path::new("/dev/sdb"), Nanos::secs(60))
        };
        let asked = of(SizeSource::AskedFor);
        assert!(refuse_size_of_device(&site, &asked).is_ok());
        site.kind = SiteKind::BlockDevice;
        let refused = refuse_size_of_device(&site, &asked);
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("reads as a whole"), "{refused}");
        for source in [
            SizeSource::Experiment,
            SizeSource::SameTarget,
            SizeSource::Continued,
        ] {
            assert!(refuse_size_of_device(&site, &of(source)).is_ok());
        }
    }
}
