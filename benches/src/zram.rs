//! A RAM disk of zeros that is never written: what remains is the cost of the path to it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// A zram device, removed when dropped.
#[derive(Debug)]
pub struct Zram {
    number: u32,
    path: PathBuf,
}

impl Zram {
    /// A new device of `bytes`; needs root and a kernel with zram
    /// (Documentation/admin-guide/blockdev/zram.rst).
    ///
    /// # Errors
    /// What the kernel answered.
    pub fn new(bytes: u64) -> anyhow::Result<Self> {
        let number: u32 = fs::read_to_string("/sys/class/zram-control/hot_add")
            .context("no zram device can be made; this needs root and a kernel with zram")?
            .trim()
            .parse()?;
        let zram = Zram {
            number,
            path: PathBuf::from(format!("/dev/zram{number}")),
        };
        fs::write(
            format!("/sys/block/zram{number}/disksize"),
            bytes.to_string(),
        )?;
        Ok(zram)
    }

    /// The device.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        let _ = fs::write(format!("/sys/block/zram{}/reset", self.number), "1");
        let _ = fs::write(
            "/sys/class/zram-control/hot_remove",
            self.number.to_string(),
        );
    }
}
