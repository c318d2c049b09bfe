//! Whether a copy holds what its original holds, entry by entry.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::attributes::Kept;
use super::error::WorkError;
use super::stamps::Stamps;
use super::step::Step;
use super::tree::{WalkEvent, entry_of, is_copied, walk};

/// Bytes read of each file at once.
const PIECE: usize = 256 << 10;

/// The bits that say who may do what, and those that are lost where a file is given to somebody else (chown(2)).
const MODE: u32 = 0o7777;
const OF_OWNER: u32 = 0o6000;

/// An original and its copy: names, kinds, links and contents must be equal, and the attributes that are kept.
pub(super) struct Comparison<'c> {
    /// What the copy is, for errors.
    pub(super) what: &'static str,
    pub(super) original: &'c Path,
    pub(super) copy: &'c Path,
    pub(super) kept: Kept,
    /// What the original was before it was copied, where somebody else may change it.
    pub(super) before: Option<&'c Stamps>,
}

impl Comparison<'_> {
    /// Fails at the first entry that differs.
    pub(super) fn check(&self, step: &mut Step<'_>) -> Result<(), WorkError> {
        let stop = step.stop_flag();
        let mut pieces = [vec![0; PIECE], vec![0; PIECE]];
        walk(self.original, step, &mut |path, found| {
            let name = path.strip_prefix(self.original).unwrap_or(path);
            let how = match found {
                WalkEvent::Leave(_) => None,
                WalkEvent::Enter(meta) => match self.entry(name, meta)? {
                    None => return self.nothing_more_in(name),
                    how => how,
                },
                WalkEvent::Leaf(meta) if !is_copied(meta) => None,
                WalkEvent::Leaf(meta) => match self.entry(name, meta)? {
                    None if meta.is_file() => self.contents(name, &mut pieces, stop)?,
                    how => how,
                },
            };
            how.map_or(Ok(()), |how| Err(self.differs(name, how)))
        })
    }

    /// How one entry differs, its contents left out.
    fn entry(&self, name: &Path, original: &Metadata) -> Result<Option<&'static str>, WorkError> {
        let path = entry_of(self.copy, name);
        let copy = match fs::symlink_metadata(&path) {
            Ok(copy) => copy,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Some("is missing")),
            Err(error) => return Err(WorkError::io("read the attributes of", &path)(error)),
        };
        if original.file_type() != copy.file_type() {
            return Ok(Some("is of another kind"));
        }
        if original.is_symlink() {
            let [one, other] = [entry_of(self.original, name), path]
                .map(|path| fs::read_link(&path).map_err(WorkError::io("read the link", &path)));
            return Ok((one? != other?).then_some("leads elsewhere"));
        }
        // The root is made by whoever unpacks.
        let is_root = name.as_os_str().is_empty();
        if self.kept.modes && !is_root && !same_mode(original, &copy) {
            return Ok(Some("has other permissions"));
        }
        // The time of a directory changes with what is made in it.
        if self.kept.times && original.is_file() && !same_time(original, &copy) {
            return Ok(Some("has another time of change"));
        }
        Ok(None)
    }

    fn contents(
        &self,
        name: &Path,
        [of_one, of_other]: &mut [Vec<u8>; 2],
        stop: super::step::StopFlag<'_>,
    ) -> Result<Option<&'static str>, WorkError> {
        let one = entry_of(self.original, name);
        let other = entry_of(self.copy, name);
        let open = |path: &Path| File::open(path).map_err(WorkError::io("open", path));
        let mut files = (open(&one)?, open(&other)?);
        loop {
            stop.check().map_err(WorkError::io("read", &one))?;
            let length = fill(&mut files.0, of_one).map_err(WorkError::io("read", &one))?;
            let found = fill(&mut files.1, of_other).map_err(WorkError::io("read", &other))?;
            if of_one[..length] != of_other[..found] {
                return Ok(Some("has other contents"));
            }
            if length == 0 {
                return Ok(None);
            }
        }
    }

    /// Fails where a directory of the copy has what the original has not.
    fn nothing_more_in(&self, name: &Path) -> Result<(), WorkError> {
        let directory = self.copy.join(name);
        let listing = || WorkError::io("list the directory", &directory);
        for entry in fs::read_dir(&directory).map_err(listing())? {
            let within = name.join(entry.map_err(listing())?.file_name());
            match fs::symlink_metadata(self.original.join(&within)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(self.differs(&within, "is not in the original"));
                }
                // What cannot be looked at is told when the walk comes to it.
                _ => {}
            }
        }
        Ok(())
    }

    fn differs(&self, name: &Path, how: &'static str) -> WorkError {
        match self.before {
            Some(before) if before.has_changed(self.original, name) => WorkError::Changed {
                path: entry_of(self.original, name),
            },
            _ => WorkError::Differs {
                what: self.what,
                path: Path::new(".").join(name),
                how,
            },
        }
    }
}

/// Of a file that now belongs to somebody else, the kernel takes the bits that act for its owner.
fn same_mode(original: &Metadata, copy: &Metadata) -> bool {
    let owner = |meta: &Metadata| (meta.uid(), meta.gid());
    let compared = match owner(original) == owner(copy) {
        true => MODE,
        false => MODE & !OF_OWNER,
    };
    (original.mode() ^ copy.mode()) & compared == 0
}

/// To the second, as archives have it; the library that unpacks them makes the first second of 1970 the next.
fn same_time(original: &Metadata, copy: &Metadata) -> bool {
    let (one, other) = (original.mtime(), copy.mtime());
    one == other || (one, other) == (0, 1)
}

/// Reads until the buffer is full or the file ends.
fn fill(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match file.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Tally;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::path::PathBuf;
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, SystemTime};
    use tempfile::TempDir;

    static GO: AtomicBool = AtomicBool::new(false);

    const ALL: Kept = Kept {
        modes: true,
        times: true,
    };

    fn step() -> Step<'static> {
        Step {
            stop: &GO,
            tally: Tally::default(),
        }
    }

    /// An original and a copy of it, which are equal.
    fn pair() -> (TempDir, [PathBuf; 2]) {
        let place = TempDir::new().unwrap();
        let roots = ["original", "copy"].map(|name| place.path().join(name));
        for root in &roots {
            fs::create_dir_all(root.join("a/b")).unwrap();
            symlink("a", root.join("link")).unwrap();
            let path = root.join("a/b/file");
            fs::write(&path, vec![7; PIECE + 1]).unwrap();
            let file = File::options().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000))
                .unwrap();
        }
        fs::set_permissions(&roots[1], fs::Permissions::from_mode(0o700)).unwrap();
        (place, roots)
    }

    fn told([original, copy]: &[PathBuf; 2], kept: Kept, before: Option<&Stamps>) -> String {
        let comparison = Comparison {
            what: "the copy",
            original,
            copy,
            kept,
            before,
        };
        let result = comparison.check(&mut step());
        result.map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn the_first_entry_that_differs_is_named_with_what_differs() {
        type Act = fn(&Path);
        let changes: [(Act, &str); 7] = [
            (
                |copy| fs::remove_file(copy.join("a/b/file")).unwrap(),
                "'./a/b/file' is missing",
            ),
            (
                |copy| fs::write(copy.join("a/more"), "").unwrap(),
                "'./a/more' is not in the original",
            ),
            (
                |copy| {
                    fs::remove_file(copy.join("link")).unwrap();
                    symlink("b", copy.join("link")).unwrap();
                },
                "'./link' leads elsewhere",
            ),
            (
                |copy| {
                    fs::remove_file(copy.join("link")).unwrap();
                    fs::write(copy.join("link"), "").unwrap();
                },
                "'./link' is of another kind",
            ),
            (
                |copy| {
                    fs::set_permissions(copy.join("a/b"), fs::Permissions::from_mode(0o700))
                        .unwrap()
                },
                "'./a/b' has other permissions",
            ),
            (
                |copy| {
                    let file = File::options()
                        .write(true)
                        .open(copy.join("a/b/file"))
                        .unwrap();
                    file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
                },
                "'./a/b/file' has another time of change",
            ),
            (
                |copy| {
                    let path = copy.join("a/b/file");
                    let time = path.metadata().unwrap().modified().unwrap();
                    let mut bytes = fs::read(&path).unwrap();
                    bytes[PIECE] ^= 1;
                    fs::write(&path, bytes).unwrap();
                    let file = File::options().write(true).open(&path).unwrap();
                    file.set_modified(time).unwrap();
                },
                "'./a/b/file' has other contents",
            ),
        ];
        for (change, expected) in changes {
            let (_place, roots) = pair();
            assert_eq!(told(&roots, ALL, None), "");
            let before = Stamps::of(&roots[0], &mut step()).unwrap();
            change(&roots[1]);
            // The original was left alone, so that nothing excuses the copy.
            for before in [None, Some(&before)] {
                let told = told(&roots, ALL, before);
                assert!(
                    told.starts_with(&format!("the copy: {expected}; ")),
                    "{told}"
                );
                assert!(told.contains("returned wrong data"), "{told}");
            }
        }
    }

    #[test]
    fn what_changed_in_the_input_meanwhile_is_not_laid_to_the_storage() {
        type Act = fn(&Path);
        let changes: [(Act, &str); 3] = [
            (
                |mine| fs::write(mine.join("a/b/file"), "new").unwrap(),
                "a/b/file",
            ),
            (
                |mine| fs::write(mine.join("a/new"), "new").unwrap(),
                "a/new",
            ),
            (|mine| fs::remove_file(mine.join("link")).unwrap(), "link"),
        ];
        for (change, name) in changes {
            let (_place, roots) = pair();
            let before = Stamps::of(&roots[0], &mut step()).unwrap();
            change(&roots[0]);
            let told = told(&roots, ALL, Some(&before));
            let expected = format!(
                "'{}' changed while it was copied",
                roots[0].join(name).display()
            );
            assert!(told.starts_with(&expected), "{told}");
            assert!(!told.contains("wrong data"), "{told}");
        }
    }

    #[test]
    fn attributes_that_the_filesystem_forgets_are_not_compared() {
        let (place, roots) = pair();
        let path = roots[1].join("a/b/file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        assert_eq!(told(&roots, Kept::NONE, None), "");
        assert!(told(&roots, ALL, None).contains("'./a/b/file' has"));
        assert_eq!(Kept::at(place.path()).unwrap(), ALL);
    }
}
