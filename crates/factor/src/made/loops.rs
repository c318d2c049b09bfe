//! Loop devices over files that bear a token.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::Made;
use super::program::run;
use crate::error::FactorError;
use crate::steps::EntryStep;

/// A device goes when the last one who looks at it, often udev, has closed it.
const DETACH_TIMEOUT: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Attaches a loop device to `file`, which bears the token of `made`.
pub(crate) fn attach(made: &mut Made, file: &Path) -> Result<PathBuf, FactorError> {
    made.enter(EntryStep::Loop {
        file: file.to_owned(),
    })?;
    let name = file.to_string_lossy();
    // Another program may take the device that was found free.
    let mut tries = (0..5).map(|_| run("losetup", &["--find", "--show", &name]));
    let found = tries
        .find(Result::is_ok)
        .unwrap_or_else(|| run("losetup", &["--find", "--show", &name]))?;
    let node = PathBuf::from(found);
    match over(file).contains(&node) {
        true => Ok(node),
        false => Err(FactorError::NotSo {
            path: node,
            wanted: name.into_owned(),
            found: "another file, or none".to_owned(),
        }),
    }
}

/// Detaches every loop device over `file`; whether there was one.
pub(super) fn detach(file: &Path) -> Result<bool, FactorError> {
    let begun = Instant::now();
    let mut has_detached = false;
    loop {
        let found = over(file);
        if found.is_empty() {
            return Ok(has_detached);
        }
        has_detached = true;
        for node in &found {
            let detached = run("losetup", &["--detach", &node.to_string_lossy()]);
            if begun.elapsed() > DETACH_TIMEOUT {
                detached?;
                return Err(FactorError::NotSo {
                    path: node.clone(),
                    wanted: "no file".to_owned(),
                    found: format!("{}, because something has it open", file.display()),
                });
            }
        }
        sleep(POLL_INTERVAL);
    }
}

/// The loop devices over `file`, which may be removed already (loop(4): `(deleted)`).
fn over(file: &Path) -> Vec<PathBuf> {
    let wanted = file.to_string_lossy();
    let devices = fs::read_dir("/sys/block").into_iter().flatten().flatten();
    let over = devices.filter(|device| {
        let backing = fs::read_to_string(device.path().join("loop/backing_file"));
        backing.is_ok_and(|text| {
            let text = text.trim_end_matches('\n');
            text.strip_suffix(" (deleted)").unwrap_or(text) == wanted
        })
    });
    over.map(|device| Path::new("/dev").join(device.file_name()))
        .collect()
}
