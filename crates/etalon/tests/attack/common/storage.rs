//! Loop devices, filesystems and swap that go away with their test, however it ends.

use std::path::{Path, PathBuf};

use etalon_testbed::{try_tool, undo};

/// A loop device that goes also when its test is killed.
pub(crate) struct Loop {
    pub(crate) device: PathBuf,
    attached: etalon_testbed::Loop,
}

impl Loop {
    pub(crate) fn over(file: &Path) -> Loop {
        Loop::with(file, &[])
    }

    /// With more options of losetup.
    pub(crate) fn with(file: &Path, options: &[&str]) -> Loop {
        let attached = etalon_testbed::Loop::until_closed(file, options);
        Loop {
            device: attached.node().to_owned(),
            attached,
        }
    }

    pub(crate) fn name(&self) -> &str {
        self.attached.name()
    }
}

/// A filesystem mounted in a directory of its own.
pub(crate) struct Mount(etalon_testbed::Mount);

impl Mount {
    /// A filesystem in memory.
    pub(crate) fn in_memory(mib: u64) -> Mount {
        let options = format!("size={mib}m,mode=755");
        Mount(etalon_testbed::Mount::tmpfs(&options))
    }

    /// What a device holds.
    pub(crate) fn of_device(device: &str, options: &str) -> Mount {
        Mount(etalon_testbed::Mount::new(&["-o", options, device]))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Swap space that is in use and of which no page but one can be used: the others are marked as
/// bad in its header, so that what stays on after a killed test holds nothing.
pub(crate) struct SwapOn {
    place: String,
}

impl SwapOn {
    pub(crate) fn at(place: &Path) -> Result<SwapOn, String> {
        let place = place.to_str().unwrap().to_owned();
        try_tool("swapon", &[&place])?;
        Ok(SwapOn { place })
    }

    /// The bytes of such a device.
    pub(crate) fn bytes_of_device() -> Vec<u8> {
        let mut bytes = vec![0; 64 * 4096];
        // The kernel refuses a space without one good page.
        SwapOn::header(&mut bytes, 63, 2..64);
        bytes
    }

    /// The bytes of such a file, in which the kernel takes no page for bad.
    pub(crate) fn bytes_of_file() -> Vec<u8> {
        let mut bytes = vec![0; 64 * 4096];
        SwapOn::header(&mut bytes, 1, 0..0);
        bytes
    }

    /// include/linux/swap.h, `union swap_header`: version, last page, number of bad pages, names
    /// and padding, the bad pages.
    fn header(bytes: &mut [u8], last: u32, bad: std::ops::Range<u32>) {
        let mut numbers = vec![1, last, bad.len() as u32];
        numbers.extend([0; 4 + 4 + 117]);
        numbers.extend(bad);
        for (index, number) in numbers.iter().enumerate() {
            bytes[1024 + index * 4..][..4].copy_from_slice(&number.to_le_bytes());
        }
        bytes[4086..4096].copy_from_slice(b"SWAPSPACE2");
    }
}

impl Drop for SwapOn {
    fn drop(&mut self) {
        undo("swapoff", &[&self.place]);
    }
}
