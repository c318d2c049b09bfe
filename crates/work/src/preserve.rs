//! Copying a tree with the attributes that are asked for.

use std::collections::HashMap;
use std::fs::{self, File, FileTimes, Metadata};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{
    MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, fchown, lchown, symlink,
};
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, Timespec, Timestamps, XattrFlags, copy_file_range, lgetxattr, llistxattr,
    lsetxattr, utimensat,
};

use super::error::WorkError;
use super::step::Step;
use super::tree::{WalkEvent, is_copied, walk};

/// Bytes copied at once.
const PIECE: usize = 1 << 20;

/// What of a file's attributes its copy gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Preserve {
    /// Data, names and links only.
    None,
    /// As `rsync -a`: symbolic links, permissions, times, owner and group where it may.
    Archive,
    /// The same, hard links and extended attributes (`rsync -aHX`).
    All,
}

/// Who moves the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// `read(2)` and `write(2)`.
    ReadWrite,
    /// `copy_file_range(2)`, which may share blocks where the filesystem can.
    Kernel,
}

/// A copy in progress.
pub(super) struct Copier<'c> {
    pub(super) from: &'c Path,
    pub(super) to: &'c Path,
    pub(super) preserve: Preserve,
    pub(super) method: Method,
}

impl Copier<'_> {
    /// Copies the whole tree; directories get their attributes when all in them is there.
    pub(super) fn copy(&self, step: &mut Step<'_>) -> Result<(), WorkError> {
        let mut piece = vec![0; PIECE];
        let mut hard_links: HashMap<(u64, u64), PathBuf> = HashMap::new();
        let stop = step.stop_flag();
        let mut tally = step.tally;
        walk(self.from, step, &mut |path, found| {
            let to = match path.strip_prefix(self.from) {
                Ok(name) if !name.as_os_str().is_empty() => self.to.join(name),
                _ => self.to.to_owned(),
            };
            match found {
                WalkEvent::Enter(_) => {
                    fs::create_dir(&to).map_err(WorkError::io("create the directory", &to))
                }
                WalkEvent::Leave(meta) => self.attributes(path, &to, meta),
                WalkEvent::Leaf(meta) if !is_copied(meta) => Ok(()),
                WalkEvent::Leaf(meta) => {
                    stop.check().map_err(WorkError::io("copy", path))?;
                    tally.files += 1;
                    if self.preserve == Preserve::All && meta.nlink() > 1 {
                        if let Some(first) = hard_links.get(&(meta.dev(), meta.ino())) {
                            return fs::hard_link(first, &to).map_err(WorkError::io("link", &to));
                        }
                        hard_links.insert((meta.dev(), meta.ino()), to.clone());
                    }
                    tally.bytes += self.leaf(path, &to, meta, &mut piece, stop)?;
                    Ok(())
                }
            }
        })?;
        step.tally = tally;
        Ok(())
    }

    fn leaf(
        &self,
        from: &Path,
        to: &Path,
        meta: &Metadata,
        piece: &mut [u8],
        stop: super::step::StopFlag<'_>,
    ) -> Result<u64, WorkError> {
        if meta.is_symlink() {
            let target = fs::read_link(from).map_err(WorkError::io("read the link", from))?;
            symlink(target, to).map_err(WorkError::io("create the link", to))?;
            self.attributes(from, to, meta)?;
            return Ok(0);
        }
        let mut source = File::open(from).map_err(WorkError::io("open", from))?;
        let create = File::options()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(to);
        let mut target = create.map_err(WorkError::io("create the file", to))?;
        let named = |file, path| NamedFile { file, path };
        let ends = [named(&mut source, from), named(&mut target, to)];
        let copied = loop_copy(ends, (self.method, meta.len()), piece, stop)?;
        if self.preserve != Preserve::None {
            self.file_attributes(from, to, &target, meta)?;
        }
        Ok(copied)
    }

    fn file_attributes(
        &self,
        from: &Path,
        to: &Path,
        file: &File,
        meta: &Metadata,
    ) -> Result<(), WorkError> {
        let failed = || WorkError::io("set the attributes of", to);
        ignore_refusal(fchown(file, Some(meta.uid()), Some(meta.gid()))).map_err(failed())?;
        if self.preserve == Preserve::All {
            copy_xattrs(from, to).map_err(failed())?;
        }
        file.set_permissions(fs::Permissions::from_mode(meta.mode() & 0o7777))
            .map_err(failed())?;
        let modified = meta.modified().map_err(failed())?;
        file.set_times(FileTimes::new().set_modified(modified))
            .map_err(failed())
    }

    /// Attributes by name: for directories and symbolic links.
    fn attributes(&self, from: &Path, to: &Path, meta: &Metadata) -> Result<(), WorkError> {
        if self.preserve == Preserve::None {
            return Ok(());
        }
        let failed = || WorkError::io("set the attributes of", to);
        ignore_refusal(lchown(to, Some(meta.uid()), Some(meta.gid()))).map_err(failed())?;
        if self.preserve == Preserve::All {
            copy_xattrs(from, to).map_err(failed())?;
        }
        if !meta.is_symlink() {
            fs::set_permissions(to, fs::Permissions::from_mode(meta.mode() & 0o7777))
                .map_err(failed())?;
        }
        let modified = Timespec {
            tv_sec: meta.mtime(),
            tv_nsec: meta.mtime_nsec(),
        };
        let accessed = Timespec {
            tv_sec: meta.atime(),
            tv_nsec: meta.atime_nsec(),
        };
        let times = Timestamps {
            last_access: accessed,
            last_modification: modified,
        };
        utimensat(CWD, to, &times, AtFlags::SYMLINK_NOFOLLOW).map_err(|e| failed()(e.into()))
    }
}

/// An open file with what errors call it.
struct NamedFile<'a> {
    file: &'a mut File,
    path: &'a Path,
}

/// Copies all data; an error names the file that failed, or the source where the kernel does both.
fn loop_copy(
    [source, target]: [NamedFile<'_>; 2],
    (method, length): (Method, u64),
    piece: &mut [u8],
    stop: super::step::StopFlag<'_>,
) -> Result<u64, WorkError> {
    let (from, to) = (source.path, target.path);
    let mut done = 0;
    loop {
        stop.check().map_err(WorkError::io("copy", from))?;
        let moved = match method {
            Method::Kernel if done < length => {
                let moved = copy_file_range(&*source.file, None, &*target.file, None, 64 << 20);
                moved.map_err(|errno| WorkError::io("copy", from)(errno.into()))?
            }
            // A file of the kernel's, or one that grows, is read to its real end.
            _ => {
                let length = source
                    .file
                    .read(piece)
                    .map_err(WorkError::io("read", from))?;
                let written = target.file.write_all(&piece[..length]);
                written.map_err(WorkError::io("write", to))?;
                length
            }
        };
        if moved == 0 {
            return Ok(done);
        }
        done += moved as u64;
    }
}

/// Giving files away is for root; `rsync -a` goes on without as well.
fn ignore_refusal(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        other => other,
    }
}

/// Copies the attributes that may be read and set; a filesystem without any is no failure.
fn copy_xattrs(from: &Path, to: &Path) -> io::Result<()> {
    // The kernel's limits on the list of names and on one value (linux/limits.h).
    let (mut names, mut value) = (vec![0u8; 65_536], vec![0u8; 65_536]);
    let length = match llistxattr(from, &mut names[..]) {
        Ok(length) => length,
        Err(rustix::io::Errno::OPNOTSUPP) => return Ok(()),
        Err(errno) => return Err(errno.into()),
    };
    for name in names[..length]
        .split(|&b| b == 0)
        .filter(|name| !name.is_empty())
    {
        let Ok(length) = lgetxattr(from, name, &mut value[..]) else {
            continue;
        };
        match lsetxattr(to, name, &value[..length], XattrFlags::empty()) {
            Ok(()) | Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::PERM) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    Ok(())
}
