//! A device behind a cache on another (the kernel's admin-guide/bcache.rst, make-bcache(8)).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use etalon_model::LevelFact;

use super::rebuild::wait_until;
use super::{Applied, ArrayLevel, FactorError, Ground, KernelModules, Need, members, texts};
use crate::Token;
use crate::made::{Made, REGISTER, bcache_of, register, run, run_alone, size_of, uuid_text};
use crate::steps::EntryStep;

/// What becomes of writes, in the kernel's words.
const MODES: [&str; 3] = ["writethrough", "writeback", "writearound"];

/// The state of a device whose cache the kernel does not know.
const NO_CACHE: &str = "no cache";
/// The kernel joins them at once; it takes longer on a machine that is busy.
const JOIN_TIMEOUT: Duration = Duration::from_secs(20);

/// The one that is cached, and the one that caches.
pub(super) const DEVICES: usize = 2;

/// The module that is missing for this mode.
pub(super) fn lacks(mode: &str, modules: &KernelModules) -> Option<Need> {
    let what = format!("bcache-{mode}");
    modules.lack_base(&what, "bcache", Path::new(REGISTER).exists())
}

pub(super) fn mode(name: &str) -> Option<&'static str> {
    MODES.into_iter().find(|&mode| mode == name)
}

pub(super) fn apply(
    level: &ArrayLevel,
    mode: &'static str,
    ground: &Ground,
) -> Result<Box<dyn Applied>, FactorError> {
    let mut made = Made::begin(&ground.journal)?;
    let uuid = Token::random().map_err(FactorError::io("name", &ground.workshop))?;
    let devices = members(ground, &mut made, |_| uuid.clone())?;
    made.enter(EntryStep::Bcache { uuid: uuid.clone() })?;
    let begun = Instant::now();
    create(level, &uuid, &texts(&devices))?;
    let node = join(&devices, &ground.stop)?;
    let directory = attributes_of(&node);
    let path = directory.join("cache_mode");
    fs::write(&path, mode).map_err(FactorError::io("write", &path))?;
    let applied = CachedDevice {
        made,
        facts: vec![LevelFact::seconds("created in", begun.elapsed(), 3)],
        mode,
        node,
        directory,
    };
    applied.verify()?;
    Ok(Box::new(applied))
}

fn create(level: &ArrayLevel, uuid: &Token, devices: &[String]) -> Result<(), FactorError> {
    let [backing, cache] = devices else {
        return Err(FactorError::DoesNotFit(format!(
            "bcache takes {DEVICES} devices"
        )));
    };
    let set = uuid_text(uuid);
    let mut words = vec!["--cset-uuid", &set, "-B", backing, "-C", cache];
    words.extend(level.options.iter().map(String::as_str));
    run_alone("make-bcache", &words).map(drop)
}

/// Has the kernel join them, which udev may have done by now; the device that came of it.
fn join(devices: &[PathBuf], stop: &Arc<AtomicBool>) -> Result<PathBuf, FactorError> {
    if !Path::new(REGISTER).exists() {
        run("modprobe", &["bcache"])?;
    }
    let begun = Instant::now();
    wait_until(stop, || {
        register(devices)?;
        match joined(devices) {
            Some(_) => Ok(true),
            None if begun.elapsed() > JOIN_TIMEOUT => Err(not_joined(devices)),
            None => Ok(false),
        }
    })?;
    joined(devices).ok_or_else(|| not_joined(devices))
}

/// The device that is cached, once it has its cache.
fn joined(devices: &[PathBuf]) -> Option<PathBuf> {
    let node = bcache_of(devices.first()?)?;
    let state = attribute(&attributes_of(&node), "state").ok()?;
    (state != NO_CACHE).then_some(node)
}

fn not_joined(devices: &[PathBuf]) -> FactorError {
    FactorError::NotSo {
        path: devices.first().cloned().unwrap_or_default(),
        wanted: "a device with a cache".to_owned(),
        found: "none; the kernel's log (dmesg) says why".to_owned(),
    }
}

fn attributes_of(node: &Path) -> PathBuf {
    let name = node.file_name().unwrap_or_default();
    Path::new("/sys/block").join(name).join("bcache")
}

fn attribute(directory: &Path, name: &str) -> Result<String, FactorError> {
    let path = directory.join(name);
    let text = fs::read_to_string(&path).map_err(FactorError::io("read", &path))?;
    Ok(text.trim().to_owned())
}

/// A device that is there, with its cache.
#[derive(Debug)]
struct CachedDevice {
    made: Made,
    node: PathBuf,
    /// Where the kernel has its values.
    directory: PathBuf,
    mode: &'static str,
    facts: Vec<LevelFact>,
}

impl CachedDevice {
    fn not_so(&self, wanted: &str, found: String) -> Result<(), FactorError> {
        Err(FactorError::NotSo {
            path: self.node.clone(),
            wanted: wanted.to_owned(),
            found,
        })
    }
}

impl Applied for CachedDevice {
    fn target(&self) -> Option<&Path> {
        Some(&self.node)
    }

    fn devices(&self) -> Option<Vec<PathBuf>> {
        Some(vec![self.node.clone()])
    }

    /// The chosen mode stands in brackets among all of them; a cache that fails is let go of.
    fn verify(&self) -> Result<(), FactorError> {
        if size_of(&self.node).is_none() {
            return self.not_so(self.mode, "no block device".to_owned());
        }
        let state = attribute(&self.directory, "state")?;
        if state == NO_CACHE || state == "inconsistent" {
            return self.not_so("a cache", state);
        }
        let modes = attribute(&self.directory, "cache_mode")?;
        match modes.contains(&format!("[{}]", self.mode)) {
            true => Ok(()),
            false => self.not_so(self.mode, modes),
        }
    }

    fn facts(&self) -> Vec<LevelFact> {
        self.facts.clone()
    }

    fn restore(mut self: Box<Self>) -> Result<(), FactorError> {
        self.made.undo()
    }
}
