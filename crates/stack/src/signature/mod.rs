//! Marks that filesystems, arrays, volumes and partition tables leave on a device.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::FileExt;

mod copies;
mod marks;
mod tables;
mod zfs;

use copies::COPIES;
use marks::{CountedFrom, MARKS, SignatureMark};

/// A mark found on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// What it marks, such as `ext2/3/4` or `LVM2 physical volume`.
    pub kind: &'static str,
    /// Whether it is a partition table.
    pub is_table: bool,
    /// Where, in bytes from the beginning of the device.
    pub offset: u64,
}

/// Every mark on `device`, sorted by offset.
///
/// # Errors
/// When the device, or one of the places where a mark may stand, cannot be read.
pub fn signatures(device: &mut File) -> io::Result<Vec<Signature>> {
    let size = device.seek(SeekFrom::End(0))?;
    let mut found = Vec::new();
    for mark in MARKS.iter().chain(COPIES) {
        found.extend(marked(device, size, mark)?);
    }
    found.extend(copies::of_ext(device)?);
    found.extend(copies::of_xfs(device, size)?);
    found.extend(zfs::member(device, size)?);
    found.extend(tables::tables(device, size, &found)?);
    found.sort_by_key(|signature| signature.offset);
    found.dedup();
    Ok(found)
}

fn marked(device: &File, size: u64, mark: &SignatureMark) -> io::Result<Option<Signature>> {
    let offset = match mark.place {
        CountedFrom::Start(offset) => Some(offset),
        CountedFrom::End(back, unit) => (size - size % unit).checked_sub(back),
    };
    let Some(offset) = offset else {
        return Ok(None);
    };
    let is_there = is_at(device, offset, mark.magic)?;
    Ok(is_there.then_some(Signature {
        kind: mark.kind,
        is_table: false,
        offset,
    }))
}

/// A block that cannot be read is an error, not a missing mark.
fn is_at(device: &File, offset: u64, magic: &[u8]) -> io::Result<bool> {
    Ok(read_at_most(device, offset, magic.len())? == magic)
}

/// Up to `length` bytes at `offset`: fewer at the end of the device.
pub(crate) fn read_at_most(device: &File, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    let mut filled = 0;
    while filled < length {
        match device.read_at(&mut bytes[filled..], offset + filled as u64)? {
            0 => break,
            count => filled += count,
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

#[cfg(test)]
mod tests;
