//! Taking a format away from a device, where it is surely etalon's own.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use etalon_stack::signatures;

use super::program::run;
use crate::Token;
use crate::error::FactorError;
use crate::guard::{GuardError, HeldDevice};

/// Where formats keep their UUID: ext2 to ext4 (fs/ext4/ext4.h, `s_uuid`), XFS (`sb_uuid`), btrfs
/// (`fsid`), f2fs (`uuid`), md with metadata 1.2 and 1.1 (`set_uuid`), bcache (drivers/md/bcache/bcache_ondisk.h,
/// `set_uuid`).
const PLACES: &[u64] = &[
    1024 + 0x68,
    32,
    65536 + 32,
    1024 + 108,
    4096 + 16,
    16,
    4096 + 56,
];
/// LVM keeps that of a physical volume as text, in the second sector (lib/format_text/layout.h,
/// `pv_header`).
const LVM_UUID: u64 = 512 + 32;
/// Marks lie in the first and the last MiB, and their copies in between.
const EDGE: u64 = 1 << 20;
/// A superblock is no larger, and begins at a multiple of it or of less.
const BLOCK: u64 = 4096;
const BUSY_TIMEOUT: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The token as programs take a UUID.
pub(crate) fn uuid_text(uuid: &Token) -> String {
    let text = uuid.as_str();
    [
        &text[..8],
        &text[8..12],
        &text[12..16],
        &text[16..20],
        &text[20..],
    ]
    .join("-")
}

fn bytes_of(uuid: &Token) -> Option<[u8; 16]> {
    let number = u128::from_str_radix(uuid.as_str(), 16).ok()?;
    Some(number.to_be_bytes())
}

/// Whether a format with this UUID stands on the device.
pub(crate) fn bears(device: &File, uuid: &Token) -> bool {
    let Some(wanted) = bytes_of(uuid) else {
        return false;
    };
    let mut text = [0; 32];
    let is_volume =
        device.read_exact_at(&mut text, LVM_UUID).is_ok() && text == uuid.as_str().as_bytes();
    is_volume
        || PLACES.iter().any(|&at| {
            let mut found = [0; 16];
            device.read_exact_at(&mut found, at).is_ok() && found == wanted
        })
}

/// Takes the format with this UUID away, where it stands on `device` and nothing uses it; whether it
/// did. A program that was killed a moment ago is waited for.
pub(super) fn wipe(device: &Path, uuid: &Token) -> Result<bool, FactorError> {
    let begun = Instant::now();
    loop {
        let held = HeldDevice::claim_own(device, |file| bears(file, uuid));
        match held {
            Ok(None) => return Ok(false),
            Ok(Some(held)) => {
                let failed = FactorError::io("clear the ends of", device);
                clear(&held).map_err(failed)?;
                drop(held);
                // Btrfs remembers devices by what it saw on them; of another format it knows nothing.
                let _ = run(
                    "btrfs",
                    &["device", "scan", "--forget", &device.to_string_lossy()],
                );
                return Ok(true);
            }
            Err(GuardError::Failed(rustix::io::Errno::NOENT | rustix::io::Errno::NXIO)) => {
                return Ok(false);
            }
            Err(error) if begun.elapsed() > BUSY_TIMEOUT => return Err(error.into()),
            Err(_) => sleep(POLL_INTERVAL),
        }
    }
}

/// The same where the machine was started anew since, and the device may have another name.
pub(super) fn wipe_wherever(device: &Path, uuid: &Token) -> Result<bool, FactorError> {
    if wipe(device, uuid)? {
        return Ok(true);
    }
    let names = fs::read_dir("/sys/class/block").into_iter().flatten();
    // The kernel writes a slash of a name as '!' there.
    let nodes = names.flatten().map(|name| {
        let name = name.file_name().to_string_lossy().replace('!', "/");
        Path::new("/dev").join(name)
    });
    let mut has_wiped = false;
    // One that bears nothing is not asked for, so that none is waited for either.
    for node in nodes.filter(|node| File::open(node).is_ok_and(|file| bears(&file, uuid))) {
        has_wiped |= wipe(&node, uuid)?;
    }
    Ok(has_wiped)
}

fn clear(held: &HeldDevice) -> io::Result<()> {
    let mut file = held.file()?;
    let size = io::Seek::seek(&mut &file, io::SeekFrom::End(0))?;
    let zeros = vec![0; EDGE as usize];
    let edge = EDGE.min(size);
    file.write_all_at(&zeros[..edge as usize], 0)?;
    file.write_all_at(&zeros[..edge as usize], size - edge)?;
    // What lay on the device before was given up or was nothing, so that every copy is this format's.
    for copy in signatures(&mut file)? {
        let begin = copy.offset - copy.offset % BLOCK;
        let length = BLOCK.min(size - begin);
        file.write_all_at(&zeros[..length as usize], begin)?;
    }
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_a_uuid() {
        let token = Token::try_from("0123456789abcdef0123456789abcdef".to_owned()).unwrap();
        assert_eq!(uuid_text(&token), "01234567-89ab-cdef-0123-456789abcdef");
        assert_eq!(bytes_of(&token).unwrap()[..3], [1, 0x23, 0x45]);
    }
}
