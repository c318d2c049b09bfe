//! Filesystems that come back as they were, also after a kill.

use std::fs;
use std::path::PathBuf;

use etalon_model::stack::Mount as Listed;
use etalon_testbed::{Loop, Mount, mkfs, root_for, tool};
use tempfile::TempDir;

use super::*;
use crate::{Entry, KeptReason, ProcessStamp, Token, restore};

/// An image with a filesystem, a place to mount it, and a journal.
struct Place {
    _home: TempDir,
    image: PathBuf,
    point: PathBuf,
    journal: Journal,
}

impl Place {
    /// None where this is not root.
    fn new(test: &str, kind: &str) -> Option<Place> {
        if !root_for(test) {
            return None;
        }
        let home = TempDir::new().unwrap();
        let root = fs::canonicalize(home.path()).unwrap();
        let image = root.join("image");
        let file = File::create(&image).unwrap();
        file.set_len(160 << 20).unwrap();
        mkfs(kind, &[image.to_str().unwrap()]);
        let point = root.join("point");
        fs::create_dir(&point).unwrap();
        Some(Place {
            _home: home,
            image,
            point,
            journal: Journal::at(&root.join("journal")).unwrap(),
        })
    }

    fn mount(&self, source: &str, options: &str) -> Mount {
        Mount::at(&self.point, &["-o", options, source])
    }

    fn listed(&self) -> Vec<Listed> {
        let text = fs::read_to_string(MOUNTS).unwrap();
        let mounts = parse_mountinfo(&text, Path::new(MOUNTS)).unwrap();
        let point = |mount: &Listed| Path::new(&mount.point) == self.point;
        let here = mounts.into_iter().filter(point);
        // Its number is another one each time.
        here.map(|mount| Listed { id: 0, ..mount }).collect()
    }

    fn cycle(&self) -> MountCycle {
        MountCycle::of(&self.point).unwrap()
    }

    /// Enters a change as one that is gone had entered it.
    fn enter_dead(&self, change: Change) {
        let own = ProcessStamp::current().unwrap();
        let start_ticks = own.start_ticks + 1;
        let owner = ProcessStamp { start_ticks, ..own };
        let entry = Entry::new(owner, Token::random().unwrap(), change);
        self.journal.write(&entry).unwrap();
    }

    fn unmount(&self) {
        tool("umount", &[self.point.to_str().unwrap()]);
        assert_eq!(self.listed(), []);
    }

    /// Mounts it by hand, in the place of what the test has mounted.
    fn mount_again(&self, source: &str, options: &str) {
        let point = self.point.to_str().unwrap();
        tool("mount", &["-o", options, source, point]);
    }
}

#[test]
fn ext4_comes_back_with_its_options_and_after_a_kill_too() {
    let test = "ext4_comes_back_with_its_options_and_after_a_kill_too";
    let Some(place) = Place::new(test, "ext4") else {
        return;
    };
    let device = Loop::over(&place.image, &[]);
    for options in ["data=journal,commit=60,nodev", "strictatime", "ro,noatime"] {
        let _mount = place.mount(device.name(), options);
        let before = place.listed();
        let cycle = place.cycle();
        cycle.run(&place.journal).unwrap();
        assert_eq!(place.listed(), before, "{options}");
        assert!(place.journal.read_all().is_empty());

        place.enter_dead(cycle.change());
        place.unmount();
        assert_eq!(
            restore(&place.journal).put_back,
            std::slice::from_ref(&place.point)
        );
        assert_eq!(place.listed(), before, "{options}");
        assert!(place.journal.read_all().is_empty());
    }
}

#[test]
fn a_subvolume_comes_back_and_not_the_default_one() {
    let test = "a_subvolume_comes_back_and_not_the_default_one";
    let Some(place) = Place::new(test, "btrfs") else {
        return;
    };
    let device = Loop::over(&place.image, &[]);
    let whole = place.mount(device.name(), "rw");
    let name = place.point.join("@data");
    tool("btrfs", &["subvolume", "create", name.to_str().unwrap()]);
    whole.unmount();
    let _mount = place.mount(
        device.name(),
        "subvol=@data,compress=zstd,nodiscard,noatime",
    );
    let before = place.listed();
    assert_eq!(before[0].root, "/@data");
    place.cycle().run(&place.journal).unwrap();
    assert_eq!(place.listed(), before);
}

#[test]
fn a_bound_directory_and_two_mounts_at_one_place_are_refused() {
    let test = "a_bound_directory_and_two_mounts_at_one_place_are_refused";
    let Some(place) = Place::new(test, "ext4") else {
        return;
    };
    let device = Loop::over(&place.image, &[]);
    let mount = place.mount(device.name(), "rw");
    let bound = place.point.with_file_name("bound");
    let directory = place.point.join("lost+found");
    let above = Mount::at(&bound, &["--bind", directory.to_str().unwrap()]);
    let unfit = MountCycle::of(&bound).unwrap_err();
    assert!(matches!(unfit, UnfitMount::Bound { .. }), "{unfit}");
    drop(above);
    let above = Mount::at(&place.point, &["-t", "tmpfs", "above"]);
    let unfit = MountCycle::of(&place.point).unwrap_err();
    assert!(matches!(unfit, UnfitMount::Stacked), "{unfit}");
    drop(above);
    drop(mount);
    let unfit = MountCycle::of(&place.point).unwrap_err();
    assert!(matches!(unfit, UnfitMount::NotAMount), "{unfit}");
}

#[test]
fn a_loop_device_of_mount_stays_and_after_a_kill_its_file_is_mounted() {
    let test = "a_loop_device_of_mount_stays_and_after_a_kill_its_file_is_mounted";
    let Some(place) = Place::new(test, "ext4") else {
        return;
    };
    let image = place.image.to_str().unwrap();
    let mount = place.mount(image, "loop,commit=60");
    let before = place.listed();
    let cycle = place.cycle();
    cycle.run(&place.journal).unwrap();
    assert_eq!(place.listed(), before);
    place.enter_dead(cycle.change());
    place.unmount();
    // Another one has taken its number meanwhile.
    let other = place.point.with_file_name("other");
    File::create(&other).unwrap().set_len(1 << 20).unwrap();
    let _taken = Loop::over(&other, &[]);
    let report = restore(&place.journal);
    assert_eq!(
        report.put_back,
        std::slice::from_ref(&place.point),
        "{report:?}"
    );
    assert_eq!(place.listed()[0].super_options, before[0].super_options);
    drop(mount);

    let _mount = place.mount(image, "loop,sizelimit=167772160");
    let unfit = MountCycle::of(&place.point).unwrap_err();
    assert!(matches!(unfit, UnfitMount::PassingLoop { .. }), "{unfit}");
}

#[test]
fn another_disk_of_the_same_name_is_not_mounted_and_what_is_mounted_stays() {
    let test = "another_disk_of_the_same_name_is_not_mounted_and_what_is_mounted_stays";
    let Some(place) = Place::new(test, "ext4") else {
        return;
    };
    let device = Loop::over(&place.image, &[]);
    let _mount = place.mount(device.name(), "rw");
    let mut former = place.cycle().mount;
    former.diskseq = Some("0".to_owned());
    place.enter_dead(Change::Unmounted { mount: former });
    place.unmount();
    let report = restore(&place.journal);
    let told: Vec<String> = report.kept.iter().map(ToString::to_string).collect();
    assert!(told.concat().contains("not the disk any more"), "{told:?}");
    assert_eq!(place.listed(), []);
    place.mount_again(device.name(), "commit=60");
    let before = place.listed();
    assert!(restore(&place.journal).is_empty());
    assert_eq!(place.listed(), before);
    assert!(place.journal.read_all().is_empty());
}

#[test]
fn what_is_busy_stays_mounted_and_what_does_not_come_back_stays_in_the_journal() {
    let test = "what_is_busy_stays_mounted_and_what_does_not_come_back_stays_in_the_journal";
    let Some(place) = Place::new(test, "ext4") else {
        return;
    };
    let device = Loop::over(&place.image, &[]);
    let _mount = place.mount(device.name(), "rw");
    let before = place.listed();
    let open = File::open(&place.point).unwrap();
    let error = place.cycle().run(&place.journal).unwrap_err().to_string();
    assert!(error.contains("it is still mounted"), "{error}");
    assert_eq!(place.listed(), before);
    assert!(place.journal.read_all().is_empty());
    drop(open);

    let mut cycle = place.cycle();
    cycle.mount.kind = "xfs".to_owned();
    let error = cycle.run(&place.journal).unwrap_err().to_string();
    assert!(error.contains("run etalon restore"), "{error}");
    assert_eq!(place.listed(), []);
    // This process lives, so that it is its own affair.
    let in_use = restore(&place.journal).in_use;
    assert_eq!(in_use.len(), 1, "{in_use:?}");
    assert!(!in_use[0].is_made, "{in_use:?}");
    place.mount_again(device.name(), "rw");
}

#[test]
fn a_link_in_the_place_of_the_mount_point_is_not_followed() {
    let test = "a_link_in_the_place_of_the_mount_point_is_not_followed";
    let Some(place) = Place::new(test, "ext4") else {
        return;
    };
    let device = Loop::over(&place.image, &[]);
    let mount = place.mount(device.name(), "rw");
    place.enter_dead(place.cycle().change());
    mount.unmount();
    fs::remove_dir(&place.point).unwrap();
    let elsewhere = place.point.with_file_name("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &place.point).unwrap();
    let report = restore(&place.journal);
    assert!(
        matches!(report.kept[0].reason, KeptReason::Factor(_)),
        "{report:?}"
    );
    assert!(MountCycle::of(&elsewhere).is_err());
}
