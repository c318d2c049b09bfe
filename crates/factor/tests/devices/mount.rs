//! Options of real filesystems: each level is in force or refused, and what was there before comes back.

use std::fs;
use std::path::PathBuf;

use etalon_factor::condition::{Applied, Ground, factor};
use etalon_factor::{Journal, restore};
use etalon_stack::parse_mountinfo;
use serde_json::json;

use crate::machine::{Machine, above, apply};

/// A filesystem of the test's own.
struct Mounted {
    ground: Ground,
    // They go from the uppermost to the lowest.
    _made: Box<dyn Applied>,
    _disk: Box<dyn Applied>,
    _machine: Machine,
}

impl Mounted {
    /// Mounted with these options; none where this kernel or machine lacks it.
    fn new(test: &str, kind: &str, options: &str) -> Option<Mounted> {
        let machine = Machine::new(test)?;
        let level = json!({ "value": kind, "mount": options });
        let filesystem = factor("filesystem").unwrap().parse(&level).unwrap();
        if let Some(need) = filesystem.needs(&machine.ground).first() {
            println!("not on this machine: {need}");
            return None;
        }
        let disk = json!({ "value": "loop-memory", "size": "320MiB" });
        let disk = machine.apply("disk", &disk).unwrap();
        let ground = above(&machine.ground, &*disk);
        let made = filesystem.apply(&ground).unwrap();
        let mut ground = above(&ground, &*made);
        // What is mounted stays when an entry of the test's is put back.
        ground.journal = Journal::at(&machine.place.path().join("of mounts")).unwrap();
        Some(Mounted {
            ground,
            _made: made,
            _disk: disk,
            _machine: machine,
        })
    }

    fn options(&self) -> Vec<String> {
        let table = PathBuf::from("/proc/self/mountinfo");
        let mounts = parse_mountinfo(&fs::read_to_string(&table).unwrap(), &table).unwrap();
        let point = self.ground.target.to_string_lossy();
        let mount = mounts.iter().find(|mount| mount.point == point).unwrap();
        [&mount.options[..], &mount.super_options].concat()
    }

    /// Sets the level and puts it back.
    fn there_and_back(&self, level: &str) {
        let before = self.options();
        let applied = match apply(&self.ground, "mount", &json!(level)) {
            Ok(applied) => applied,
            Err(why) => panic!("{level}: {why}"),
        };
        applied.verify().unwrap();
        applied.restore().unwrap();
        assert_eq!(self.options(), before, "{level}");
    }

    fn refusal(&self, level: &str) -> String {
        let before = self.options();
        let error = apply(&self.ground, "mount", &json!(level)).unwrap_err();
        assert_eq!(self.options(), before, "{level}");
        assert!(restore(&self.ground.journal).is_empty(), "{level}");
        error.to_string()
    }
}

#[test]
fn options_of_xfs_that_a_mounted_one_ignores_are_refused() {
    let test = "options_of_xfs_that_a_mounted_one_ignores_are_refused";
    for options in ["", "logbsize=64k,allocsize=64m,inode32,discard"] {
        let Some(xfs) = Mounted::new(test, "xfs", options) else {
            return;
        };
        for level in ["noatime", "relatime", "defaults", "nolargeio"] {
            xfs.there_and_back(level);
        }
        for level in ["logbsize=256k", "largeio", "noalign", "noatime,wsync"] {
            let word = level.trim_start_matches("noatime,");
            let refusal = xfs.refusal(level);
            assert!(refusal.contains(&format!("and not '{word}'")), "{refusal}");
        }
    }
}
