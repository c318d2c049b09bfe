//! Block devices.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{FileExt as _, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use etalon_factor::guard::{Create, GuardError, HeldDevice, Refusal, Writing, may_write, open};
use etalon_testbed::Loop;

use crate::ground::{MIB, ext4, like_dd, mounted, run, zeros};

fn refusal(path: &Path) -> Refusal {
    match open(path, &like_dd()) {
        Err(GuardError::Refused(refusal)) => refusal,
        other => panic!("{path:?}: {other:?}"),
    }
}

/// What is said once no child of another test holds the device: between fork and exec it has whatever was open here.
fn once_free(said: impl Fn() -> GuardError) -> GuardError {
    for _ in 0..500 {
        match said() {
            GuardError::Refused(Refusal::InUse { .. }) => sleep(Duration::from_millis(10)),
            other => return other,
        }
    }
    said()
}

/// A process that has the device open for writing, as a virtual machine has a raw disk, until its standard input ends.
fn holder_of(device: &Path) -> Child {
    let mut holder = Command::new("sh")
        .args(["-c", "exec 3<>\"$0\"; echo; read end"])
        .arg(device)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Its first line says that it has the device open.
    holder.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
    holder
}

#[test]
fn a_free_device_is_opened_and_held() {
    let place = tempfile::tempdir().unwrap();
    let image = zeros(place.path(), "image", 2 * MIB);
    let Some(device) = Loop::for_test("a_free_device_is_opened_and_held", &image, &[]) else {
        return;
    };
    let link = place.path().join("link");
    symlink(device.node(), &link).unwrap();
    let opened = File::from(open(&link, &like_dd()).unwrap());
    opened.write_all_at(b"written", 4096).unwrap();
    opened.sync_all().unwrap();
    assert_eq!(fs::read(&image).unwrap()[4096..4103], *b"written");
    assert_eq!(
        fs::metadata(&image).unwrap().len(),
        2 * MIB,
        "nothing was cut"
    );
    let second = refusal(device.node());
    assert!(matches!(second, Refusal::InUse { .. }), "{second}");
    drop(opened);
    let absent = Writing {
        destroy: Some("not its name"),
        ..like_dd()
    };
    let error = once_free(|| open(device.node(), &absent).unwrap_err()).to_string();
    assert!(
        error.contains("'not its name'") && error.contains("none"),
        "{error}"
    );
}

#[test]
fn a_mounted_device_is_refused_by_every_spelling() {
    let name = "a_mounted_device_is_refused_by_every_spelling";
    let place = tempfile::tempdir().unwrap();
    let image = ext4(place.path(), "image");
    let Some(device) = Loop::for_test(name, &image, &[]) else {
        return;
    };
    let _mounted = mounted(&device, &place.path().join("point"));
    let before = fs::read(device.node()).unwrap();
    let link = place.path().join("link");
    symlink(device.node(), &link).unwrap();
    let twice = place.path().join("twice");
    symlink("link", &twice).unwrap();
    let twin = place.path().join("twin");
    let numbers = fs::read_to_string(format!(
        "/sys/class/block/{}/dev",
        device.node().file_name().unwrap().to_string_lossy()
    ));
    let numbers = numbers.unwrap();
    let (major, minor) = numbers.trim().split_once(':').unwrap();
    assert!(run("mknod", &[&twin.to_string_lossy(), "b", major, minor]));
    let held = File::open(device.node()).unwrap();
    let own = {
        use std::os::fd::AsRawFd as _;
        Path::new("/proc/self/fd").join(held.as_raw_fd().to_string())
    };
    for path in [device.node(), &link, &twice, &twin, &own] {
        let refused = refusal(path).to_string();
        assert!(refused.contains("is mounted at"), "{refused}");
        assert!(refused.contains(&*path.to_string_lossy()), "{refused}");
    }
    assert!(may_write(&held, device.node(), None).is_err());
    // A mountable filesystem alone is reason enough, and a loop over the same bytes.
    let again = Loop::over(&image, &["--offset", "1048576"]);
    assert!(matches!(refusal(again.node()), Refusal::InUse { .. }));
    assert!(fs::read(device.node()).unwrap() == before);
}

#[test]
fn a_device_that_must_be_new_is_refused_before_it_is_said_to_exist() {
    let name = "a_device_that_must_be_new_is_refused_before_it_is_said_to_exist";
    let place = tempfile::tempdir().unwrap();
    let image = zeros(place.path(), "image", MIB);
    let Some(device) = Loop::for_test(name, &image, &[]) else {
        return;
    };
    let new = Writing {
        create: Create::New,
        ..like_dd()
    };
    let error = open(device.node(), &new).unwrap_err();
    assert_eq!(error, GuardError::Failed(rustix::io::Errno::EXIST));
    let _above = Loop::over(device.node(), &[]);
    assert!(open(device.node(), &new).unwrap_err().is_refusal());
}

#[test]
fn only_an_open_file_of_another_process_may_pass() {
    let name = "only_an_open_file_of_another_process_may_pass";
    let place = tempfile::tempdir().unwrap();
    let image = zeros(place.path(), "image", MIB);
    let Some(device) = Loop::for_test(name, &image, &[]) else {
        return;
    };
    let mut holder = holder_of(device.node());
    let passes = |path: &Path| match HeldDevice::claim(path, None) {
        Err(GuardError::Refused(Refusal::InUse { may_pass, .. })) => may_pass,
        other => panic!("{path:?}: {other:?}"),
    };
    assert!(passes(device.node()));
    let file = ext4(place.path(), "mounted");
    let mounted = Loop::over(&file, &[]);
    assert!(!passes(mounted.node()));
    drop(holder.stdin.take());
    holder.wait().unwrap();
    HeldDevice::claim(device.node(), None).unwrap();
}

/// Names the device that a test is to claim where its own process runs otherwise.
const CLAIMED: &str = "ETALON_TEST_CLAIMED";

/// What the guard says of the device that another process has open for writing, when this test runs once more by
/// `wrapper`; nothing where loop devices cannot be made, and in that second run, which says it.
fn said_by(wrapper: &[&str], test: &str) -> Option<String> {
    if let Some(claimed) = std::env::var_os(CLAIMED) {
        let said = HeldDevice::claim(Path::new(&claimed), None);
        let mut out = std::io::stdout();
        writeln!(out, "said: {said:?}").unwrap();
        return None;
    }
    let place = tempfile::tempdir().unwrap();
    let image = zeros(place.path(), "image", MIB);
    let device = Loop::for_test(test, &image, &[])?;
    let mut holder = holder_of(device.node());
    let done = Command::new(wrapper[0])
        .args(&wrapper[1..])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", &format!("devices::{test}"), "--nocapture"])
        .env(CLAIMED, device.node())
        .output()
        .unwrap();
    drop(holder.stdin.take());
    holder.wait().unwrap();
    let said = [done.stdout, done.stderr].concat();
    Some(String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn a_container_takes_no_device_whose_writers_it_cannot_see() {
    let name = "a_container_takes_no_device_whose_writers_it_cannot_see";
    let container = ["unshare", "--pid", "--fork", "--mount-proc"];
    let Some(said) = said_by(&container, name) else {
        return;
    };
    assert!(said.contains("said: Err(Refused(InUse"), "{said}");
    assert!(said.contains("processes outside this container"), "{said}");
    assert!(said.contains("may_pass: false"), "{said}");
}

#[test]
fn root_that_may_not_look_into_processes_takes_no_device() {
    let name = "root_that_may_not_look_into_processes_takes_no_device";
    let Some(said) = said_by(&["setpriv", "--bounding-set=-sys_ptrace"], name) else {
        return;
    };
    assert!(said.contains("said: Err(Refused(InUse"), "{said}");
    assert!(said.contains("CAP_SYS_PTRACE"), "{said}");
    assert!(said.contains("may_pass: false"), "{said}");
}
