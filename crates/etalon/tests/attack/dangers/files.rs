//! Files that are more than their bytes.

use std::any::Any;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::Danger;
use super::devices::{image, make};
use crate::common::{Guarded, Loop, Mount, SwapOn, absent, tool, try_tool};
use crate::ways::{Kind, Scene};

/// Files, and what keeps them as they are.
pub(crate) struct Files {
    pub(crate) all: Vec<Danger>,
    held: Vec<Box<dyn Any>>,
}

impl Files {
    pub(crate) fn new(scene: &Scene) -> Files {
        let mut files = Files {
            all: Vec::new(),
            held: Vec::new(),
        };
        files.behind_a_mount(scene);
        files.behind_a_loop(scene);
        files.of_swap(scene);
        files.on_a_read_only_mount(scene);
        files.immutable(scene);
        files
    }

    fn keep(&mut self, what: &str, path: &std::path::Path, held: Vec<Box<dyn Any>>) {
        self.all.push(file(what, path));
        self.held.extend(held);
    }

    fn behind_a_mount(&mut self, scene: &Scene) {
        let path = image(&scene.ground.directory("files/mounted"), "mounted", 16);
        make("ext4", &path).unwrap();
        let disk = Loop::over(&path);
        let mount = Mount::of_device(disk.name(), "noatime");
        tool("sync", &["-f", mount.path().to_str().unwrap()]);
        self.keep(
            "the file of a mounted loop",
            &path,
            vec![Box::new(mount), Box::new(disk)],
        );
    }

    fn behind_a_loop(&mut self, scene: &Scene) {
        let path = image(&scene.ground.directory("files/attached"), "attached", 8);
        fs::write(&path, vec![0x5a; 8 << 20]).unwrap();
        let disk = Loop::over(&path);
        self.keep("the file of a loop", &path, vec![Box::new(disk)]);
    }

    /// Swap cannot lie on a filesystem in memory.
    fn of_swap(&mut self, scene: &Scene) {
        let disk_file = image(&scene.ground.directory("files/swap-disk"), "swap-disk", 16);
        make("ext4", &disk_file).unwrap();
        let disk = Loop::over(&disk_file);
        let mount = Mount::of_device(disk.name(), "noatime");
        let path = mount.path().join("swap");
        fs::write(&path, SwapOn::bytes_of_file()).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        tool("sync", &["-f", mount.path().to_str().unwrap()]);
        match SwapOn::at(&path) {
            Ok(on) => {
                let held: Vec<Box<dyn Any>> = vec![Box::new(on), Box::new(mount), Box::new(disk)];
                self.keep("a swap file", &path, held);
            }
            Err(why) => absent("a swap file", &why),
        }
    }

    fn on_a_read_only_mount(&mut self, scene: &Scene) {
        let disk_file = image(&scene.ground.directory("files/read-only"), "read-only", 16);
        make("ext4", &disk_file).unwrap();
        let disk = Loop::over(&disk_file);
        let mount = Mount::of_device(disk.name(), "noatime");
        let path = mount.path().join("kept");
        fs::write(&path, [0x5a; 100_000]).unwrap();
        let place = mount.path().to_str().unwrap().to_owned();
        tool("mount", &["-o", "remount,ro", &place]);
        self.keep(
            "a file on a read-only mount",
            &path,
            vec![Box::new(mount), Box::new(disk)],
        );
    }

    fn immutable(&mut self, scene: &Scene) {
        let path = scene.ground.file("immutable", &[0x5a; 100_000]);
        match try_tool("chattr", &["+i", path.to_str().unwrap()]) {
            Ok(_) => {
                let held = Immutable(path.clone());
                self.keep("an immutable file", &path, vec![Box::new(held)]);
            }
            Err(why) => absent("an immutable file", &why),
        }
    }
}

struct Immutable(std::path::PathBuf);

impl Drop for Immutable {
    fn drop(&mut self) {
        let _ = try_tool("chattr", &["-i", self.0.to_str().unwrap()]);
    }
}

/// A file that must stay, and nothing may come beside it.
pub(crate) fn file(what: &str, path: &std::path::Path) -> Danger {
    Danger {
        what: what.to_owned(),
        name: path.into(),
        kind: Kind::File,
        from: None,
        guarded: Guarded::new(&[], &[path], &[path.parent().unwrap()]),
    }
}
