//! Arrays of md that bear a token.

use std::fs;
use std::path::{Path, PathBuf};

use super::gone::until_gone;
use super::program::run;
use crate::Token;
use crate::error::FactorError;

/// The array with this UUID, whatever number the kernel or udev has given it.
pub(crate) fn md_of(uuid: &Token) -> Option<PathBuf> {
    let devices = fs::read_dir("/sys/block").into_iter().flatten().flatten();
    let arrays = devices.filter(|device| device.path().join("md").is_dir());
    arrays
        .map(|device| Path::new("/dev").join(device.file_name()))
        .find(|node| has_uuid(node, uuid))
}

fn has_uuid(node: &Path, uuid: &Token) -> bool {
    let told = run("mdadm", &["--detail", "--export", &node.to_string_lossy()]);
    told.is_ok_and(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MD_UUID="));
        line.is_some_and(|found| found.replace(':', "") == uuid.as_str())
    })
}

/// Stops the array, where it runs.
pub(super) fn stop(uuid: &Token) -> Result<bool, FactorError> {
    until_gone(
        || Ok(md_of(uuid)),
        |node| run("mdadm", &["--stop", &node.to_string_lossy()]).map(drop),
    )
}
