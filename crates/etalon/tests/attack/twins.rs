//! What must go on working: a guard that refuses everything is no guard.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::common::{Loop, Said, finish, names_in, root_for, run, start, tool};
use crate::ways::Scene;

fn works(said: &Said) {
    assert!(said.ended(&[0, 3]), "{said:?}");
}

fn go(scene: &Scene, line: &str) -> Said {
    let said = run(scene.words(line, &scene.ground.path().join("name").into()));
    works(&said);
    said
}

/// The first 128 KiB are what `dd` was given.
fn is_copied(path: &Path) {
    let bytes = fs::read(path).unwrap();
    assert!(bytes.len() >= 128 << 10 && bytes[..128 << 10] == [0xa5; 128 << 10]);
}

#[test]
fn dd_copies_to_files_and_pipes() {
    let scene = Scene::new();
    let name = scene.ground.path().join("name");
    go(&scene, "dd if={junk} of={} bs=64k count=2");
    is_copied(&name);
    fs::write(&name, [1; 300_000]).unwrap();
    go(&scene, "dd if={junk} of={} bs=64k count=2 conv=notrunc");
    is_copied(&name);
    assert_eq!(fs::metadata(&name).unwrap().len(), 300_000);
    let link = scene.ground.path().join("measured/new");
    symlink(&name, &link).unwrap();
    go(&scene, "dd if={junk} of={new} bs=64k count=2 --runs 2");
    assert!(link.is_symlink());
    assert_eq!(fs::metadata(&name).unwrap().len(), 128 << 10);
    go(&scene, "dd if={junk} of=/dev/null bs=64k count=2");
    let image = scene.ground.sparse("image", 1 << 20);
    etalon_testbed::mkfs("ext4", &["-F", image.to_str().unwrap()]);
    // An image that nothing uses is a file like another.
    go(
        &scene,
        "dd if={junk} of={ground}/../image bs=64k count=2 conv=notrunc",
    );
    is_copied(&image);
}

#[test]
fn dd_writes_to_a_pipe_that_somebody_reads() {
    let scene = Scene::new();
    let name = scene.ground.path().join("name");
    tool("mkfifo", &[name.to_str().unwrap()]);
    let mut reader = std::process::Command::new("wc");
    reader.arg("-c").stdin(std::process::Stdio::null());
    let open = name.clone();
    let read = std::thread::spawn(move || fs::read(open).unwrap().len());
    let writer = start(scene.words("dd if={junk} of={} bs=64k count=2", &name.into()));
    works(&finish(writer));
    assert_eq!(read.join().unwrap(), 128 << 10);
}

#[test]
fn a_free_device_is_written_by_dd() {
    if !root_for("a_free_device_is_written_by_dd") {
        return;
    }
    let scene = Scene::new();
    let image = scene.ground.sparse("image", 8 << 20);
    let disk = Loop::over(&image);
    symlink(&disk.device, scene.ground.path().join("name")).unwrap();
    let line = format!(
        "dd if={{junk}} of={} bs=64k count=2 conv=fsync",
        disk.name()
    );
    go(&scene, &line);
    is_copied(&image);
    go(
        &scene,
        "dd if={junk} of={} bs=64k count=2 seek=2 oflag=direct",
    );
    go(&scene, "measure {} --op read -s 64k --time 50ms");
    let lower = scene.ground.sparse("lower", 8 << 20);
    let (one, two) = (
        Loop::with(&lower, &["--sizelimit", "4194304"]),
        Loop::with(&lower, &["--offset", "4194304"]),
    );
    // Two ranges of one file that have nothing in common, and nobody uses either.
    for disk in [&one, &two] {
        go(
            &scene,
            &format!("dd if={{junk}} of={} bs=64k count=2", disk.name()),
        );
    }
}

#[test]
fn a_free_device_is_measured_by_writing() {
    if !root_for("a_free_device_is_measured_by_writing") {
        return;
    }
    let scene = Scene::new();
    let image = scene.ground.sparse("image", 8 << 20);
    let disk = Loop::over(&image);
    symlink(&disk.device, scene.ground.path().join("name")).unwrap();
    let said = go(&scene, "measure {} --op write -b 64k --one-pass --runs 1");
    let shown = said.err();
    assert!(
        shown.contains("writing to") && shown.contains("nothing lies on it"),
        "{shown}"
    );
    let written = fs::read(&image).unwrap();
    assert!(
        written
            .chunks(4096)
            .all(|block| block.iter().any(|&byte| byte != 0)),
        "every block is written"
    );
    assert_eq!(written.len(), 8 << 20);
    // What a measurement leaves is no mark: the next may write too.
    for words in [
        "measure {} --op randwrite --time 50ms --runs 2",
        "measure {} --op randrw -q 4 -b 4k,64k --time 50ms --runs 1",
        "measure {} --op rw --backend mmap --time 50ms --runs 1",
        "measure {} --op write --verify --one-pass -b 64k --buffered --runs 1",
    ] {
        go(&scene, words);
    }
    assert_eq!(
        fs::metadata(&image).unwrap().len(),
        8 << 20,
        "nothing was cut"
    );
}

#[test]
fn iozone_makes_and_removes_its_files_and_writes_its_workbook() {
    let scene = Scene::new();
    go(&scene, "iozone -i 0 -i 1 -s 64 -r 4 -f {} --runs 1");
    assert!(!scene.ground.path().join("name").exists());
    let book = scene.ground.path().join("book.xlsx");
    let line = "iozone -b {ground}/../book.xlsx -i 0 -s 64 -r 4 -f {} --runs 1";
    for before in [None, Some(&b""[..]), Some(&b"an older workbook"[..])] {
        if let Some(bytes) = before {
            fs::write(&book, bytes).unwrap();
        }
        go(&scene, line);
        assert!(fs::read(&book).unwrap().starts_with(b"PK"), "no workbook");
    }
    go(
        &scene,
        "iozone -T -t 2 -i 0 -s 64 -r 4 -F {} {new} --runs 1",
    );
    go(&scene, "iozone -t 2 -i 0 -s 64 -r 4 -F {} {new} --runs 1");
    assert_eq!(names_in(&scene.ground.path().join("measured")), [""; 0]);
    // What -w left may be read, written and removed by the next.
    go(&scene, "iozone -w -i 0 -s 64 -r 4 -f {} --runs 1");
    go(&scene, "iozone -w -i 1 -s 64 -r 4 -f {} --runs 1");
    go(&scene, "iozone -i 0 -i 1 -s 64 -r 4 -f {} --runs 1");
    assert!(!scene.ground.path().join("name").exists());
}

#[test]
fn stores_pages_and_trees_are_made() {
    let scene = Scene::new();
    let measure = "measure {ground} --op read -s 64k --time 50ms --store {}";
    go(&scene, measure);
    go(&scene, measure);
    go(&scene, "list --store {}");
    let (name, link) = (
        scene.ground.path().join("name"),
        scene.ground.path().join("link"),
    );
    symlink(&name, &link).unwrap();
    go(
        &scene,
        "measure {ground} --op read -s 64k --time 50ms --store {ground}/../link",
    );
    let said = go(&scene, "list --json --store {}");
    let listed: serde_json::Value = serde_json::from_slice(&said.out).unwrap();
    assert_eq!(
        listed["experiments"].as_array().unwrap().len(),
        3,
        "{said:?}"
    );
    for _ in 0..2 {
        go(&scene, "man {ground}");
    }
    assert!(names_in(&scene.ground.path().join("measured")).len() > 10);
    go(&scene, "fdtree -C -o {ground} -l 1 -d 2 -f 1 -s 1");
    go(
        &scene,
        "metadata {ground} --files 2 --depth 1 --breadth 1 --runs 1",
    );
    go(&scene, "measure {ground} --op write -s 64k --time 50ms");
    let file = scene.ground.path().join("junk");
    let before = fs::read(&file).unwrap();
    go(&scene, "measure {junk} --op read -s 64k --time 50ms");
    assert!(fs::read(&file).unwrap() == before);
}
