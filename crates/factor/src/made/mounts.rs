//! Mounts in directories that bear a token.

use std::fs;
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use etalon_model::stack::DevNo;

use super::Made;
use super::place::mark_around;
use super::program::run;
use crate::block_node::number_of;
use crate::error::FactorError;
use crate::steps::EntryStep;

const UNMOUNT_TIMEOUT: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A mount, as the kernel tells it (proc_pid_mountinfo(5)).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MountedAt {
    /// The type of the filesystem.
    pub(crate) kind: String,
    /// Its device, as mount(8) named it.
    pub(crate) source: String,
    /// Options of the mount and of the filesystem, by commas.
    pub(crate) options: String,
    /// The filesystem's device; major 0 where it has none of its own, as on btrfs.
    number: DevNo,
}

impl MountedAt {
    /// The device that was mounted, by whatever name: mount(8) and udev call one of device-mapper otherwise than the
    /// kernel does.
    pub(crate) fn device(&self) -> Option<DevNo> {
        match self.number.major {
            0 => number_of(Path::new(&self.source)),
            _ => Some(self.number),
        }
    }
}

/// Makes the directory `point` and mounts `source` there.
pub(crate) fn mount(
    made: &mut Made,
    source: &str,
    (kind, options): (&str, &str),
    point: &Path,
) -> Result<(), FactorError> {
    made.enter(EntryStep::Directory {
        path: point.to_owned(),
        filesystem: mark_around(point),
    })?;
    use std::os::unix::fs::DirBuilderExt as _;
    let mut builder = fs::DirBuilder::new();
    let directory = builder.mode(0o700).create(point);
    directory.map_err(FactorError::io("make the directory", point))?;
    made.enter(EntryStep::Mount {
        point: point.to_owned(),
    })?;
    let to = point.to_string_lossy();
    let mut words = vec!["-t", kind];
    if !options.is_empty() {
        words.extend(["-o", options]);
    }
    run("mount", &[&words[..], &["--", source, &to]].concat())?;
    Ok(())
}

/// The uppermost mount at `point`.
pub(crate) fn mounted_at(point: &Path) -> Result<Option<MountedAt>, FactorError> {
    let list = Path::new("/proc/self/mountinfo");
    let text = fs::read_to_string(list).map_err(FactorError::io("read", list))?;
    let wanted = escaped(&point.to_string_lossy());
    let found = text.lines().rev().find_map(|line| {
        let (front, back) = line.split_once(" - ")?;
        let front: Vec<&str> = front.split(' ').collect();
        let back: Vec<&str> = back.split(' ').collect();
        (*front.get(4)? == wanted).then(|| {
            Some(MountedAt {
                kind: (*back.first()?).to_owned(),
                source: (*back.get(1)?).to_owned(),
                options: format!("{},{}", front.get(5)?, back.get(2)?),
                number: front.get(2)?.parse().ok()?,
            })
        })?
    });
    Ok(found)
}

/// Spaces, tabs, new lines and backslashes are octal there.
fn escaped(path: &str) -> String {
    path.replace('\\', "\\134")
        .replace(' ', "\\040")
        .replace('\t', "\\011")
        .replace('\n', "\\012")
}

/// Unmounts whatever is mounted at `point`; whether there was anything.
pub(super) fn unmount(point: &Path) -> Result<bool, FactorError> {
    let begun = Instant::now();
    let mut has_unmounted = false;
    while mounted_at(point)?.is_some() {
        match run("umount", &["--", &point.to_string_lossy()]) {
            Ok(_) => has_unmounted = true,
            Err(error) if begun.elapsed() > UNMOUNT_TIMEOUT => return Err(error),
            // A program that was killed a moment ago may not have closed its files.
            Err(_) => sleep(POLL_INTERVAL),
        }
    }
    // Where the directory is gone there is no mount either.
    match point.symlink_metadata() {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(FactorError::io("look at", point)(error))
        }
        _ => Ok(has_unmounted),
    }
}
