//! Signals in the middle of a copy that waits for data.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStderr, Command, Stdio};

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
