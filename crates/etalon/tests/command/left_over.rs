//! What iozone and fdtree leave when they are killed, and what they must leave alone.

use std::fs;
use std::path::Path;

use crate::common::{Ground, Home, Said, left_in, root_for, run, start, wait_for, wait_while};

/// Starts a line, waits until something of it lies in `place`, and kills it; again where the kill came between two files.
fn kill(home: &Home, place: &Path, line: &str) -> Vec<String> {
    let line = line.replace("PLACE", place.to_str().unwrap());
    let visible = || {
        let names = left_in(place).into_iter();
        let left: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
        (!left.is_empty()).then_some(left)
    };
    wait_for("a kill with a file", || {
        let mut child = start(home.etalon(line.split(' ')));
        wait_while(&child, "a file", visible);
        child.kill().unwrap();
        child.wait().unwrap();
        visible()
    })
}

/// Another etalon of this user may be at work elsewhere on the machine.
fn nothing_left(home: &Home, ground: &Ground) {
    let said = home.run(["restore"]);
    assert!(!said.out.contains(ground.name()), "{said:?}");
}

const LINES: [&str; 3] = [
    "iozone -i 0 -s 64m -r 4k --runs 500 -f PLACE/file",
    "iozone -i 0 -s 16m -r 4k -t 2 --runs 500 -F PLACE/one PLACE/two",
    "fdtree -d 10 -l 3 -f 10 -s 1 --runs 50 -o PLACE",
];

#[test]
fn restore_removes_what_a_killed_tool_left() {
    let (home, ground) = (Home::new(), Ground::new());
    for line in LINES {
        for _ in 0..4 {
            let left = kill(&home, ground.path(), line);
            let said = home.run(["restore"]);
            assert_eq!(said.code, Some(0), "{line}: {said:?}");
            assert_eq!(left_in(ground.path()), [""; 0], "{line}: {left:?} {said:?}");
            assert!(said.out.contains("removed "), "{line}: {said:?}");
        }
    }
    nothing_left(&home, &ground);
}

#[test]
fn the_start_of_any_tool_removes_it_too() {
    let (home, ground) = (Home::new(), Ground::new());
    let place = ground.name();
    for starts in [
        format!("dd if=/dev/zero of={place}/copy count=1"),
        format!("iozone -i 0 -s 64 -f {place}/other --runs 1"),
        format!("fdtree -d 1 -l 1 -f 1 -s 1 -o {place}"),
        "hdparm -h".to_owned(),
    ] {
        kill(&home, ground.path(), LINES[0]);
        let said = home.run(starts.split(' '));
        assert!(!ground.path().join("file").exists(), "{starts}: {said:?}");
        let _ = fs::remove_file(ground.path().join("copy"));
        assert_eq!(left_in(ground.path()), [""; 0], "{starts}");
    }
}

#[test]
fn what_took_its_name_stays_and_is_told() {
    let (home, ground) = (Home::new(), Ground::new());
    kill(&home, ground.path(), LINES[0]);
    let file = ground.path().join("file");
    fs::remove_file(&file).unwrap();
    fs::write(&file, "mine").unwrap();
    let said = home.run(["restore"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains(file.to_str().unwrap()), "{said:?}");
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    nothing_left(&home, &ground);
}

fn iozone(home: &Home, ground: &Ground, rest: &str) -> Said {
    let rest = rest.replace("PLACE", ground.name());
    let line = format!("iozone -i 0 -s 64 --runs 1 {rest}");
    let mut command = home.etalon(line.split_whitespace());
    command.current_dir(ground.path());
    run(command)
}

#[test]
fn a_file_of_others_is_written_over_only_when_it_is_typed_out() {
    let (home, ground) = (Home::new(), Ground::new());
    let letter = ground.path().join("letter");
    fs::write(&letter, "dear reader").unwrap();
    for rest in [
        "-f PLACE/letter",
        "-t 1 -F PLACE/letter",
        "-f PLACE/letter -w",
        "-f letter --overwrite PLACE/other",
    ] {
        let said = iozone(&home, &ground, rest);
        assert_eq!(said.code, Some(4), "{rest}: {said:?}");
        assert!(said.err.contains("--overwrite"), "{rest}: {said:?}");
        assert_eq!(fs::read(&letter).unwrap(), b"dear reader", "{rest}");
    }
    let said = iozone(&home, &ground, "-f letter --overwrite PLACE/letter");
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    assert_eq!(left_in(ground.path()), [""; 0]);
    // What it made itself it may use again.
    for _ in 0..2 {
        let said = iozone(&home, &ground, "-w -f PLACE/kept");
        assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
        assert_eq!(left_in(ground.path()), ["kept"]);
    }
}

#[test]
fn a_planted_link_is_refused_and_its_victim_stays_whole() {
    let (home, ground) = (Home::new(), Ground::new());
    let victim = home.path().join("victim");
    fs::write(&victim, "dear reader").unwrap();
    for (name, rest) in [
        ("iozone.tmp", ""),
        ("iozone.DUMMY.0", "-t 2"),
        ("iozone.DUMMY.1", "-t 2 -T"),
        ("named", "-f named --overwrite named"),
    ] {
        let link = ground.path().join(name);
        for to in [victim.clone(), home.path().join("nothing")] {
            std::os::unix::fs::symlink(&to, &link).unwrap();
            let said = iozone(&home, &ground, rest);
            assert_eq!(said.code, Some(4), "{name}: {said:?}");
            assert!(link.is_symlink(), "{name}");
            assert!(!home.path().join("nothing").exists(), "{name}");
            fs::remove_file(&link).unwrap();
        }
        assert_eq!(fs::read(&victim).unwrap(), b"dear reader", "{name}");
        assert_eq!(left_in(ground.path()), [""; 0], "{name}");
    }
}

#[test]
fn the_file_behind_a_loop_device_is_refused_even_when_it_is_typed_out() {
    if !root_for("the_file_behind_a_loop_device_is_refused_even_when_it_is_typed_out") {
        return;
    }
    let (home, ground) = (Home::new(), Ground::new());
    let image = ground.path().join("image");
    fs::write(&image, vec![7; 1 << 20]).unwrap();
    let _device = etalon_testbed::Loop::over(&image, &[]);
    let said = iozone(&home, &ground, "-f image --overwrite image");
    assert_eq!(said.code, Some(4), "{said:?}");
    assert_eq!(fs::read(&image).unwrap(), vec![7; 1 << 20]);
}
