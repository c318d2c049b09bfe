//! Where a file has blocks, and which of them were ever written.
//!
//! This file lifts the ban on unsafe code for one call, ioctl(2) with `FS_IOC_FIEMAP` (the kernel's
//! filesystems/fiemap.rst), which no safe wrapper offers. It gets one structure with room for as
//! many extents as the structure says, which lives across the call; the kernel writes no more than
//! that and keeps nothing.
#![expect(
    unsafe_code,
    reason = "FS_IOC_FIEMAP has no safe wrapper; see the paragraph above"
)]

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::path::Path;

use etalon_units::Bytes;
use rustix::fs::{SeekFrom, seek};

use crate::error::StackError;

/// Where a file has blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extents {
    /// Its length.
    pub size: Bytes,
    /// Bytes of it without any block.
    pub holes: Bytes,
    /// Bytes with blocks that were reserved and never written; none where the filesystem does not
    /// tell.
    pub unwritten: Option<Bytes>,
    /// Bytes held compressed or encrypted; none where the filesystem does not tell.
    pub encoded: Option<Bytes>,
    /// Number of extents; none where the filesystem does not tell.
    pub count: Option<u64>,
}

/// Where the part `used` of the file `path` has blocks: by FIEMAP, else by `SEEK_HOLE` of lseek(2), which knows holes
/// alone.
///
/// # Errors
/// When the file cannot be opened or tells neither.
pub fn extents(path: &Path, used: Range<u64>) -> Result<Extents, StackError> {
    let asked = File::open(path).and_then(|file| {
        let size = file.metadata()?.len();
        let used = used.start.min(size)..used.end.min(size);
        by_map(&file, &used).or_else(|_| by_seeking(&file, &used))
    });
    asked.map_err(|source| StackError::Read {
        path: path.to_owned(),
        source,
    })
}

/// `_IOWR('f', 11, struct fiemap)` (include/uapi/linux/fs.h): 32 bytes before the extents.
const FS_IOC_FIEMAP: libc::c_ulong = 0xC020_660B;
/// Flags of an extent (include/uapi/linux/fiemap.h).
const LAST: u32 = 0x1;
const ENCODED: u32 = 0x8;
const UNWRITTEN: u32 = 0x800;
/// Extents that one call returns.
const BATCH: usize = 256;
/// Extents after which a file is no longer followed: what comes then is told as unknown.
const MOST: u64 = 1 << 20;

/// `struct fiemap_extent`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Extent {
    logical: u64,
    physical: u64,
    length: u64,
    reserved64: [u64; 2],
    flags: u32,
    reserved: [u32; 3],
}

/// `struct fiemap` with room for a batch.
#[repr(C)]
struct Map {
    start: u64,
    length: u64,
    flags: u32,
    mapped: u32,
    room: u32,
    reserved: u32,
    extents: [Extent; BATCH],
}

fn by_map(file: &File, used: &Range<u64>) -> io::Result<Extents> {
    let size = used.end;
    let (mut covered, mut unwritten, mut encoded, mut count) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut start = used.start;
    while start < size {
        let batch = map_from(file, start)?;
        for extent in &batch {
            let end = extent.logical.saturating_add(extent.length).min(size);
            let length = end.saturating_sub(extent.logical.max(start));
            covered = covered.saturating_add(length);
            count += 1;
            if extent.flags & UNWRITTEN != 0 {
                unwritten = unwritten.saturating_add(length);
            }
            if extent.flags & ENCODED != 0 {
                encoded = encoded.saturating_add(length);
            }
        }
        let Some(last) = batch.last() else { break };
        let next = last.logical.saturating_add(last.length);
        if last.flags & LAST != 0 || next <= start {
            break;
        }
        if count > MOST {
            return Err(io::Error::from(io::ErrorKind::Unsupported));
        }
        start = next;
    }
    Ok(Extents {
        size: Bytes(size.saturating_sub(used.start)),
        holes: Bytes(size.saturating_sub(used.start).saturating_sub(covered)),
        unwritten: Some(Bytes(unwritten)),
        encoded: Some(Bytes(encoded)),
        count: Some(count),
    })
}

fn map_from(file: &File, start: u64) -> io::Result<Vec<Extent>> {
    let mut map = Box::new(Map {
        start,
        length: u64::MAX - start,
        flags: 0,
        mapped: 0,
        room: BATCH as u32,
        reserved: 0,
        extents: [Extent::default(); BATCH],
    });
    // SAFETY: the pointer is to a live structure laid out as the kernel's, with room for the number
    // of extents that it names.
    let result = unsafe { libc::ioctl(file.as_raw_fd(), FS_IOC_FIEMAP as _, &raw mut *map) };
    if result != 0 {
        return Err(io::Error::last_os_error());
    }
    let mapped = (map.mapped as usize).min(BATCH);
    Ok(map.extents[..mapped].to_vec())
}

fn by_seeking(file: &File, used: &Range<u64>) -> io::Result<Extents> {
    let size = used.end;
    let (mut holes, mut at) = (0_u64, used.start);
    while at < size {
        let data = match seek(file, SeekFrom::Data(at)) {
            Ok(data) => data.min(size),
            // No data from here to the end.
            Err(rustix::io::Errno::NXIO) => size,
            Err(error) => return Err(error.into()),
        };
        holes += data.saturating_sub(at);
        if data >= size {
            break;
        }
        let next = seek(file, SeekFrom::Hole(data))?;
        if next <= at {
            break;
        }
        at = next;
    }
    Ok(Extents {
        size: Bytes(size.saturating_sub(used.start)),
        holes: Bytes(holes),
        ..Extents::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt as _;

    fn file() -> tempfile::NamedTempFile {
        // Beside the test program, on a disk.
        let program = std::env::current_exe().unwrap();
        tempfile::NamedTempFile::new_in(program.parent().unwrap()).unwrap()
    }

    fn whole(file: &tempfile::NamedTempFile) -> Extents {
        let size = file.as_file().metadata().unwrap().len();
        extents(file.path(), 0..size).unwrap()
    }

    #[test]
    fn holes_are_counted_by_both_ways() {
        let file = file();
        file.as_file().set_len(1 << 20).unwrap();
        file.as_file().write_all_at(&[7; 65536], 262_144).unwrap();
        file.as_file().sync_all().unwrap();
        let found = whole(&file);
        assert_eq!(found.size, Bytes::mib(1));
        assert_eq!(found.holes, Bytes((1 << 20) - 65536));
        let sought = by_seeking(file.as_file(), &(0..1 << 20)).unwrap();
        assert_eq!(sought.holes, found.holes);
        for used in [262_144..262_144 + 65536, 262_144 + 4096..262_144 + 8192] {
            let length = Bytes(used.end - used.start);
            for part in [
                by_map(file.as_file(), &used),
                by_seeking(file.as_file(), &used),
            ] {
                let part = part.unwrap();
                assert_eq!((part.holes, part.size), (Bytes::ZERO, length));
            }
        }
    }

    #[test]
    fn a_full_file_has_none_and_an_empty_one_neither() {
        let file = file();
        assert_eq!(whole(&file).holes, Bytes::ZERO);
        file.as_file().write_all_at(&vec![1; 100_001], 0).unwrap();
        file.as_file().sync_all().unwrap();
        let found = whole(&file);
        assert_eq!((found.holes, found.size), (Bytes::ZERO, Bytes(100_001)));
    }

    #[test]
    fn reserved_blocks_are_not_written_ones() {
        let file = file();
        let flags = rustix::fs::FallocateFlags::empty();
        rustix::fs::fallocate(file.as_file(), flags, 0, 1 << 20).unwrap();
        let found = whole(&file);
        if let Some(unwritten) = found.unwritten {
            assert_eq!((found.holes, unwritten), (Bytes::ZERO, Bytes::mib(1)));
        }
    }
}
