//! A thread that swaps a name while commands look at it and open it: whatever was judged must be
//! what is written.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::common::{Guarded, Loop, Mount, root_for, run, tool};
use crate::dangers::devices::{image, make};
use crate::dangers::none;
use crate::ways::Scene;

/// Tries of each command; before the guard judged descriptors one in four did harm.
const ROUNDS: usize = 50;

/// Exchanges two names until it is dropped.
pub(crate) struct Swapper {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Swapper {
    pub(crate) fn between(first: PathBuf, second: PathBuf) -> Swapper {
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            while !asked.load(Ordering::Relaxed) {
                // One may be away for a moment, as when a command removes what it made.
                let _ = renameat_with(CWD, &first, CWD, &second, RenameFlags::EXCHANGE);
            }
        });
        Swapper {
            stop,
            thread: Some(thread),
        }
    }
}

impl Drop for Swapper {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// What is written under a name that leads now here and now there.
#[rustfmt::skip]
const WRITERS: &[&str] = &[
    "dd if={junk} of={} bs=64k count=2",
    "dd if={junk} of={} bs=64k count=2 conv=notrunc",
    "iozone -i 0 -s 64 -r 4 -f {} --runs 1",
    "iozone -b {} -i 0 -s 64 -r 4 -f {new} --runs 1",
    "measure {} --op write -b 64k --bytes 64k --runs 1",
    "list --store {}",
    "measure {ground} --op read -s 64k --time 20ms --store {}",
];

/// Runs every writer on `name` while it is swapped; gives what changed behind the danger.
fn harm(scene: &Scene, name: &Path, guarded: &mut Guarded) -> Vec<String> {
    let mut faults = Vec::new();
    for words in WRITERS {
        for _ in 0..ROUNDS {
            let said = run(scene.words(words, &name.into()));
            if !said.is_orderly() {
                faults.push(format!("{words}: {said:?}"));
            }
            let _ = fs::remove_file(scene.ground.path().join("measured/new"));
        }
        let changes = guarded.changes();
        if !changes.is_empty() {
            guarded.look_again();
            faults.push(format!("{words}: {}", changes.join("; ")));
        }
    }
    faults
}

/// Two links, one of which is `name`, to something honest and to a danger.
fn links(scene: &Scene, honest: &Path, danger: &Path) -> (PathBuf, Swapper) {
    let place = scene.ground.directory("swapped");
    let (name, other) = (place.join("name"), place.join("other"));
    symlink(honest, &name).unwrap();
    symlink(danger, &other).unwrap();
    (name.clone(), Swapper::between(name, other))
}

#[test]
fn a_link_swapped_between_a_free_device_and_one_in_use() {
    if !root_for("a_link_swapped_between_a_free_device_and_one_in_use") {
        return;
    }
    let scene = Scene::new();
    let (used, free) = (
        image(scene.ground.path(), "used", 16),
        image(scene.ground.path(), "free", 16),
    );
    make("ext4", &used).unwrap();
    let (used_disk, free_disk) = (Loop::over(&used), Loop::over(&free));
    let mount = Mount::of_device(used_disk.name(), "noatime");
    tool("sync", &["-f", mount.path().to_str().unwrap()]);
    let mut guarded = Guarded::new(&[&used_disk.device], &[&used], &[]);
    let (name, _swapper) = links(&scene, &free_disk.device, &used_disk.device);
    none(&harm(&scene, &name, &mut guarded));
}

#[test]
fn a_link_swapped_between_a_file_and_a_device_in_use() {
    if !root_for("a_link_swapped_between_a_file_and_a_device_in_use") {
        return;
    }
    let scene = Scene::new();
    let used = image(scene.ground.path(), "used", 16);
    make("ext4", &used).unwrap();
    let disk = Loop::over(&used);
    let mount = Mount::of_device(disk.name(), "noatime");
    tool("sync", &["-f", mount.path().to_str().unwrap()]);
    let mut guarded = Guarded::new(&[&disk.device], &[&used], &[]);
    let honest = scene.ground.file("honest", b"");
    let (name, _swapper) = links(&scene, &honest, &disk.device);
    none(&harm(&scene, &name, &mut guarded));
}

#[test]
fn a_link_swapped_between_a_file_and_the_file_of_a_loop() {
    if !root_for("a_link_swapped_between_a_file_and_the_file_of_a_loop") {
        return;
    }
    let scene = Scene::new();
    let used = scene.ground.file("used", &[0x5a; 1 << 20]);
    let disk = Loop::over(&used);
    let mut guarded = Guarded::new(&[&disk.device], &[&used], &[]);
    let honest = scene.ground.file("honest", b"");
    let (name, _swapper) = links(&scene, &honest, &used);
    none(&harm(&scene, &name, &mut guarded));
}

/// Needs no root: the file that is swapped in is one that etalon has not made.
#[test]
fn a_name_swapped_between_nothing_and_a_file_of_the_user() {
    let scene = Scene::new();
    let place = scene.ground.directory("swapped");
    let kept = scene.ground.file("kept", &[0x5a; 200_000]);
    let (name, other) = (place.join("name"), place.join("other"));
    symlink(place.join("absent"), &name).unwrap();
    symlink(&kept, &other).unwrap();
    let mut guarded = Guarded::new(&[], &[&kept], &[]);
    let _swapper = Swapper::between(name.clone(), other);
    // dd is not here: an existing ordinary file is its own business.
    for _ in 0..ROUNDS {
        let words = "iozone -i 0 -s 64 -r 4 -f {} --runs 1";
        let said = run(scene.words(words, &name.clone().into()));
        assert!(said.is_orderly(), "{said:?}");
        let _ = fs::remove_file(place.join("absent"));
    }
    none(&guarded.changes());
    guarded.look_again();
}
