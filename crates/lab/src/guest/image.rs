//! Disks of a guest that are files of the host (qemu-block-drivers(7)).

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use etalon_factor::condition::{GuestImage, ImageCache, ImageFormat};

use super::qemu::{BLOCK_DEVICE, option_path};
use super::{GuestError, find_program};

const PROGRAM: &str = "qemu-img";
/// The name of an image in its directory.
const NAME: &str = "disk";

/// An image that was made for a guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskImage {
    /// Where it lies.
    pub path: PathBuf,
    /// What it is.
    pub image: GuestImage,
}

impl DiskImage {
    /// Makes an empty one in a directory, which grows with what is written.
    ///
    /// # Errors
    /// [`GuestError::MissingProgram`] without qemu-img where it is no raw one, and [`GuestError::Io`].
    pub fn make(directory: &Path, image: GuestImage) -> Result<DiskImage, GuestError> {
        let path = directory.join(NAME);
        let failed = || GuestError::io("make the disk", &path);
        match image.format {
            ImageFormat::Raw => File::create_new(&path)
                .and_then(|file| file.set_len(image.size.get()))
                .map_err(failed())?,
            ImageFormat::Qcow2 => create(&path, image)?,
        }
        Ok(DiskImage { path, image })
    }

    /// The node and the device on QEMU's command line.
    pub(super) fn options(&self, number: usize) -> [String; 2] {
        let cache = self.image.cache;
        let is_direct = matches!(cache, ImageCache::None | ImageCache::DirectSync);
        // The guest sends a flush behind every write where its disk says that it has no cache.
        let has_cache = !matches!(cache, ImageCache::WriteThrough | ImageCache::DirectSync);
        let on = |is_on: bool| if is_on { "on" } else { "off" };
        let path = option_path(&self.path);
        [
            format!(
                "driver={},node-name=disk{number},discard=unmap,cache.direct={direct},cache.no-flush={ignored},file.driver=file,file.filename={path}",
                self.image.format.name(),
                direct = on(is_direct),
                ignored = on(cache == ImageCache::Unsafe),
            ),
            format!(
                "{BLOCK_DEVICE},drive=disk{number},write-cache={}",
                on(has_cache)
            ),
        ]
    }
}

fn create(path: &Path, image: GuestImage) -> Result<(), GuestError> {
    let program = find_program(PROGRAM, &[]).ok_or_else(|| GuestError::MissingProgram {
        program: PROGRAM.to_owned(),
    })?;
    let mut command = Command::new(program);
    command.args(["create", "-q", "-f", image.format.name()]);
    command.arg(path).arg(image.size.get().to_string());
    let made = command.stdin(Stdio::null()).output();
    let made = made.map_err(GuestError::io("make the disk", path))?;
    match made.status.success() {
        true => Ok(()),
        false => {
            let said = String::from_utf8_lossy(&made.stderr).trim().to_owned();
            let said = std::io::Error::other(said);
            Err(GuestError::io("make the disk", path)(said))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_units::Bytes;

    fn options(cache: ImageCache) -> [String; 2] {
        let image = GuestImage {
            format: ImageFormat::Raw,
            cache,
            size: Bytes::mib(256),
        };
        let path = PathBuf::from("/a,b/disk");
        DiskImage { path, image }.options(3)
    }

    #[test]
    fn a_cache_mode_is_what_qemu_makes_of_its_name() {
        // qemu-system(1), -drive cache=: direct, no-flush, and the cache that the guest is told of.
        for (cache, wanted) in [
            (ImageCache::None, ["on", "off", "on"]),
            (ImageCache::WriteBack, ["off", "off", "on"]),
            (ImageCache::WriteThrough, ["off", "off", "off"]),
            (ImageCache::DirectSync, ["on", "off", "off"]),
            (ImageCache::Unsafe, ["off", "on", "on"]),
        ] {
            let [node, device] = options(cache);
            let [direct, ignored, told] = wanted;
            let modes = format!(",cache.direct={direct},cache.no-flush={ignored},");
            assert!(node.contains(&modes), "{node}");
            assert_eq!(
                device,
                format!("{BLOCK_DEVICE},drive=disk3,write-cache={told}")
            );
        }
        let [node, _] = options(ImageCache::None);
        assert!(node.starts_with("driver=raw,") && node.ends_with("file.filename=/a,,b/disk"));
    }

    #[test]
    fn a_raw_image_is_a_file_of_its_size_without_anything_in_it() {
        let directory = tempfile::tempdir().unwrap();
        let image = GuestImage {
            format: ImageFormat::Raw,
            cache: ImageCache::None,
            size: Bytes::mib(256),
        };
        let made = DiskImage::make(directory.path(), image).unwrap();
        assert_eq!(made.path.metadata().unwrap().len(), 256 << 20);
        let again = DiskImage::make(directory.path(), image).unwrap_err();
        assert!(
            again.to_string().starts_with("cannot make the disk '"),
            "{again}"
        );
    }
}
