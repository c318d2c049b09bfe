//! A private journal and workshop, and what of the machine must be as it was.

use std::fs;
use std::path::Path;

use etalon_factor::condition::{Applied, FactorError, Ground, factor};
use etalon_factor::{Journal, restore};
use etalon_stack::Roots;
use etalon_testbed::root_for;
use serde_json::{Value, json};

/// Where levels are applied.
pub(crate) struct Machine {
    pub(crate) place: tempfile::TempDir,
    pub(crate) ground: Ground,
}

impl Machine {
    /// None, with a word about it, without root.
    pub(crate) fn new(test: &str) -> Option<Machine> {
        if !root_for(test) {
            return None;
        }
        let place = tempfile::TempDir::new_in("/dev/shm").unwrap();
        let ground = ground(place.path());
        Some(Machine { place, ground })
    }

    pub(crate) fn apply(&self, name: &str, level: &Value) -> Result<Box<dyn Applied>, FactorError> {
        apply(&self.ground, name, level)
    }

    /// Devices that bear the name of this machine's place, mounts in it, and entries of its journal.
    pub(crate) fn left(&self) -> Vec<String> {
        left(self.place.path())
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // What a failed test has left.
        let _ = restore(&self.ground.journal);
    }
}

pub(crate) fn ground(place: &Path) -> Ground {
    let (workshop, journal) = (place.join("workshop"), place.join("journal"));
    fs::create_dir_all(&workshop).unwrap();
    Ground {
        journal: Journal::at(&journal).unwrap(),
        roots: Roots::default(),
        target: workshop.clone(),
        workshop,
        devices: Vec::new(),
        destroy: Vec::new(),
        disks: Vec::new(),
        read_ahead: Default::default(),
        part: None,
        manual: Default::default(),
        stop: Default::default(),
    }
}

pub(crate) fn apply(
    ground: &Ground,
    name: &str,
    level: &Value,
) -> Result<Box<dyn Applied>, FactorError> {
    factor(name).unwrap().parse(level).unwrap().apply(ground)
}

/// The ground of what stands on `below`.
pub(crate) fn above(ground: &Ground, below: &dyn Applied) -> Ground {
    let mut inner = ground.clone();
    inner.devices = below.devices().unwrap_or_default();
    if let Some(target) = below.target() {
        inner.target = target.to_owned();
    }
    inner
}

pub(crate) fn left(place: &Path) -> Vec<String> {
    let name = place.to_string_lossy();
    let mut found = Vec::new();
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    found.extend(
        mounts
            .lines()
            .filter(|line| line.contains(&*name))
            .map(str::to_owned),
    );
    for device in fs::read_dir("/sys/block").unwrap().flatten() {
        let backing = device.path().join("loop/backing_file");
        let backing = fs::read_to_string(backing).unwrap_or_default();
        if backing.contains(&*name) {
            found.push(format!("{:?} over {backing}", device.file_name()));
        }
    }
    let files = |directory: &str| names(&place.join(directory));
    found.extend(files("workshop"));
    found.extend(
        files("journal")
            .into_iter()
            .filter(|name| name.ends_with("json")),
    );
    found
}

pub(crate) fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Makes every entry one of a process that is gone.
pub(crate) fn kill_owners(ground: &Ground) {
    let directory = ground.journal.directory();
    for name in names(directory).iter().filter(|n| n.ends_with("json")) {
        let path = directory.join(name);
        let mut entry: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        entry["owner"]["start_ticks"] = json!(1);
        fs::write(&path, entry.to_string()).unwrap();
    }
}
