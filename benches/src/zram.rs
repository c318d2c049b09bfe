//! A RAM disk of zeros that is never written: what remains is the cost of the path to it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// How often the removal is tried again, and how long it waits in between: two seconds in all.
const RETRIES: u32 = 40;
const PAUSE: std::time::Duration = std::time::Duration::from_millis(50);

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
        // Just after a run the kernel, or whoever watches devices, may still hold it open.
        for _ in 0..RETRIES {
            let _ = fs::write(format!("/sys/block/zram{}/reset", self.number), "1");
            let remove = "/sys/class/zram-control/hot_remove";
            if fs::write(remove, self.number.to_string()).is_ok() {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }
}
