//! What etalon adds to dd: several runs, several copies at once, a document, its own lines.

use std::fs;
use std::io::{Read as _, Write as _};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::side_by_side::{scene, scene_on_disk, tool};

fn dd(dir: &tempfile::TempDir, line: &str) -> Output {
    let mut command = Command::new(tool());
    command
        .arg("dd")
        .args(line.split(' '))
        .current_dir(dir.path());
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn several_runs_end_with_an_interval() {
    let dir = scene_on_disk();
    let done = dd(&dir, "--runs 6 if=noise of=out bs=4k");
    let lines = text(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{lines}");
    assert_eq!(lines.matches("24+1 records in").count(), 6, "{lines}");
    assert_eq!(lines.matches("(95 %, n=6) MB/s").count(), 2, "{lines}");
    let (noise, out) = (dir.path().join("noise"), dir.path().join("out"));
    assert!(fs::read(noise).unwrap() == fs::read(out).unwrap());
}

#[test]
fn of_an_output_in_memory_nothing_is_called_durable() {
    let dir = scene();
    if !dir.path().starts_with("/dev/shm") {
        return;
    }
    let done = dd(&dir, "--runs 6 if=noise of=out bs=4k");
    let lines = text(&done.stderr);
    let said = [
        "etalon: this is memory, not a disk: tmpfs at /dev/shm",
        "; nothing of the output is durable",
    ];
    assert!(said.iter().all(|part| lines.contains(part)), "{lines}");
    assert_eq!(lines.matches("durable").count(), 1, "{lines}");
    assert_eq!(lines.matches("(95 %, n=6) MB/s").count(), 1, "{lines}");
}

#[test]
fn several_copies_run_at_once_and_each_has_its_figures() {
    let dir = scene();
    let done = dd(
        &dir,
        "--parallel if=noise of=a bs=4k -- if=text of=b -- if=absent2 of=c status=none",
    );
    assert_eq!(done.status.code(), Some(1));
    let done = dd(&dir, "--parallel if=noise of=a bs=4k -- if=text of=b");
    let lines = text(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{lines}");
    assert!(
        lines.contains("24+1 records in") && lines.contains("95+1 records in"),
        "{lines}"
    );
    assert!(
        lines.contains("etalon 1: ") && lines.contains("etalon 2: "),
        "{lines}"
    );
    for (from, to) in [("noise", "a"), ("text", "b")] {
        let read = |name| fs::read(dir.path().join(name)).unwrap();
        assert!(read(from) == read(to));
    }
}

#[test]
fn the_document_holds_settings_and_counts() {
    let dir = scene();
    let done = dd(&dir, "--json --runs 2 if=odd of=out conv=sync");
    let document: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let runs = document.as_array().unwrap();
    assert_eq!(runs.len(), 2);
    let copy = &runs[0][0];
    assert_eq!(copy["settings"]["conversions"]["sync"], true);
    assert_eq!(copy["counts"]["bytes"], 1024);
    assert_eq!(copy["counts"]["partial_in"], 1);
    assert_eq!(copy["failed"], false);
}

#[test]
fn options_that_make_no_sense_are_refused_before_anything_is_opened() {
    let dir = scene();
    for line in [
        "--runs 2 if=text",
        "--json if=text",
        "--runs none if=text of=out",
        "--frobnicate if=text of=out",
        "--parallel if=text of=out --",
    ] {
        let refused = dd(&dir, line);
        assert_eq!(refused.status.code(), Some(2), "{line}");
        assert!(text(&refused.stderr).starts_with("etalon dd: "), "{line}");
        assert!(!dir.path().join("out").exists(), "{line}");
    }
}

/// A filesystem may write in close(2) what replaces a file that the shell had cut, and dd's clock runs until then.
#[test]
fn standard_output_is_closed_before_the_lines_are_printed() {
    let dir = scene();
    let (mut lines, mut full) = std::io::pipe().unwrap();
    // Nothing can be printed before somebody reads.
    let room = rustix::pipe::fcntl_setpipe_size(&full, 4096).unwrap();
    full.write_all(&vec![b'.'; room]).unwrap();
    let mut child = Command::new(tool())
        .args(["dd", "if=noise", "bs=4k"])
        .current_dir(dir.path())
        .stdout(Stdio::piped())
        .stderr(full)
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    let (send, copied) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes).unwrap();
        send.send(bytes)
    });
    let copied = copied.recv_timeout(Duration::from_secs(60));
    let mut said = String::new();
    lines.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    let noise = fs::read(dir.path().join("noise")).unwrap();
    assert!(copied.expect("it was still open") == noise);
    assert!(said.contains("24+1 records in"), "{said}");
}
