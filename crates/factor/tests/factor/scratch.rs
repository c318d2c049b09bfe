//! Making and removing a scratch directory.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use etalon_factor::{Journal, Scratch, ScratchError, restore};
use etalon_testbed::{Mount, root_for};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;

use crate::place::{Place, names};

fn refused(place: &Place, target: &Path) -> ScratchError {
    let error = Scratch::create(&place.journal, target).unwrap_err();
    assert_eq!(place.entries(), 0, "an entry is left over: {error}");
    assert!(
        error.to_string().contains(target.to_str().unwrap()),
        "{error}"
    );
    error
}

#[test]
fn a_scratch_directory_is_private_journalled_and_goes_away() {
    let place = Place::new();
    let scratch = Scratch::create(&place.journal, &place.target).unwrap();
    let mode = fs::metadata(scratch.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o700);
    assert_eq!(place.entries(), 1);
    assert!(scratch.path().starts_with(&place.target));
    let allowed = scratch.space_allowance().unwrap();
    let filesystem = rustix::fs::statvfs(&place.target).unwrap();
    assert!(allowed < filesystem.f_bavail * filesystem.f_frsize);
    scratch.close().unwrap();
    assert_eq!(names(&place.target), [""; 0]);
    assert_eq!(place.entries(), 0);

    drop(Scratch::create(&place.journal, &place.target).unwrap());
    assert_eq!(names(&place.target), [""; 0]);
    assert_eq!(place.entries(), 0);
}

#[test]
fn whatever_lies_in_it_goes_and_what_it_points_to_stays() {
    let place = Place::new();
    let outside = TempDir::new().unwrap();
    fs::write(outside.path().join("precious"), "1").unwrap();
    let scratch = Scratch::create(&place.journal, &place.target).unwrap();
    let inside = |name: &str| scratch.path().join(name);
    symlink(outside.path(), inside("link")).unwrap();
    symlink(outside.path().join("precious"), inside("link to a file")).unwrap();
    symlink("nowhere", inside("dangling")).unwrap();
    fs::hard_link(outside.path().join("precious"), inside("hard")).unwrap();
    mknodat(CWD, inside("fifo"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    fs::write(inside("-rf * \n"), "").unwrap();
    fs::create_dir_all(inside(".etalon-lifted-0/.etalon-lifted-1/x")).unwrap();
    fs::create_dir_all(inside("tree/a/b")).unwrap();
    symlink(outside.path(), inside("tree/a/link")).unwrap();
    for n in 0..5000 {
        fs::write(inside(&format!("tree/{n}")), "").unwrap();
    }
    scratch.close().unwrap();
    assert_eq!(names(&place.target), [""; 0]);
    assert_eq!(fs::read(outside.path().join("precious")).unwrap(), b"1");
}

#[test]
fn a_tree_deeper_than_any_path_is_removed() {
    let place = Place::new();
    let scratch = Scratch::create(&place.journal, &place.target).unwrap();
    let mut at = fs::File::open(scratch.path()).unwrap().into();
    for _ in 0..1500 {
        rustix::fs::mkdirat(&at, "directory", Mode::RWXU).unwrap();
        let flags = rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::RDONLY;
        at = rustix::fs::openat(&at, "directory", flags, Mode::empty()).unwrap();
    }
    scratch.close().unwrap();
    assert_eq!(names(&place.target), [""; 0]);
}

#[test]
fn a_target_through_a_link_is_resolved() {
    let place = Place::new();
    let link = place.target.with_file_name("link");
    symlink(&place.target, &link).unwrap();
    let scratch = Scratch::create(&place.journal, &link).unwrap();
    assert!(scratch.path().starts_with(&place.target));
}

#[test]
fn a_target_that_is_missing_or_a_file_is_named() {
    let place = Place::new();
    let missing = place.target.join("nothing");
    assert!(matches!(
        refused(&place, &missing),
        ScratchError::NoSuchTarget { .. }
    ));
    let file = place.target.join("file");
    fs::write(&file, "").unwrap();
    assert!(matches!(
        refused(&place, &file),
        ScratchError::NotADirectory { .. }
    ));
    let below = file.join("x");
    assert!(matches!(
        refused(&place, &below),
        ScratchError::NotADirectory { .. }
    ));
}

#[test]
fn a_read_only_filesystem_is_refused() {
    let place = Place::new();
    let Some(mount) = Mount::tmpfs_at(
        "a_read_only_filesystem_is_refused",
        &place.target,
        "size=1m",
    ) else {
        return;
    };
    mount.remount("ro");
    let error = refused(&place, &place.target);
    assert!(matches!(error, ScratchError::ReadOnly { .. }), "{error}");
}

#[test]
fn what_is_mounted_in_what_could_not_be_removed_is_named() {
    let test = "what_is_mounted_in_what_could_not_be_removed_is_named";
    if !root_for(test) {
        return;
    }
    let (place, outside) = (Place::new(), TempDir::new().unwrap());
    let scratch = Scratch::create(&place.journal, &place.target).unwrap();
    let point = scratch.path().join("a mount");
    fs::create_dir(&point).unwrap();
    let mount = Mount::at(&point, &["--bind", outside.path().to_str().unwrap()]);
    let points = || {
        let in_use = restore(&place.journal).in_use.into_iter();
        in_use.flat_map(|left| left.mount_points()).collect()
    };
    let closed = scratch.close();
    let during: Vec<PathBuf> = points();
    mount.unmount();
    let after: Vec<PathBuf> = points();
    assert!(closed.is_err());
    assert_eq!(during, [point]);
    assert!(after.is_empty(), "{after:?}");
}

#[test]
fn a_full_filesystem_is_refused_and_nothing_is_left() {
    // Full at the directory, at the marker's inode, and at the marker's one block.
    for options in ["nr_inodes=1", "nr_inodes=2", "size=4k"] {
        let place = Place::new();
        let test = "a_full_filesystem_is_refused_and_nothing_is_left";
        let Some(_mount) = Mount::tmpfs_at(test, &place.target, options) else {
            return;
        };
        if options == "size=4k" {
            fs::write(place.target.join("filler"), [1; 4096]).unwrap();
        }
        let before = names(&place.target);
        let error = refused(&place, &place.target);
        assert!(
            matches!(error, ScratchError::DiskFull { .. }),
            "{options}: {error}"
        );
        assert_eq!(names(&place.target), before, "{options}");
    }
}

#[test]
fn another_users_directory_is_refused_to_an_ordinary_user() {
    if !root_for("another_users_directory_is_refused_to_an_ordinary_user") {
        return;
    }
    // Where the user `nobody` can reach it.
    let home = TempDir::new().unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let program = home.path().join("test");
    etalon_testbed::copy_program(&std::env::current_exe().unwrap(), &program);
    let journal = home.path().join("journal");
    fs::create_dir(&journal).unwrap();
    fs::set_permissions(&journal, fs::Permissions::from_mode(0o700)).unwrap();
    std::os::unix::fs::chown(&journal, Some(65534), Some(65534)).unwrap();
    let done = Command::new(program)
        .args(["--exact", "scratch::refused_to_this_user", "--ignored"])
        .env("TARGET", home.path())
        .env("JOURNAL", journal)
        .uid(65534)
        .gid(65534)
        .current_dir("/")
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stdout)
    );
}

#[test]
#[ignore = "the child of another_users_directory_is_refused_to_an_ordinary_user"]
fn refused_to_this_user() {
    let Some(target) = std::env::var_os("TARGET").map(PathBuf::from) else {
        return;
    };
    let journal = Journal::at(Path::new(&std::env::var_os("JOURNAL").unwrap())).unwrap();
    let error = Scratch::create(&journal, &target).unwrap_err();
    assert!(
        matches!(error, ScratchError::NoPermission { .. }),
        "{error}"
    );
    assert!(restore(&journal).is_empty());
}

#[test]
fn what_nobody_may_read_or_write_is_removed_for_an_ordinary_user_too() {
    let place = Place::new();
    let make = |journal: &Journal, target: &Path| {
        let scratch = Scratch::create(journal, target).unwrap();
        for (name, mode) in [("closed", 0), ("read-only", 0o500), ("write-only", 0o200)] {
            let path = scratch.path().join(name);
            fs::create_dir_all(path.join("a")).unwrap();
            fs::write(path.join("a/file"), "1").unwrap();
            for path in [path.join("a"), path] {
                fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
            }
        }
        scratch.close().unwrap();
        assert_eq!(names(target), [""; 0]);
    };
    if let (Some(journal), Some(target)) = (std::env::var_os("JOURNAL"), std::env::var_os("TARGET"))
    {
        return make(
            &Journal::at(Path::new(&journal)).unwrap(),
            Path::new(&target),
        );
    }
    make(&place.journal, &place.target);
    if !root_for("what_nobody_may_read_or_write_is_removed_for_an_ordinary_user_too") {
        return;
    }
    let (program, path) = crate::attacker::program_for_all();
    for name in ["journal", "target"] {
        let own = program.path().join(name);
        fs::create_dir(&own).unwrap();
        fs::set_permissions(&own, fs::Permissions::from_mode(0o700)).unwrap();
        std::os::unix::fs::chown(&own, Some(65534), Some(65534)).unwrap();
    }
    let done = Command::new(path)
        .args([
            "--exact",
            "scratch::what_nobody_may_read_or_write_is_removed_for_an_ordinary_user_too",
        ])
        .env("JOURNAL", program.path().join("journal"))
        .env("TARGET", program.path().join("target"))
        .uid(65534)
        .gid(65534)
        .current_dir("/")
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stdout)
    );
}
