//! `copy-tree`: a tree is copied file by file, on the same target or to another.

use super::attributes::Kept;
use super::backup::TARGET;
use super::cache::{self, CACHE};
use super::compare::Comparison;
use super::error::WorkError;
use super::job::Job;
use super::parameter::{Kind, Parameter, Values, YES_NO};
use super::preserve::{Copier, Method, Preserve};
use super::stamps::Stamps;
use super::tree::{self, INPUT};
use super::{RealWork, without_effect};

/// Copies a tree.
pub(super) struct CopyTree;

static PRESERVE: Parameter = Parameter {
    name: "preserve",
    kind: Kind::Choice(&["none", "archive", "all"]),
    default: "archive",
    help: "archive: links, permissions, times and owner as rsync -a; all: hard links and extended attributes too; none: data and names",
};
static METHOD: Parameter = Parameter {
    name: "method",
    kind: Kind::Choice(&["read-write", "kernel"]),
    default: "read-write",
    help: "read-write: 1 MiB at a time through this program; kernel: copy_file_range, which may share blocks",
};
static VERIFY: Parameter = Parameter {
    name: "verify",
    kind: YES_NO,
    default: "yes",
    help: "whether the copy is compared with the original, outside of the figures",
};

static PARAMETERS: [Parameter; 8] = [
    INPUT,
    tree::FILES,
    tree::SIZE,
    TARGET,
    PRESERVE,
    METHOD,
    CACHE,
    VERIFY,
];

impl RealWork for CopyTree {
    fn name(&self) -> &'static str {
        "copy-tree"
    }

    fn summary(&self) -> &'static str {
        "copy photographs, a source tree or mail, with attributes, to the same or another target"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn without_effect(&self, values: &Values) -> &'static [Parameter] {
        without_effect::beside_input(values)
    }

    fn check(&self, values: &Values) -> Result<(), WorkError> {
        Ok(without_effect::refuse_beside_input(values)?)
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let preserve = match job.values().text(&PRESERVE) {
            "none" => Preserve::None,
            "all" => Preserve::All,
            _ => Preserve::Archive,
        };
        let kernel = job.values().text(&METHOD) == "kernel";
        let method = if kernel {
            Method::Kernel
        } else {
            Method::ReadWrite
        };
        let from = tree::source(job, 2)?;
        let before = Stamps::of_users(job, &from, &VERIFY)?;
        let target = job.values().path(&TARGET);
        let to = job.path_on(target.as_deref(), "copy")?;
        job.check_room_for(&[&to])?;
        cache::set(job, &from)?;
        job.step("copy", |step| {
            Copier {
                from: &from,
                to: &to,
                preserve,
                method,
            }
            .copy(step)
        })?;
        if job.values().yes(&VERIFY) {
            let kept = match preserve {
                Preserve::None => Kept::NONE,
                _ => Kept::at(to.parent().unwrap_or(&to))?,
            };
            let comparison = Comparison {
                what: "the copied tree",
                original: &from,
                copy: &to,
                kept,
                before: before.as_ref(),
            };
            job.untimed(|step| comparison.check(step))?;
        }
        Ok(())
    }
}
