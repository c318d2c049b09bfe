//! Disks of compressed memory (the kernel's Documentation/admin-guide/blockdev/zram.rst).

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use etalon_units::Bytes;

use super::Made;
use crate::error::FactorError;
use crate::steps::{EntryStep, MadeZram};

const CONTROL: &str = "/sys/class/zram-control";
const REMOVE_TIMEOUT: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Adds a disk of `size` bytes.
pub(crate) fn add(made: &mut Made, size: Bytes) -> Result<PathBuf, FactorError> {
    let before = present();
    made.enter(EntryStep::Zram {
        before: before.clone(),
        made: None,
    })?;
    let control = Path::new(CONTROL).join("hot_add");
    let index = fs::read_to_string(&control).map_err(FactorError::io("read", &control))?;
    let index: u32 = index.trim().parse().map_err(|_| FactorError::NotSo {
        path: control,
        wanted: "the number of a new disk".to_owned(),
        found: index,
    })?;
    let seq = diskseq(index).unwrap_or_default();
    made.amend(EntryStep::Zram {
        before,
        made: Some(MadeZram {
            index,
            diskseq: seq,
        }),
    })?;
    let file = directory(index).join("disksize");
    fs::write(&file, size.get().to_string()).map_err(FactorError::io("write to", &file))?;
    Ok(PathBuf::from(format!("/dev/zram{index}")))
}

/// Removes the disk; of one whose number was not told yet, every one that came since and was never
/// given a size.
pub(super) fn remove(before: &[u32], made: Option<&MadeZram>) -> Result<bool, FactorError> {
    let ours: Vec<u32> = match made {
        Some(made) => {
            let same = diskseq(made.index).as_ref() == Some(&made.diskseq);
            same.then_some(made.index).into_iter().collect()
        }
        None => {
            let new = present()
                .into_iter()
                .filter(|index| !before.contains(index));
            new.filter(|&index| is_unused(index)).collect()
        }
    };
    for &index in &ours {
        remove_one(index)?;
    }
    Ok(!ours.is_empty())
}

fn remove_one(index: u32) -> Result<(), FactorError> {
    let control = Path::new(CONTROL).join("hot_remove");
    let begun = Instant::now();
    loop {
        let _ = fs::write(directory(index).join("reset"), "1");
        match fs::write(&control, index.to_string()) {
            Ok(()) => return Ok(()),
            Err(_) if !directory(index).exists() => return Ok(()),
            Err(error) if begun.elapsed() > REMOVE_TIMEOUT => {
                return Err(FactorError::io("write to", &control)(error));
            }
            Err(_) => sleep(POLL_INTERVAL),
        }
    }
}

fn directory(index: u32) -> PathBuf {
    PathBuf::from(format!("/sys/block/zram{index}"))
}

fn is_unused(index: u32) -> bool {
    let size = fs::read_to_string(directory(index).join("disksize"));
    size.is_ok_and(|size| size.trim() == "0")
}

fn diskseq(index: u32) -> Option<String> {
    let text = fs::read_to_string(directory(index).join("diskseq")).ok()?;
    Some(text.trim().to_owned())
}

fn present() -> Vec<u32> {
    let devices = fs::read_dir("/sys/block").into_iter().flatten().flatten();
    let numbers = devices.filter_map(|device| {
        let name = device.file_name().to_string_lossy().into_owned();
        name.strip_prefix("zram")?.parse().ok()
    });
    numbers.collect()
}
