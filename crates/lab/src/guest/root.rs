//! A disk image of the user's as the root filesystem of a guest.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use etalon_factor::condition::ImageFormat;
use rustix::fs::OFlags;

use super::GuestError;
use super::qemu::{BLOCK_DEVICE, option_path};

/// What lays the image's filesystem beneath one in memory.
pub const ROOT: &str = include_str!("root.sh");
/// The serial number by which the guest knows the disk.
const SERIAL: &str = "etalon-root";
/// How a qcow2 file begins (QEMU's docs/interop/qcow2.txt).
const QCOW2: [u8; 4] = *b"QFI\xfb";

/// An image that is only read: what the guest writes stays in its memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootImage {
    path: PathBuf,
    format: ImageFormat,
}

impl RootImage {
    /// The image at a path, whose format is read from it.
    ///
    /// # Errors
    /// [`GuestError::Io`] where it cannot be read.
    pub fn at(path: &Path) -> Result<RootImage, GuestError> {
        let failed = || GuestError::io("read the image", path);
        let path = path.canonicalize().map_err(failed())?;
        let mut begin = Vec::new();
        // A pipe would keep who opens it waiting.
        let flags = OFlags::NONBLOCK.bits().cast_signed();
        let file = File::options().read(true).custom_flags(flags).open(&path);
        let file = file.map_err(failed())?;
        let kind = file.metadata().map_err(failed())?.file_type();
        if !kind.is_file() && !kind.is_block_device() {
            let what = "it is no disk image: give a file of qcow2 or raw";
            return Err(failed()(io::Error::other(what)));
        }
        let length = QCOW2.len() as u64;
        file.take(length)
            .read_to_end(&mut begin)
            .map_err(failed())?;
        let format = match begin == QCOW2 {
            true => ImageFormat::Qcow2,
            false => ImageFormat::Raw,
        };
        Ok(RootImage { path, format })
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The node and the device on QEMU's command line.
    pub(super) fn options(&self, number: usize) -> [String; 2] {
        let path = option_path(&self.path);
        [
            format!(
                "driver={},node-name=disk{number},read-only=on,file.driver=file,file.filename={path}",
                self.format.name()
            ),
            format!("{BLOCK_DEVICE},drive=disk{number},serial={SERIAL}"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_no_file_of_a_disk_is_not_read() {
        let device = RootImage::at(Path::new("/dev/zero")).unwrap_err();
        assert!(
            device.to_string().ends_with("give a file of qcow2 or raw"),
            "{device}"
        );
        assert!(RootImage::at(Path::new("/")).is_err());
    }

    #[test]
    fn an_image_is_known_by_its_first_bytes_and_never_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("image");
        for (begin, wanted) in [
            (&b"QFI\xfb\0\0\0\x03"[..], "driver=qcow2,"),
            (b"", "driver=raw,"),
        ] {
            fs::write(&path, begin).unwrap();
            let [node, device] = RootImage::at(&path).unwrap().options(1);
            assert!(
                node.starts_with(wanted) && node.contains(",read-only=on,"),
                "{node}"
            );
            assert!(device.ends_with(",serial=etalon-root") && ROOT.contains(SERIAL));
        }
        let missing = RootImage::at(&directory.path().join("nosuch")).unwrap_err();
        assert!(
            missing.to_string().starts_with("cannot read the image '"),
            "{missing}"
        );
    }
}
