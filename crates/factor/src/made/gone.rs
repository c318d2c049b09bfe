//! What the kernel lets go of only once nobody looks at it any more.

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::error::FactorError;

const REMOVE_TIMEOUT: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Removes what `find` finds until it finds nothing; whether there was anything. udev and others open each new device for a
/// moment, which keeps it.
pub(super) fn until_gone(
    find: impl FnMut() -> Result<Option<PathBuf>, FactorError>,
    remove: impl FnMut(&Path) -> Result<(), FactorError>,
) -> Result<bool, FactorError> {
    gone_within(REMOVE_TIMEOUT, find, remove)
}

fn gone_within(
    timeout: Duration,
    mut find: impl FnMut() -> Result<Option<PathBuf>, FactorError>,
    mut remove: impl FnMut(&Path) -> Result<(), FactorError>,
) -> Result<bool, FactorError> {
    let begun = Instant::now();
    let mut has_removed = false;
    while let Some(found) = find()? {
        let removed = remove(&found);
        has_removed |= removed.is_ok();
        if begun.elapsed() > timeout {
            return Err(removed.err().unwrap_or_else(|| still_there(found)));
        }
        sleep(POLL_INTERVAL);
    }
    Ok(has_removed)
}

fn still_there(path: PathBuf) -> FactorError {
    FactorError::NotSo {
        path,
        wanted: "gone".to_owned(),
        found: "something that is still used".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn found() -> Option<PathBuf> {
        Some(PathBuf::from("/dev/md127"))
    }

    fn busy(path: &Path) -> FactorError {
        FactorError::io("stop", path)(std::io::ErrorKind::ResourceBusy.into())
    }

    #[test]
    fn what_is_busy_for_a_moment_is_asked_again() {
        let asked = Cell::new(0);
        let find = || Ok(found().filter(|_| asked.get() < 3));
        let remove = |path: &Path| {
            asked.set(asked.get() + 1);
            // Told to go at the second time, and there for one look more.
            (asked.get() > 1).then_some(()).ok_or_else(|| busy(path))
        };
        assert!(until_gone(find, remove).unwrap());
        assert_eq!(asked.get(), 3);
        assert!(!until_gone(|| Ok(None), |path| Err(busy(path))).unwrap());
    }

    #[test]
    fn what_stays_is_told_with_the_reason() {
        let none = Duration::ZERO;
        let refused = gone_within(none, || Ok(found()), |path| Err(busy(path))).unwrap_err();
        assert!(
            refused.to_string().contains("cannot stop '/dev/md127'"),
            "{refused}"
        );
        let stayed = gone_within(none, || Ok(found()), |_| Ok(())).unwrap_err();
        assert!(stayed.to_string().contains("still used"), "{stayed}");
    }
}
