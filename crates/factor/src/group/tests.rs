use super::*;
use proptest::prelude::*;

const MOUNTS: &str = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
const GROUPS: &str = "4:memory:/user/1\n0::/init\n";
const IN_1: Controller = Controller {
    name: "memory",
    limit_file: "memory.limit_in_bytes",
};
const IN_2: Controller = Controller {
    name: "memory",
    limit_file: "memory.max",
};

#[test]
fn the_memory_hierarchy_of_version_1_is_found() {
    let found = version_1(MOUNTS, GROUPS, IN_1).unwrap();
    assert_eq!(found.home, Path::new("/sys/fs/cgroup/memory/user/1"));
    assert!(version_1("", GROUPS, IN_1).is_none() && version_1(MOUNTS, "", IN_1).is_none());
}

/// Docker mounts the container's own group, and the path of the group is that of the host.
#[test]
fn a_container_of_version_1_has_its_group_where_that_is_mounted() {
    let mounts = MOUNTS.replace("0:32 / ", "0:32 /docker/7b ");
    let home = |group: &str| {
        let groups = format!("4:memory:{group}\n");
        version_1(&mounts, &groups, IN_1).unwrap().home
    };
    let mounted = Path::new("/sys/fs/cgroup/memory");
    assert_eq!(home("/docker/7b"), mounted);
    assert_eq!(home("/docker/7b/job"), mounted.join("job"));
}

#[test]
fn version_2_needs_the_controller_handed_down() {
    let root = tempfile::TempDir::new().unwrap();
    let mounts = MOUNTS.replace("/sys/fs/cgroup/unified", root.path().to_str().unwrap());
    fs::write(root.path().join("cgroup.subtree_control"), "cpu io\n").unwrap();
    assert!(version_2((&mounts, GROUPS), IN_2, Place::Within).is_none());
    fs::write(root.path().join("cgroup.subtree_control"), "cpu memory\n").unwrap();
    let found = version_2((&mounts, GROUPS), IN_2, Place::Within).unwrap();
    assert_eq!(
        (found.home, found.parent),
        (root.path().join("init"), root.path().to_owned())
    );
}

#[test]
fn the_innermost_group_that_hands_the_controller_down_takes_the_new_one() {
    let root = tempfile::TempDir::new().unwrap();
    let mounts = MOUNTS.replace("/sys/fs/cgroup/unified", root.path().to_str().unwrap());
    let [slice, inner] = ["a.slice", "a.slice/b.slice"].map(|name| root.path().join(name));
    fs::create_dir_all(&inner).unwrap();
    let home = inner.join("c.service");
    let hand_down = |group: &Path| {
        fs::write(group.join("cgroup.subtree_control"), "io memory\n").unwrap();
    };
    let at = |group: &str, place| {
        let groups = format!("0::{group}\n");
        version_2((&mounts, &groups), IN_2, place).unwrap()
    };
    let found = |group: &str| at(group, Place::Within);
    hand_down(root.path());
    let all_left = found("/a.slice/b.slice/c.service").left;
    assert_eq!(all_left, [slice.clone(), inner.clone(), home.clone()]);
    // The root of all groups holds processes and hands down.
    assert_eq!(found("/").parent, root.path());
    assert!(found("/").left.is_empty());
    hand_down(&slice);
    hand_down(&inner);
    let beside = found("/a.slice/b.slice/c.service");
    assert_eq!(
        (&beside.parent, &beside.left),
        (&inner, &vec![home.clone()])
    );
    let outside = at("/a.slice/b.slice/c.service", Place::Outside);
    assert_eq!(outside.left, [slice, inner, home]);
    assert_eq!(
        (&outside.parent, &beside.root),
        (&outside.root, &outside.root)
    );
}

proptest! {
    #[test]
    fn hostile_text_never_panics(mounts in "[a-z0-9 :,/\n-]{0,200}", groups in "[a-z0-9:,/\n]{0,80}") {
        let _ = version_1(&mounts, &groups, IN_1);
        let _ = version_2((&mounts, &groups), IN_2, Place::Within);
    }
}
