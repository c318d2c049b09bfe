//! A target that is only read is written by nobody during the run, the kernel included.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on fails by panicking"
)]

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use etalon_engine::{Control, TargetPlace};
use etalon_model::{IoWorkload, Operation};
use etalon_stack::residency;
use etalon_units::Bytes;
use etalon_workload::measurable::Pass;
use etalon_workload::{Measurable, PlainIo};

fn dirty(file: &Path) -> Option<Bytes> {
    residency(file).unwrap().dirty
}

#[test]
fn a_file_that_is_only_read_has_no_dirty_pages_when_it_is_ready() {
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = directory.path().join("file");
    fs::write(&file, vec![7; 4 << 20]).unwrap();
    File::open(&file).unwrap().sync_all().unwrap();
    if dirty(&file) != Some(Bytes::ZERO) {
        eprintln!("SKIPPED a_file_that_is_only_read...: no dirty pages are told or written here");
        return;
    }
    // Over the same blocks: what takes the place of a cut file is written at once by some filesystems.
    let again = OpenOptions::new().write(true).open(&file).unwrap();
    again.write_all_at(&vec![8; 4 << 20], 0).unwrap();
    let workload = IoWorkload {
        operation: Operation::Read,
        ..IoWorkload::default()
    };
    let place = TargetPlace::File {
        path: file.clone(),
        writable: false,
    };
    let control = Control::default();
    let mut work = PlainIo::new("read", workload, place, &control);
    work.get_ready(Pass::default()).unwrap();
    assert_eq!(dirty(&file), Some(Bytes::ZERO));
    assert_eq!(fs::read(&file).unwrap(), vec![8; 4 << 20]);
}
