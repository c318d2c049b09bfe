//! Kernels and where their modules are.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use super::GuestError;
use super::modules::Modules;

/// Where the image says where its version is, and what that place is counted from (x86/boot.rst).
const VERSION_POINTER: u64 = 0x20e;
const VERSION_BASE: u64 = 0x200;
/// "HdrS" of the same document.
const MAGIC_AT: u64 = 0x202;

/// A kernel image with its modules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    image: PathBuf,
    modules: Option<PathBuf>,
    release: String,
}

/// An image of a kernel that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledKernel {
    /// The image.
    pub image: PathBuf,
    /// The kernel in it; none where this user may not read it, or it holds none.
    pub kernel: Option<Kernel>,
}

/// The kernels whose images lie in `boot` (`/boot` on Debian and most others) as `vmlinuz-RELEASE`, by name.
#[must_use]
pub fn installed(boot: &Path) -> Vec<InstalledKernel> {
    let known = |image: PathBuf| InstalledKernel {
        kernel: Kernel::of_image(&image),
        image,
    };
    let mut images = all(boot, "vmlinuz-");
    images.sort();
    images.into_iter().map(known).collect()
}

impl Kernel {
    /// The kernel at `place`: an image, or a package unpacked there.
    ///
    /// # Errors
    /// [`GuestError::NoKernel`].
    pub fn at(place: &Path) -> Result<Kernel, GuestError> {
        let image = match place.is_dir() {
            true => all(&place.join("boot"), "vmlinuz-").into_iter().min(),
            false => Some(place.to_owned()),
        };
        let found = image.and_then(|image| Kernel::of_image(&image));
        found.ok_or_else(|| GuestError::NoKernel {
            path: place.to_owned(),
        })
    }

    /// The kernel that this machine runs.
    ///
    /// # Errors
    /// [`GuestError::NoKernel`] where its image is not in `/boot`, or may not be read.
    pub fn of_this_machine() -> Result<Kernel, GuestError> {
        Kernel::at(&Path::new("/boot").join(format!("vmlinuz-{}", running())))
    }

    /// Whether this machine runs a kernel of its release.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.release == running()
    }

    /// Its modules are looked for beside it, as packages lay them out, and where this machine has its own.
    fn of_image(image: &Path) -> Option<Kernel> {
        // QEMU is started in a directory of its own.
        let image = &fs::canonicalize(image).ok()?;
        // To open a pipe is to wait for its writer.
        if !fs::metadata(image).ok()?.is_file() {
            return None;
        }
        let release = release_of(image)?;
        let root = image.parent()?.parent().unwrap_or(Path::new("/"));
        let places = ["lib/modules", "usr/lib/modules"].map(|place| root.join(place));
        let mut places = places.into_iter().chain([PathBuf::from("/lib/modules")]);
        let modules = places.find_map(|place| {
            let modules = place.join(&release);
            modules.join("kernel").is_dir().then_some(modules)
        });
        Some(Kernel {
            image: image.to_owned(),
            modules,
            release,
        })
    }

    /// The image.
    #[must_use]
    pub fn image(&self) -> &Path {
        &self.image
    }

    /// Its release, as `uname -r` prints it in the guest.
    #[must_use]
    pub fn release(&self) -> &str {
        &self.release
    }

    /// Where its modules are; none where it has everything built in, or they are not beside it.
    #[must_use]
    pub fn modules_directory(&self) -> Option<&Path> {
        self.modules.as_deref()
    }

    /// Those of these modules that it has neither as files nor built in. Of a kernel that does not tell what it has built in
    /// (`modules.builtin`) none is missed.
    #[must_use]
    pub fn lacks(&self, modules: &[String]) -> Vec<String> {
        let list = self
            .modules
            .as_ref()
            .map(|place| place.join("modules.builtin"));
        let built_in = list.and_then(|list| fs::read_to_string(list).ok());
        built_in.map_or_else(Vec::new, |built_in| {
            self.modules().lacks(modules, &built_in)
        })
    }

    /// Its modules by their names; none where it has everything built in.
    pub(super) fn modules(&self) -> Modules {
        self.modules
            .as_deref()
            .map(Modules::below)
            .unwrap_or_default()
    }
}

fn running() -> String {
    let system = rustix::system::uname();
    system.release().to_string_lossy().into_owned()
}

fn all(directory: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().starts_with(prefix)
    });
    paths.collect()
}

/// The release that an image holds within.
fn release_of(image: &Path) -> Option<String> {
    let mut file = fs::File::open(image).ok()?;
    let mut read = |at: u64, length: usize| -> Option<Vec<u8>> {
        let mut bytes = vec![0; length];
        file.seek(SeekFrom::Start(at)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    };
    if read(MAGIC_AT, 4)? != b"HdrS" {
        return None;
    }
    let pointer = read(VERSION_POINTER, 2)?;
    let at = u64::from(u16::from_le_bytes(pointer.try_into().ok()?));
    let text = read(VERSION_BASE + at, 64)?;
    let word = text.split(|byte| matches!(byte, b' ' | 0)).next()?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._+-~".contains(byte);
    (!word.is_empty() && word.iter().all(is_plain)).then(|| String::from_utf8_lossy(word).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_known_by_its_header_and_its_modules_lie_beside_it() {
        let place = tempfile::tempdir().unwrap();
        let mut image = vec![0; 0x400];
        image[0x202..0x206].copy_from_slice(b"HdrS");
        image[0x20e..0x210].copy_from_slice(&0x100_u16.to_le_bytes());
        image[0x300..0x310].copy_from_slice(b"6.1.0-x (me) #1\0");
        fs::create_dir_all(place.path().join("boot")).unwrap();
        let root = place.path().canonicalize().unwrap();
        let modules = root.join("usr/lib/modules/6.1.0-x");
        fs::create_dir_all(modules.join("kernel")).unwrap();
        let path = place.path().join("boot/vmlinuz-6.1.0-x");
        fs::write(&path, &image).unwrap();
        let kernel = Kernel::at(place.path()).unwrap();
        assert_eq!(kernel.release(), "6.1.0-x");
        assert_eq!(kernel.modules_directory(), Some(&*modules));
        assert_eq!(Kernel::at(&path).unwrap(), kernel);
        let other = place.path().join("boot/vmlinuz-5.0");
        fs::write(&other, b"no kernel").unwrap();
        let found = installed(&place.path().join("boot"));
        let images: Vec<&PathBuf> = found.iter().map(|found| &found.image).collect();
        assert_eq!(images, [&other, &path]);
        assert_eq!((&found[0].kernel, &found[1].kernel), (&None, &Some(kernel)));
        fs::remove_file(&other).unwrap();
        assert_eq!(installed(Path::new("/nowhere")), []);
        fs::write(&path, b"no kernel").unwrap();
        let error = Kernel::at(place.path()).unwrap_err().to_string();
        assert!(error.contains("is no kernel: give an image"), "{error}");
        fs::remove_file(&path).unwrap();
        let mode = rustix::fs::Mode::RUSR;
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).unwrap();
        assert!(Kernel::at(&path).is_err(), "nobody waits at a pipe");
    }
}
