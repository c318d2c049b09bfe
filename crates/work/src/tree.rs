//! The tree that a work reads, and walks through trees: every entry in a fixed order.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use etalon_units::Bytes;

use super::error::WorkError;
use super::input;
use super::job::Job;
use super::parameter::{Kind, Parameter};
use super::record::InputRecord;
use super::step::Step;
use etalon_workload::room;

/// The parameters of a work whose input is a tree.
pub(super) static INPUT: Parameter = Parameter {
    name: "input",
    kind: Kind::Path,
    default: "",
    help: "a tree of yours to work on, which is only read; without it one is generated",
};

/// How large a generated tree is.
pub(super) static SIZE: Parameter = Parameter {
    name: "size",
    kind: Kind::Size,
    default: "64M",
    help: "bytes in the generated files",
};

/// What a generated tree is like.
pub(super) static FILES: Parameter = Parameter {
    name: "files",
    kind: Kind::Choice(&input::Distribution::NAMES),
    default: "source-tree",
    help: "what the generated files are like",
};

/// The collection that a work's parameters ask for, for which there must be room `times` times.
pub(super) fn plan(job: &Job<'_>, times: u64) -> Result<input::InputPlan, WorkError> {
    let values = job.values();
    let (size, place) = (values.size(&SIZE), job.path("."));
    // Before the list of files is made, which takes memory for each.
    room::check(&place, 0, 0, Bytes(size.get().saturating_mul(times)))?;
    let distribution = values
        .text(&FILES)
        .parse()
        .unwrap_or(input::Distribution::SourceTree);
    let plan = input::InputPlan::new(distribution, size, job.seed());
    let count = |n: u64| n.saturating_mul(times);
    room::check(
        &place,
        count(plan.directories()),
        count(plan.files()),
        Bytes(count(plan.bytes().get())),
    )?;
    Ok(plan)
}

/// The tree that a work reads: the user's, or a generated one, for which there must be room `times`
/// times.
pub(super) fn source(job: &mut Job<'_>, times: u64) -> Result<PathBuf, WorkError> {
    if let Some(path) = job.values().path(&INPUT) {
        let path = fs::canonicalize(&path).map_err(WorkError::io("find", &path))?;
        let record = job.untimed(|step| describe(&path, step))?;
        job.set_input(record);
        return Ok(path);
    }
    let plan = plan(job, times)?;
    let path = job.path("source");
    job.make_input(&plan, &path)?;
    Ok(path)
}

/// What a tree of the user's holds.
pub(super) fn describe(root: &Path, step: &mut Step<'_>) -> Result<InputRecord, WorkError> {
    let (mut files, mut bytes) = (0, 0);
    walk(root, step, &mut |_, found| {
        if let WalkEvent::Leaf(meta) = found
            && is_copied(meta)
        {
            files += 1;
            bytes += if meta.is_file() { meta.len() } else { 0 };
        }
        Ok(())
    })?;
    let source = root.display().to_string();
    Ok(InputRecord {
        source,
        files,
        bytes: Bytes(bytes),
        compressibility: None,
    })
}

/// Whether copies and archives have it: devices, sockets and pipes are left out, which take rights that a benchmark should
/// not have, or hold nothing.
pub(super) fn is_copied(meta: &Metadata) -> bool {
    meta.is_dir() || meta.is_file() || meta.is_symlink()
}

/// The entry `name` below `root`, or the root itself, which may be a file: a slash at its end would lead nowhere.
pub(super) fn entry_of(root: &Path, name: &Path) -> PathBuf {
    match name.as_os_str().is_empty() {
        true => root.to_owned(),
        false => root.join(name),
    }
}

/// What a walk comes upon.
pub(super) enum WalkEvent<'m> {
    /// A directory, before what is in it.
    Enter(&'m Metadata),
    /// Anything but a directory.
    Leaf(&'m Metadata),
    /// The same directory, after what is in it.
    Leave(&'m Metadata),
}

/// Visits everything below `root`, itself first and last, names in order; follows no links.
pub(super) fn walk(
    root: &Path,
    step: &mut Step<'_>,
    visit: &mut dyn FnMut(&Path, WalkEvent<'_>) -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    let meta = fs::symlink_metadata(root).map_err(WorkError::io("read the attributes of", root))?;
    if !meta.is_dir() {
        return visit(root, WalkEvent::Leaf(&meta));
    }
    visit(root, WalkEvent::Enter(&meta))?;
    let mut names = Vec::new();
    for entry in fs::read_dir(root).map_err(WorkError::io("list the directory", root))? {
        names.push(
            entry
                .map_err(WorkError::io("list the directory", root))?
                .file_name(),
        );
    }
    names.sort_unstable();
    for name in names {
        step.go_on()?;
        walk(&root.join(name), step, visit)?;
    }
    visit(root, WalkEvent::Leave(&meta))
}
