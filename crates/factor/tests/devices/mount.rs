//! Options of real filesystems: each level is in force or refused, and what was there before comes back.

use std::fs;
use std::path::PathBuf;

use etalon_factor::condition::{Applied, Ground, factor};
use etalon_factor::{Journal, restore};
use etalon_stack::parse_mountinfo;
use serde_json::json;

use crate::machine::{Machine, above, apply, kill_owners};

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

    /// Sets the level and puts it back, by itself and after a kill.
    fn there_and_back(&self, level: &str) {
        let before = self.options();
        let set = || match apply(&self.ground, "mount", &json!(level)) {
            Ok(applied) => applied,
            Err(why) => panic!("{level}: {why}"),
        };
        let applied = set();
        applied.verify().unwrap();
        applied.restore().unwrap();
        assert_eq!(self.options(), before, "{level}");

        std::mem::forget(set());
        kill_owners(&self.ground);
        let report = restore(&self.ground.journal);
        assert!(report.kept.is_empty(), "{level}: {report:?}");
        assert_eq!(self.options(), before, "{level} after a kill");
        assert!(restore(&self.ground.journal).is_empty(), "{level}");
    }

    fn refusal(&self, level: &str) -> String {
        let before = self.options();
        let error = apply(&self.ground, "mount", &json!(level)).unwrap_err();
        assert_eq!(self.options(), before, "{level}");
        assert!(restore(&self.ground.journal).is_empty(), "{level}");
        error.to_string()
    }
}

/// Options that every filesystem takes.
const OF_ALL: [&str; 8] = [
    "noatime",
    "nodiratime,strictatime",
    "relatime",
    "lazytime",
    "sync,nodev",
    "async",
    "nosuid,noexec",
    "defaults",
];

#[test]
fn options_of_ext4_are_in_force_or_refused_and_come_back() {
    let test = "options_of_ext4_are_in_force_or_refused_and_come_back";
    for options in [
        "",
        "nodiratime,strictatime,commit=20,discard",
        "errors=remount-ro,lazytime",
    ] {
        let Some(ext4) = Mounted::new(test, "ext4", options) else {
            return;
        };
        for level in OF_ALL.iter().chain(&[
            "commit=60",
            "commit=5",
            "barrier=0",
            "barrier",
            "nodiscard",
            "discard",
            "stripe=16,inode_readahead_blks=64",
            "max_batch_time=0,min_batch_time=100",
            "noinit_itable",
            "init_itable=20",
            "noauto_da_alloc",
            "dioread_lock",
            "data=ordered,delalloc",
            "max_dir_size_kb=100",
            "noblock_validity",
            "minixdf",
            "grpid",
        ]) {
            ext4.there_and_back(level);
        }
        // The kernel takes it and says nothing of it.
        assert!(
            ext4.refusal("nojournal_checksum")
                .contains("and not 'nojournal_checksum'")
        );
        assert!(
            ext4.refusal("noatime,debug")
                .contains("keeps 'debug' until it is unmounted")
        );
        assert!(
            ext4.refusal("journal_ioprio=5")
                .contains("which 'journal_ioprio' is in force")
        );
        let refusal = ext4.refusal("no_prefetch_block_bitmaps");
        assert!(refusal.contains("until it is unmounted"), "{refusal}");
        let change = ext4.refusal("data=journal");
        assert!(change.contains("which 'data' is in force"), "{change}");
    }
}

#[test]
fn options_of_xfs_that_a_mounted_one_ignores_are_refused() {
    let test = "options_of_xfs_that_a_mounted_one_ignores_are_refused";
    for options in ["", "logbsize=64k,allocsize=64m,inode32,discard"] {
        let Some(xfs) = Mounted::new(test, "xfs", options) else {
            return;
        };
        for level in OF_ALL.iter().chain(&["inode32", "inode64", "nolargeio"]) {
            xfs.there_and_back(level);
        }
        for level in ["logbsize=256k", "largeio", "noalign", "noatime,wsync"] {
            let word = level.trim_start_matches("noatime,");
            let refusal = xfs.refusal(level);
            assert!(refusal.contains(&format!("and not '{word}'")), "{refusal}");
        }
    }
}

#[test]
fn options_of_btrfs_are_in_force_or_refused_and_come_back() {
    let test = "options_of_btrfs_are_in_force_or_refused_and_come_back";
    for options in [
        "",
        "compress=zstd:5,commit=10,nodiscard",
        "nodatacow,nossd,autodefrag",
    ] {
        let Some(btrfs) = Mounted::new(test, "btrfs", options) else {
            return;
        };
        for level in OF_ALL.iter().chain(&[
            "compress=zstd",
            "compress",
            "compress=zstd:9",
            "compress-force=lzo",
            "compress=no",
            "commit=60",
            "commit=30",
            "discard=async",
            "discard",
            "nodiscard",
            "nodatasum",
            "nodatacow",
            "datasum",
            "autodefrag",
            "noautodefrag",
            "flushoncommit",
            "notreelog",
            "nobarrier",
            "noacl",
            "max_inline=512,metadata_ratio=3",
            "max_inline=2k",
            "enospc_debug",
        ]) {
            btrfs.there_and_back(level);
        }
        let refusal = btrfs.refusal("user_subvol_rm_allowed");
        assert!(refusal.contains("until it is unmounted"), "{refusal}");
        let refusal = btrfs.refusal("thread_pool=3");
        assert!(
            refusal.contains("which 'thread_pool' is in force"),
            "{refusal}"
        );
    }
}

#[test]
fn what_btrfs_is_told_of_its_disk_comes_back() {
    let test = "what_btrfs_is_told_of_its_disk_comes_back";
    for (options, level) in [("ssd", "nossd"), ("nossd", "ssd"), ("ssd", "ssd_spread")] {
        let Some(btrfs) = Mounted::new(test, "btrfs", options) else {
            return;
        };
        btrfs.there_and_back(level);
    }
}
