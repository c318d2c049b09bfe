//! What a filesystem tells of itself by system calls: room, and O_DIRECT.

use std::path::Path;

use etalon_host::filesystem::lies_in_memory;
use etalon_model::stack::{DirectIo, Space};
use etalon_units::Bytes;
use rustix::fs::{AtFlags, CWD, StatVfsMountFlags, StatxFlags, statfs, statvfs, statx};

use crate::error::StackError;

/// How full the filesystem of `path` is, by statvfs(3).
///
/// # Errors
/// When the path cannot be examined.
pub fn space(path: &Path) -> Result<Space, StackError> {
    let found = statvfs(path).map_err(|error| StackError::Target {
        path: path.to_owned(),
        source: error.into(),
    })?;
    let bytes = |blocks: u64| Bytes(blocks.saturating_mul(found.f_frsize));
    Ok(Space {
        total: bytes(found.f_blocks),
        free: bytes(found.f_bfree),
        available: bytes(found.f_bavail),
        inodes_total: found.f_files,
        inodes_free: found.f_ffree,
        read_only: found.f_flag.contains(StatVfsMountFlags::RDONLY),
    })
}

/// Whether O_DIRECT works on the regular file `path`, by statx(2) with `STATX_DIOALIGN` (6.1).
///
/// A directory gets no answer from the kernel; ask for a file in it.
pub fn direct_io(path: &Path) -> DirectIo {
    let unknown = |why: &str| DirectIo::Unknown {
        why: why.to_owned(),
    };
    if statfs(path).is_ok_and(|found| lies_in_memory(&found)) {
        return DirectIo::ServedFromMemory;
    }
    let wanted = StatxFlags::DIOALIGN | StatxFlags::TYPE;
    let found = match statx(CWD, path, AtFlags::empty(), wanted) {
        Ok(found) => found,
        Err(error) => return unknown(&error.to_string()),
    };
    let answered = StatxFlags::from_bits_retain(found.stx_mask).contains(StatxFlags::DIOALIGN);
    if !answered {
        return unknown(match path.is_dir() {
            true => "asked of a directory; the kernel answers for files only",
            false => "the kernel or the filesystem does not tell (Linux 6.1 and later do)",
        });
    }
    match (found.stx_dio_mem_align, found.stx_dio_offset_align) {
        (_, 0) => DirectIo::Refused,
        (memory, offset) => DirectIo::Supported {
            memory_align: Bytes(memory.into()),
            offset_align: Bytes(offset.into()),
        },
    }
}
