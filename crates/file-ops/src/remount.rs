//! A filesystem unmounted and mounted again between two tests, so that nothing of it is cached.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use etalon_host::filesystem::is_memory;
use etalon_stack::parse_mountinfo;

use super::FileOpError;
use super::error::RemountRefusal;

/// Where the kernel lists the mounts of this process.
const MOUNTS: &str = "/proc/self/mountinfo";

/// A mount point that has been found fit to be remounted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remount {
    point: PathBuf,
    source: String,
    kind: String,
    options: String,
}

impl Remount {
    /// Checks that `point` can be remounted and that each of `files` lies on it.
    ///
    /// # Errors
    /// [`FileOpError::Remount`] with the reason.
    pub fn new(point: &Path, files: &[PathBuf]) -> Result<Remount, FileOpError> {
        let refused = |reason| FileOpError::Remount {
            path: point.to_owned(),
            reason,
        };
        if !rustix::process::geteuid().is_root() {
            return Err(refused(RemountRefusal::NotRoot));
        }
        let point = point
            .canonicalize()
            .map_err(|_| refused(RemountRefusal::NotAMount))?;
        if point == Path::new("/") {
            return Err(refused(RemountRefusal::RootOfSystem));
        }
        for file in files {
            let place = std::path::absolute(file).unwrap_or_else(|_| file.clone());
            let place = place.parent().and_then(|parent| parent.canonicalize().ok());
            if !place.is_some_and(|place| place.starts_with(&point)) {
                return Err(refused(RemountRefusal::FileElsewhere {
                    file: file.clone(),
                }));
            }
        }
        find(&point).map_err(refused)
    }

    /// Unmounts and mounts again.
    ///
    /// # Errors
    /// When `umount` or `mount` refuses, for example because something is open there.
    pub fn cycle(&self) -> Result<(), FileOpError> {
        let refused = |reason| FileOpError::Remount {
            path: self.point.clone(),
            reason,
        };
        // A loop device that was set up by mount(8) goes away at its last close.
        let held = File::open(&self.source);
        command(Command::new("umount").arg(&self.point), "umount").map_err(refused)?;
        let mounted = command(
            Command::new("mount")
                .args(["-t", &self.kind, "-o", &self.options, &self.source])
                .arg(&self.point),
            "mount",
        );
        drop(held);
        mounted.map_err(refused)
    }
}

fn find(point: &Path) -> Result<Remount, RemountRefusal> {
    let path = Path::new(MOUNTS);
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mounts = parse_mountinfo(&text, path)?;
    // The last one lies on top.
    let mount = mounts
        .into_iter()
        .rev()
        .find(|mount| Path::new(&mount.point) == point);
    let mount = mount.ok_or(RemountRefusal::NotAMount)?;
    let kind = mount.fs_type;
    if is_memory(&kind) || kind == "proc" {
        return Err(RemountRefusal::Volatile { kind });
    }
    Ok(Remount {
        point: point.to_owned(),
        source: mount.source,
        kind,
        options: mount.options.join(","),
    })
}

fn command(command: &mut Command, name: &'static str) -> Result<(), RemountRefusal> {
    let failed = |answer: String| RemountRefusal::Command {
        command: name,
        answer,
    };
    let output = command
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    Err(failed(
        String::from_utf8_lossy(&output.stderr).trim().to_owned(),
    ))
}
