//! Loop devices and filesystems that go away with their test.

use std::fs::File;
use std::path::{Path, PathBuf};

use etalon_testbed::{tool, undo};

/// A sparse file of some size in a directory of its own.
pub(crate) struct Image {
    pub(crate) file: PathBuf,
    _directory: tempfile::TempDir,
}

impl Image {
    /// In memory, where two tests that measure at once share no disk.
    pub(crate) fn new(mib: u64) -> Image {
        let memory = tempfile::tempdir_in("/dev/shm");
        let directory = memory.or_else(|_| tempfile::tempdir()).unwrap();
        let file = directory.path().join("image");
        File::create(&file).unwrap().set_len(mib << 20).unwrap();
        Image {
            file,
            _directory: directory,
        }
    }

    /// One without holes, in a directory of its own within another.
    pub(crate) fn full_in(place: &Path, mib: u64) -> Image {
        let directory = tempfile::tempdir_in(place).unwrap();
        let file = directory.path().join("image");
        let data: Vec<u8> = (0..mib << 17).flat_map(u64::to_le_bytes).collect();
        std::fs::write(&file, data).unwrap();
        Image {
            file,
            _directory: directory,
        }
    }

    fn name(&self) -> &str {
        self.file.to_str().unwrap()
    }
}

/// A loop device over an image.
pub(crate) struct Loop {
    pub(crate) device: PathBuf,
    pub(crate) image: Image,
    _attached: etalon_testbed::Loop,
}

impl Loop {
    pub(crate) fn new(image: Image) -> Loop {
        let attached = etalon_testbed::Loop::over(&image.file, &[]);
        Loop {
            device: attached.node().to_owned(),
            image,
            _attached: attached,
        }
    }
}

/// A filesystem mounted in a directory of its own.
pub(crate) struct Mount {
    directory: tempfile::TempDir,
    _image: Option<Image>,
}

impl Mount {
    /// A filesystem in memory.
    pub(crate) fn tmpfs(mib: u64) -> Mount {
        let directory = tempfile::tempdir().unwrap();
        let size = format!("size={mib}m,mode=755");
        let place = directory.path().to_str().unwrap();
        tool("mount", &["-t", "tmpfs", "-o", &size, "etalon-test", place]);
        Mount {
            directory,
            _image: None,
        }
    }

    /// A new filesystem on a loop device over a file.
    pub(crate) fn image(kind: &str, mib: u64, options: &str) -> Mount {
        let image = Image::new(mib);
        let maker = format!("mkfs.{kind}");
        let quiet: &[&str] = match kind {
            "ext4" => &["-q", "-F"],
            _ => &["-q"],
        };
        tool(&maker, &[quiet, &[image.name()]].concat());
        let directory = tempfile::tempdir().unwrap();
        let options = format!("loop,{options}");
        let place = directory.path().to_str().unwrap();
        tool("mount", &["-o", &options, image.name(), place]);
        Mount {
            directory,
            _image: Some(image),
        }
    }

    /// The filesystem that a device holds.
    pub(crate) fn of_device(kind: &str, device: &Path) -> Mount {
        let device = device.to_str().unwrap();
        tool(&format!("mkfs.{kind}"), &["-q", device]);
        let directory = tempfile::tempdir().unwrap();
        tool("mount", &[device, directory.path().to_str().unwrap()]);
        Mount {
            directory,
            _image: None,
        }
    }

    /// The filesystem that a file holds, on a loop device.
    pub(crate) fn of_file(file: &Path) -> Mount {
        let directory = tempfile::tempdir().unwrap();
        let (file, place) = (file.to_str().unwrap(), directory.path().to_str().unwrap());
        tool("mount", &["-o", "loop", file, place]);
        Mount {
            directory,
            _image: None,
        }
    }

    /// An overlay whose layers lie on another mount.
    pub(crate) fn overlay(layers: &Mount) -> Mount {
        let [lower, upper, work] = ["lower", "upper", "work"].map(|name| {
            let path = layers.path().join(name);
            std::fs::create_dir(&path).unwrap();
            path.to_str().unwrap().to_owned()
        });
        let directory = tempfile::tempdir().unwrap();
        let options = format!("lowerdir={lower},upperdir={upper},workdir={work}");
        let place = directory.path().to_str().unwrap();
        tool(
            "mount",
            &["-t", "overlay", "-o", &options, "overlay", place],
        );
        Mount {
            directory,
            _image: None,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        tool("mount", &["-o", &options, self.path().to_str().unwrap()]);
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        undo("umount", &["--lazy", self.path().to_str().unwrap()]);
    }
}
