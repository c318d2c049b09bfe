//! Whether a run is made on this machine itself or in a guest of it: the laboratory boots a guest whose disk is an image in the
//! directory that is measured, or lets the part be made here.

use etalon_model::LevelFact;
use etalon_units::Bytes;
use serde_json::Value;

use super::booted::Mark;
use super::{
    Applied, Cost, Depth, Description, Factor, FactorError, Ground, Level, LevelError, LevelTable,
    Need,
};

/// The word that names the level: of the kernel's command line in a guest, and of [`Ground::part`] on the host.
const MARK: &str = "etalon.machine=";
/// The level that is this machine.
const HOST: &str = "host";
/// The size of an image that names none.
const USUAL_SIZE: Bytes = Bytes::gib(4);
/// The smallest that is of use: test files of the usual size and a filesystem's own.
const SMALLEST: Bytes = Bytes::mib(256);

/// The factor.
pub(super) struct Machine;

/// Where runs are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineLevel {
    /// How cells call it.
    pub name: String,
    /// The disk of a guest; none on the host.
    pub image: Option<GuestImage>,
}

/// A disk of a guest that is a file of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GuestImage {
    /// How the file holds the disk.
    pub format: ImageFormat,
    /// Through which caches its data go.
    pub cache: ImageCache,
    /// How large the disk is; the file grows with what is written.
    pub size: Bytes,
}

/// How a file holds a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    /// Byte by byte, with holes.
    Raw,
    /// In clusters that are taken when they are written (QEMU's docs/interop/qcow2.txt).
    Qcow2,
}

/// The hypervisor's cache mode (qemu-system(1), `-drive cache=`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageCache {
    /// Past the host's page cache; a flush reaches the host's disk.
    None,
    /// Through the host's page cache; a flush reaches the host's disk.
    WriteBack,
    /// Through it, and every write reaches the host's disk.
    WriteThrough,
    /// Past it, and every write reaches the host's disk.
    DirectSync,
    /// Through it, and flushes are ignored.
    Unsafe,
}

impl ImageFormat {
    const ALL: [ImageFormat; 2] = [ImageFormat::Raw, ImageFormat::Qcow2];

    /// As QEMU calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ImageFormat::Raw => "raw",
            ImageFormat::Qcow2 => "qcow2",
        }
    }
}

impl ImageCache {
    const ALL: [ImageCache; 5] = [
        ImageCache::None,
        ImageCache::WriteBack,
        ImageCache::WriteThrough,
        ImageCache::DirectSync,
        ImageCache::Unsafe,
    ];

    /// As QEMU calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ImageCache::None => "none",
            ImageCache::WriteBack => "writeback",
            ImageCache::WriteThrough => "writethrough",
            ImageCache::DirectSync => "directsync",
            ImageCache::Unsafe => "unsafe",
        }
    }
}

impl Factor for Machine {
    fn name(&self) -> &'static str {
        "machine"
    }

    fn summary(&self) -> &'static str {
        "this machine, or a guest of it with its disk in a file, which etalon lab run boots"
    }

    fn accepted(&self) -> &'static str {
        "\"host\", or a guest by any other name: \"guest\", or a table: { value = \"guest, raw\", format = \"raw\", cache = \"none\", size = \"4GiB\" } with format qcow2 or raw and cache none, writeback, writethrough, directsync or unsafe"
    }

    fn cost(&self) -> Cost {
        Cost::Expensive
    }

    fn depth(&self) -> Depth {
        Depth::Kernel
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        Ok(Box::new(MachineLevel::of(level)?))
    }
}

impl MachineLevel {
    /// Reads a level as a plan writes it.
    ///
    /// # Errors
    /// [`LevelError`], which quotes it and says what is accepted.
    pub fn of(level: &Value) -> Result<MachineLevel, LevelError> {
        let mut table = LevelTable::new(&Machine, level);
        let name = table.text()?;
        if name.trim().is_empty() {
            return Err(table.wrong(None));
        }
        if name == HOST {
            table.end()?;
            return Ok(MachineLevel { name, image: None });
        }
        let format = table.take("format")?;
        let format = chosen(
            &table,
            &ImageFormat::ALL,
            ImageFormat::name,
            format.as_deref(),
        )?;
        let cache = table.take("cache")?;
        let cache = chosen(&table, &ImageCache::ALL, ImageCache::name, cache.as_deref())?;
        let size = match table.take("size")? {
            None => USUAL_SIZE,
            Some(text) => text
                .parse()
                .map_err(|error: etalon_units::ParseBytesError| {
                    table.wrong(Some(error.to_string()))
                })?,
        };
        table.end()?;
        if size < SMALLEST || !size.get().is_multiple_of(512) {
            let why = format!("size {size}: give at least {SMALLEST}, a multiple of 512 bytes");
            return Err(table.wrong(Some(why)));
        }
        Ok(MachineLevel {
            name,
            image: Some(GuestImage {
                format: format.unwrap_or(ImageFormat::Qcow2),
                cache: cache.unwrap_or(ImageCache::None),
                size,
            }),
        })
    }

    /// The word by which a machine is known for this level's.
    #[must_use]
    pub fn mark(&self) -> String {
        self.word().into_word()
    }

    fn word(&self) -> Mark {
        Mark::of(MARK, &self.name)
    }

    /// What holds a guest's disk, and through which caches.
    fn facts(&self) -> Vec<LevelFact> {
        let of_image = |image: GuestImage| {
            vec![
                LevelFact::words("image", image.format.name()),
                LevelFact::words("cache", image.cache.name()),
            ]
        };
        self.image.map(of_image).unwrap_or_default()
    }
}

/// The one of these that is named so.
fn chosen<T: Copy>(
    table: &LevelTable<'_>,
    all: &[T],
    name: fn(T) -> &'static str,
    text: Option<&str>,
) -> Result<Option<T>, LevelError> {
    let Some(text) = text else {
        return Ok(None);
    };
    match all.iter().find(|one| name(**one) == text) {
        Some(one) => Ok(Some(*one)),
        None => Err(table.wrong(Some(format!(
            "'{text}' is none of {}",
            all.iter()
                .map(|one| name(*one))
                .collect::<Vec<_>>()
                .join(", ")
        )))),
    }
}

impl Level for MachineLevel {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn is_due(&self, ground: &Ground) -> bool {
        self.word().is_due(ground)
    }

    fn needs(&self, ground: &Ground) -> Vec<Need> {
        self.word().needs(ground, "this machine and its guests are compared by the laboratory: etalon lab run PLAN -- DIRECTORY")
    }

    fn describe(&self, _ground: &Ground) -> Result<Description, FactorError> {
        Ok(Description::default())
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        if let Some(need) = self.needs(ground).pop() {
            return Err(need.into());
        }
        self.word().read_back(ground, self.facts())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_level_is_the_host_or_a_guest_with_an_image() {
        let host = MachineLevel::of(&json!("host")).unwrap();
        assert_eq!(
            (host.image, host.mark()),
            (None, "etalon.machine=host".to_owned())
        );
        let usual = GuestImage {
            format: ImageFormat::Qcow2,
            cache: ImageCache::None,
            size: USUAL_SIZE,
        };
        let guest = MachineLevel::of(&json!("guest")).unwrap();
        assert_eq!(guest.image, Some(usual));
        let table =
            json!({ "value": "guest, raw", "format": "raw", "cache": "writeback", "size": "1GiB" });
        let raw = MachineLevel::of(&table).unwrap();
        assert_eq!(raw.mark(), "etalon.machine=guest%2c%20raw");
        let image = raw.image.unwrap();
        assert_eq!(
            (image.format, image.cache),
            (ImageFormat::Raw, ImageCache::WriteBack)
        );
        assert_eq!(image.size, Bytes::gib(1));
    }

    #[test]
    fn what_is_no_machine_is_quoted() {
        for (level, quoted) in [
            (json!(""), "''"),
            (
                json!({ "value": "host", "format": "raw" }),
                "unknown option 'format'",
            ),
            (
                json!({ "value": "x", "format": "vmdk" }),
                "'vmdk' is none of raw, qcow2",
            ),
            (
                json!({ "value": "x", "cache": "on" }),
                "'on' is none of none, writeback",
            ),
            (
                json!({ "value": "x", "size": "1M" }),
                "size 1 MiB: give at least",
            ),
            (json!({ "value": "x", "size": "much" }), "'much'"),
        ] {
            let error = MachineLevel::of(&level).unwrap_err().to_string();
            assert!(
                error.contains(quoted) && error.contains("\"host\""),
                "{error}"
            );
        }
    }
}
