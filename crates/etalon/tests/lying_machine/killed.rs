//! A limited cache after a kill: the control group goes with the next restore.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use etalon_testbed::{Home, root_for, wait_for};

/// Groups that etalon made below `place`, at any depth.
fn groups(place: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let path = entry.path();
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        // `etalon-` and the 32 digits of a token.
        if name.len() == 39 && name.starts_with("etalon-") {
            found.push(path.clone());
        }
        groups(&path, found);
    }
}

#[test]
fn a_kill_leaves_a_control_group_that_restore_removes() {
    let _turn = crate::TURN
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if !root_for("a_kill_leaves_a_control_group_that_restore_removes") {
        return;
    }
    let home = Home::new();
    let etalon = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_etalon"));
        home.surround(command.args(words));
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command
    };
    // Of its own, so that whoever measures on the disk of the build is no obstacle.
    let target = crate::lab::ext4(64, &[], "rw");
    let words = "--op randread --cache limited:8M --time 60s -s 16M";
    let mut measure = vec!["measure", target.path()];
    measure.extend(words.split_whitespace());
    let mut running = etalon(&measure).spawn().unwrap();
    let of_run = |pid: u32| {
        let mut found = Vec::new();
        groups(Path::new("/sys/fs/cgroup"), &mut found);
        let holds = |group: &PathBuf| {
            let procs = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
            procs.lines().any(|line| line == pid.to_string())
        };
        found.into_iter().find(holds)
    };
    let group = wait_for("the control group of the run", || of_run(running.id()));
    running.kill().unwrap();
    running.wait().unwrap();
    assert!(group.exists());
    let restored = etalon(&["restore"]).output().unwrap();
    let said = String::from_utf8_lossy(&restored.stdout).into_owned();
    assert!(restored.status.success(), "{said}");
    assert!(said.contains(group.to_str().unwrap()), "{said}");
    assert!(!group.exists());
}
