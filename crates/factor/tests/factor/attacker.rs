//! The user `nobody`, who exchanges two names in a directory as fast as the machine can.

use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::fs::{RenameFlags, open, renameat_with};
use tempfile::TempDir;

/// The user `nobody`.
pub(crate) const OTHER: u32 = 65534;

/// Exchanges until it is dropped.
pub(crate) struct Attacker {
    child: Child,
    _program: TempDir,
}

impl Attacker {
    /// In `parent`, to which `nobody` must be able to write, each name that begins with `prefix`, as
    /// soon as it is there, is exchanged with `planted`, and back.
    pub(crate) fn exchanging(parent: &Path, prefix: &str, planted: &str) -> Attacker {
        let (program, path) = program_for_all();
        let mut child = Command::new(path)
            .args(["--exact", "attacker::exchange", "--ignored", "--nocapture"])
            .env("PARENT", parent)
            .env("PREFIX", prefix)
            .env("PLANTED", planted)
            .uid(OTHER)
            .gid(OTHER)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap() == "ready"));
        Attacker {
            child,
            _program: program,
        }
    }
}

impl Drop for Attacker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A copy of this test where `nobody` can start it.
pub(crate) fn program_for_all() -> (TempDir, PathBuf) {
    let directory = TempDir::new().unwrap();
    fs::set_permissions(directory.path(), Permissions::from_mode(0o755)).unwrap();
    let path = directory.path().join("test");
    etalon_testbed::copy_program(&std::env::current_exe().unwrap(), &path);
    (directory, path)
}

#[test]
#[ignore = "the child of the tests that are attacked"]
fn exchange() {
    let word = |name: &str| std::env::var(name);
    let (Ok(parent), Ok(prefix), Ok(planted)) = (word("PARENT"), word("PREFIX"), word("PLANTED"))
    else {
        return;
    };
    let parent = PathBuf::from(parent);
    let flags = rustix::fs::OFlags::PATH | rustix::fs::OFlags::DIRECTORY;
    let held = open(&parent, flags, rustix::fs::Mode::empty()).unwrap();
    println!("\nready");
    loop {
        let names = fs::read_dir(&parent).unwrap().flatten();
        for name in names.map(|entry| entry.file_name()) {
            if !name.to_string_lossy().starts_with(&prefix) {
                continue;
            }
            for _ in 0..50 {
                let _ = renameat_with(&held, &name, &held, &planted, RenameFlags::EXCHANGE);
            }
        }
    }
}
