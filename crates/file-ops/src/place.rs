//! The files under test: made where they may be, removed when they were ours.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use etalon_factor::guard::may_write;
use etalon_factor::{Hold, Journal, Named, NamedError, RemoveError, was_left};
use etalon_host::FreeSpace;
use etalon_units::Bytes;

use super::stamp::MAGIC;
use super::{FileOpError, Settings};

/// What may be done with the files, and what becomes of them.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// Whether anything is written.
    pub writes: bool,
    /// Files of others that the user typed out to be written over and removed.
    pub overwrite: &'a [PathBuf],
    /// Files that this command made before and left there; they need not bear a stamp.
    pub made: &'a [FileId],
    /// Whether the files stay at the end.
    pub keep: bool,
    /// Whether their directories are held open.
    pub hold: Hold,
    /// Where what is made is entered, so that a kill leaves nothing behind.
    pub journal: Option<&'a Journal>,
}

impl Default for Terms<'_> {
    fn default() -> Self {
        Terms {
            writes: true,
            overwrite: &[],
            made: &[],
            keep: false,
            hold: Hold::Yes,
            journal: None,
        }
    }
}

/// What a file is known by as long as it is there, whatever it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    inode: u64,
}

/// Files that one run of tests works on.
#[derive(Debug)]
pub struct Placed {
    files: Vec<PlacedFile>,
    /// Which of them each worker has; workers may share one.
    order: Vec<usize>,
    keep: bool,
    journal: Option<Journal>,
}

#[derive(Debug)]
struct PlacedFile {
    named: Named,
    /// The inode of a file that was there before and may be written.
    before: Option<u64>,
    /// Whether that file is removed at the end; never where files are only read.
    ours: bool,
}

impl Placed {
    /// Takes `paths` on these terms.
    ///
    /// # Errors
    /// When a path is no regular file, when something relies on what a file holds, and when a file
    /// that would be written was neither made by this program nor typed out to be overwritten.
    pub fn new(paths: &[PathBuf], terms: &Terms<'_>) -> Result<Placed, FileOpError> {
        let (mut files, mut order) = (Vec::new(), Vec::new());
        for (index, path) in paths.iter().enumerate() {
            match paths[..index].iter().position(|other| other == path) {
                Some(earlier) => order.push(order[earlier]),
                None => {
                    order.push(files.len());
                    files.push(claim(path, terms)?);
                }
            }
        }
        Ok(Placed {
            files,
            order,
            keep: terms.keep,
            journal: terms.journal.cloned(),
        })
    }

    /// Where to open them.
    pub fn paths(&self) -> Vec<PathBuf> {
        let files = self.order.iter().filter_map(|&at| self.files.get(at));
        files.map(|file| file.named.held_path()).collect()
    }

    /// The directory of the first one, as people know it.
    pub fn directory(&self) -> PathBuf {
        let parent = self.files.first().and_then(|f| f.named.path().parent());
        parent.map_or_else(PathBuf::new, Path::to_owned)
    }

    /// Puts a new, empty file in the place of the `index`-th; with
    /// [`Settings::keep_old`] the old one stays.
    ///
    /// # Errors
    /// When the kernel refuses, or somebody has put something else in its place.
    pub fn renew(&mut self, index: usize, settings: &Settings) -> Result<(), FileOpError> {
        let journal = self.journal.as_ref();
        let file = self.order.get(index).copied();
        match file.and_then(|at| self.files.get_mut(at)) {
            Some(file) => file.renew(settings.keep_old, journal),
            None => Ok(()),
        }
    }

    /// Marks every file as written by this program, which it then removes at the end.
    pub fn wrote_all(&mut self) {
        for file in &mut self.files {
            file.ours = true;
        }
    }

    /// The files that were made here and are still there.
    pub fn made(&self) -> Vec<FileId> {
        let made = self.files.iter().filter(|file| file.named.is_made());
        let found = made.filter_map(|file| file.named.look().ok().flatten());
        found
            .map(|found| FileId {
                device: found.st_dev,
                inode: found.st_ino,
            })
            .collect()
    }

    /// Removes what is ours, unless it is to stay.
    ///
    /// # Errors
    /// When the kernel refuses, or somebody has put something else in its place.
    pub fn remove(mut self) -> Result<(), FileOpError> {
        self.clear()
    }

    fn clear(&mut self) -> Result<(), FileOpError> {
        let mut first = Ok(());
        for mut file in std::mem::take(&mut self.files) {
            if self.keep {
                file.leave();
            } else if let Err(error) = file.remove() {
                first = first.and(Err(error));
            }
        }
        first
    }
}

impl Drop for Placed {
    /// On the way out of a failure; that a file could not be removed is then the lesser news.
    fn drop(&mut self) {
        let _ = self.clear();
    }
}

impl PlacedFile {
    fn renew(&mut self, keeps: bool, journal: Option<&Journal>) -> Result<(), FileOpError> {
        let is_there = self.named.is_made() || self.is_as_before()?;
        if keeps && is_there {
            self.ours = true;
            return Ok(());
        }
        if self.is_as_before()? {
            let removed = self.named.remove_other();
            removed.map_err(|error| self.failed("remove", error.into()))?;
        }
        self.before = None;
        let cleared = self.named.clear();
        cleared.map_err(|error| self.failed("remove", error))?;
        let made = self.named.make_file(journal);
        made.map_err(|error| self.failed("create", error))
    }

    /// Whether the file that may be written still lies there.
    fn is_as_before(&self) -> Result<bool, FileOpError> {
        let found = self.named.look();
        let found = found.map_err(|error| self.failed("look at", error.into()))?;
        Ok(self.before.is_some() && found.map(|found| found.st_ino) == self.before)
    }

    /// A later command may write to it again, also where what it holds bears no stamp.
    fn leave(&mut self) {
        if self.ours || self.named.is_made() {
            self.named.note_left();
        }
        self.named.keep();
    }

    fn remove(&mut self) -> Result<(), FileOpError> {
        if self.ours && self.is_as_before()? {
            let removed = self.named.remove_other();
            removed.map_err(|error| self.failed("remove", error.into()))?;
        }
        let removed = self.named.remove();
        removed.map_err(|error| self.failed("remove", error))
    }

    fn failed(&self, action: &'static str, error: NamedError) -> FileOpError {
        let path = self.named.path().to_owned();
        match error {
            NamedError::Journal(error) => FileOpError::NoJournal(error.to_string()),
            NamedError::Remove(RemoveError::Replaced) => FileOpError::Replaced { path },
            NamedError::Remove(source) => FileOpError::NotRemoved { path, source },
            NamedError::Io(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                FileOpError::Replaced { path }
            }
            NamedError::Io(source) => FileOpError::Io {
                action,
                path,
                source,
            },
        }
    }
}

fn claim(path: &Path, terms: &Terms<'_>) -> Result<PlacedFile, FileOpError> {
    let failed = |source| FileOpError::Io {
        action: "look at",
        path: path.to_owned(),
        source,
    };
    let named = Named::at(path, terms.hold).map_err(failed)?;
    let mut file = PlacedFile {
        named,
        before: None,
        ours: false,
    };
    let Some(found) = file.named.look().map_err(failed)? else {
        return Ok(file);
    };
    if !rustix::fs::FileType::from_raw_mode(found.st_mode).is_file() {
        return Err(FileOpError::NotAFile {
            path: path.to_owned(),
        });
    }
    let opened = file.named.open().map_err(failed)?;
    if terms.writes {
        may_write(&opened, path, None)?;
        file.ours = is_ours(&opened, terms.made).map_err(failed)?;
        if !file.ours && !is_typed_out(file.named.path(), terms.overwrite) {
            return Err(FileOpError::NotOurs {
                path: path.to_owned(),
            });
        }
    }
    file.before = Some(opened.metadata().map_err(failed)?.ino());
    Ok(file)
}

/// Whether this user made the file with this program: `made` are those of this very command.
fn is_ours(file: &File, made: &[FileId]) -> io::Result<bool> {
    let found = file.metadata()?;
    let id = FileId {
        device: found.dev(),
        inode: found.ino(),
    };
    let is_own = found.uid() == rustix::process::geteuid().as_raw();
    Ok(is_own && (made.contains(&id) || is_stamped(file)? || was_left(file)?))
}

/// Whether one of the names that were typed leads to this path.
fn is_typed_out(path: &Path, typed: &[PathBuf]) -> bool {
    typed
        .iter()
        .any(|typed| Named::at(typed, Hold::No).is_ok_and(|typed| typed.path() == path))
}

/// Whether a file begins with the stamp that these operations write.
///
/// # Errors
/// When it cannot be read.
pub fn made_by_etalon(path: &Path) -> io::Result<bool> {
    is_stamped(&File::open(path)?)
}

fn is_stamped(mut file: &File) -> io::Result<bool> {
    let mut head = [0; 8];
    match file.read_exact(&mut head) {
        Ok(()) => Ok(u64::from_le_bytes(head) == MAGIC),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Space in the filesystem of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpaceLeft {
    /// What an ordinary user may still write.
    pub available: Bytes,
    /// What stays free: a tenth of the filesystem.
    pub reserve: Bytes,
}

impl SpaceLeft {
    /// Whether `needed` fits beside the reserve.
    pub fn fits(self, needed: Bytes) -> bool {
        needed.get() <= self.available.get().saturating_sub(self.reserve.get())
    }
}

/// The space where `file` lies or will lie.
///
/// # Errors
/// When its directory cannot be looked at.
pub fn room(file: &Path) -> Result<SpaceLeft, FileOpError> {
    let directory = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let space = FreeSpace::of_path(directory).map_err(|source| FileOpError::Io {
        action: "look at",
        path: directory.to_owned(),
        source,
    })?;
    let mut available = space.available().get();
    if let Ok(found) = fs::metadata(file) {
        // Its blocks are given back before it is written anew.
        available += found.blocks() * 512;
    }
    Ok(SpaceLeft {
        available: Bytes(available),
        reserve: space.kept(),
    })
}
