//! How much of a filesystem may be used.

use std::os::fd::AsFd;

use rustix::fs::{StatVfs, fstatvfs};

/// Bytes that this user may take from the filesystem of `place` while at least a tenth of it stays
/// free for everybody else. Blocks reserved for root are nobody's (`statvfs(3)`, `f_bavail`).
///
/// # Errors
/// The kernel's answer to `fstatvfs(3)`.
pub fn space_allowance_bytes(place: impl AsFd) -> std::io::Result<u64> {
    Ok(allowance(&fstatvfs(place)?))
}

fn allowance(filesystem: &StatVfs) -> u64 {
    let keep_blocks = filesystem.f_blocks.div_ceil(10);
    let blocks = filesystem.f_bavail.saturating_sub(keep_blocks);
    blocks.saturating_mul(filesystem.f_frsize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_stays_free() {
        let place = std::fs::File::open("/").unwrap();
        let mut filesystem = fstatvfs(&place).unwrap();
        filesystem.f_frsize = 4096;
        filesystem.f_blocks = 1001;
        for (available, allowed) in [(1001, 900), (500, 399), (101, 0), (100, 0), (0, 0)] {
            filesystem.f_bavail = available;
            assert_eq!(allowance(&filesystem), allowed * 4096, "{available}");
        }
    }
}
