//! Dropping what the page cache holds.

use std::io;
use std::os::fd::AsFd;

use rustix::fs::{Advice, fadvise, fdatasync};

/// Writes a file back and drops its pages (posix_fadvise(2), `POSIX_FADV_DONTNEED`). Pages that are
/// mapped stay.
///
/// # Errors
/// The kernel's answer.
pub fn drop_file(file: impl AsFd) -> io::Result<()> {
    let written = fdatasync(&file);
    // What is clean goes also where the rest cannot be written.
    fadvise(&file, 0, None, Advice::DontNeed)?;
    Ok(written?)
}

/// Writes everything back and drops the whole page cache, which needs root (the kernel's
/// admin-guide/sysctl/vm.rst, `drop_caches`).
///
/// # Errors
/// The kernel's answer.
pub fn drop_all() -> io::Result<()> {
    rustix::fs::sync();
    std::fs::write("/proc/sys/vm/drop_caches", "1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn a_file_is_dropped_and_what_cannot_be_synced_is_an_error() {
        let file = tempfile::tempfile().unwrap();
        drop_file(&file).unwrap();
        assert!(drop_file(File::open("/proc/self/stat").unwrap()).is_err());
    }
}
