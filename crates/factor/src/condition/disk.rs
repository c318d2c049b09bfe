//! Devices to build on: given ones, through the guard, or virtual ones that go away again.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use etalon_host::FreeSpace;
use etalon_host::memory::{self, Room};
use etalon_model::LevelFact;
use etalon_units::Bytes;
use rustix::fs::{FallocateFlags, fallocate};
use serde_json::Value;

use super::{
    Applied, Cost, Depth, Description, Factor, FactorError, Ground, Level, LevelError, LevelTable,
    Need,
};
use crate::guard::lost_on;
use crate::made::{Made, add_zram, attach, claim_free, mark_around, mount, size_of};
use crate::steps::EntryStep;

/// More disks than anybody joins.
const MOST: i64 = 32;
const DEFAULT_SIZE: Bytes = Bytes::gib(1);

/// The factor.
pub(super) struct DiskFactor;

#[derive(Debug, Clone, PartialEq, Eq)]
enum DiskLevel {
    Given(Vec<PathBuf>),
    Virtual {
        kind: DiskKind,
        size: Bytes,
        count: u32,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DiskKind {
    LoopFile,
    LoopMemory,
    Zram,
}

impl Factor for DiskFactor {
    fn name(&self) -> &'static str {
        "disk"
    }

    fn summary(&self) -> &'static str {
        "the devices to build on: given ones that nothing uses, or virtual ones that go away again"
    }

    fn accepted(&self) -> &'static str {
        "\"loop-file\", \"loop-memory\" or \"zram\", as a table with size and count: { value = \"loop-memory\", size = \"512MiB\", count = 4 }; or devices: \"/dev/sdb,/dev/sdc\""
    }

    fn cost(&self) -> Cost {
        Cost::Expensive
    }

    fn depth(&self) -> Depth {
        Depth::Devices
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let mut table = LevelTable::new(self, level);
        let text = table.text()?;
        let wrong = |why: &str| Err(table.wrong(Some(why.to_owned())));
        let kind = match text.as_str() {
            "loop-file" => DiskKind::LoopFile,
            "loop-memory" => DiskKind::LoopMemory,
            "zram" => DiskKind::Zram,
            given => {
                let devices: Vec<PathBuf> = given.split(',').map(|d| d.trim().into()).collect();
                let fits = |d: &PathBuf| d.starts_with("/dev") && !d.ends_with("..");
                if !devices.iter().all(fits) {
                    return wrong("a device is named by its path in /dev");
                }
                table.end()?;
                return Ok(Box::new(DiskLevel::Given(devices)));
            }
        };
        let size = table.take("size")?;
        let count = table.take("count")?;
        let size: Bytes = match size.as_deref().map(str::parse) {
            None => DEFAULT_SIZE,
            Some(Ok(size)) if size >= Bytes::mib(1) => size,
            Some(_) => return Err(table.wrong(Some("size is 1MiB or more".to_owned()))),
        };
        let count: i64 = match count.as_deref().map(str::parse) {
            None => 1,
            Some(Ok(count)) if (1..=MOST).contains(&count) => count,
            Some(_) => return Err(table.wrong(Some(format!("count is 1 to {MOST}")))),
        };
        table.end()?;
        Ok(Box::new(DiskLevel::Virtual {
            kind,
            size: size.round_down(Bytes::mib(1)),
            count: count as u32,
        }))
    }
}

impl DiskKind {
    fn name(self) -> &'static str {
        match self {
            DiskKind::LoopFile => "loop-file",
            DiskKind::LoopMemory => "loop-memory",
            DiskKind::Zram => "zram",
        }
    }

    /// Whether what is written to it takes memory: all of it in zram too, since the data that runs write do not compress.
    fn is_in_memory(self) -> bool {
        self != DiskKind::LoopFile
    }
}

impl Level for DiskLevel {
    fn name(&self) -> String {
        match self {
            DiskLevel::Given(devices) => {
                let names: Vec<String> = devices.iter().map(|d| d.display().to_string()).collect();
                names.join(",")
            }
            DiskLevel::Virtual { kind, size, count } => {
                format!("{} {count} x {size}", kind.name())
            }
        }
    }

    fn needs(&self, _ground: &Ground) -> Vec<Need> {
        let mut needs: Vec<Need> = Need::root("building on devices").into_iter().collect();
        if let DiskLevel::Virtual { kind, size, count } = self {
            let lacks = lacks_memory(*kind, all_of(*size, *count));
            needs.extend(lacks.map(Need::Decision));
            let zram = *kind == DiskKind::Zram;
            if zram && !Path::new("/sys/class/zram-control").is_dir() {
                let text = "this kernel has no zram: load it with modprobe zram";
                needs.push(Need::Kernel(text.to_owned()));
            }
            if !zram {
                needs.extend(Need::tool("losetup", "mount"));
            }
        }
        needs
    }

    fn describe(&self, _ground: &Ground) -> Result<Description, FactorError> {
        let mut description = Description::default();
        match self {
            DiskLevel::Given(devices) => {
                description.destroys = devices.iter().flat_map(|d| lost_on(d)).collect();
                description.writes.clone_from(devices);
            }
            DiskLevel::Virtual { kind, size, count } => {
                let text = format!("{count} virtual disks ({}) of {size}", kind.name());
                description.makes.push(text);
                match kind.is_in_memory() {
                    true => description.memory = all_of(*size, *count),
                    false => description.space = all_of(*size, *count),
                }
                description.seconds = 0.2 * f64::from(*count);
            }
        }
        Ok(description)
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        let mut made = Made::begin(&ground.journal)?;
        let devices = match self {
            DiskLevel::Given(devices) => {
                for device in devices {
                    claim_free(ground, device)?;
                }
                devices.clone()
            }
            DiskLevel::Virtual { kind, size, count } => {
                build(ground, &mut made, (*kind, *size, *count))?
            }
        };
        let sizes = devices.iter().map(|device| size_of(device)).collect();
        let applied = Disks {
            made,
            devices,
            sizes,
        };
        applied.verify()?;
        Ok(Box::new(applied))
    }
}

fn all_of(size: Bytes, count: u32) -> Bytes {
    Bytes(size.get().saturating_mul(u64::from(count)))
}

/// Why the memory does not take so much. What is taken beyond that the kernel gets back by ending processes, and not only
/// this one.
fn lacks_memory(kind: DiskKind, needed: Bytes) -> Option<String> {
    // What a zram stores is charged to no control group (mm/zsmalloc.c takes its pages without `__GFP_ACCOUNT`).
    let room = match kind {
        DiskKind::Zram => memory::of_machine(),
        DiskKind::LoopFile | DiskKind::LoopMemory => memory::tightest(),
    };
    (kind.is_in_memory() && needed > room.allowance()).then(|| too_large(needed, &room))
}

fn too_large(needed: Bytes, room: &Room) -> String {
    let allowance = room.allowance();
    let by = room.group.as_ref().map_or_else(String::new, |group| {
        format!(" in the control group '{}'", group.display())
    });
    format!(
        "the disks may take {needed} of memory, of which {allowance} may be used{by} so that a tenth stays free: \
         make them smaller, or fewer, or of files (loop-file)"
    )
}

fn build(
    ground: &Ground,
    made: &mut Made,
    (kind, size, count): (DiskKind, Bytes, u32),
) -> Result<Vec<PathBuf>, FactorError> {
    let all = all_of(size, count);
    if let Some(why) = lacks_memory(kind, all) {
        return Err(FactorError::DoesNotFit(why));
    }
    let place = match kind {
        DiskKind::Zram => return (0..count).map(|_| add_zram(made, size)).collect(),
        DiskKind::LoopFile => {
            room(&ground.workshop, all)?;
            ground.workshop.clone()
        }
        DiskKind::LoopMemory => {
            let point = made.name_in(&ground.workshop, "memory");
            // A page for each file beyond its own.
            let options = format!("size={},mode=700", all.get() + (1 << 20));
            mount(made, "etalon", ("tmpfs", &options), &point)?;
            point
        }
    };
    (0..count)
        .map(|number| {
            let file = made.name_in(&place, &format!("disk{number}"));
            new_file(made, &file, size)?;
            attach(made, &file)
        })
        .collect()
}

/// A file whose space is taken, so that no disk is full in the middle.
fn new_file(made: &mut Made, path: &Path, size: Bytes) -> Result<(), FactorError> {
    made.enter(EntryStep::File {
        path: path.to_owned(),
        filesystem: mark_around(path),
    })?;
    let mut options = OpenOptions::new();
    let file = options.write(true).create_new(true).mode(0o600).open(path);
    let file = file.map_err(FactorError::io("make the file", path))?;
    let taken = fallocate(&file, FallocateFlags::empty(), 0, size.get());
    taken
        .map_err(std::io::Error::from)
        .or_else(|_| file.set_len(size.get()))
        .map_err(FactorError::io("take space for", path))
}

/// A tenth of the filesystem stays free.
fn room(place: &Path, needed: Bytes) -> Result<(), FactorError> {
    let space =
        FreeSpace::of_path(place).map_err(FactorError::io("ask for the space of", place))?;
    match needed <= space.allowance() {
        true => Ok(()),
        false => Err(FactorError::DoesNotFit(format!(
            "the disks need {needed} in '{}', where {} may be used so that a tenth stays free: make them smaller, or fewer",
            place.display(),
            space.allowance()
        ))),
    }
}

#[derive(Debug)]
struct Disks {
    made: Made,
    devices: Vec<PathBuf>,
    sizes: Vec<Option<Bytes>>,
}

impl Applied for Disks {
    fn target(&self) -> Option<&Path> {
        self.devices.first().map(PathBuf::as_path)
    }

    fn devices(&self) -> Option<Vec<PathBuf>> {
        Some(self.devices.clone())
    }

    fn verify(&self) -> Result<(), FactorError> {
        for (device, size) in self.devices.iter().zip(&self.sizes) {
            let found = size_of(device);
            if found.is_none() || found != *size {
                let text = |size: &Option<Bytes>| size.map_or("gone".to_owned(), |s| s.to_string());
                return Err(FactorError::NotSo {
                    path: device.clone(),
                    wanted: text(size),
                    found: text(&found),
                });
            }
        }
        Ok(())
    }

    fn facts(&self) -> Vec<LevelFact> {
        let names: Vec<String> = self
            .devices
            .iter()
            .map(|d| d.display().to_string())
            .collect();
        vec![LevelFact::words("disks", names.join(" "))]
    }

    fn restore(mut self: Box<Self>) -> Result<(), FactorError> {
        self.made.undo()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_group_that_allows_less_than_the_machine_is_named() {
        let machine = Room {
            total: Bytes::gib(64),
            available: Bytes::gib(60),
            group: None,
        };
        let told = too_large(Bytes::gib(64), &machine);
        assert!(!told.contains("control group"), "{told}");
        let group = Room {
            total: Bytes::mib(1000),
            available: Bytes::mib(600),
            group: Some("/sys/fs/cgroup/pod".into()),
        };
        let told = too_large(Bytes::gib(1), &group);
        assert!(
            told.contains("500 MiB may be used in the control group '/sys/fs/cgroup/pod' so that"),
            "{told}"
        );
    }
}
