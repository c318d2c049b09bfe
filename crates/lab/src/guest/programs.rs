//! Programs of this machine with the libraries that they need.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Archive, GuestError};

/// Where programs are, those of administrators too, which a user's path may lack.
const PLACES: [&str; 4] = ["usr/sbin", "usr/bin", "sbin", "bin"];
/// Where the libraries of unpacked packages are.
const LIBRARIES: [&str; 2] = ["lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu"];

/// A program of this machine, or of packages unpacked to one of `roots`.
#[must_use]
pub fn find_program(name: &str, roots: &[PathBuf]) -> Option<PathBuf> {
    let root = [PathBuf::from("/")];
    let roots = root.iter().chain(roots);
    let mut paths = roots.flat_map(|root| PLACES.map(|place| root.join(place).join(name)));
    paths.find(|path| path.is_file())
}

/// Where libraries are besides those of this machine.
#[derive(Debug, Clone, Default)]
pub struct Libraries {
    /// Directories of unpacked packages.
    pub roots: Vec<PathBuf>,
}

impl Libraries {
    /// Puts a program at a place in the guest, and the libraries that it needs to their own.
    ///
    /// # Errors
    /// [`GuestError::Io`] where it, or a library, cannot be read.
    pub fn add(
        &self,
        archive: &mut Archive,
        program: &Path,
        place: &str,
    ) -> Result<(), GuestError> {
        let content = fs::read(program).map_err(GuestError::io("read", program))?;
        archive.file(place, 0o755, &content);
        let libraries = self.needed(program);
        let mut places = Vec::new();
        for library in &libraries {
            let content = fs::read(library).map_err(GuestError::io("read", library))?;
            let place = self.place_of(library);
            archive.file(&place, 0o755, &content);
            places.push(place);
        }
        for (link, place) in beside_libc(&places) {
            archive.link(&link, place);
        }
        Ok(())
    }

    /// Puts a file at its own place in the guest, or all files of a directory and of those in it; links stay links.
    ///
    /// # Errors
    /// [`GuestError::Io`] where one cannot be read.
    pub fn add_tree(&self, archive: &mut Archive, path: &Path) -> Result<(), GuestError> {
        let place = path.to_string_lossy();
        let failed = || GuestError::io("read", path);
        let kind = fs::symlink_metadata(path).map_err(failed())?.file_type();
        if kind.is_dir() {
            archive.directory(&place);
            for entry in fs::read_dir(path).map_err(failed())? {
                self.add_tree(archive, &entry.map_err(failed())?.path())?;
            }
            return Ok(());
        }
        if kind.is_symlink() {
            let to = fs::read_link(path).map_err(failed())?;
            archive.link(&place, &to.to_string_lossy());
            return Ok(());
        }
        match path.extension().is_some_and(|name| name == "so") {
            true => self.add(archive, path, &place),
            false => {
                archive.file(&place, 0o644, &fs::read(path).map_err(failed())?);
                Ok(())
            }
        }
    }

    /// What ldd(1) names, also the loader.
    fn needed(&self, program: &Path) -> Vec<PathBuf> {
        let own = self
            .roots
            .iter()
            .flat_map(|root| LIBRARIES.map(|place| root.join(place)));
        let own = std::env::join_paths(own).unwrap_or_default();
        let mut ldd = Command::new("ldd");
        // A place of the user's own would be unknown to the guest's loader.
        ldd.arg(program)
            .stdin(Stdio::null())
            .env("LD_LIBRARY_PATH", own);
        // A program that needs none makes it fail.
        let said = ldd.output().map(|said| said.stdout).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).into_owned();
        let words = said.split_whitespace().filter(|word| word.starts_with('/'));
        let paths = words.map(PathBuf::from).filter(|path| path.is_file());
        paths.collect()
    }

    fn place_of(&self, library: &Path) -> String {
        let below = self
            .roots
            .iter()
            .find_map(|root| library.strip_prefix(root).ok());
        below.unwrap_or(library).to_string_lossy().into_owned()
    }
}

/// Links beside the C library to the libraries that are elsewhere. The loader looks there in any case, and elsewhere by a
/// cache of this machine's that the guest has not (ld.so(8)).
fn beside_libc(places: &[String]) -> Vec<(String, &str)> {
    let directory_of_libc = places.iter().find_map(|place| {
        let (directory, name) = place.rsplit_once('/')?;
        name.starts_with("libc.so").then_some(directory)
    });
    let Some(usual) = directory_of_libc else {
        return Vec::new();
    };
    let links = places.iter().filter_map(|place| {
        let (directory, name) = place.rsplit_once('/')?;
        // Where /lib is /usr/lib, either is said.
        let is_found = of_usr(directory) == of_usr(usual) || name.starts_with("ld-");
        (!is_found).then(|| (format!("{usual}/{name}"), place.as_str()))
    });
    links.collect()
}

fn of_usr(directory: &str) -> &str {
    directory.strip_prefix("/usr").unwrap_or(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_where_the_loader_looks_is_linked_there() {
        let places = [
            "/lib/x86_64-linux-gnu/libc.so.6",
            "/usr/lib/x86_64-linux-gnu/libm.so.6",
            "/usr/local/lib/libown.so.1",
            "/lib64/ld-linux-x86-64.so.2",
        ]
        .map(str::to_owned);
        let link = "/lib/x86_64-linux-gnu/libown.so.1".to_owned();
        assert_eq!(beside_libc(&places), [(link, "/usr/local/lib/libown.so.1")]);
        assert_eq!(beside_libc(&places[1..]), []);
    }
}
