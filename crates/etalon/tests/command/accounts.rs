//! Ordinary users: everything works where they may write, and elsewhere they learn why not.

use std::os::unix::fs::chown;

use crate::common::{
    Home, Image, Loop, Mount, NOBODY, ROWS, in_time, left_in, measured_or_dropped, root_for, run,
    short_check,
};

#[test]
fn an_ordinary_user_gets_all_nine_figures() {
    if !root_for("an_ordinary_user_gets_all_nine_figures") {
        return;
    }
    let (home, mount) = (Home::of_nobody(), Mount::image("ext4", 256, "rw"));
    chown(mount.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let place = mount.path().to_str().unwrap();
    let said = in_time(&short_check(place), |words| {
        run(home.etalon_of_nobody(words))
    });
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    assert_eq!(measured_or_dropped(&said.json(), &ROWS), ROWS);
    assert_eq!(left_in(mount.path()), [""; 0]);
    let stack = run(home.etalon_of_nobody(["stack", place]));
    assert_eq!(stack.code, Some(0), "{stack:?}");
}

#[test]
fn a_directory_of_somebody_else_is_refused() {
    if !root_for("a_directory_of_somebody_else_is_refused") {
        return;
    }
    let (home, mount) = (Home::of_nobody(), Mount::tmpfs(64));
    let place = mount.path().to_str().unwrap();
    let quick = run(home.etalon_of_nobody(["quick", place]));
    quick.refused(1, &["this user may not make files in", place]);
    let measure = run(home.etalon_of_nobody(["measure", place, "--op", "read"]));
    measure.refused(1, &["this user may not make files in", place]);
    assert_eq!(left_in(mount.path()), [""; 0]);
}

#[test]
fn reading_a_device_needs_no_more_than_permission_to_read() {
    if !root_for("reading_a_device_needs_no_more_than_permission_to_read") {
        return;
    }
    let (home, disk) = (Home::of_nobody(), Loop::new(Image::new(32)));
    let device = disk.device.to_str().unwrap();
    let chmod = |mode| {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(device, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    // A node of the machine's own keeps what somebody gave it.
    chmod(0o660);
    let words = ["measure", device, "--op", "randread", "--time", "200ms"];
    let way_out = format!("by root or by members of its group (ls -l {device}): try sudo");
    let denied = [device, "Permission denied", &way_out];
    run(home.etalon_of_nobody(words)).refused(1, &denied);
    let quick = run(home.etalon_of_nobody(["quick", device]));
    quick.refused(1, &denied);
    let (input, output) = (
        format!("if={device}"),
        format!("of={}/x", home.path().display()),
    );
    for tool in [
        vec!["hdparm", "-t", "--runs", "1", device],
        vec!["dd", &input, &output, "count=1"],
    ] {
        let said = run(home.etalon_of_nobody(&tool));
        assert_eq!(said.code, Some(1), "{said:?}");
        let words = said.err.split_whitespace();
        let told: Vec<&str> = words.filter(|word| *word != "etalon:").collect();
        let told = told.join(" ");
        for part in denied {
            assert!(told.contains(part), "no {part:?} in {told}");
        }
    }
    chmod(0o664);
    let said = run(home.etalon_of_nobody(words));
    chmod(0o660);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
}

#[test]
fn a_store_where_this_user_may_not_write_is_named() {
    if !root_for("a_store_where_this_user_may_not_write_is_named") {
        return;
    }
    let (home, mount) = (Home::of_nobody(), Mount::tmpfs(64));
    for (file, reason) in [
        ("store.sqlite", "cannot be opened"),
        ("a/b.sqlite", "cannot be made"),
    ] {
        let store = mount.path().join(file);
        let store = store.to_str().unwrap();
        let target = home.path().to_str().unwrap();
        let said = run(home.etalon_of_nobody(["quick", target, "--store", store]));
        said.refused(1, &[mount.path().to_str().unwrap(), reason, "--store FILE"]);
    }
    assert_eq!(left_in(mount.path()), [""; 0]);
}
