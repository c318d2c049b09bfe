//! Telling a block device that blocks of it are free.
//!
//! Soundness. `BLKDISCARD` (include/uapi/linux/fs.h) reads two numbers of 64 bits, the first byte and how many, from an array
//! that outlives the call, and keeps no pointer to it (block/ioctl.c, `blk_ioctl_discard`). It touches no memory of this
//! program: what the blocks held is gone, as after a write.
#![expect(
    unsafe_code,
    reason = "the ioctl has no safe wrapper; see the paragraph above"
)]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;

/// `_IO(0x12, 119)`.
const BLKDISCARD: u64 = 0x1277;

/// Discards that part of a device; how much of it.
///
/// # Errors
/// `EOPNOTSUPP` where the device takes no discards, `ENOTTY` of what is no block device, and what the device answers.
pub(super) fn discard(device: &File, offset: u64, length: u32) -> io::Result<usize> {
    let range = [offset, u64::from(length)];
    // SAFETY: see the head of this file.
    let answer = unsafe { libc::ioctl(device.as_raw_fd(), BLKDISCARD as _, range.as_ptr()) };
    match answer {
        0 => Ok(length as usize),
        _ => Err(io::Error::last_os_error()),
    }
}
