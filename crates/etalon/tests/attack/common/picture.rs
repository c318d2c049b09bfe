//! What must not change, as it was.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

const PAGE: usize = 4096;

/// The pages of a file that hold more than zeros; small however large the file is.
type Pages = BTreeMap<u64, Vec<u8>>;

/// Files that must keep their bytes, and devices whose caches are written out before each look.
pub(crate) struct Guarded {
    devices: Vec<PathBuf>,
    files: Vec<(PathBuf, Option<(u64, Pages)>)>,
    directories: Vec<(PathBuf, Vec<OsString>)>,
}

impl Guarded {
    pub(crate) fn new(devices: &[&Path], files: &[&Path], directories: &[&Path]) -> Guarded {
        let owned = |paths: &[&Path]| {
            paths
                .iter()
                .map(|&path| path.to_owned())
                .collect::<Vec<_>>()
        };
        let mut guarded = Guarded {
            devices: owned(devices),
            files: owned(files).into_iter().map(|path| (path, None)).collect(),
            directories: owned(directories)
                .into_iter()
                .map(|path| (path, Vec::new()))
                .collect(),
        };
        guarded.look_again();
        guarded
    }

    /// Whether something is guarded by both.
    pub(crate) fn shares_with(&self, other: &Guarded) -> bool {
        let has_file = |path| other.files.iter().any(|(file, _)| file == path);
        let has_directory = |path| other.directories.iter().any(|(place, _)| place == path);
        self.files.iter().any(|(path, _)| has_file(path))
            || self.directories.iter().any(|(path, _)| has_directory(path))
    }

    /// Takes what is there now for what must stay.
    pub(crate) fn look_again(&mut self) {
        self.flush();
        for (path, was) in &mut self.files {
            *was = look(path);
        }
        for (path, was) in &mut self.directories {
            *was = names_in(path);
        }
    }

    /// What has changed since.
    pub(crate) fn changes(&self) -> Vec<String> {
        self.flush();
        let files = self.files.iter().filter(|(path, was)| look(path) != *was);
        let mut changes: Vec<String> = files
            .map(|(path, was)| described(path, was.as_ref()))
            .collect();
        for (path, was) in &self.directories {
            let now = names_in(path);
            if now != *was {
                changes.push(format!(
                    "LOST: {} held {was:?} and holds {now:?}",
                    path.display()
                ));
            }
        }
        changes
    }

    fn flush(&self) {
        for device in &self.devices {
            // What was written to the device reaches the file beneath it.
            if let Ok(opened) = File::open(device) {
                let _ = opened.sync_all();
            }
        }
    }
}

fn described(path: &Path, was: Option<&(u64, Pages)>) -> String {
    let now = look(path);
    let (Some((size, pages)), Some((new_size, new_pages))) = (was, &now) else {
        return format!("LOST: {} is gone or new", path.display());
    };
    let all = pages.keys().chain(new_pages.keys());
    let first = all.filter(|at| pages.get(at) != new_pages.get(at)).min();
    format!(
        "LOST: {}: size {size} -> {new_size}, first change in the page at {first:?}",
        path.display()
    )
}

fn look(path: &Path) -> Option<(u64, Pages)> {
    let file = File::open(path).ok()?;
    let mut pages = Pages::new();
    let mut buffer = vec![0; 256 * PAGE];
    let mut offset = 0;
    // SEEK_DATA steps over holes, which a filesystem without it does not have.
    while let Ok(data) = rustix::fs::seek(&file, rustix::fs::SeekFrom::Data(offset)) {
        let count = file.read_at(&mut buffer, data).unwrap();
        if count == 0 {
            break;
        }
        keep(&mut pages, data, &buffer[..count]);
        offset = data + count as u64;
    }
    forget_swapped_page(&mut pages);
    Some((file.metadata().unwrap().size(), pages))
}

/// The one page of a swap space that the kernel may use is its own to write.
fn forget_swapped_page(pages: &mut Pages) {
    let header = pages.get(&0).map(Vec::as_slice).unwrap_or_default();
    if header.ends_with(b"SWAPSPACE2") {
        pages.remove(&(PAGE as u64));
    }
}

fn keep(pages: &mut Pages, offset: u64, bytes: &[u8]) {
    for (index, page) in bytes.chunks(PAGE).enumerate() {
        if page != &[0; PAGE][..page.len()] {
            pages.insert(offset + (index * PAGE) as u64, page.to_vec());
        }
    }
}

/// The names in a directory, sorted.
pub(crate) fn names_in(directory: &Path) -> Vec<OsString> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<OsString> = entries.map(|entry| entry.file_name()).collect();
    names.sort();
    names
}
