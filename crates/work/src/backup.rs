//! `backup`: a tree is packed into one tar file, on the same target or on another.

use std::path::Path;

use super::archive::{codec, need_programs, pack, pack_by_program, unpack};
use super::attributes::Kept;
use super::cache::{self, CACHE};
use super::codec::{FORMAT, LEVEL, PROGRAM};
use super::compare::Comparison;
use super::context;
use super::error::WorkError;
use super::job::Job;
use super::parameter::{Kind, Parameter, ParameterError, Values, YES_NO};
use super::stamps::Stamps;
use super::tree::{self, INPUT};
use super::{RealWork, without_effect};

/// Packs a tree to a target.
pub(super) struct Backup;

/// Where a copy goes.
pub(super) static TARGET: Parameter = Parameter {
    name: context::TARGET,
    kind: Kind::Path,
    default: "",
    help: "a directory on another target, in which a private directory is made for what is written; without it all stays on one",
};
static UNCOMPRESSED: Parameter = Parameter {
    default: "none",
    ..FORMAT
};
static VERIFY: Parameter = Parameter {
    name: "verify",
    kind: YES_NO,
    default: "no",
    help: "whether the backup is unpacked and compared, outside of the figures",
};

static PARAMETERS: [Parameter; 9] = [
    UNCOMPRESSED,
    LEVEL,
    PROGRAM,
    CACHE,
    INPUT,
    tree::FILES,
    tree::SIZE,
    TARGET,
    VERIFY,
];

impl RealWork for Backup {
    fn name(&self) -> &'static str {
        "backup"
    }

    fn summary(&self) -> &'static str {
        "pack a tree of files into one tar on the same or another target"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn without_effect(&self, values: &Values) -> &'static [Parameter] {
        without_effect::of_packing(values, &UNCOMPRESSED)
    }

    fn check(&self, values: &Values) -> Result<(), WorkError> {
        Ok(without_effect::refuse_of_packing(values, &UNCOMPRESSED)?)
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let codec = codec(job, &UNCOMPRESSED)?;
        let system = job.values().text(&PROGRAM) == "system";
        if system {
            need_programs(codec)?;
        }
        let source = tree::source(job, 3)?;
        must_be_directory(job, &source)?;
        let before = Stamps::of_users(job, &source, &VERIFY)?;
        let target = job.values().path(&TARGET);
        let to = job.path_on(target.as_deref(), &format!("backup.{}", codec.suffix()))?;
        let (verify, again) = (job.values().yes(&VERIFY), job.path("again"));
        match verify {
            true => job.check_room_for(&[&to, &again])?,
            false => job.check_room_for(&[&to])?,
        }
        cache::set(job, &source)?;
        job.step("backup", |step| {
            let pack = if system { pack_by_program } else { pack };
            pack(&source, &to, codec, step)
        })?;
        if verify {
            let kept = Kept::at(&job.path("."))?;
            job.untimed(|step| {
                unpack(&to, &again, codec, step)?;
                let comparison = Comparison {
                    what: "the backup",
                    original: &source,
                    copy: &again,
                    kept,
                    before: before.as_ref(),
                };
                comparison.check(step)
            })?;
        }
        Ok(())
    }
}

/// An archive has what lies below its root.
fn must_be_directory(job: &Job<'_>, source: &Path) -> Result<(), WorkError> {
    match source.is_dir() {
        true => Ok(()),
        false => Err(ParameterError::Value {
            name: INPUT.name,
            value: job.values().text(&INPUT).to_owned(),
            wanted: "a directory".to_owned(),
        }
        .into()),
    }
}
