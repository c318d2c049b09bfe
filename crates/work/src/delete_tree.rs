//! `delete-tree`: a tree is removed, name by name.

use std::fs;

use super::RealWork;
use super::cache::{self, CACHE};
use super::error::WorkError;
use super::job::Job;
use super::parameter::Parameter;
use super::tree::{self, WalkEvent, walk};

/// Removes a generated tree; never one of the user's.
pub(super) struct DeleteTree;

static PARAMETERS: [Parameter; 3] = [tree::FILES, tree::SIZE, CACHE];

impl RealWork for DeleteTree {
    fn name(&self) -> &'static str {
        "delete-tree"
    }

    fn summary(&self) -> &'static str {
        "remove a generated tree of files, name by name"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let plan = tree::plan(job, 1)?;
        let root = job.path("tree");
        job.make_input(&plan, &root)?;
        cache::set(job, &root)?;
        job.step("delete", |step| {
            let mut tally = step.tally;
            walk(&root, step, &mut |path, found| match found {
                WalkEvent::Enter(_) => Ok(()),
                WalkEvent::Leave(_) => {
                    fs::remove_dir(path).map_err(WorkError::io("remove the directory", path))
                }
                WalkEvent::Leaf(meta) => {
                    tally.files += 1;
                    tally.bytes += if meta.is_file() { meta.len() } else { 0 };
                    fs::remove_file(path).map_err(WorkError::io("remove the file", path))
                }
            })?;
            step.tally = tally;
            Ok(())
        })
    }
}
