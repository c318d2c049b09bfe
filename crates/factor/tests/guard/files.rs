//! Regular files, links and everything else that a copy may go to.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::Path;

use etalon_factor::guard::{Create, GuardError, Refusal, Writing, may_write, open};
use etalon_testbed::{Loop, Mount, root_for, skip};
use rustix::fs::{CWD, FileType, Mode, OFlags};
use rustix::io::Errno;
use rustix::mount::{MountFlags, mount};

use crate::ground::{MIB, ext4, like_dd, mounted, run, zeros};

fn in_use(path: &Path) -> String {
    match open(path, &like_dd()) {
        Err(GuardError::Refused(refusal @ Refusal::FileInUse { .. })) => refusal.to_string(),
        other => panic!("{path:?}: {other:?}"),
    }
}

#[test]
fn an_ordinary_file_is_cut_or_kept_as_asked() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    fs::write(&file, "before").unwrap();
    let kept = Writing {
        truncate: false,
        read: true,
        ..like_dd()
    };
    let mut opened = File::from(open(&file, &kept).unwrap());
    let mut text = String::new();
    opened.read_to_string(&mut text).unwrap();
    assert_eq!(text, "before");
    drop(open(&file, &like_dd()).unwrap());
    assert_eq!(fs::read(&file).unwrap(), b"");
    let new = Writing {
        create: Create::New,
        ..like_dd()
    };
    assert_eq!(open(&file, &new).unwrap_err(), Errno::EXIST.into());
    let never = Writing {
        create: Create::Never,
        ..like_dd()
    };
    let absent = place.path().join("absent");
    assert_eq!(open(&absent, &never).unwrap_err(), Errno::NOENT.into());
    assert!(!absent.exists());
    drop(open(&absent, &new).unwrap());
    assert!(absent.exists());
}

#[test]
fn links_are_followed_as_the_kernel_does() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    symlink("target", at("one")).unwrap();
    symlink(at("one"), at("two")).unwrap();
    File::from(open(&at("two"), &like_dd()).unwrap())
        .write_all(b"made")
        .unwrap();
    assert_eq!(fs::read(at("target")).unwrap(), b"made");
    symlink("round", at("round")).unwrap();
    assert_eq!(
        open(&at("round"), &like_dd()).unwrap_err(),
        Errno::LOOP.into()
    );
    let stays = Writing {
        flags: OFlags::NOFOLLOW,
        ..like_dd()
    };
    assert_eq!(open(&at("two"), &stays).unwrap_err(), Errno::LOOP.into());
    assert_eq!(fs::read(at("target")).unwrap(), b"made");
    assert_eq!(
        open(place.path(), &like_dd()).unwrap_err(),
        Errno::ISDIR.into()
    );
}

#[test]
fn streams_and_files_without_a_name_are_opened() {
    let place = tempfile::tempdir().unwrap();
    drop(open(Path::new("/dev/null"), &like_dd()).unwrap());
    let (mut reader, writer) = std::io::pipe().unwrap();
    let link = {
        use std::os::fd::AsRawFd as _;
        format!("/proc/self/fd/{}", writer.as_raw_fd())
    };
    let opened = open(Path::new(&link), &like_dd()).unwrap();
    File::from(opened).write_all(b"through").unwrap();
    drop(writer);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "through");
    let path = place.path().join("gone");
    let gone = File::create_new(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let link = {
        use std::os::fd::AsRawFd as _;
        format!("/proc/self/fd/{}", gone.as_raw_fd())
    };
    let opened = open(Path::new(&link), &like_dd()).unwrap();
    File::from(opened).write_all(b"four").unwrap();
    assert_eq!(gone.metadata().unwrap().len(), 4);
    assert!(!path.exists());
}

#[test]
fn a_fifo_waits_for_its_reader_as_dd_does() {
    let place = tempfile::tempdir().unwrap();
    let fifo = place.path().join("fifo");
    let mode = Mode::RUSR | Mode::WUSR;
    rustix::fs::mknodat(CWD, &fifo, FileType::Fifo, mode, 0).unwrap();
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || fs::read(fifo).unwrap()
    });
    let opened = open(&fifo, &like_dd()).unwrap();
    File::from(opened).write_all(b"through").unwrap();
    assert_eq!(reader.join().unwrap(), b"through");
}

#[test]
fn the_backing_file_of_a_loop_is_refused_by_whatever_name() {
    let name = "the_backing_file_of_a_loop_is_refused_by_whatever_name";
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    let image = zeros(place.path(), "image", 2 * MIB);
    let Some(device) = Loop::for_test(name, &image, &["--offset", "4096"]) else {
        return;
    };
    // The name that the kernel remembers belongs to an ordinary file from here on.
    fs::hard_link(&image, at("twin")).unwrap();
    fs::remove_file(&image).unwrap();
    fs::write(&image, "ordinary").unwrap();
    symlink("twin", at("link")).unwrap();
    for path in ["twin", "link"] {
        let refused = in_use(&at(path));
        assert!(
            refused.contains(&*device.node().to_string_lossy()) && refused.contains(path),
            "{refused}"
        );
    }
    let held = File::options().append(true).open(at("twin")).unwrap();
    assert!(may_write(&held, &at("twin"), None).is_err());
    assert_eq!(fs::metadata(at("twin")).unwrap().len(), 2 * MIB);
    drop(open(&image, &like_dd()).unwrap());
    assert_eq!(fs::read(&image).unwrap(), b"");
    drop(device);
    drop(open(&at("twin"), &like_dd()).unwrap());
    assert_eq!(fs::metadata(at("twin")).unwrap().len(), 0);
}

#[test]
fn the_file_under_two_loops_and_a_mount_is_refused() {
    let name = "the_file_under_two_loops_and_a_mount_is_refused";
    let place = tempfile::tempdir().unwrap();
    let inner = ext4(place.path(), "inner");
    // A filesystem at an offset in a file without any mark at its beginning.
    let outer = zeros(place.path(), "outer", MIB);
    let bytes = [fs::read(&outer).unwrap(), fs::read(&inner).unwrap()].concat();
    fs::write(&outer, &bytes).unwrap();
    let Some(lower) = Loop::for_test(name, &outer, &[]) else {
        return;
    };
    let upper = Loop::over(lower.node(), &["--offset", &MIB.to_string()]);
    let mounted = mounted(&upper, &place.path().join("point"));
    in_use(&outer);
    let lower_refused = open(lower.node(), &like_dd()).unwrap_err();
    assert!(lower_refused.is_refusal(), "{lower_refused}");
    drop(mounted);
    assert!(fs::read(&outer).unwrap()[..MIB as usize] == bytes[..MIB as usize]);
}

#[test]
fn an_image_that_is_mounted_without_a_loop_is_refused() {
    let name = "an_image_that_is_mounted_without_a_loop_is_refused";
    let place = tempfile::tempdir().unwrap();
    let tree = place.path().join("tree");
    fs::create_dir(&tree).unwrap();
    fs::write(tree.join("file"), "content").unwrap();
    let image = place.path().join("image");
    let (image_text, tree_text) = (image.to_string_lossy(), tree.to_string_lossy());
    let point = place.path().join("point");
    fs::create_dir(&point).unwrap();
    let made = run("mkfs.erofs", &[&image_text, &tree_text]);
    // mount(8) would put a loop device between.
    if !made || mount(&image, &point, "erofs", MountFlags::RDONLY, None).is_err() {
        return skip(
            name,
            "no mkfs.erofs, or the kernel mounts no erofs from files",
        );
    }
    let _mounted = Mount::held(&point);
    let refused = in_use(&image);
    assert!(refused.contains(&*point.to_string_lossy()), "{refused}");
}

/// The kernel's answer to a program that opens the file by its name is the right one.
#[test]
fn what_another_user_has_put_into_a_shared_directory_is_opened_as_the_kernel_does() {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    let name = "what_another_user_has_put_into_a_shared_directory_is_opened_as_the_kernel_does";
    const OTHER: u32 = 65_534;
    let place = tempfile::tempdir().unwrap();
    if !root_for(name) {
        return;
    }
    for (mode, owner) in [
        (0o1777, 0),
        (0o1777, OTHER),
        (0o1775, 0),
        (0o1770, 0),
        (0o777, 0),
        (0o1755, 0),
    ] {
        let shared = place.path().join(format!("{mode:o}-{owner}"));
        fs::create_dir(&shared).unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(mode)).unwrap();
        chown(&shared, Some(owner), None).unwrap();
        for planted in [Some(OTHER), None] {
            let file = shared.join(format!("{planted:?}"));
            fs::write(&file, "").unwrap();
            chown(&file, planted, None).unwrap();
            let by_name = File::options()
                .write(true)
                .create(true)
                .truncate(false)
                .open(&file);
            let by_name = by_name.map(drop).map_err(|error| error.raw_os_error());
            let opened = open(&file, &like_dd())
                .map(drop)
                .map_err(|error| match error {
                    GuardError::Failed(errno) => Some(errno.raw_os_error()),
                    GuardError::Refused(refusal) => panic!("{refusal}"),
                });
            assert_eq!(opened, by_name, "{file:?}");
        }
    }
}
