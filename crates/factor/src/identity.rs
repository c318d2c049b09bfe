//! Telling what was made from what was put in its place.

use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, FileType, StatxFlags, XattrFlags, fgetxattr, fsetxattr, fstat, statx};
use rustix::io::Result;
use serde::{Deserialize, Serialize};

use crate::{Token, owner};

/// The attribute that holds the token of what was made (xattr(7)).
const MARK: &str = "user.etalon";

/// How an inode is known again: by the mark that it bears or, where its filesystem keeps none, by its
/// number and birth. The number alone is given anew once a file is removed, and within one tick of
/// the kernel's clock, some milliseconds, so is the birth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Its number.
    pub inode: u64,
    /// When it was made, in seconds and nanoseconds, where its filesystem tells (statx(2),
    /// `STATX_BTIME`).
    pub born: Option<(i64, u32)>,
    /// Whether it bears the token in an attribute.
    pub marked: bool,
    /// The other user to whom the filesystem has given it; never before form 6 of the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_to: Option<u32>,
}

impl Identity {
    /// Marks what was made and notes how to know it again.
    pub(crate) fn give(made: &OwnedFd, token: &Token) -> Result<Identity> {
        let mark = token.as_str().as_bytes();
        Ok(Identity {
            marked: fsetxattr(made, MARK, mark, XattrFlags::empty()).is_ok(),
            given_to: owner::given_to(made)?,
            ..Identity::of(made)?
        })
    }

    fn of(file: &OwnedFd) -> Result<Identity> {
        let wanted = StatxFlags::INO | StatxFlags::BTIME;
        let found = statx(file, c"", AtFlags::EMPTY_PATH, wanted)?;
        let tells = found.stx_mask & StatxFlags::BTIME.bits() != 0;
        Ok(Identity {
            inode: found.stx_ino,
            born: tells.then_some((found.stx_btime.tv_sec, found.stx_btime.tv_nsec)),
            marked: false,
            given_to: None,
        })
    }
}

/// What kind of file it is when it is the one that was made.
pub(crate) fn is_ours(
    found: &OwnedFd,
    token: &Token,
    identity: Option<&Identity>,
) -> Result<Option<FileType>> {
    let about = fstat(found)?;
    let given_to = identity.and_then(|identity| identity.given_to);
    if !owner::is_own(&about, given_to) {
        return Ok(None);
    }
    let is_same = match identity {
        Some(Identity { marked: true, .. }) | None => bears(found, token),
        Some(Identity { born: None, .. }) => false,
        Some(identity) => {
            let now = Identity::of(found)?;
            (now.inode, now.born) == (identity.inode, identity.born)
        }
    };
    let kind = FileType::from_raw_mode(about.st_mode);
    Ok(is_same.then_some(kind))
}

fn bears(found: &OwnedFd, token: &Token) -> bool {
    let mut value = [0u8; 64];
    match fgetxattr(found, MARK, &mut value[..]) {
        Ok(length) => value.get(..length) == Some(token.as_str().as_bytes()),
        Err(_) => false,
    }
}
