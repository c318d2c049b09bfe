//! Loop devices and filesystems that go away with their test.

use std::fs::File;
use std::path::{Path, PathBuf};

use etalon_testbed::{in_memory, mkfs};

/// A sparse file of some size in a directory of its own.
pub(crate) struct Image {
    pub(crate) file: PathBuf,
    _directory: tempfile::TempDir,
}

impl Image {
    /// In memory, where two tests that measure at once share no disk.
    pub(crate) fn new(mib: u64) -> Image {
        let directory = in_memory();
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
    mounted: etalon_testbed::Mount,
    /// What it holds, which goes after it.
    _image: Option<Image>,
}

impl Mount {
    fn with(words: &[&str]) -> Mount {
        Mount {
            mounted: etalon_testbed::Mount::new(words),
            _image: None,
        }
    }

    /// A filesystem in memory.
    pub(crate) fn tmpfs(mib: u64) -> Mount {
        Mount {
            mounted: etalon_testbed::Mount::tmpfs(&format!("size={mib}m,mode=755")),
            _image: None,
        }
    }

    /// A filesystem in memory that knows neither direct I/O nor attributes.
    pub(crate) fn ramfs() -> Mount {
        Mount::with(&["-t", "ramfs", "none"])
    }

    /// A new filesystem on a loop device over a file.
    pub(crate) fn image(kind: &str, mib: u64, options: &str) -> Mount {
        let image = Image::new(mib);
        let force: &[&str] = match kind {
            "ext4" => &["-F"],
            _ => &[],
        };
        mkfs(kind, &[force, &[image.name()]].concat());
        let mut mount = Mount::with(&["-o", &format!("loop,{options}"), image.name()]);
        mount._image = Some(image);
        mount
    }

    /// The filesystem that a device holds.
    pub(crate) fn of_device(kind: &str, device: &Path) -> Mount {
        let device = device.to_str().unwrap();
        mkfs(kind, &[device]);
        Mount::with(&[device])
    }

    /// The filesystem that a file holds, on a loop device.
    pub(crate) fn of_file(file: &Path) -> Mount {
        Mount::with(&["-o", "loop", file.to_str().unwrap()])
    }

    /// An overlay whose layers lie on another mount.
    pub(crate) fn overlay(layers: &Mount) -> Mount {
        let [lower, upper, work] = ["lower", "upper", "work"].map(|name| {
            let path = layers.path().join(name);
            std::fs::create_dir(&path).unwrap();
            path.to_str().unwrap().to_owned()
        });
        let options = format!("lowerdir={lower},upperdir={upper},workdir={work}");
        Mount::with(&["-t", "overlay", "-o", &options, "overlay"])
    }

    pub(crate) fn path(&self) -> &Path {
        self.mounted.path()
    }

    pub(crate) fn remount(&self, options: &str) {
        self.mounted.remount(options);
    }

    /// Unmounts it, which nobody may have open any more.
    pub(crate) fn unmount(self) {
        self.mounted.unmount();
    }
}
