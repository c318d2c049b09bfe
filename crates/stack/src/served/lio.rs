//! The kernel's iSCSI target, LIO, from configfs (drivers/target/target_core_configfs.c).

use std::path::{Path, PathBuf};

use etalon_model::stack::ServedHere;

use super::is_plain;
use crate::context::Context;

/// The device or file behind the unit at `directory` of the target `name`; none where no target of this kernel has it.
pub(super) fn unit(context: &Context<'_>, directory: &Path, name: &str) -> Option<ServedHere> {
    let store = store(context, number(context, directory)?, name)?;
    let info = context.attr(store.join("info")).unwrap_or_default();
    let cache = context.flag(store.join("attrib/emulate_write_cache"));
    let backing = Backing::of(&info)?;
    let buffered = backing.buffered;
    Some(ServedHere {
        server: Some("LIO".to_owned()),
        source: Some(backing.source),
        buffered: Some(buffered),
        // Without a cache that it tells of it is sent no flush, whatever its own page cache still holds.
        syncs: cache.map(|told| told || !buffered),
        ..ServedHere::default()
    })
}

/// The last number of `host:channel:target:unit`, by which the kernel names a SCSI device.
fn number(context: &Context<'_>, directory: &Path) -> Option<u64> {
    let device = context.follow(directory.join("device"))?;
    let name = device.file_name()?.to_str()?.to_owned();
    name.rsplit_once(':')?.1.parse().ok()
}

/// The backing store that a link in the directory of the unit leads to.
fn store(context: &Context<'_>, number: u64, name: &str) -> Option<PathBuf> {
    let all = context.roots.sysfs.join("kernel/config/target/iscsi");
    let target = is_plain(name).then(|| all.join(name))?;
    let groups = context.names(&target).into_iter();
    let units = groups.map(|group| target.join(group).join(format!("lun/lun_{number}")));
    let mut stores = units.flat_map(|unit| {
        let names = context.names(&unit).into_iter();
        names
            .filter_map(|name| context.follow(unit.join(name)))
            .collect::<Vec<_>>()
    });
    stores.find(|store| store.join("info").exists())
}

/// What the store says of itself.
#[derive(Debug, PartialEq, Eq)]
struct Backing {
    source: String,
    buffered: bool,
}

impl Backing {
    /// `iBlock device: vda  UDEV PATH: /dev/vda  readonly: 0`, or `TCM FILEIO ID: 0  File: /srv/disk  Size: 5  Mode:
    /// Buffered-WCE` (drivers/target/target_core_iblock.c and target_core_file.c).
    fn of(info: &str) -> Option<Backing> {
        let word = |key: &str| {
            let (_, rest) = info.split_once(key)?;
            rest.split_whitespace().next().map(str::to_owned)
        };
        let block = word("UDEV PATH: ").filter(|_| info.contains("iBlock"));
        let source = block.or_else(|| word("File: "))?;
        Some(Backing {
            source,
            buffered: info.contains("Mode: Buffered"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_tell_what_they_stand_on_and_whether_through_the_page_cache() {
        let of = |info: &str| Backing::of(info).map(|b| (b.source, b.buffered));
        let block = "Status: ACTIVATED  Max Queue Depth: 0  SectorSize: 512  HwMaxSectors: 128 \
            iBlock device: vda  UDEV PATH: /dev/vda  readonly: 0 Major: 254 Minor: 0  CLAIMED: IBLOCK";
        assert_eq!(of(block), Some(("/dev/vda".to_owned(), false)));
        let file = |mode: &str| format!("TCM FILEIO ID: 0 File: /srv/disk  Size: 5  Mode: {mode}");
        let path = || "/srv/disk".to_owned();
        assert_eq!(of(&file("Buffered-WCE")), Some((path(), true)));
        assert_eq!(of(&file("O_DSYNC")), Some((path(), false)));
        assert_eq!(of("Status: DEACTIVATED"), None);
    }
}
