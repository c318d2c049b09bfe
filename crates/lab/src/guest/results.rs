//! What a guest wrote to the disk for its results: a tar archive of a few files, whose names are known.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::GuestError;

/// The largest text that is taken.
const LARGEST_TEXT: u64 = 16 << 20;
/// The store, with what SQLite keeps beside it.
const STORE: [&str; 3] = ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm"];

/// The results of a guest. They come from a machine of our own, and are read as if they did not: only
/// plain files of known names are taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Results {
    /// The exit code of the command.
    pub code: i32,
    /// The kernel's release, as the guest says.
    pub kernel: String,
    /// What the command said to standard output.
    pub out: String,
    /// What it said to standard error.
    pub err: String,
    /// Its store, unpacked; none where it made none.
    pub store: Option<PathBuf>,
}

impl Results {
    /// Reads the disk at `path`, and unpacks a store into `directory`.
    ///
    /// # Errors
    /// [`GuestError::Io`], and `Ok(None)` where no results were written.
    pub fn read(path: &Path, directory: &Path) -> Result<Option<Results>, GuestError> {
        let texts = unpack(path, directory).map_err(GuestError::io("read the results on", path))?;
        let text = |name: &str| texts.get(name).cloned().unwrap_or_default();
        let Ok(code) = text("code").trim().parse() else {
            return Ok(None);
        };
        Ok(Some(Results {
            code,
            kernel: text("kernel").trim().to_owned(),
            out: text("out"),
            err: text("err"),
            store: texts
                .contains_key(STORE[0])
                .then(|| directory.join(STORE[0])),
        }))
    }
}

/// The texts by name; of a file of the store the name alone, since it goes to the directory.
fn unpack(path: &Path, directory: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    let mut archive = tar::Archive::new(File::open(path)?);
    for entry in archive.entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = entry.path()?.to_string_lossy().into_owned();
        let mut text = Vec::new();
        match STORE.contains(&name.as_str()) {
            true => {
                let mut file = File::create_new(directory.join(&name))?;
                io::copy(&mut entry, &mut file)?;
            }
            false => drop(entry.take(LARGEST_TEXT).read_to_end(&mut text)?),
        }
        texts.insert(name, String::from_utf8_lossy(&text).into_owned());
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with an archive of these files.
    fn disk(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        let mut archive = tar::Builder::new(File::create(place.path().join("disk")).unwrap());
        for (name, content) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            archive.append(&header, *content).unwrap();
        }
        archive.finish().unwrap();
        place
    }

    fn read(place: &tempfile::TempDir) -> Result<Option<Results>, GuestError> {
        Results::read(&place.path().join("disk"), place.path())
    }

    #[test]
    fn only_files_of_known_names_are_unpacked() {
        let place = disk(&[
            ("code", b"3\n"),
            ("../evil", b"x"),
            ("/etc/evil", b"x"),
            ("store.sqlite", b"rows"),
        ]);
        let found = read(&place).unwrap().unwrap();
        assert_eq!(found.code, 3);
        assert_eq!(std::fs::read(found.store.unwrap()).unwrap(), b"rows");
        let names = std::fs::read_dir(place.path()).unwrap().flatten();
        assert_eq!(names.count(), 2, "the disk and the store");
        assert!(!place.path().parent().unwrap().join("evil").exists());
    }

    #[test]
    fn a_disk_of_zeroes_and_one_of_noise_are_no_results() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("disk"), vec![0; 4096]).unwrap();
        assert_eq!(read(&place).unwrap(), None);
        std::fs::write(place.path().join("disk"), vec![7; 4096]).unwrap();
        assert!(read(&place).is_err());
        assert_eq!(read(&disk(&[("out", b"x")])).unwrap(), None);
    }
}
