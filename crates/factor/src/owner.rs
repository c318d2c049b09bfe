//! To whom that belongs what this user makes: to this user, but where its filesystem gives it to another, as NFS does with
//! what root makes (exports(5), `root_squash`), and vfat and others with everything (mount(8), `uid=`).

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, Stat, fstat, unlinkat};
use rustix::io::{Errno, Result};
use rustix::process::geteuid;

use crate::own;

/// A file that is there for a moment.
const PROBE: &str = ".etalon-probe";

/// The other user to whom this belongs, which was surely made by this one.
pub(crate) fn given_to(made: impl AsFd) -> Result<Option<u32>> {
    let owner = fstat(made)?.st_uid;
    Ok((owner != geteuid().as_raw()).then_some(owner))
}

/// The same of a directory. Between its making and its opening another one may have been put under its name; of a file that
/// is made in it now the maker is known.
pub(crate) fn directory_given_to(directory: &OwnedFd) -> Result<Option<u32>> {
    let Some(owner) = given_to(directory)? else {
        return Ok(None);
    };
    let probe = own::make_file(directory, PROBE)?;
    let found = given_to(&probe);
    unlinkat(directory, PROBE, AtFlags::empty())?;
    match found? == Some(owner) {
        true => Ok(Some(owner)),
        false => Err(Errno::EXIST),
    }
}

/// Whether it belongs to this user, or to the one to whom the filesystem had given what was made.
pub(crate) fn is_own(found: &Stat, given_to: Option<u32>) -> bool {
    found.st_uid == geteuid().as_raw() || Some(found.st_uid) == given_to
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::remove::open_without_links;
    use etalon_testbed::root_for;

    #[test]
    fn a_directory_of_another_user_is_not_what_was_made() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().canonicalize().unwrap();
        let directory = open_without_links(&path).unwrap();
        assert_eq!(directory_given_to(&directory), Ok(None));
        if !root_for("a_directory_of_another_user_is_not_what_was_made") {
            return;
        }
        std::os::unix::fs::chown(&path, Some(65534), None).unwrap();
        assert_eq!(directory_given_to(&directory), Err(Errno::EXIST));
        assert_eq!(std::fs::read_dir(&path).unwrap().count(), 0);
    }
}
