//! How far an array of md has come (the kernel's Documentation/admin-guide/md.rst: `sync_action`, `degraded`,
//! `sync_completed`, `sync_speed`).

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use etalon_stack::{Roots, md_progress};

use super::RebuildMoment;

/// The directory of an array's files.
pub(super) fn directory(node: &Path) -> PathBuf {
    let name = node.file_name().unwrap_or_default();
    Path::new("/sys/block").join(name).join("md")
}

/// What one of them says.
pub(super) fn word(directory: &Path, file: &str) -> Option<String> {
    let text = fs::read_to_string(directory.join(file)).ok()?;
    Some(text.trim().to_owned())
}

pub(super) fn is_idle(directory: &Path) -> bool {
    // RAID 0 has no such file, and nothing to synchronise.
    let action = word(directory, "sync_action");
    action.is_none_or(|action| matches!(&*action, "idle" | "frozen"))
}

/// Members that are missing or not yet rebuilt.
fn degraded(directory: &Path) -> usize {
    let text = word(directory, "degraded");
    text.and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Whether nothing is left to do: an idle array that still lacks a member has not begun yet.
pub(super) fn is_over(directory: &Path, lost: usize) -> bool {
    is_idle(directory) && degraded(directory) <= lost
}

/// How far it is `at` so long since it began; none where the kernel does not tell, between one state and the next.
pub(super) fn point(directory: &Path, lost: usize, at: Duration) -> Option<RebuildMoment> {
    let end = RebuildMoment {
        at,
        done: 1.0,
        kib_per_second: 0,
    };
    if is_over(directory, lost) {
        return Some(end);
    }
    let (done, all) = to_the_block(directory).or_else(|| to_the_checkpoint(directory))?;
    let speed = word(directory, "sync_speed").unwrap_or_default();
    Some(RebuildMoment {
        // The last sector is done before the member counts as whole.
        done: (done / all.max(1.0)).min(0.999),
        kib_per_second: speed.parse().unwrap_or(0),
        ..end
    })
}

/// What is done, and all of it.
type Share = (f64, f64);

/// By /proc/mdstat, which tells it to the block; of a copy of another machine's files there is none.
fn to_the_block(directory: &Path) -> Option<Share> {
    let array = directory.parent()?.file_name()?.to_str()?;
    let (done, all) = md_progress(array, &Roots::default())?;
    Some((done as f64, all as f64))
}

/// By its own file, a sixteenth of the array at a time.
fn to_the_checkpoint(directory: &Path) -> Option<Share> {
    share(&word(directory, "sync_completed")?, " / ")
}

fn share(text: &str, between: &str) -> Option<Share> {
    let (done, all) = text.split_once(between)?;
    Some((done.parse().ok()?, all.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::tests::array;
    use super::*;

    #[test]
    fn an_idle_array_that_lacks_a_member_has_not_begun() {
        let now = Duration::from_secs(3);
        let waits = array(&[
            ("sync_action", "idle\n"),
            ("degraded", "1\n"),
            ("sync_completed", "none\n"),
        ]);
        let waits = waits.path().join("md");
        assert_eq!((is_over(&waits, 0), point(&waits, 0, now)), (false, None));
        assert_eq!(point(&waits, 1, now).unwrap().done, 1.0);
        let goes_on = array(&[
            ("sync_action", "recover\n"),
            ("degraded", "1\n"),
            ("sync_completed", "128 / 512\n"),
            ("sync_speed", "2048\n"),
        ]);
        let goes_on = goes_on.path().join("md");
        let found = point(&goes_on, 0, now).unwrap();
        assert_eq!((found.done, found.kib_per_second), (0.25, 2048));
        let over = array(&[
            ("sync_action", "idle\n"),
            ("degraded", "0\n"),
            ("sync_completed", "none\n"),
        ]);
        assert_eq!(point(&over.path().join("md"), 0, now).unwrap().done, 1.0);
    }
}
