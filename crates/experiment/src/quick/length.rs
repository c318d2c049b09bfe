//! How long the runs of a group are: what is worth measuring, and what gets shorter with them.

use etalon_model::{End, IoWorkload};
use etalon_stats::MIN_RUNS_LAB;
use etalon_units::{Bytes, Nanos};
use etalon_workload::metadata::{MetadataError, MetadataWorkload};

use super::groups::Group;
use super::sizing::SHORTEST_RUN;

/// Fewest files of a metadata pass: their names still fill some blocks of a directory.
const FEWEST_FILES: u64 = 20;
/// Fewest bytes of a stream that ends after so many.
const SHORTEST_STREAM: Bytes = Bytes::mib(4);
/// Share of a pass that ends after so many bytes or files which gets shorter with their number.
const SHRINKING: f64 = 0.8;

/// The smallest length of a group's runs, in units of the planned one, that is worth measuring.
pub(crate) fn floor_of(group: &Group) -> f64 {
    match group {
        Group::Io(step) => match step.workload.end {
            End::Time(time) => SHORTEST_RUN.as_secs_f64() / time.as_secs_f64().max(1e-9),
            End::Bytes(bytes) => SHORTEST_STREAM.as_f64() / bytes.as_f64().max(1.0),
            End::Pass => 1.0,
        },
        Group::Names(names) => FEWEST_FILES as f64 / names.total_files().max(1) as f64,
    }
}

/// How much of `elapsed` gets shorter with the run.
pub(crate) fn shrinks(workload: &IoWorkload, elapsed: Nanos) -> Nanos {
    match workload.end {
        End::Time(time) => time.min(elapsed),
        End::Bytes(_) => share_that_shrinks(elapsed),
        End::Pass => Nanos::ZERO,
    }
}

/// How much of `elapsed` gets shorter with the number of bytes or files.
pub(crate) fn share_that_shrinks(elapsed: Nanos) -> Nanos {
    Nanos::from_secs_f64(elapsed.as_secs_f64() * SHRINKING)
}

/// How long a pass over files waits itself for what it left behind: beyond its part of the time that is left, no row
/// would have the runs of an interval beside it.
pub(crate) fn pays(left: Nanos) -> Nanos {
    Nanos(left.get() / MIN_RUNS_LAB as u64)
}

/// Makes a run `scale` times as long, but never shorter than what is worth measuring; a whole pass
/// over a file stays whole.
pub(crate) fn shorten(workload: &mut IoWorkload, scale: f64) {
    workload.warm_up = Nanos(scaled(workload.warm_up.get(), scale, 0));
    workload.end = match workload.end {
        End::Time(time) => End::Time(Nanos(scaled(time.get(), scale, SHORTEST_RUN.get()))),
        End::Bytes(bytes) => {
            let bytes = Bytes(scaled(bytes.get(), scale, SHORTEST_STREAM.get()));
            End::Bytes(bytes.round_down(workload.block_size.largest()))
        }
        End::Pass => End::Pass,
    };
}

/// The same operations on `scale` times as many files, but not on fewer than are worth measuring.
///
/// # Errors
/// When the number of files cannot be worked on.
pub(crate) fn of_length(
    names: &MetadataWorkload,
    scale: f64,
    seed: u64,
) -> Result<MetadataWorkload, MetadataError> {
    let files = scaled(names.total_files(), scale, FEWEST_FILES);
    Ok(MetadataWorkload {
        operations: names.operations.clone(),
        durability: names.durability,
        ..MetadataWorkload::life_of_files(files, seed)?
    })
}

/// `scale` times `whole`, but not less than `least`, where `whole` itself is not.
fn scaled(whole: u64, scale: f64, least: u64) -> u64 {
    ((whole as f64 * scale) as u64).max(least.min(whole))
}

#[cfg(test)]
mod tests {
    use super::super::groups::durable_files;
    use super::*;

    #[test]
    fn a_pass_over_files_shrinks_to_its_floor_and_not_below() {
        let names = MetadataWorkload::life_of_files(1000, 1).unwrap();
        let floor = floor_of(&Group::Names(names.clone()));
        assert_eq!(floor, 0.02);
        for (scale, files) in [(1.25, 1250), (0.5, 500), (floor, 20), (0.001, 20)] {
            let shorter = of_length(&names, scale, 7).unwrap();
            assert_eq!((shorter.total_files(), shorter.seed), (files, 7));
            assert_eq!(shorter.operations, names.operations);
        }
        let durable = durable_files(200, 1).unwrap();
        let longer = of_length(&durable, 1.25, 7).unwrap();
        assert_eq!(longer, durable_files(250, 7).unwrap());
    }
}
