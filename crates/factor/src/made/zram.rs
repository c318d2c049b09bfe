//! Disks of compressed memory (the kernel's Documentation/admin-guide/blockdev/zram.rst).

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use etalon_units::Bytes;

use super::Made;
use crate::error::FactorError;
use crate::steps::{EntryStep, MadeZram};

const SYSFS: &str = "/sys";
const CONTROL: &str = "class/zram-control";
const REMOVE_TIMEOUT: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Adds a disk of `size` bytes.
pub(crate) fn add(made: &mut Made, size: Bytes) -> Result<PathBuf, FactorError> {
    let sysfs = Path::new(SYSFS);
    let before = present(sysfs);
    made.enter(EntryStep::Zram {
        before: before.clone(),
        made: None,
    })?;
    let control = sysfs.join(CONTROL).join("hot_add");
    let index = fs::read_to_string(&control).map_err(FactorError::io("read", &control))?;
    let index: u32 = index.trim().parse().map_err(|_| FactorError::NotSo {
        path: control,
        wanted: "the number of a new disk".to_owned(),
        found: index,
    })?;
    let diskseq = diskseq(sysfs, index);
    made.amend(EntryStep::Zram {
        before,
        made: Some(MadeZram { index, diskseq }),
    })?;
    let file = directory(sysfs, index).join("disksize");
    fs::write(&file, size.get().to_string()).map_err(FactorError::io("write to", &file))?;
    Ok(PathBuf::from(format!("/dev/zram{index}")))
}

/// Removes the disk; of one whose number was not told yet, every one that came since and was never
/// given a size.
pub(super) fn remove(before: &[u32], made: Option<&MadeZram>) -> Result<bool, FactorError> {
    remove_in(Path::new(SYSFS), before, made)
}

fn remove_in(sysfs: &Path, before: &[u32], made: Option<&MadeZram>) -> Result<bool, FactorError> {
    let ours: Vec<u32> = match made {
        Some(made) => {
            let is_there = is_there(sysfs, made);
            is_there.then_some(made.index).into_iter().collect()
        }
        None => {
            let new = present(sysfs)
                .into_iter()
                .filter(|index| !before.contains(index));
            new.filter(|&index| is_unused(sysfs, index)).collect()
        }
    };
    for &index in &ours {
        remove_one(sysfs, index)?;
    }
    Ok(!ours.is_empty())
}

/// Whether the disk of that number is the one that was made. A kernel that gives disks no numbers of their own shows none
/// now either, and there the index alone has to tell.
fn is_there(sysfs: &Path, made: &MadeZram) -> bool {
    directory(sysfs, made.index).exists() && diskseq(sysfs, made.index) == made.diskseq
}

fn remove_one(sysfs: &Path, index: u32) -> Result<(), FactorError> {
    let control = sysfs.join(CONTROL).join("hot_remove");
    let disk = directory(sysfs, index);
    let begun = Instant::now();
    loop {
        let _ = fs::write(disk.join("reset"), "1");
        match fs::write(&control, index.to_string()) {
            Ok(()) => return Ok(()),
            Err(_) if !disk.exists() => return Ok(()),
            Err(error) if begun.elapsed() > REMOVE_TIMEOUT => {
                return Err(FactorError::io("write to", &control)(error));
            }
            Err(_) => sleep(POLL_INTERVAL),
        }
    }
}

fn directory(sysfs: &Path, index: u32) -> PathBuf {
    sysfs.join("block").join(format!("zram{index}"))
}

fn is_unused(sysfs: &Path, index: u32) -> bool {
    let size = fs::read_to_string(directory(sysfs, index).join("disksize"));
    size.is_ok_and(|size| size.trim() == "0")
}

/// `None` before Linux 5.15.
fn diskseq(sysfs: &Path, index: u32) -> Option<String> {
    let text = fs::read_to_string(directory(sysfs, index).join("diskseq")).ok()?;
    Some(text.trim().to_owned())
}

fn present(sysfs: &Path) -> Vec<u32> {
    let devices = fs::read_dir(sysfs.join("block"));
    let numbers = devices
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|device| {
            let name = device.file_name().to_string_lossy().into_owned();
            name.strip_prefix("zram")?.parse().ok()
        });
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// A tree of sysfs(5) with the disk of index 3, which shows this number of its own.
    fn tree(diskseq: Option<&str>) -> TempDir {
        let sysfs = TempDir::new().unwrap();
        let disk = directory(sysfs.path(), 3);
        fs::create_dir_all(&disk).unwrap();
        fs::create_dir_all(sysfs.path().join(CONTROL)).unwrap();
        if let Some(diskseq) = diskseq {
            fs::write(disk.join("diskseq"), format!("{diskseq}\n")).unwrap();
        }
        sysfs
    }

    /// What is removed where the disk `index` was made with the number `made`, and `shown` is what disk 3 shows now.
    fn removed(index: u32, made: Option<&str>, shown: Option<&str>) -> Option<String> {
        let sysfs = tree(shown);
        let diskseq = made.map(str::to_owned);
        let has_removed = remove_in(sysfs.path(), &[], Some(&MadeZram { index, diskseq })).unwrap();
        let told = fs::read_to_string(sysfs.path().join(CONTROL).join("hot_remove")).ok();
        assert_eq!(has_removed, told.is_some());
        told
    }

    #[test]
    fn a_disk_is_removed_where_its_own_number_is_the_same_or_the_kernel_gives_none() {
        let three = Some("3".to_owned());
        assert_eq!(removed(3, Some("12"), Some("12")), three);
        assert_eq!(removed(3, None, None), three);
        assert_eq!(removed(3, Some("12"), Some("13")), None);
        assert_eq!(removed(3, Some("12"), None), None);
        assert_eq!(removed(3, None, Some("13")), None);
        assert_eq!(removed(4, None, None), None);
    }
}
