//! Names of what is no file: a command neither waits at it for ever nor replaces it.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;

use super::Danger;
use crate::common::{Guarded, Loop, Mount, absent, tool, try_tool};
use crate::dangers::devices::{image, make};
use crate::ways::{Kind, Scene};

/// Special files and directories, of which one holds something.
pub(crate) fn all(scene: &Scene) -> Vec<Danger> {
    let place = scene.ground.directory("special");
    let pipe = place.join("pipe");
    tool("mkfifo", &[pipe.to_str().unwrap()]);
    let socket = place.join("socket");
    drop(UnixListener::bind(&socket).unwrap());
    let mut specials = vec![("a pipe", pipe), ("a socket", socket)];
    for (what, minor) in [("a twin of /dev/null", "3"), ("a twin of /dev/full", "7")] {
        let node = place.join(minor);
        match try_tool("mknod", &[node.to_str().unwrap(), "c", "1", minor]) {
            Ok(_) => specials.push((what, node)),
            Err(why) => absent(what, &why),
        }
    }
    let dangling = place.join("dangling");
    std::os::unix::fs::symlink("/proc/self/nosuch/file", &dangling).unwrap();
    specials.push(("a link to nothing", dangling));
    let looped = place.join("looped");
    std::os::unix::fs::symlink("looped", &looped).unwrap();
    specials.push(("a link to itself", looped));
    let specials = specials
        .into_iter()
        .map(|(what, path)| special(what, &path, Kind::Special));
    let full = scene.ground.directory("special/full");
    fs::write(full.join("kept"), [0x5a; 5000]).unwrap();
    let mut all: Vec<Danger> = specials.collect();
    all.push(special("a directory with a file", &full, Kind::Directory));
    all
}

/// A directory on which a filesystem is mounted, and the mount.
pub(crate) fn mount_point(scene: &Scene) -> (Danger, Mount, Loop) {
    let file = image(&scene.ground.directory("points"), "point", 16);
    make("ext4", &file).unwrap();
    let disk = Loop::over(&file);
    let mount = Mount::of_device(disk.name(), "noatime");
    fs::write(mount.path().join("kept"), [0x5a; 5000]).unwrap();
    let danger = special("a mount point", mount.path(), Kind::Directory);
    (danger, mount, disk)
}

fn special(what: &str, path: &Path, kind: Kind) -> Danger {
    let (file, parent) = (path.join("kept"), path.parent().unwrap());
    let mut guarded = Guarded::new(&[], &[&file], &[parent]);
    if kind == Kind::Directory {
        guarded = Guarded::new(&[], &[&file], &[path]);
    }
    Danger {
        what: what.to_owned(),
        name: path.into(),
        kind,
        from: None,
        guarded,
    }
}
