//! `backup`: a tree is packed into one tar file, on the same target or on another.

use super::RealWork;
use super::archive::{codec, need_programs, pack, pack_by_program, unpack};
use super::cache::{self, CACHE};
use super::codec::{FORMAT, LEVEL, PROGRAM};
use super::context;
use super::error::WorkError;
use super::job::Job;
use super::parameter::{Kind, Parameter, YES_NO};
use super::tree::{self, Compared, INPUT, must_be_equal};

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

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let codec = codec(job, &UNCOMPRESSED)?;
        let system = job.values().text(&PROGRAM) == "system";
        if system {
            need_programs(codec)?;
        }
        let source = tree::source(job, 3)?;
        let target = job.values().path(&TARGET);
        let to = job.path_on(target.as_deref(), &format!("backup.{}", codec.suffix()))?;
        job.check_room_for(&to)?;
        if job.values().text(&CACHE) == "cold" {
            job.untimed(|step| cache::drop_tree(&source, step))?;
        }
        job.step("backup", |step| {
            let pack = if system { pack_by_program } else { pack };
            pack(&source, &to, codec, step)
        })?;
        if job.values().yes(&VERIFY) {
            let again = job.path("again");
            job.untimed(|step| {
                unpack(&to, &again, codec, step)?;
                must_be_equal("the backup", (&source, &again), Compared::Attributes, step)
            })?;
        }
        Ok(())
    }
}
