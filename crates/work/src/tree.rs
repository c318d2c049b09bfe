//! Walking trees: every entry in a fixed order, and one number for all that a tree holds.

use std::fs::{self, File, Metadata};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use etalon_units::Bytes;
use flate2::Crc;

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
        if let WalkEvent::Leaf(meta) = found {
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

/// What of a tree is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compared {
    /// Names, kinds, links and contents.
    Contents,
    /// The same, permissions and times of change to the second.
    Attributes,
}

/// A number that two trees share when all that is compared is equal (CRC-32, so that one wrong bit
/// is always seen, and a wrong tree passes once in 4 thousand million).
pub(super) fn fingerprint(
    root: &Path,
    compared: Compared,
    step: &mut Step<'_>,
) -> Result<u32, WorkError> {
    let mut crc = Crc::new();
    let mut piece = vec![0; 256 << 10];
    let stop = step.stop_flag();
    walk(root, step, &mut |path, found| {
        let meta = match found {
            WalkEvent::Enter(meta) | WalkEvent::Leaf(meta) => meta,
            WalkEvent::Leave(_) => return Ok(()),
        };
        let name = path.strip_prefix(root).unwrap_or(path);
        crc.update(name.as_os_str().as_bytes());
        crc.update(&(meta.mode() & 0o170_000).to_le_bytes());
        if compared == Compared::Attributes && !meta.is_symlink() {
            crc.update(&(meta.permissions().mode() & 0o7777).to_le_bytes());
            // The root's own time changes when its neighbours are compared.
            if !meta.is_dir() {
                crc.update(&meta.mtime().to_le_bytes());
            }
        }
        if meta.is_symlink() {
            let to = fs::read_link(path).map_err(WorkError::io("read the link", path))?;
            crc.update(to.as_os_str().as_bytes());
        } else if meta.is_file() {
            let mut file = File::open(path).map_err(WorkError::io("open", path))?;
            loop {
                stop.check().map_err(WorkError::io("read", path))?;
                match file.read(&mut piece).map_err(WorkError::io("read", path))? {
                    0 => break,
                    length => crc.update(&piece[..length]),
                }
            }
        }
        Ok(())
    })?;
    Ok(crc.sum())
}

/// Fails when two trees are not equal.
pub(super) fn must_be_equal(
    what: &'static str,
    (original, copy): (&Path, &Path),
    compared: Compared,
    step: &mut Step<'_>,
) -> Result<(), WorkError> {
    let expected = fingerprint(original, compared, step)?;
    let found = fingerprint(copy, compared, step)?;
    if expected == found {
        return Ok(());
    }
    Err(WorkError::Mismatch {
        what,
        expected: format!("{expected:08x}"),
        found: format!("{found:08x}"),
    })
}
