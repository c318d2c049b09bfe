//! Copied machines and the trees that they must give.
//!
//! Each `machines/NAME.machine` names its target on its first line (`# /mnt/t`); the tree drawn
//! from it must equal `machines/NAME.txt`. `ETALON_BLESS=1` writes those files anew: read what
//! changed before you keep it.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod machine;

use std::fs;
use std::path::{Path, PathBuf};

use etalon_model::stack::StackTree;
use etalon_report::render_text;
use etalon_stack::Stack;

use machine::Machine;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines")
}

fn names() -> Vec<String> {
    let entries = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let machines = entries.filter(|path| path.extension().is_some_and(|e| e == "machine"));
    let stems = machines.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
    let mut names: Vec<String> = stems.collect();
    names.sort();
    names
}

fn stack_of(name: &str) -> StackTree {
    let text = fs::read_to_string(folder().join(format!("{name}.machine"))).unwrap();
    let target = text
        .lines()
        .next()
        .unwrap()
        .trim_start_matches("# ")
        .to_owned();
    let machine = Machine::unpack(&text);
    Stack::of(Path::new(&target), &machine.roots()).unwrap()
}

#[test]
fn every_machine_gives_its_tree() {
    let bless = std::env::var_os("ETALON_BLESS").is_some();
    let mut wrong = Vec::new();
    for name in names() {
        let tree = stack_of(&name);
        let drawn = format!("{}\n\n{}", tree.one_line(), render_text(&tree));
        let path = folder().join(format!("{name}.txt"));
        if bless {
            fs::write(&path, &drawn).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if drawn != expected {
            wrong.push(format!("{name}: expected\n{expected}\nbut drew\n{drawn}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_machine_has_been_lost() {
    assert!(names().len() >= 22, "{:?}", names());
}

#[test]
fn a_mirror_of_two_disks_under_lvm_shows_the_lvm_layer() {
    let tree = stack_of("lvm-mirror-two-disks");
    let kinds: Vec<String> = tree
        .layers()
        .iter()
        .map(|layer| layer.short_name())
        .collect();
    assert_eq!(
        kinds,
        [
            "LVM TALE/VOL_EXT4",
            "md4 (raid1)",
            "sdc1",
            "sdc",
            "sdd1",
            "sdd"
        ]
    );
    let leaves: Vec<&str> = tree
        .leaves()
        .iter()
        .map(|leaf| leaf.name.as_str())
        .collect();
    assert_eq!(leaves, ["sdc", "sdd"]);
}

#[test]
fn every_tree_survives_json() {
    for name in names() {
        let tree = stack_of(&name);
        let text = serde_json::to_string(&tree).unwrap();
        let back: StackTree = serde_json::from_str(&text).unwrap();
        assert_eq!(render_text(&back), render_text(&tree), "{name}");
    }
}
