//! Opening a directory on a way that nobody but this user and root can change.
//!
//! A path is walked from the root, each part opened in the one before and judged by its descriptor,
//! so that what was judged is what is used. What others may write is refused, with one exception: a
//! directory with the sticky bit, as `/tmp` is, lets nobody move what belongs to this user or to
//! root. It is passed through to a directory of theirs that is there; nothing is made in it, and no
//! link in it is followed.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, Stat, fstat, openat, readlinkat};
use rustix::io::Errno;
use rustix::process::geteuid;

use crate::own::make_directory;

/// `MAXSYMLINKS` of the kernel (`include/linux/namei.h`).
const MOST_LINKS: u32 = 40;
/// `inode(7)`: S_IWGRP, S_IWOTH and S_ISVTX.
const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;
const STICKY: u32 = 0o1000;

/// Why a directory is not used.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The kernel refused a step.
    #[error("'{}' cannot be opened or made: {source}", path.display())]
    Io {
        /// The part of the path.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// Another user owns a part of the path and could exchange what lies below.
    #[error("'{}' belongs to user {owner}, who could exchange what lies in it", path.display())]
    OtherOwner {
        /// The part of the path.
        path: PathBuf,
        /// The owner's number.
        owner: u32,
    },
    /// Others may write to a part of the path.
    #[error("others may write to '{}' (mode {mode:o}) and could exchange what lies in it; take their right away with chmod go-w", path.display())]
    Writable {
        /// The part of the path.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// Everybody may make files there, so that nothing is made and no link followed there.
    #[error("'{}' lies in a directory in which every user makes files; make it a directory of your own first", path.display())]
    Shared {
        /// What would be made or followed.
        path: PathBuf,
    },
    /// The last part is a link, where only the directory itself will do.
    #[error("'{}' is a symbolic link", path.display())]
    Link {
        /// The path.
        path: PathBuf,
    },
    /// Links lead in a circle.
    #[error("too many symbolic links lead to '{}'", path.display())]
    Links {
        /// The path asked for.
        path: PathBuf,
    },
}

/// What to do where a part of the path is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Make a directory of mode 0700.
    Make,
    /// Say that it is missing.
    Refuse,
}

/// The directory at `path`, no link itself, opened for reading, with every part of the way judged.
pub(crate) fn open_trusted(path: &Path, missing: Missing) -> Result<OwnedFd, TrustError> {
    let mut walk = PathWalk::from_root(missing)?;
    walk.enqueue(path);
    while let Some(part) = walk.ahead.pop_front() {
        walk.step(&part, path)?;
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    openat(&walk.at, c".", flags, Mode::empty()).map_err(|errno| failed(&walk.name, errno))
}

struct PathWalk {
    at: OwnedFd,
    name: PathBuf,
    is_shared: bool,
    ahead: VecDeque<OsString>,
    links: u32,
    missing: Missing,
}

impl PathWalk {
    fn from_root(missing: Missing) -> Result<PathWalk, TrustError> {
        let name = PathBuf::from("/");
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let at = openat(CWD, &name, flags, Mode::empty()).map_err(|e| failed(&name, e))?;
        let is_shared = judge(&name, &at)?;
        Ok(PathWalk {
            at,
            name,
            is_shared,
            ahead: VecDeque::new(),
            links: 0,
            missing,
        })
    }

    /// Puts the parts of `path` before what is still ahead.
    fn enqueue(&mut self, path: &Path) {
        for part in path.components().rev() {
            match part {
                Component::Normal(name) => self.ahead.push_front(name.to_owned()),
                Component::ParentDir => self.ahead.push_front("..".into()),
                Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
            }
        }
    }

    fn step(&mut self, part: &OsStr, asked: &Path) -> Result<(), TrustError> {
        let name = self.name.join(part);
        let found = self.open(part, &name)?;
        let stat = fstat(&found).map_err(|errno| failed(&name, errno))?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Symlink => self.follow(&found, &name, asked),
            FileType::Directory => {
                self.is_shared = judge(&name, &found)?;
                self.at = found;
                self.name = name;
                Ok(())
            }
            _ => Err(failed(&name, Errno::NOTDIR)),
        }
    }

    fn open(&self, part: &OsStr, name: &Path) -> Result<OwnedFd, TrustError> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(&self.at, part, flags, Mode::empty()) {
            Err(Errno::NOENT) if self.missing == Missing::Make => self.make(part, name),
            other => other.map_err(|errno| failed(name, errno)),
        }
    }

    fn make(&self, part: &OsStr, name: &Path) -> Result<OwnedFd, TrustError> {
        if self.is_shared {
            return Err(TrustError::Shared {
                path: name.to_owned(),
            });
        }
        let made = match make_directory(&self.at, part) {
            // Another etalon has made it meanwhile.
            Err(Errno::EXIST) => crate::own::open_directory(&self.at, part),
            other => other,
        };
        made.map_err(|errno| failed(name, errno))
    }

    fn follow(&mut self, link: &OwnedFd, name: &Path, asked: &Path) -> Result<(), TrustError> {
        if self.ahead.is_empty() {
            return Err(TrustError::Link {
                path: name.to_owned(),
            });
        }
        if self.is_shared {
            return Err(TrustError::Shared {
                path: name.to_owned(),
            });
        }
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(TrustError::Links {
                path: asked.to_owned(),
            });
        }
        let text = readlinkat(link, c"", Vec::new()).map_err(|errno| failed(name, errno))?;
        let to = PathBuf::from(OsString::from_vec(text.into_bytes()));
        if to.is_absolute() {
            let root = PathWalk::from_root(self.missing)?;
            (self.at, self.name, self.is_shared) = (root.at, root.name, root.is_shared);
        }
        self.enqueue(&to);
        Ok(())
    }
}

/// Whether everybody may make files in a directory; an error where somebody could exchange what
/// this user has in it.
fn judge(path: &Path, directory: &OwnedFd) -> Result<bool, TrustError> {
    let found = fstat(directory).map_err(|errno| failed(path, errno))?;
    let user = geteuid().as_raw();
    if found.st_uid != user && found.st_uid != 0 && !is_outside(found.st_uid) {
        return Err(TrustError::OtherOwner {
            path: path.to_owned(),
            owner: found.st_uid,
        });
    }
    let is_open = others_may_write(&found, user);
    if is_open && found.st_mode & STICKY == 0 {
        return Err(TrustError::Writable {
            path: path.to_owned(),
            mode: found.st_mode & 0o7777,
        });
    }
    Ok(is_open)
}

/// Within a user namespace whoever has no number there owns what root owns outside; nobody inside can
/// be that user (user_namespaces(7), "Unmapped user and group IDs").
fn is_outside(owner: u32) -> bool {
    let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u32>().ok();
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    number("/proc/sys/kernel/overflowuid") == Some(owner) && is_unmapped(owner, &map)
}

/// Whether the lines of proc_pid_uid_map(5), each a first number, its number outside and a length,
/// leave `user` out.
fn is_unmapped(user: u32, map: &str) -> bool {
    let maps = |line: &str| {
        let mut fields = line.split_whitespace().map(str::parse::<u64>);
        let (Some(Ok(first)), Some(Ok(length))) = (fields.next(), fields.nth(1)) else {
            return true;
        };
        (first..first.saturating_add(length)).contains(&u64::from(user))
    };
    !map.is_empty() && !map.lines().any(maps)
}

/// A user's own group, which bears the user's number, has no other member where users are given
/// groups of their own; with a umask of 002 their directories are open to it.
fn others_may_write(found: &Stat, user: u32) -> bool {
    let own_group = user != 0 && found.st_uid == user && found.st_gid == user;
    let bits = if own_group {
        OTHERS_WRITE
    } else {
        OTHERS_WRITE | GROUP_WRITES
    };
    found.st_mode & bits != 0
}

fn failed(path: &Path, errno: Errno) -> TrustError {
    TrustError::Io {
        path: path.to_owned(),
        source: errno.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_without_a_number_in_the_namespace_is_told_from_one_with() {
        let everybody = "         0          0 4294967295\n";
        assert!(!is_unmapped(65534, everybody), "the first namespace");
        assert!(is_unmapped(65534, "         0       1000          1\n"));
        let container = "0 1000 1\n1 100000 65536\n";
        assert!(!is_unmapped(65534, container));
        assert!(is_unmapped(65534, "0 1000 1\n1 100000 65533\n"));
        assert!(!is_unmapped(65534, ""), "nothing is known");
        assert!(!is_unmapped(65534, "x 0 1\n") && !is_unmapped(65534, "0\n"));
    }
}
