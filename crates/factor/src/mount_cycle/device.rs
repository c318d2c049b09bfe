//! The device of a mount: whether its name leads to it, and what goes away with it.

use std::fs;
use std::path::{Path, PathBuf};

use etalon_model::stack::Mount;

use super::UnfitMount;
use super::fit::is_of_network;
use crate::block_node::{directory, number_of};

/// Judges the device that was mounted, and gives the file of a loop device that goes away with its mount.
pub(super) fn judge(mount: &Mount) -> Result<Option<PathBuf>, UnfitMount> {
    if is_of_network(mount) {
        return Ok(None);
    }
    let source = Path::new(&mount.source);
    let source_name = mount.source.clone();
    let Some(found) = number_of(source) else {
        let kind = mount.fs_type.clone();
        return Err(UnfitMount::NotTold { kind, source_name });
    };
    // Filesystems on several devices have a number of their own.
    if mount.devno.major != 0 && mount.devno != found {
        return Err(UnfitMount::OtherDevice { source_name });
    }
    loop_file(&directory(found)).map_err(|()| UnfitMount::PassingLoop { source_name })
}

/// The file of a loop device that goes away with its mount. An error where that does not bring all of it back.
fn loop_file(device: &Path) -> Result<Option<PathBuf>, ()> {
    let read = |name: &str| fs::read_to_string(device.join(name)).unwrap_or_default();
    let says = |name: &str, wanted: &str| read(name).trim() == wanted;
    if says("../loop/autoclear", "1") {
        return Err(());
    }
    if !says("loop/autoclear", "1") {
        return Ok(None);
    }
    let file = PathBuf::from(read("loop/backing_file").trim_end_matches('\n'));
    let is_all_of_it = says("loop/offset", "0") && says("loop/sizelimit", "0");
    match is_all_of_it && file.is_file() {
        true => Ok(Some(file)),
        false => Err(()),
    }
}
