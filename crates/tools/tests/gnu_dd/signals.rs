//! Signals in the middle of a copy that waits for data.

use std::io::{BufRead, BufReader, PipeReader, Read as _, Write};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::side_by_side::tool;

/// A copy from a pipe that stays open, with its signal handlers in place.
fn waiting_copy() -> (Child, BufReader<ChildStderr>) {
    let mut child = Command::new(tool())
        .args(["dd", "bs=4k", "of=/dev/null"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.as_mut().unwrap();
    stdin.write_all(&[1; 4096]).unwrap();
    // The first block is gone only once the copy runs, and with it its handlers.
    while rustix::io::ioctl_fionread(&*stdin).unwrap() > 0 {
        std::thread::yield_now();
    }
    let stderr = BufReader::new(child.stderr.take().unwrap());
    (child, stderr)
}

fn three_lines(stderr: &mut BufReader<ChildStderr>) -> Vec<String> {
    let lines = stderr.lines().take(3).map(Result::unwrap);
    lines
        .map(|line| match line.split_once(" copied, ") {
            Some((size, _)) => size.to_owned(),
            None => line,
        })
        .collect()
}

const AFTER_ONE_BLOCK: [&str; 3] = [
    "1+0 records in",
    "1+0 records out",
    "4096 bytes (4.1 kB, 4.0 KiB)",
];

#[test]
fn sigusr1_prints_the_statistics_and_the_copy_goes_on() {
    let (mut child, mut stderr) = waiting_copy();
    for _ in 0..2 {
        kill_process(Pid::from_child(&child), Signal::USR1).unwrap();
        assert_eq!(three_lines(&mut stderr), AFTER_ONE_BLOCK);
    }
    drop(child.stdin.take());
    assert_eq!(three_lines(&mut stderr), AFTER_ONE_BLOCK);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn sigint_ends_the_copy_with_its_statistics() {
    let (mut child, mut stderr) = waiting_copy();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(three_lines(&mut stderr), AFTER_ONE_BLOCK);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// Of the pipe out of which nobody reads.
const ROOM: usize = 1 << 16;

/// A copy to a pipe that is full, in blocks of so many bytes, and what it says line by line.
fn blocked_copy(block: usize) -> (Child, PipeReader, mpsc::Receiver<String>) {
    let (output, full) = std::io::pipe().unwrap();
    let room = rustix::pipe::fcntl_setpipe_size(&full, ROOM).unwrap();
    let mut child = Command::new(tool())
        .args(["dd", "if=/dev/zero", &format!("bs={block}")])
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while (rustix::io::ioctl_fionread(&output).unwrap() as usize) < room {
        thread::yield_now();
    }
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let (send, said) = mpsc::channel();
    thread::spawn(move || {
        stderr
            .lines()
            .try_for_each(|line| send.send(line.unwrap()))
            .ok()
    });
    (child, output, said)
}

/// Lines two and three; whether the next block had been read when the signal came is chance.
fn written(said: &mpsc::Receiver<String>) -> [String; 2] {
    let lines = [(); 3].map(|()| said.recv_timeout(Duration::from_secs(30)).unwrap());
    let [_, records, size] = lines;
    let (size, _) = size.split_once(" copied, ").unwrap();
    [records, size.to_owned()]
}

#[test]
fn signals_are_answered_while_nobody_takes_what_is_written() {
    for (block, expected) in [
        (ROOM, ["1+0 records out", "65536 bytes (66 kB, 64 KiB)"]),
        // The pipe has a part of the first block.
        (16 * ROOM, ["0+0 records out", "0 bytes"]),
    ] {
        let (mut child, mut output, said) = blocked_copy(block);
        for signal in [Signal::USR1, Signal::USR1, Signal::INT] {
            kill_process(Pid::from_child(&child), signal).unwrap();
            assert_eq!(written(&said), expected, "{block}");
        }
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let mut copied = Vec::new();
        output.read_to_end(&mut copied).unwrap();
        assert_eq!(copied.len(), ROOM, "{block}");
    }
}
