//! The page cache of single files: written back and dropped, as far as the kernel does, and looked at afterwards.

use std::fs::File;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use etalon_model::CacheHeld;
use etalon_units::Bytes;
use etalon_workload::CacheLook;
use rustix::fs::OFlags;

use super::error::WorkError;
use super::job::Job;
use super::parameter::{Kind, Parameter};
use super::step::Step;
use super::tree::{WalkEvent, walk};

/// Whether a step finds its input in memory.
pub static CACHE: Parameter = Parameter {
    name: "cache",
    kind: Kind::Choice(&["cold", "warm"]),
    default: "cold",
    help: "cold: the pages of the input are dropped before the step (posix_fadvise), and looked for; warm: they are left as the setup left them",
};

/// How often the page cache is asked to let go.
const TRIES: u32 = 4;
const PAUSE: Duration = Duration::from_millis(50);

/// Writes a file back and drops its pages.
///
/// # Errors
/// The kernel's, with the file.
pub fn drop_file(path: &Path) -> Result<(), WorkError> {
    let flags = (OFlags::NONBLOCK | OFlags::NOFOLLOW).bits() as i32;
    let file = File::options()
        .read(true)
        .custom_flags(flags)
        .open(path)
        .map_err(WorkError::io("open", path))?;
    etalon_host::cache::drop_file(&file).map_err(WorkError::io("drop the pages of", path))
}

/// Brings the input of the next step into the state that the parameter names.
pub(super) fn set(job: &mut Job<'_>, input: &Path) -> Result<(), WorkError> {
    match job.values().text(&CACHE) {
        "cold" => make_cold(job, &[input.to_owned()]),
        _ => Ok(()),
    }
}

/// Takes all files at and below these places out of the page cache for the next step, and looks whether they went.
pub(super) fn make_cold(job: &mut Job<'_>, inputs: &[PathBuf]) -> Result<(), WorkError> {
    let held = job.untimed(|step| empty(inputs, step))?;
    job.begin_cold(held);
    Ok(())
}

/// Drops the pages of all files at and below these places; gives what the page cache holds of them all the same, `None`
/// where that cannot be told.
///
/// # Errors
/// The kernel's, with the file.
fn empty(places: &[PathBuf], step: &mut Step<'_>) -> Result<Option<CacheHeld>, WorkError> {
    until_it_is_gone(|| {
        each_file(places, step, &mut drop_file)?;
        let mut look = CacheLook::begin();
        each_file(places, step, &mut |file| {
            look.add(file);
            Ok(())
        })?;
        Ok(look.held())
    })
}

fn each_file(
    places: &[PathBuf],
    step: &mut Step<'_>,
    act: &mut dyn FnMut(&Path) -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    places.iter().try_for_each(|place| {
        walk(place, step, &mut |path, found| match found {
            WalkEvent::Leaf(meta) if meta.is_file() => act(path),
            _ => Ok(()),
        })
    })
}

/// Asks again for what stays: a page that is on its way to a client, or in a socket that nobody reads any more, is let go
/// of only a moment after its server has ended.
///
/// # Errors
/// Those of `drop`.
pub fn until_it_is_gone(
    mut drop: impl FnMut() -> Result<Option<CacheHeld>, WorkError>,
) -> Result<Option<CacheHeld>, WorkError> {
    let mut held = drop()?;
    for _ in 1..TRIES {
        if held.is_none_or(|held| held.cached == Bytes::ZERO) {
            break;
        }
        thread::sleep(PAUSE);
        held = drop()?;
    }
    Ok(held)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cached(cached: Bytes) -> Option<CacheHeld> {
        Some(CacheHeld {
            cached,
            ..CacheHeld::default()
        })
    }

    #[test]
    fn what_stays_for_a_moment_is_dropped_and_what_stays_is_told() {
        let mut kept = [Bytes::kib(124), Bytes::ZERO].into_iter();
        let told = until_it_is_gone(|| Ok(cached(kept.next().unwrap()))).unwrap();
        assert_eq!(told, cached(Bytes::ZERO));
        let told = until_it_is_gone(|| Ok(cached(Bytes::mib(9)))).unwrap();
        assert_eq!(told, cached(Bytes::mib(9)));
        assert_eq!(until_it_is_gone(|| Ok(None)).unwrap(), None);
    }
}
