//! Bytes that several loop devices and files share, on real loop devices: needs root and `losetup`.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

mod loops;

use std::fs::{self, File};
use std::path::Path;

use etalon_model::stack::{FileUser, User};
use etalon_stack::{Roots, device_use, file_use};
use etalon_testbed::{Mount, mkfs};

use loops::Loop;

const MIB: u64 = 1 << 20;

/// A loop device over `below` from byte `offset`, `length` bytes long or to the end.
fn above(below: &Path, offset: u64, length: Option<u64>) -> etalon_testbed::Loop {
    let offset = format!("--offset={offset}");
    let length = length.map(|length| format!("--sizelimit={length}"));
    let options = [Some(&*offset), length.as_deref()];
    etalon_testbed::Loop::over(below, &options.into_iter().flatten().collect::<Vec<_>>())
}

/// Who uses a device, once losetup has closed it: other tests' losetup looks at every loop device.
fn users(node: &Path) -> Vec<User> {
    let look = || device_use(node, &Roots::default()).unwrap().users;
    let passing = |users: &[User]| {
        let mut all = users.iter();
        all.any(
            |user| matches!(user, User::Writer { process, .. } if process.starts_with("losetup")),
        )
    };
    for _ in 0..600 {
        let users = look();
        if !passing(&users) {
            return users;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    look()
}

fn shown_by(users: &[User], node: &Path) -> bool {
    let node = node.to_string_lossy();
    users
        .iter()
        .any(|user| matches!(user, User::Loop { shown_by, .. } if *shown_by == node))
}

#[test]
fn a_loop_device_under_another_is_in_use_without_any_mark_on_it() {
    let name = "a_loop_device_under_another_is_in_use_without_any_mark_on_it";
    let Some(lower) = Loop::new(name, 4) else {
        return;
    };
    assert_eq!(users(lower.node()), []);
    let upper = above(lower.node(), MIB, None);
    assert!(shown_by(&users(lower.node()), upper.node()));
    assert_eq!(users(upper.node()), [], "what is above all others is free");
}

#[test]
fn loops_over_one_file_share_bytes_where_their_ranges_overlap() {
    let name = "loops_over_one_file_share_bytes_where_their_ranges_overlap";
    let Some(device) = Loop::new(name, 1) else {
        return;
    };
    let image = device.directory.path().join("shared");
    File::create(&image).unwrap().set_len(8 * MIB).unwrap();
    let whole = above(&image, 0, None);
    // The name that the kernel remembers leads nowhere from here on.
    let moved = device.directory.path().join("moved");
    fs::rename(&image, &moved).unwrap();
    let first = above(&moved, MIB, Some(2 * MIB));
    assert!(shown_by(&users(whole.node()), first.node()));
    assert!(shown_by(&users(first.node()), whole.node()));
    drop(whole);
    let second = above(&moved, 3 * MIB, Some(MIB));
    assert_eq!(users(first.node()), []);
    assert_eq!(users(second.node()), []);
    let third = above(&moved, 2 * MIB, Some(2 * MIB));
    let found = users(third.node());
    assert!(shown_by(&found, first.node()) && shown_by(&found, second.node()));
}

#[test]
fn a_loop_over_a_mounted_device_writes_to_what_is_mounted() {
    let name = "a_loop_over_a_mounted_device_writes_to_what_is_mounted";
    let Some(lower) = Loop::new(name, 16) else {
        return;
    };
    mkfs("ext4", &[&lower.text()]);
    let point = lower.directory.path().join("point");
    // Above the marks of the filesystem, where none would be found.
    let upper = above(lower.node(), 2 * MIB, None);
    let mount = Mount::at(&point, &[&lower.text()]);
    let found = users(upper.node());
    mount.unmount();
    let mounted =
        |user: &User| matches!(user, User::Mounted { point: at, .. } if Path::new(at) == point);
    assert!(found.iter().any(mounted), "{found:?}");
    assert!(!users(upper.node()).iter().any(mounted));
}

#[test]
fn a_backing_file_is_known_by_whatever_name() {
    let name = "a_backing_file_is_known_by_whatever_name";
    let Some(device) = Loop::new(name, 2) else {
        return;
    };
    let image = device.directory.path().join("image");
    let twin = device.directory.path().join("twin");
    fs::hard_link(&image, &twin).unwrap();
    fs::remove_file(&image).unwrap();
    fs::write(&image, "another file under the old name").unwrap();
    let of = |path: &Path| file_use(&File::open(path).unwrap(), &Roots::default()).unwrap();
    let shown_by = device.text();
    assert_eq!(of(&twin), [FileUser::Loop { shown_by }]);
    assert_eq!(of(&image), []);
}

/// A `/proc` with these swap areas and mounts, below a directory of its own.
fn machine(swaps: &str, mounts: &str) -> (tempfile::TempDir, Roots) {
    let directory = tempfile::tempdir().unwrap();
    let procfs = directory.path().join("proc");
    fs::create_dir_all(procfs.join("self")).unwrap();
    let head = "Filename\tType\tSize\tUsed\tPriority\n";
    fs::write(procfs.join("swaps"), format!("{head}{swaps}")).unwrap();
    fs::write(procfs.join("self/mountinfo"), mounts).unwrap();
    let roots = Roots::under(directory.path());
    (directory, roots)
}

/// As the kernel writes names into its tables.
fn escaped(path: &Path) -> String {
    path.to_string_lossy().replace(' ', "\\040")
}

#[test]
fn a_swap_file_and_a_mounted_image_are_known_by_their_inode() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    for name in ["swap file", "an image", "map", "plain"] {
        fs::write(at(name), "").unwrap();
    }
    fs::hard_link(at("swap file"), at("twin")).unwrap();
    let swaps = format!("{}\tfile\t1024\t0\t-2\n", escaped(&at("swap file")));
    let mount = |id: u32, point: &str, kind: &str, source: &Path| {
        format!(
            "{id} 1 0:{id} / {point} ro - {kind} {} ro\n",
            escaped(source)
        )
    };
    let mounts = mount(30, "/mnt", "erofs", &at("an image"))
        + &mount(31, "/net", "autofs", &at("map"))
        + &mount(32, "/gone", "erofs", &at("absent"));
    let (_machine, roots) = machine(&swaps, &mounts);
    let of = |name: &str| file_use(&File::open(at(name)).unwrap(), &roots).unwrap();
    let name = at("swap file").to_string_lossy().into_owned();
    assert_eq!(of("twin"), [FileUser::Swap { name }]);
    let point = "/mnt".to_owned();
    assert_eq!(of("an image"), [FileUser::Mounted { point }]);
    assert_eq!(of("map"), [], "the list of an autofs is no image");
    assert_eq!(of("plain"), []);
}

#[test]
fn what_cannot_be_read_is_no_permission() {
    let (machine, roots) = machine("", "");
    fs::remove_file(machine.path().join("proc/swaps")).unwrap();
    let file = File::open("/dev/null").unwrap();
    assert!(file_use(&file, &roots).is_err());
}
