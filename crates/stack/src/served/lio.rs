//! The kernel's iSCSI target, LIO, from configfs (drivers/target/target_core_configfs.c).

use std::path::{Path, PathBuf};

use etalon_model::stack::{DevNo, ServedHere};

use super::exports::{self, Export, Source, below, is_enabled, listed, name_of};
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

/// What is served: the backing stores that are enabled and stand on something.
pub(super) fn exports(context: &Context<'_>) -> Result<Vec<Export>, String> {
    let adapters = listed(context, "target/core", "target_core_mod")?;
    let stores = adapters.iter().flat_map(|adapter| below(context, adapter));
    let served = stores.filter(|store| store.join("info").exists() && is_enabled(context, store));
    Ok(served.filter_map(|store| export(context, &store)).collect())
}

/// None of a store that has neither a device nor a file: memory, or what only its program knows.
fn export(context: &Context<'_>, store: &Path) -> Option<Export> {
    let info = context.attr(store.join("info")).unwrap_or_default();
    let adapter = name_of(store.parent()?);
    Some(Export {
        server: "LIO",
        unit: format!("backstore {adapter}/{}", name_of(store)),
        source: source(context, store, &info)?,
    })
}

fn source(context: &Context<'_>, store: &Path, info: &str) -> Option<Result<Source, String>> {
    let backing = Backing::of(info);
    if let Some(number) = backing.as_ref().and_then(|backing| backing.number) {
        return Some(Ok(Source::Device(number)));
    }
    let told = || context.attr(store.join("udev_path"));
    match backing.map(|backing| backing.source).or_else(told) {
        Some(path) => Some(exports::source(context, Some(&path))),
        None => of_program(context, info).map(Ok),
    }
}

/// `Config: file//srv/disk Size: 1048576 MaxDataAreaMB: 8` of a store that a program serves (target_core_user.c): the
/// handler's name and words of its own, most often a path. One that leads to nothing here is no path, or one of the
/// program's namespace; the device that it has open is seen among those of all processes.
fn of_program(context: &Context<'_>, info: &str) -> Option<Source> {
    let (_, config) = info.split_once("Config: ")?;
    let (config, _) = config.rsplit_once(" Size: ")?;
    let (_, path) = config.split_once('/')?;
    exports::source(context, Some(path)).ok()
}

/// What the store says of itself.
#[derive(Debug, PartialEq, Eq)]
struct Backing {
    source: String,
    /// Of a block device.
    number: Option<DevNo>,
    buffered: bool,
}

impl Backing {
    /// `iBlock device: vda  UDEV PATH: /dev/vda  readonly: 0`, or `TCM FILEIO ID: 0  File: /srv/disk  Size: 5  Mode:
    /// Buffered-WCE` (drivers/target/target_core_iblock.c and target_core_file.c).
    fn of(info: &str) -> Option<Backing> {
        let after = |key: &str| info.split_once(key).map(|(_, rest)| rest);
        // Names may have blanks in them; what comes next is two away, after a file its size.
        let block = || after("UDEV PATH: ")?.split("  ").next();
        let file = || Some(after("File: ")?.rsplit_once("  Size: ")?.0);
        let source = match info.contains("iBlock") {
            true => block(),
            false => file(),
        };
        Some(Backing {
            source: source?.trim_end().to_owned(),
            number: Backing::number(info),
            buffered: info.contains("Mode: Buffered"),
        })
    }

    /// `Major: 254 Minor: 0`; two zeros stand for none.
    fn number(info: &str) -> Option<DevNo> {
        let number = |key: &str| {
            let (_, rest) = info.split_once(key)?;
            rest.split_whitespace().next()?.parse().ok()
        };
        let (major, minor) = (number("Major: ")?, number("Minor: ")?);
        (major != 0).then_some(DevNo { major, minor })
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
        let blank = file("O_DSYNC").replace("/srv/disk", "/srv/my disk");
        assert_eq!(of(&blank), Some(("/srv/my disk".to_owned(), false)));
    }

    #[test]
    fn the_number_of_a_block_device_is_told_while_it_is_open() {
        let of = |numbers: &str| {
            let info = format!("iBlock device: vda  UDEV PATH: /dev/vda  readonly: 0 {numbers}");
            Backing::of(&info).and_then(|backing| backing.number)
        };
        let vda = DevNo {
            major: 254,
            minor: 0,
        };
        assert_eq!(
            of("        Major: 254 Minor: 0  CLAIMED: IBLOCK"),
            Some(vda)
        );
        assert_eq!(of("        Major: 0 Minor: 0"), None);
    }
}
