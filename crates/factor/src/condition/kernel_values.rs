//! Files of the kernel that take a value: written down, set, read back, put back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Applied, FactorError, Ground};
use crate::lock::ValueLock;
use crate::saved_value::SavedValue;
use crate::{Change, Entry, Journal, ProcessStamp, Token};

/// A value for a file of the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueToSet {
    /// The file.
    pub path: PathBuf,
    /// What is written.
    pub value: String,
}

/// Values that are in force; dropping it puts the former ones back.
#[derive(Debug)]
pub struct KernelValues {
    journal: Journal,
    token: Token,
    saved: Vec<SavedValue>,
    wanted: Vec<ValueToSet>,
    is_restored: bool,
    /// Let go once the former values are there again.
    _locks: Vec<ValueLock>,
}

impl SavedValue {
    /// What stands in the file now.
    ///
    /// # Errors
    /// The kernel's, where it cannot be read.
    pub fn read(path: &Path) -> Result<SavedValue, FactorError> {
        Ok(SavedValue {
            before: current(path).map_err(FactorError::io("read", path))?,
            diskseq: diskseq(path),
            path: path.to_owned(),
        })
    }
}

impl KernelValues {
    /// Sets values. `also` are files that change with them and are put back after them.
    ///
    /// # Errors
    /// [`FactorError`], with every file as it was before.
    pub fn set(
        ground: &Ground,
        wanted: Vec<ValueToSet>,
        also: Vec<SavedValue>,
    ) -> Result<KernelValues, FactorError> {
        let locks = locks(wanted.iter().map(|value| &value.path))?;
        let mut saved = Vec::new();
        for value in &wanted {
            saved.push(SavedValue::read(&value.path)?);
        }
        saved.extend(also);
        KernelValues::set_locked(ground, (wanted, locks), saved)
    }

    /// The same where the caller has said what puts them back.
    ///
    /// # Errors
    /// As [`set`](KernelValues::set).
    pub fn set_saved(
        ground: &Ground,
        wanted: Vec<ValueToSet>,
        saved: Vec<SavedValue>,
    ) -> Result<KernelValues, FactorError> {
        let locks = locks(saved.iter().map(|value| &value.path))?;
        KernelValues::set_locked(ground, (wanted, locks), saved)
    }

    fn set_locked(
        ground: &Ground,
        (wanted, locks): (Vec<ValueToSet>, Vec<ValueLock>),
        saved: Vec<SavedValue>,
    ) -> Result<KernelValues, FactorError> {
        let journal = &ground.journal;
        let named = FactorError::io("enter into the journal", journal.directory());
        let (token, owner) = Token::random()
            .and_then(|token| Ok((token, ProcessStamp::current()?)))
            .map_err(named)?;
        let change = Change::KernelValues {
            values: saved.clone(),
        };
        journal.write(&Entry::new(owner, token.clone(), change))?;
        // From here on dropping it undoes what was done.
        let made = KernelValues {
            journal: journal.clone(),
            token,
            saved,
            wanted,
            is_restored: false,
            _locks: locks,
        };
        for ValueToSet { path, value } in &made.wanted {
            write(path, value).map_err(FactorError::io("write to", path))?;
        }
        made.verify()?;
        Ok(made)
    }

    fn put_back(&mut self) -> Result<(), FactorError> {
        if !std::mem::replace(&mut self.is_restored, true) {
            put_back(&self.saved)?;
            self.journal.remove(&self.token)?;
        }
        Ok(())
    }
}

fn locks<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> Result<Vec<ValueLock>, FactorError> {
    let lock = |path: &PathBuf| {
        ValueLock::acquire(path).map_err(|holder| FactorError::Held {
            path: path.clone(),
            holder,
        })
    };
    paths.map(lock).collect()
}

impl Applied for KernelValues {
    fn verify(&self) -> Result<(), FactorError> {
        for ValueToSet { path, value } in &self.wanted {
            let found = current(path).map_err(FactorError::io("read", path))?;
            if !is_same(&found, &normal(value)) {
                return Err(FactorError::NotSo {
                    path: path.clone(),
                    wanted: value.clone(),
                    found,
                });
            }
        }
        Ok(())
    }

    fn restore(mut self: Box<Self>) -> Result<(), FactorError> {
        self.put_back()
    }
}

impl Drop for KernelValues {
    fn drop(&mut self) {
        // What fails here stays in the journal, for the next restore.
        let _ = self.put_back();
    }
}

/// Writes what stood in the files before, in their order; whether anything had to be written. A file
/// that is gone, or belongs to another disk by now, has nothing to put back; one that takes nothing keeps none of the
/// others from being put back.
pub(crate) fn put_back(saved: &[SavedValue]) -> Result<bool, FactorError> {
    let mut has_written = false;
    let mut told = Ok(());
    for value in saved {
        match put_back_one(value) {
            Ok(is_written) => has_written |= is_written,
            Err(error) => told = told.and(Err(error)),
        }
    }
    told.map(|()| has_written)
}

fn put_back_one(value: &SavedValue) -> Result<bool, FactorError> {
    let path = &value.path;
    let found = match current(path) {
        Ok(found) => found,
        Err(error) if is_gone(&error) => return Ok(false),
        Err(error) => return Err(FactorError::io("read", path)(error)),
    };
    if found == value.before || diskseq(path) != value.diskseq {
        return Ok(false);
    }
    write(path, &value.before).map_err(FactorError::io("write to", path))?;
    Ok(true)
}

/// Without creating or cutting anything: what is no file of the kernel stays away.
fn write(path: &Path, value: &str) -> io::Result<()> {
    use std::io::Write as _;
    let mut file = fs::OpenOptions::new().write(true).open(path)?;
    if file.metadata()?.len() > 0 && !is_of_kernel(path) {
        file.set_len(0)?;
    }
    file.write_all(value.as_bytes())
}

/// Files of a copied tree have a length to cut; those of the kernel claim a page.
fn is_of_kernel(path: &Path) -> bool {
    path.starts_with("/sys") || path.starts_with("/proc")
}

fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    ) || error.raw_os_error() == Some(rustix::io::Errno::NODEV.raw_os_error())
}

pub(super) fn current(path: &Path) -> io::Result<String> {
    Ok(normal(&fs::read_to_string(path)?))
}

/// The chosen one of `none [bfq]`; else the text with single spaces.
fn normal(text: &str) -> String {
    let chosen = text
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'))
        .map(|(chosen, _)| chosen);
    let words = chosen.unwrap_or(text).split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}

/// Whether the kernel's text means what was written: `0064` is shown as `64`, and control groups show a limit beyond
/// all pages as `max` (mm/page_counter.c, `PAGE_COUNTER_MAX`).
fn is_same(found: &str, wanted: &str) -> bool {
    let (number, other) = (found.parse::<i128>(), wanted.parse::<i128>());
    match (number, other) {
        (Ok(found), Ok(wanted)) => found == wanted,
        (Err(_), Ok(wanted)) => found == "max" && wanted >= UNLIMITED,
        _ => found == wanted,
    }
}

/// The largest number of whole pages in an `i64`.
const UNLIMITED: i128 = i64::MAX as i128 - 4095;

/// The number of the disk to which a file of its queue belongs.
fn diskseq(path: &Path) -> Option<String> {
    let disk = path
        .ancestors()
        .find(|place| place.join("queue").is_dir())?;
    let text = fs::read_to_string(disk.join("diskseq")).ok()?;
    Some(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_known_in_the_words_of_the_kernel() {
        for (found, wanted) in [
            ("64", "64"),
            ("64", "0064"),
            ("max", "max"),
            ("max", "18446744073709551615"),
            ("max", "9223372036854771712"),
            ("18446744073709551615", "18446744073709551615"),
            ("none", "none"),
        ] {
            assert!(is_same(found, wanted), "{found} {wanted}");
        }
        for (found, wanted) in [
            ("128", "130"),
            ("4", "1"),
            ("max", "4096"),
            ("18446744073709551615", "18446744073709551614"),
            ("none", "bfq"),
        ] {
            assert!(!is_same(found, wanted), "{found} {wanted}");
        }
    }
}
