//! The files under test: made where they may be, removed when they were ours.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use etalon_host::FreeSpace;
use etalon_units::Bytes;

use super::data::MAGIC;
use super::{FileOpError, Settings};

/// Mode of a new file, as iozone gives it.
const MODE: u32 = 0o640;

/// Files that one run of tests works on.
#[derive(Debug)]
pub struct Placed {
    files: Vec<PlacedFile>,
    keep: bool,
}

#[derive(Debug)]
struct PlacedFile {
    path: PathBuf,
    ours: bool,
}

impl Placed {
    /// Takes `paths`; `named` says that the user typed them, which allows to write over what is
    /// there. With `keep` the files stay at the end.
    ///
    /// # Errors
    /// When a path is no regular file, or a file that is there was not written by this program and
    /// was not named.
    pub fn new(paths: &[PathBuf], named: bool, keep: bool) -> Result<Placed, FileOpError> {
        let files = paths
            .iter()
            .map(|path| claim(path, named))
            .collect::<Result<_, _>>()?;
        Ok(Placed { files, keep })
    }

    /// The paths, links resolved.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }

    /// Puts a new, empty file in the place of the `index`-th; with
    /// [`Settings::keep_old`] the old one stays.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn renew(&mut self, index: usize, settings: &Settings) -> Result<(), FileOpError> {
        let Some(file) = self.files.get_mut(index) else {
            return Ok(());
        };
        let path = &file.path;
        let failed = |action| {
            move |source| FileOpError::Io {
                action,
                path: path.clone(),
                source,
            }
        };
        if !settings.keep_old && path.exists() {
            fs::remove_file(path).map_err(failed("remove"))?;
        }
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(MODE);
        options.open(path).map_err(failed("create"))?;
        file.ours = true;
        Ok(())
    }

    /// Marks every file as written by this program, which it then removes at the end.
    pub fn wrote_all(&mut self) {
        for file in &mut self.files {
            file.ours = true;
        }
    }

    /// Removes what is ours, unless it is to stay.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn remove(mut self) -> Result<(), FileOpError> {
        self.clear()
    }

    fn clear(&mut self) -> Result<(), FileOpError> {
        let files = std::mem::take(&mut self.files);
        if self.keep {
            return Ok(());
        }
        for file in files.iter().filter(|file| file.ours && file.path.exists()) {
            fs::remove_file(&file.path).map_err(|source| FileOpError::Io {
                action: "remove",
                path: file.path.clone(),
                source,
            })?;
        }
        Ok(())
    }
}

impl Drop for Placed {
    /// On the way out of a failure; that a file could not be removed is then the lesser news.
    fn drop(&mut self) {
        let _ = self.clear();
    }
}

fn claim(path: &Path, named: bool) -> Result<PlacedFile, FileOpError> {
    let failed = |source| FileOpError::Io {
        action: "look at",
        path: path.to_owned(),
        source,
    };
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(PlacedFile {
            path: path.to_owned(),
            ours: false,
        }),
        Err(source) => Err(failed(source)),
        Ok(found) if !found.is_file() => Err(FileOpError::NotAFile {
            path: path.to_owned(),
        }),
        Ok(_) => {
            let ours = made_by_etalon(path).map_err(failed)?;
            if !ours && !named {
                return Err(FileOpError::NotOurs {
                    path: path.to_owned(),
                });
            }
            Ok(PlacedFile {
                path: path.canonicalize().map_err(failed)?,
                ours,
            })
        }
    }
}

/// Whether a file begins with the stamp that these operations write.
///
/// # Errors
/// When it cannot be read.
pub fn made_by_etalon(path: &Path) -> io::Result<bool> {
    let mut head = [0; 8];
    match File::open(path)?.read_exact(&mut head) {
        Ok(()) => Ok(u64::from_le_bytes(head) == MAGIC),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Space in the filesystem of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// What an ordinary user may still write.
    pub available: Bytes,
    /// What stays free: a tenth of the filesystem.
    pub reserve: Bytes,
}

impl Room {
    /// Whether `needed` fits beside the reserve.
    pub fn fits(self, needed: Bytes) -> bool {
        needed.get() <= self.available.get().saturating_sub(self.reserve.get())
    }
}

/// The space where `file` lies or will lie.
///
/// # Errors
/// When its directory cannot be looked at.
pub fn room(file: &Path) -> Result<Room, FileOpError> {
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
        use std::os::unix::fs::MetadataExt;
        available += found.blocks() * 512;
    }
    Ok(Room {
        available: Bytes(available),
        reserve: space.kept(),
    })
}
