//! Arrays of md (mdadm(8), md(4)).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use etalon_model::{LevelFact, RebuildRecord};

use super::rebuild::{Rebuild, wait_idle};
use super::{
    Applied, ArrayLevel, ArrayState, FactorError, Ground, KernelModules, Need, members, texts,
};
use crate::Token;
use crate::made::{Made, md_of, run, run_alone};
use crate::steps::EntryStep;

/// A level with its layout.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) name: &'static str,
    level: &'static str,
    layout: Option<&'static str>,
    /// Fewest members, those that are missing included.
    pub(super) fewest: usize,
    /// Members that may be lost.
    pub(super) spares: usize,
}

const LAYOUTS: &[Layout] = &[
    layout_of("0", "0", None, (2, 0)),
    layout_of("1", "1", None, (2, 1)),
    layout_of("4", "4", None, (3, 1)),
    layout_of("5", "5", None, (3, 1)),
    layout_of("6", "6", None, (4, 2)),
    layout_of("10-n2", "10", Some("n2"), (2, 1)),
    layout_of("10-o2", "10", Some("o2"), (2, 1)),
    layout_of("10-f2", "10", Some("f2"), (2, 1)),
    layout_of("10-n3", "10", Some("n3"), (3, 2)),
];

const fn layout_of(
    name: &'static str,
    level: &'static str,
    layout: Option<&'static str>,
    (fewest, spares): (usize, usize),
) -> Layout {
    Layout {
        name,
        level,
        layout,
        fewest,
        spares,
    }
}

impl Layout {
    /// The module that is missing; what runs is listed in /proc/mdstat too (md(4)).
    pub(super) fn lacks(&self, modules: &KernelModules) -> Option<Need> {
        let what = format!("md-{}", self.name);
        let listed = fs::read_to_string("/proc/mdstat");
        if let Some(base) = modules.lack_base(&what, "md-mod", listed.is_ok()) {
            return Some(base);
        }
        let personality = format!("[raid{}]", self.level);
        let is_there = listed.is_ok_and(|text| text.contains(&personality));
        let module = match self.level {
            "4" | "5" | "6" => "raid456".to_owned(),
            level => format!("raid{level}"),
        };
        modules.lack(&what, &module, is_there)
    }

    /// Mirrors alone are not cut into pieces (md(4), RAID1).
    pub(super) fn takes_chunks(&self) -> bool {
        self.level != "1"
    }

    /// What the kernel calls the layout of level 10 (`layout` in its md.rst): near copies, far copies in the second byte,
    /// and a bit for copies that are offset.
    fn number(&self) -> Option<u32> {
        let (kind, copies) = self.layout?.split_at(1);
        let copies: u32 = copies.parse().ok()?;
        Some(match kind {
            "n" => (1 << 8) + copies,
            "f" => (copies << 8) + 1,
            _ => (1 << 16) + (copies << 8) + 1,
        })
    }
}

pub(super) fn layout(name: &str) -> Option<&'static Layout> {
    LAYOUTS.iter().find(|layout| layout.name == name)
}

pub(super) fn apply(
    level: &ArrayLevel,
    layout: &'static Layout,
    ground: &Ground,
) -> Result<Box<dyn Applied>, FactorError> {
    let mut made = Made::begin(&ground.journal)?;
    let uuid = Token::random().map_err(FactorError::io("name", &ground.workshop))?;
    let devices = members(ground, &mut made, |_| uuid.clone())?;
    made.enter(EntryStep::Md { uuid: uuid.clone() })?;
    let wanted = free_node();
    let begun = Instant::now();
    let words = arguments(level, layout, &uuid, (&wanted, &devices));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    run_alone("mdadm", &words)?;
    let created = begun.elapsed();
    let node = md_of(&uuid).ok_or_else(|| FactorError::NotSo {
        path: wanted,
        wanted: "an array".to_owned(),
        found: "none".to_owned(),
    })?;
    let first_sync = wait_idle(&node, &ground.stop)?;
    let mut array = MdArray {
        made,
        devices,
        layout,
        wanted: wanted_of(level, layout),
        lost: level.missing,
        rebuild: None,
        stop: Arc::clone(&ground.stop),
        facts: vec![
            LevelFact::seconds("created in", created, 3),
            LevelFact::seconds("first synchronised in", first_sync, 3),
        ],
        node,
    };
    match level.state {
        ArrayState::Whole => {}
        ArrayState::Degraded => array.lose_last()?,
        ArrayState::Rebuilding => array.rebuild = Some(Rebuild::of(&array.node)),
    }
    array.verify()?;
    Ok(Box::new(array))
}

/// Attributes of the array with what they must say, beside its level and its missing members. What has no bitmap says so.
fn wanted_of(level: &ArrayLevel, layout: &Layout) -> Vec<(&'static str, String)> {
    let mut wanted = Vec::new();
    let number = layout.number();
    wanted.extend(number.map(|number| ("layout", number.to_string())));
    wanted.extend(level.chunk.map(|c| ("chunk_size", c.get().to_string())));
    if layout.spares > 0 {
        let bitmap = level.bitmap.as_deref().unwrap_or("none");
        wanted.push((BITMAP, bitmap.to_owned()));
    }
    wanted
}

fn arguments(
    level: &ArrayLevel,
    layout: &Layout,
    uuid: &Token,
    (node, devices): (&Path, &[PathBuf]),
) -> Vec<String> {
    let members = devices.len() + level.missing;
    let mut words = vec![
        "--create".to_owned(),
        node.to_string_lossy().into_owned(),
        "--run".to_owned(),
        "--metadata=1.2".to_owned(),
        format!("--uuid={uuid}"),
        format!("--level={}", layout.level),
        format!("--raid-devices={members}"),
    ];
    words.extend(layout.layout.map(|layout| format!("--layout={layout}")));
    words.extend(
        level
            .chunk
            .map(|chunk| format!("--chunk={}", chunk.get() >> 10)),
    );
    // What mdadm chooses by size would differ from disk to disk.
    if layout.spares > 0 {
        let bitmap = level.bitmap.as_deref().unwrap_or("none");
        words.push(format!("--bitmap={bitmap}"));
    }
    words.extend(level.options.iter().cloned());
    words.extend(texts(devices));
    words.extend((0..level.missing).map(|_| "missing".to_owned()));
    words
}

fn free_node() -> PathBuf {
    let is_free = |number: &u32| !Path::new(&format!("/sys/block/md{number}")).exists();
    let number = (0..512).find(is_free).unwrap_or(0);
    PathBuf::from(format!("/dev/md{number}"))
}

/// Where the bitmap stands: `none`, or sectors from the superblock.
const BITMAP: &str = "bitmap/location";

/// An array that runs.
#[derive(Debug)]
struct MdArray {
    made: Made,
    node: PathBuf,
    devices: Vec<PathBuf>,
    layout: &'static Layout,
    wanted: Vec<(&'static str, String)>,
    /// Members that are missing.
    lost: usize,
    rebuild: Option<Rebuild>,
    stop: Arc<AtomicBool>,
    facts: Vec<LevelFact>,
}

impl MdArray {
    fn attribute(&self, name: &str) -> Result<String, FactorError> {
        let node = self.node.file_name().unwrap_or_default();
        let path = Path::new("/sys/block").join(node).join("md").join(name);
        let text = fs::read_to_string(&path).map_err(FactorError::io("read", &path))?;
        Ok(text.trim().to_owned())
    }

    fn not_so(&self, wanted: String, found: String) -> FactorError {
        FactorError::NotSo {
            path: self.node.clone(),
            wanted,
            found,
        }
    }

    /// What was asked for, and what mdadm would choose otherwise.
    fn verify_shape(&self) -> Result<(), FactorError> {
        for (name, wanted) in &self.wanted {
            let found = self.attribute(name)?;
            let is_so = match (*name, wanted.as_str()) {
                (BITMAP, "internal") => found != "none",
                _ => found == *wanted,
            };
            if !is_so {
                return Err(self.not_so(format!("{name} {wanted}"), format!("{name} {found}")));
            }
        }
        Ok(())
    }

    fn last(&self) -> String {
        texts(&self.devices).pop().unwrap_or_default()
    }

    /// Takes the last member out, as a disk that has failed.
    fn lose_last(&mut self) -> Result<(), FactorError> {
        let (node, last) = (self.node.to_string_lossy().into_owned(), self.last());
        run("mdadm", &[&node, "--fail", &last])?;
        // The array lets go of a failed member a moment later.
        run_alone("mdadm", &[&node, "--remove", &last])?;
        self.lost += 1;
        Ok(())
    }
}

impl Applied for MdArray {
    fn target(&self) -> Option<&Path> {
        Some(&self.node)
    }

    fn devices(&self) -> Option<Vec<PathBuf>> {
        Some(vec![self.node.clone()])
    }

    /// A rebuild begins before each run and goes on beside it.
    fn before_run(&mut self) -> Result<(), FactorError> {
        if self.rebuild.is_none() {
            return Ok(());
        }
        wait_idle(&self.node, &self.stop)?;
        self.lose_last()?;
        let (node, last) = (self.node.to_string_lossy().into_owned(), self.last());
        run("mdadm", &["--zero-superblock", &last])?;
        run("mdadm", &[&node, "--add", &last])?;
        self.lost -= 1;
        match &mut self.rebuild {
            Some(rebuild) => rebuild.watch(self.lost, &self.stop),
            None => Ok(()),
        }
    }

    fn verify(&self) -> Result<(), FactorError> {
        let wanted = format!("raid{}", self.layout.level);
        let found = self.attribute("level")?;
        let lost = match self.layout.level {
            "0" => "0".to_owned(),
            _ => self.attribute("degraded")?,
        };
        if self.rebuild.as_ref().is_some_and(Rebuild::has_broken_off) {
            let found = format!("{found}, {lost} missing, whose rebuild broke off");
            return Err(self.not_so(format!("{wanted} that is rebuilt"), found));
        }
        let is_rebuilding = self.rebuild.is_some();
        if found == wanted && (is_rebuilding || lost == self.lost.to_string()) {
            return self.verify_shape();
        }
        Err(self.not_so(
            format!("{wanted}, {} missing", self.lost),
            format!("{found}, {lost} missing"),
        ))
    }

    fn facts(&self) -> Vec<LevelFact> {
        self.facts.clone()
    }

    fn rebuild(&self) -> Option<RebuildRecord> {
        self.rebuild.as_ref().and_then(Rebuild::record)
    }

    fn restore(mut self: Box<Self>) -> Result<(), FactorError> {
        self.rebuild = None;
        self.made.undo()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_of_level_10_have_the_kernels_numbers() {
        let numbers = ["10-n2", "10-o2", "10-f2", "10-n3", "5"];
        let numbers = numbers.map(|name| layout(name).and_then(Layout::number));
        let expected = [0x102, 0x10201, 0x201, 0x103].map(Some);
        assert_eq!(numbers[..4], expected);
        assert_eq!(numbers[4], None);
    }
}
