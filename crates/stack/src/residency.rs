//! How much of a file the page cache holds.
//!
//! This file lifts the ban on unsafe code for a system call that no safe wrapper offers: cachestat(2), which writes one fixed
//! structure. It gets pointers to memory of the right size that lives across the call.
#![expect(
    unsafe_code,
    reason = "cachestat has no safe wrapper; see the paragraph above"
)]

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::path::Path;

use etalon_host::filesystem::is_overlay;
use etalon_units::Bytes;

use crate::error::StackError;
use crate::mincore::mincore;
use crate::mincore_told::is_told_of;

/// What the page cache holds of a range of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Residency {
    /// Bytes in memory.
    pub cached: Bytes,
    /// Of them changed and not yet sent; none where the kernel cannot tell (before 6.5).
    pub dirty: Option<Bytes>,
    /// Of them on their way to the device.
    pub writeback: Option<Bytes>,
}

/// What the page cache holds of the whole of `path`: by cachestat(2) (Linux 6.5), else mincore(2),
/// which only tells for files that the caller could write, and knows nothing of dirty pages. So it is of files on
/// overlayfs, whose own mapping, the one that cachestat(2) counts, is empty whatever the file beneath holds
/// (`ovl_mmap` in fs/overlayfs/file.c maps that one).
///
/// ```
/// let file = tempfile::NamedTempFile::new()?;
/// std::fs::write(file.path(), [1; 8192])?;
/// let held = etalon_stack::residency(file.path())?;
/// assert!(held.cached.get() <= 8192);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be opened, neither call works on it, or the one that does would not tell what is so.
pub fn residency(path: &Path) -> Result<Residency, StackError> {
    let asked = File::open(path).and_then(|file| {
        if !is_on_overlay(&file) {
            match cachestat(file.as_raw_fd()) {
                Err(error) if unsupported(&error) => {}
                answer => return answer,
            }
        }
        is_told_of(&file, path)?;
        let cached = mincore(file.as_raw_fd(), file.metadata()?.len())?;
        Ok(Residency {
            cached,
            dirty: None,
            writeback: None,
        })
    });
    asked.map_err(|source| StackError::Read {
        path: path.to_owned(),
        source,
    })
}

fn is_on_overlay(file: &File) -> bool {
    rustix::fs::fstatfs(file).is_ok_and(|found| is_overlay(&found))
}

/// Absent before 6.5, and refused by filters that do not know it and by some filesystems.
fn unsupported(error: &io::Error) -> bool {
    matches!(
        error.raw_os_error(),
        Some(libc::ENOSYS | libc::EPERM | libc::EOPNOTSUPP)
    )
}

/// The call's number, one for every architecture that takes the unified table (scripts/syscall.tbl);
/// elsewhere (alpha, mips) a wrong number answers `ENOSYS`, which leads to mincore(2).
const CACHESTAT: libc::c_long = 451;

/// `struct cachestat_range` (include/uapi/linux/mman.h); a length of zero means to the end.
#[repr(C)]
struct CachestatRange {
    offset: u64,
    length: u64,
}

/// `struct cachestat`, in pages.
#[repr(C)]
#[derive(Default)]
struct Cachestat {
    cache: u64,
    dirty: u64,
    writeback: u64,
    evicted: u64,
    recently_evicted: u64,
}

fn cachestat(fd: RawFd) -> io::Result<Residency> {
    let range = CachestatRange {
        offset: 0,
        length: 0,
    };
    let mut counts = Cachestat::default();
    // SAFETY: both pointers are to live values laid out as the kernel's structures; the kernel
    // reads the first, writes at most the second, and keeps neither.
    let result = unsafe { libc::syscall(CACHESTAT, fd, &raw const range, &raw mut counts, 0_u32) };
    if result != 0 {
        return Err(io::Error::last_os_error());
    }
    let page = rustix::param::page_size() as u64;
    let bytes = |pages: u64| Bytes(pages.saturating_mul(page));
    Ok(Residency {
        cached: bytes(counts.cache),
        dirty: Some(bytes(counts.dirty)),
        writeback: Some(bytes(counts.writeback)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::file_of;

    #[test]
    fn a_file_just_written_is_in_memory_and_both_calls_agree() {
        let file = file_of(3 * 4096 + 1);
        let by_mincore = mincore(file.as_raw_fd(), 3 * 4096 + 1).unwrap();
        assert_eq!(by_mincore, Bytes(4 * 4096));
        let asked = residency(file.path()).unwrap();
        assert_eq!(asked.cached, by_mincore);
    }

    #[test]
    fn a_file_sent_to_disk_and_dropped_is_not() {
        let file = file_of(1 << 20);
        file.as_file().sync_all().unwrap();
        rustix::fs::fadvise(file.as_file(), 0, None, rustix::fs::Advice::DontNeed).unwrap();
        assert_eq!(residency(file.path()).unwrap().cached, Bytes(0));
        assert_eq!(mincore(file.as_raw_fd(), 1 << 20).unwrap(), Bytes(0));
    }

    #[test]
    fn what_the_file_beneath_an_overlay_holds_is_told() {
        if !etalon_testbed::root_for("what_the_file_beneath_an_overlay_holds_is_told") {
            return;
        }
        let program = std::env::current_exe().unwrap();
        let place = tempfile::tempdir_in(program.parent().unwrap()).unwrap();
        let made = |name: &str| {
            let path = place.path().join(name);
            std::fs::create_dir(&path).unwrap();
            path.display().to_string()
        };
        let (lower, upper, work) = (made("lower"), made("upper"), made("work"));
        std::fs::write(place.path().join("lower/below"), vec![7; 1 << 20]).unwrap();
        let options = format!("lowerdir={lower},upperdir={upper},workdir={work}");
        let overlay = etalon_testbed::Mount::new(&["-t", "overlay", "overlay", "-o", &options]);
        std::fs::write(overlay.path().join("above"), vec![7; 1 << 20]).unwrap();
        for name in ["below", "above"] {
            let held = residency(&overlay.path().join(name)).unwrap();
            assert_eq!(held.cached, Bytes(1 << 20), "{name}");
        }
    }

    #[test]
    fn an_empty_file_and_an_absent_one() {
        assert_eq!(mincore(file_of(0).as_raw_fd(), 0).unwrap(), Bytes(0));
        let error = residency(Path::new("/nowhere/at/all")).unwrap_err();
        assert!(error.to_string().contains("/nowhere/at/all"));
    }
}
