//! Whether unused blocks are discarded before each run, and how many were.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use etalon_model::LevelFact;
use serde_json::Value;

use super::formatted::kernel_node;
use super::{
    Applied, Depth, Description, Factor, FactorError, Ground, Level, LevelError, LevelTable, Need,
};
use crate::guard::lost_on;
use crate::made::{claim_free, run, run_alone, size_of};

/// The factor.
pub(super) struct Discard;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DiscardLevel {
    None,
    /// What the mounted filesystem does not use (fstrim(8)).
    Fstrim,
    /// A whole device (blkdiscard(8)).
    Blkdiscard,
}

impl Factor for Discard {
    fn name(&self) -> &'static str {
        "discard"
    }

    fn summary(&self) -> &'static str {
        "unused blocks discarded before each run, or not"
    }

    fn accepted(&self) -> &'static str {
        "\"none\", \"fstrim\" (a mounted directory) or \"blkdiscard\" (a whole device, which loses everything)"
    }

    fn depth(&self) -> Depth {
        Depth::Run
    }

    fn parse(&self, level: &Value) -> Result<Box<dyn Level>, LevelError> {
        let table = LevelTable::new(self, level);
        let level = match table.text()?.as_str() {
            "none" => DiscardLevel::None,
            "fstrim" => DiscardLevel::Fstrim,
            "blkdiscard" => DiscardLevel::Blkdiscard,
            _ => return Err(table.wrong(None)),
        };
        table.end()?;
        Ok(Box::new(level))
    }
}

impl Level for DiscardLevel {
    fn name(&self) -> String {
        let name = match self {
            DiscardLevel::None => "none",
            DiscardLevel::Fstrim => "fstrim",
            DiscardLevel::Blkdiscard => "blkdiscard",
        };
        name.to_owned()
    }

    fn needs(&self, _ground: &Ground) -> Vec<Need> {
        if *self == DiscardLevel::None {
            return Vec::new();
        }
        let root = Need::root("discarding blocks");
        root.into_iter()
            .chain(Need::tool(&self.name(), "util-linux"))
            .collect()
    }

    fn describe(&self, ground: &Ground) -> Result<Description, FactorError> {
        let mut description = Description::default();
        if *self == DiscardLevel::Blkdiscard {
            description.destroys = lost_on(&ground.target);
        }
        Ok(description)
    }

    fn apply(&self, ground: &Ground) -> Result<Box<dyn Applied>, FactorError> {
        if *self == DiscardLevel::Blkdiscard {
            claim_free(ground, &ground.target)?;
        }
        Ok(Box::new(Discarded {
            level: *self,
            ground: ground.clone(),
            last: Vec::new(),
        }))
    }
}

#[derive(Debug)]
struct Discarded {
    level: DiscardLevel,
    ground: Ground,
    /// What the last one gave.
    last: Vec<LevelFact>,
}

impl Applied for Discarded {
    fn before_run(&mut self) -> Result<(), FactorError> {
        let begun = Instant::now();
        let target = &self.ground.target;
        let amount = match self.level {
            DiscardLevel::None => return Ok(()),
            DiscardLevel::Fstrim => {
                let said = run("fstrim", &["--verbose", "--", &target.to_string_lossy()])?;
                let bytes = trimmed(&said);
                bytes.map_or_else(|| LevelFact::words(DISCARDED, said), discarded)
            }
            DiscardLevel::Blkdiscard => {
                let held = claim_free(&self.ground, target)?;
                let node: PathBuf = kernel_node(&held)?;
                drop(held);
                run_alone("blkdiscard", &["--", &node.to_string_lossy()])?;
                let size = size_of(&node).map(|size| size.get());
                size.map_or_else(|| LevelFact::words(DISCARDED, ""), discarded)
            }
        };
        let seconds = LevelFact::seconds("discarded in", begun.elapsed(), 3);
        self.last = vec![amount, seconds];
        Ok(())
    }

    fn verify(&self) -> Result<(), FactorError> {
        Ok(())
    }

    fn facts(&self) -> Vec<LevelFact> {
        let mut facts = self.last.clone();
        facts.extend(settings(Path::new("/etc")));
        facts
    }

    fn restore(self: Box<Self>) -> Result<(), FactorError> {
        Ok(())
    }
}

/// How much a discard gave.
const DISCARDED: &str = "discarded";

fn discarded(bytes: u64) -> LevelFact {
    LevelFact::figure(DISCARDED, bytes as f64, 0, "bytes")
}

/// The bytes in `/mnt: 1.2 GiB (1288490188 bytes) trimmed`.
fn trimmed(said: &str) -> Option<u64> {
    let (_, rest) = said.rsplit_once('(')?;
    let (bytes, _) = rest.split_once(" bytes)")?;
    bytes.parse().ok()
}

/// What discards by itself here: the timer of util-linux, and LVM when volumes are removed.
fn settings(etc: &Path) -> Vec<LevelFact> {
    let timer = etc.join("systemd/system/timers.target.wants/fstrim.timer");
    let lvm = fs::read_to_string(etc.join("lvm/lvm.conf")).unwrap_or_default();
    let issues = lvm.lines().map(str::trim).any(|line| {
        let line = line.replace(' ', "");
        line.starts_with("issue_discards=1")
    });
    let text = |on: bool| if on { "on" } else { "off" };
    vec![
        LevelFact::words("fstrim.timer", text(timer.symlink_metadata().is_ok())),
        LevelFact::words("LVM issue_discards", text(issues)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_fstrim_are_read() {
        let said = "/mnt: 1.2 GiB (1288490188 bytes) trimmed";
        assert_eq!(trimmed(said), Some(1_288_490_188));
        assert_eq!(trimmed("nothing"), None);
    }

    #[test]
    fn what_discards_by_itself_is_known() {
        let etc = tempfile::tempdir().unwrap();
        let all = |etc: &Path| {
            settings(etc)
                .into_iter()
                .map(|fact| fact.value.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(all(etc.path()), ["off", "off"]);
        let wants = etc.path().join("systemd/system/timers.target.wants");
        fs::create_dir_all(&wants).unwrap();
        fs::write(wants.join("fstrim.timer"), "").unwrap();
        fs::create_dir_all(etc.path().join("lvm")).unwrap();
        fs::write(etc.path().join("lvm/lvm.conf"), "\tissue_discards = 1\n").unwrap();
        assert_eq!(all(etc.path()), ["on", "on"]);
    }
}
