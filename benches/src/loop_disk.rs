//! A quiet block device: a loop device over a file in memory, with or without a filesystem on it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use tempfile::TempDir;

/// Where files lie in memory.
const MEMORY: &str = "/dev/shm";

/// How often taking away is tried again, and how long it waits in between: two seconds in all.
const RETRIES: u32 = 40;
const PAUSE: std::time::Duration = std::time::Duration::from_millis(50);

/// A loop device over a file in memory, gone when dropped; needs root.
#[derive(Debug)]
pub struct LoopDisk {
    path: PathBuf,
    _image: TempDir,
}

impl LoopDisk {
    /// A new device of `bytes`, every block of it allocated, so that no run pays for that.
    ///
    /// # Errors
    /// What could not be made: the file, for want of memory, or the device, for want of rights.
    pub fn new(bytes: u64) -> anyhow::Result<LoopDisk> {
        let directory = tempfile::Builder::new()
            .prefix("etalon-agreement-")
            .tempdir_in(MEMORY)?;
        let image = directory.path().join("image");
        File::create(&image)?;
        tool(
            Command::new("fallocate")
                .args(["-l", &bytes.to_string()])
                .arg(&image),
        )
        .context("the file of the loop device")?;
        // Without direct I/O every byte would pass a second page cache and its writeback.
        let attach = |direct: &str| {
            let mut command = Command::new("losetup");
            tool(command.args(["--find", "--show", direct]).arg(&image))
        };
        let name = attach("--direct-io=on")
            .or_else(|_| attach("--direct-io=off"))
            .context("no loop device can be made; this needs root")?;
        Ok(LoopDisk {
            path: name.trim().into(),
            _image: directory,
        })
    }

    /// The device.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes back and drops what the page cache holds of the device.
    ///
    /// # Errors
    /// What `blockdev` said.
    pub fn forget(&self) -> anyhow::Result<()> {
        tool(Command::new("blockdev").arg("--flushbufs").arg(&self.path))?;
        Ok(())
    }
}

impl Drop for LoopDisk {
    fn drop(&mut self) {
        patiently(|| tool(Command::new("losetup").arg("--detach").arg(&self.path)));
    }
}

/// A filesystem on a [`LoopDisk`], mounted in a directory of its own.
#[derive(Debug)]
pub struct LoopFilesystem {
    // Unmounted by `drop` before the directory and the device go.
    directory: TempDir,
    disk: LoopDisk,
}

impl LoopFilesystem {
    /// A new ext4 filesystem on a new device of `bytes`, with nothing left to initialise later.
    ///
    /// # Errors
    /// What could not be made, and what the tool said.
    pub fn new(bytes: u64) -> anyhow::Result<LoopFilesystem> {
        LoopFilesystem::of("ext4", bytes)
    }

    /// The same of another kind: `ext4`, `xfs` or `btrfs`.
    ///
    /// # Errors
    /// As [`LoopFilesystem::new`].
    pub fn of(kind: &str, bytes: u64) -> anyhow::Result<LoopFilesystem> {
        let disk = LoopDisk::new(bytes)?;
        let extended = "nodiscard,lazy_itable_init=0,lazy_journal_init=0";
        let options = match kind {
            "ext4" => vec!["-q", "-F", "-E", extended],
            "xfs" => vec!["-q", "-f", "-K"],
            _ => vec!["-q", "-f"],
        };
        let mut make = Command::new(format!("mkfs.{kind}"));
        tool(make.args(options).arg(disk.path()))?;
        let directory = tempfile::Builder::new()
            .prefix("etalon-agreement-")
            .tempdir()?;
        mount(disk.path(), directory.path())?;
        Ok(LoopFilesystem { directory, disk })
    }

    /// Its root.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Unmounts and mounts it again: everything is on the device, nothing of it in the page cache.
    ///
    /// # Errors
    /// What the tool said.
    pub fn forget(&self) -> anyhow::Result<()> {
        unmount(self.path())?;
        self.disk.forget()?;
        mount(self.disk.path(), self.path())
    }
}

impl Drop for LoopFilesystem {
    fn drop(&mut self) {
        patiently(|| unmount(self.path()));
    }
}

fn mount(device: &Path, place: &Path) -> anyhow::Result<()> {
    tool(
        Command::new("mount")
            .args(["-o", "noatime"])
            .arg(device)
            .arg(place),
    )?;
    Ok(())
}

fn unmount(place: &Path) -> anyhow::Result<()> {
    tool(Command::new("umount").arg(place))?;
    Ok(())
}

/// Just after a run the kernel, or whoever watches devices, may still hold something open.
fn patiently<T>(step: impl Fn() -> anyhow::Result<T>) {
    for _ in 0..RETRIES {
        if step().is_ok() {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Runs a command that must succeed; what it printed.
fn tool(command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!(
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
