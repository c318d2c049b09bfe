//! Several devices joined into one: profiles of btrfs, md, LVM and bcache.

mod bcache;
mod btrfs;
mod lvm;
mod md;
mod rebuild;

use std::path::PathBuf;

use etalon_units::Bytes;
use serde_json::Value;

use super::formatted::{kernel_has, kernel_node, mount_options};
use super::kernel_modules::KernelModules;
use super::{
    Applied, Cost, Depth, Description, Factor, FactorError, Ground, Level, LevelError, LevelTable,
    Need,
};
use crate::Token;
use crate::made::{Made, claim_free, words};
use crate::steps::EntryStep;

/// The factor.
pub(super) struct ArrayFactor;

/// A level, with all its options.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ArrayLevel {
    kind: ArrayKind,
    options: Vec<String>,
    mount: String,
    chunk: Option<Bytes>,
    bitmap: Option<String>,
    missing: usize,
    state: ArrayState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ArrayKind {
    Btrfs(&'static btrfs::Profile),
    Md(&'static md::Layout),
    Lvm(&'static lvm::Volume),
    Bcache(&'static str),
}

/// What state runs find the array in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ArrayState {
    Whole,
    Degraded,
    Rebuilding,
}

impl Factor for ArrayFactor {
    fn name(&self) -> &'static str {
        "array"
    }

    fn summary(&self) -> &'static str {
        "devices joined by btrfs, md, LVM or bcache; whole, degraded or rebuilding"
    }

    fn accepted(&self) -> &'static str {
        "btrfs-single, -dup, -raid0, -raid1, -raid1c3, -raid10, -raid5, -raid6; md-0, -1, -4, -5, -6, -10-n2, -10-o2, -10-f2, -10-n3; lvm-linear, -striped, -mirror, -raid1, -raid5, -raid6, -raid10, -thin, -snapshot; bcache-writethrough, -writeback, -writearound; or a table: { value = \"md-5\", chunk = \"64KiB\", bitmap = \"internal\", missing = 1, state = \"rebuilding\", options = \"...\" }"
    }

    fn cost(&self) -> Cost {
        Cost::Expensive
    }

    fn depth(&self) -> Depth {
        Depth::Array
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let mut table = LevelTable::new(self, level);
        let text = table.text()?;
        let Some(kind) = kind_of(&text) else {
            return Err(table.wrong(None));
        };
        let [options, mount, chunk, bitmap, missing, state] =
            ["options", "mount", "chunk", "bitmap", "missing", "state"]
                .map(|name| table.take(name));
        let (options, mount) = (options?.unwrap_or_default(), mount?.unwrap_or_default());
        let (chunk, bitmap, missing, state) = (chunk?, bitmap?, missing?, state?);
        table.end()?;
        let wrong = |why: &str| table.wrong(Some(why.to_owned()));
        let level = ArrayLevel {
            kind,
            options: words(&options).map_err(|why| wrong(&why))?,
            mount: mount_options(&mount).map_err(|why| wrong(&why))?,
            chunk: chunk
                .map(|text| text.parse())
                .transpose()
                .map_err(|_| wrong("chunk is a size"))?,
            bitmap,
            missing: missing
                .map_or(Ok(0), |text| text.parse())
                .map_err(|_| wrong("missing is a number"))?,
            state: match state.as_deref() {
                None | Some("whole") => ArrayState::Whole,
                Some("degraded") => ArrayState::Degraded,
                Some("rebuilding") => ArrayState::Rebuilding,
                Some(_) => return Err(wrong("state is whole, degraded or rebuilding")),
            },
        };
        level.fits().map_err(wrong)?;
        Ok(Box::new(level))
    }
}

fn kind_of(text: &str) -> Option<ArrayKind> {
    let (family, name) = text.split_once('-')?;
    match family {
        "btrfs" => btrfs::profile(name).map(ArrayKind::Btrfs),
        "md" => md::layout(name).map(ArrayKind::Md),
        "lvm" => lvm::volume(name).map(ArrayKind::Lvm),
        "bcache" => bcache::mode(name).map(ArrayKind::Bcache),
        _ => None,
    }
}

impl ArrayKind {
    fn takes_chunks(self) -> bool {
        match self {
            ArrayKind::Md(layout) => layout.takes_chunks(),
            ArrayKind::Lvm(volume) => volume.chunked().is_some(),
            ArrayKind::Btrfs(_) | ArrayKind::Bcache(_) => false,
        }
    }
}

impl ArrayLevel {
    /// Options that the kind has not are refused: none is silently without effect.
    fn fits(&self) -> Result<(), &'static str> {
        let of_md = self.bitmap.is_some() || self.missing > 0 || self.state != ArrayState::Whole;
        let is_md = matches!(self.kind, ArrayKind::Md(_));
        let spares = match self.kind {
            ArrayKind::Md(layout) => layout.spares,
            _ => 0,
        };
        let lost = self.missing + usize::from(self.state != ArrayState::Whole);
        if of_md && !is_md {
            return Err("bitmap, missing and state are for md");
        }
        if self
            .bitmap
            .as_deref()
            .is_some_and(|b| !["internal", "none"].contains(&b))
        {
            return Err("bitmap is internal or none");
        }
        if lost > spares {
            return Err("so many members cannot be missing from this level");
        }
        if self.bitmap.as_deref() == Some("internal") && spares == 0 {
            return Err("an array that can lose no member has no bitmap");
        }
        if self.chunk.is_some() && !self.kind.takes_chunks() {
            return Err(
                "chunk is for md-0, -4, -5, -6 and -10 and for lvm-striped, -raid5, -raid6, -raid10 and -thin",
            );
        }
        // mdadm and lvcreate are told whole KiB.
        let is_whole = |chunk: Bytes| chunk.get() > 0 && chunk.get().is_multiple_of(1 << 10);
        if self.chunk.is_some_and(|chunk| !is_whole(chunk)) {
            return Err("chunk is a whole number of KiB");
        }
        if !self.mount.is_empty() && !matches!(self.kind, ArrayKind::Btrfs(_)) {
            return Err("mount is for btrfs; for others, use the factor 'filesystem'");
        }
        Ok(())
    }

    fn fewest(&self) -> usize {
        match self.kind {
            ArrayKind::Btrfs(profile) => profile.fewest,
            ArrayKind::Md(layout) => layout.fewest - self.missing.min(layout.fewest),
            ArrayKind::Lvm(volume) => volume.fewest,
            ArrayKind::Bcache(_) => bcache::DEVICES,
        }
    }

    /// Why it cannot stand on so many devices.
    fn misfit(&self, devices: usize) -> Option<String> {
        let (name, fewest) = (self.name(), self.fewest());
        match self.kind {
            ArrayKind::Bcache(_) if devices != fewest => Some(format!(
                "{name} takes {fewest} devices, the one that is cached and then the one that caches"
            )),
            _ => (devices < fewest).then(|| format!("{name} takes {fewest} devices")),
        }
    }
}

impl Level for ArrayLevel {
    fn name(&self) -> String {
        let mut name = match self.kind {
            ArrayKind::Btrfs(profile) => format!("btrfs-{}", profile.name),
            ArrayKind::Md(layout) => format!("md-{}", layout.name),
            ArrayKind::Lvm(volume) => format!("lvm-{}", volume.name),
            ArrayKind::Bcache(mode) => format!("bcache-{mode}"),
        };
        let chunk = self.chunk.map(|chunk| format!("chunk {chunk}"));
        let bitmap = self
            .bitmap
            .as_ref()
            .map(|bitmap| format!("bitmap {bitmap}"));
        let missing = (self.missing > 0).then(|| format!("{} missing", self.missing));
        let state = match self.state {
            ArrayState::Whole => None,
            ArrayState::Degraded => Some("degraded".to_owned()),
            ArrayState::Rebuilding => Some("rebuilding".to_owned()),
        };
        let text = |text: String| (!text.is_empty()).then_some(text);
        let rest = [text(self.options.join(" ")), text(self.mount.clone())];
        for part in [chunk, bitmap, missing, state]
            .into_iter()
            .chain(rest)
            .flatten()
        {
            name.push_str(&format!(" {part}"));
        }
        name
    }

    fn needs(&self, ground: &Ground) -> Vec<Need> {
        let mut needs: Vec<Need> = Need::root("joining devices").into_iter().collect();
        match self.kind {
            ArrayKind::Btrfs(_) => {
                needs.extend(Need::tool("mkfs.btrfs", "btrfs-progs"));
                needs.extend(kernel_has("btrfs"));
            }
            ArrayKind::Md(layout) => {
                needs.extend(Need::tool("mdadm", "mdadm"));
                needs.extend(layout.lacks(&KernelModules::of_this_machine()));
            }
            ArrayKind::Lvm(volume) => {
                needs.extend(Need::tool("lvcreate", "lvm2"));
                needs.extend(volume.lacks(&KernelModules::of_this_machine()));
            }
            ArrayKind::Bcache(mode) => {
                needs.extend(Need::tool("make-bcache", "bcache-tools"));
                needs.extend(bcache::lacks(mode, &KernelModules::of_this_machine()));
            }
        }
        let there = ground.devices.len();
        let misfit = self.misfit(there).filter(|_| there > 0);
        needs.extend(misfit.map(|why| Need::Decision(format!("{why}, and {there} are given"))));
        needs
    }

    fn describe(&self, ground: &Ground) -> Result<Description, FactorError> {
        let names = ground.devices.iter().map(|d| d.display().to_string());
        let names: Vec<String> = names.collect();
        let over = match names.as_slice() {
            [] => "the devices below it".to_owned(),
            names => names.join(", "),
        };
        Ok(Description {
            makes: vec![format!("{} over {over}", self.name())],
            destroys: names
                .iter()
                .map(|name| format!("everything on {name}"))
                .collect(),
            seconds: 5.0,
            ..Description::default()
        })
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        if let Some(need) = self.needs(ground).into_iter().next() {
            return Err(need.into());
        }
        if let Some(why) = self.misfit(ground.devices.len()) {
            let why = format!("{why}: name them, or add the factor 'disk'");
            return Err(FactorError::DoesNotFit(why));
        }
        match self.kind {
            ArrayKind::Btrfs(profile) => btrfs::apply(self, profile, ground),
            ArrayKind::Md(layout) => md::apply(self, layout, ground),
            ArrayKind::Lvm(volume) => lvm::apply(self, volume, ground),
            ArrayKind::Bcache(mode) => bcache::apply(self, mode, ground),
        }
    }
}

/// Claims every device and writes down the format that each will have, with the UUIDs of `uuid`.
fn members(
    ground: &Ground,
    made: &mut Made,
    uuid: impl Fn(usize) -> Token,
) -> Result<Vec<PathBuf>, FactorError> {
    let claimed = ground
        .devices
        .iter()
        .map(|device| claim_free(ground, device));
    // All are held before anything is written on one, so that one name twice is refused too.
    let claimed: Vec<_> = claimed.collect::<Result<_, _>>()?;
    let mut nodes = Vec::new();
    for (number, held) in claimed.iter().enumerate() {
        let device = kernel_node(held)?;
        made.enter(EntryStep::Format {
            device: device.clone(),
            uuid: uuid(number),
        })?;
        nodes.push(device);
    }
    Ok(nodes)
}

fn texts(paths: &[PathBuf]) -> Vec<String> {
    paths
        .iter()
        .map(|path| path.to_string_lossy().into_owned())
        .collect()
}
