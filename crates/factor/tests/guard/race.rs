//! A name that leads elsewhere between the look at it and the opening.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{FileExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_factor::guard::{GuardError, open};
use etalon_testbed::Loop;

use crate::ground::{MIB, ext4, like_dd, mounted, zeros};

const OPENINGS: usize = 150;

/// What became of the openings.
#[derive(Debug, Default)]
struct Counts {
    opened: usize,
    refused: usize,
}

impl Counts {
    /// Both outcomes are waited for, however the two threads take turns.
    fn are_enough(&self) -> bool {
        self.opened + self.refused >= OPENINGS && self.opened > 0 && self.refused > 0
    }
}

struct Refused;

/// Ends the swapping, also when the openings panic: a scope waits for its threads.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Opens `link` again and again, while it is swapped between two devices, and writes to what was
/// opened where the marks of ext4 stand, until `enough`.
fn storm(
    link: &Path,
    devices: [&Path; 2],
    opening: impl Fn() -> Result<File, Refused>,
    enough: impl Fn(&Counts) -> bool,
) -> Counts {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut turn = 0;
            while !stop.load(Ordering::Relaxed) {
                let new = link.with_extension("new");
                symlink(devices[turn % 2], &new).unwrap();
                fs::rename(&new, link).unwrap();
                turn += 1;
            }
        });
        let _stop = Stop(&stop);
        let mut counts = Counts::default();
        while !enough(&counts) {
            match opening() {
                Ok(file) => {
                    file.write_all_at(&[0; 4096], 0).unwrap();
                    counts.opened += 1;
                }
                Err(Refused) => counts.refused += 1,
            }
        }
        counts
    })
}

/// A free device and one with a filesystem on it, which would lose its mark; not mounted, so that
/// the kernel itself would let it be written.
struct Ground {
    place: tempfile::TempDir,
    free: Loop,
    kept: Loop,
}

impl Ground {
    fn new(test: &str) -> Option<Ground> {
        let place = tempfile::tempdir().unwrap();
        let kept = ext4(place.path(), "kept");
        let free = zeros(place.path(), "free", MIB);
        let free = Loop::for_test(test, &free, &[])?;
        let kept = Loop::for_test(test, &kept, &[])?;
        Some(Ground { place, free, kept })
    }

    fn link(&self) -> PathBuf {
        let link = self.place.path().join("link");
        symlink(self.free.node(), &link).unwrap();
        link
    }

    fn mark(&self) -> Vec<u8> {
        fs::read(self.kept.node()).unwrap()[..4096].to_vec()
    }
}

fn guarded(link: &Path) -> Result<File, Refused> {
    open(link, &like_dd())
        .map(File::from)
        .map_err(|error| match error {
            GuardError::Refused(_) => Refused,
            GuardError::Failed(errno) => panic!("{errno}"),
        })
}

#[test]
fn a_link_that_is_swapped_reaches_only_what_was_judged() {
    let name = "a_link_that_is_swapped_reaches_only_what_was_judged";
    let Some(ground) = Ground::new(name) else {
        return;
    };
    let (link, before) = (ground.link(), ground.mark());
    let devices = [ground.free.node(), ground.kept.node()];
    let counts = storm(&link, devices, || guarded(&link), Counts::are_enough);
    println!("{counts:?}");
    assert!(
        ground.mark() == before,
        "LOST: the mark of a filesystem: {counts:?}"
    );
}

#[test]
fn a_link_that_is_swapped_to_a_mounted_device_leaves_it_whole() {
    let name = "a_link_that_is_swapped_to_a_mounted_device_leaves_it_whole";
    let Some(ground) = Ground::new(name) else {
        return;
    };
    let link = ground.link();
    let _mounted = mounted(&ground.kept, &ground.place.path().join("point"));
    let before = ground.mark();
    let devices = [ground.free.node(), ground.kept.node()];
    let counts = storm(&link, devices, || guarded(&link), Counts::are_enough);
    assert!(
        ground.mark() == before,
        "LOST: the mark of a filesystem: {counts:?}"
    );
}

/// What the tests above would miss if nothing could go wrong: judged by one look at the name and
/// opened by another, the filesystem is lost.
#[test]
fn the_same_swapping_destroys_a_filesystem_that_is_opened_by_name() {
    let name = "the_same_swapping_destroys_a_filesystem_that_is_opened_by_name";
    let Some(ground) = Ground::new(name) else {
        return;
    };
    let (link, before) = (ground.link(), ground.mark());
    let devices = [ground.free.node(), ground.kept.node()];
    let by_name = || {
        guarded(&link)?;
        Ok(OpenOptions::new().write(true).open(&link).unwrap())
    };
    let lost = |_: &Counts| ground.mark() != before;
    storm(&link, devices, by_name, lost);
    assert!(ground.mark() != before);
}
