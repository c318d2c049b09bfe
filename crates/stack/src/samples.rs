//! What the tests of several files use.

use std::io::Write as _;

use tempfile::NamedTempFile;

/// A file of so many bytes on a disk, which goes when it is dropped.
pub(crate) fn file_of(bytes: usize) -> NamedTempFile {
    // Beside the test program: /tmp may lie in memory, which has no cache to empty.
    let program = std::env::current_exe().unwrap();
    let mut file = NamedTempFile::new_in(program.parent().unwrap()).unwrap();
    file.write_all(&vec![7; bytes]).unwrap();
    file
}
