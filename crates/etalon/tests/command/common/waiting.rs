//! Waiting for what a program does.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::AsFd;
use std::process::Child;

use etalon_testbed::wait_for;

/// Waits for something that `child` does, which is not waited for once it has ended: what it said then is told.
pub(crate) fn wait_while<T>(child: &Child, what: &str, mut done: impl FnMut() -> Option<T>) -> T {
    wait_for(what, || {
        // Before the look: what it did last is there by then.
        let ended = has_ended(child);
        let value = done();
        let is_vain = ended && value.is_none();
        assert!(!is_vain, "it ended without {what}: {}", said_by(child));
        value
    })
}

/// Whether a program that nobody has waited for has ended (proc_pid_stat(5)).
fn has_ended(child: &Child) -> bool {
    stat_of(child).starts_with('Z')
}

/// What a program has said that nobody has read.
fn said_by(child: &Child) -> String {
    let out = child.stdout.as_ref().map(unread);
    let err = child.stderr.as_ref().map(unread);
    out.into_iter().chain(err).collect::<Vec<_>>().join("\n")
}

/// What lies in a pipe, which others may hold open.
fn unread(pipe: impl AsFd) -> String {
    let pipe = pipe.as_fd().try_clone_to_owned().unwrap();
    rustix::io::ioctl_fionbio(&pipe, true).unwrap();
    let mut bytes = Vec::new();
    // An error stands for a pipe that is empty.
    let _ = File::from(pipe).read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits for a line of progress that begins so. What is read until then is in nothing that the program is said to have
/// printed.
pub(crate) fn wait_for_line(child: &mut Child, begins: &str) {
    let pipe = child.stderr.as_mut().unwrap();
    let (mut line, mut byte) = (Vec::new(), [0]);
    while !line.starts_with(begins.as_bytes()) {
        let read = pipe.read(&mut byte).unwrap();
        assert_eq!(read, 1, "it ended without a line '{begins}...'");
        line.push(byte[0]);
        if byte == *b"\n" {
            line.clear();
        }
    }
}

/// Waits until the program has worked for as long as no start takes, by its own processor time.
pub(crate) fn wait_for_work(child: &Child) {
    let begun = ticks_of(child);
    wait_while(child, "some work", || {
        (ticks_of(child) >= begun + 30).then_some(())
    });
}

/// Processor time of a program in ticks of 10 ms (proc_pid_stat(5)).
fn ticks_of(child: &Child) -> u64 {
    let stat = stat_of(child);
    let times = stat.split(' ').skip(11).take(2);
    times.map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

/// What the kernel tells of a program, from its state on, the third field: its name in brackets before may hold anything.
fn stat_of(child: &Child) -> String {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    text.rsplit_once(") ").unwrap().1.to_owned()
}

#[test]
fn what_has_ended_is_not_waited_for_and_told_with_what_it_said() {
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "echo the reason >&2; exit 3"]);
    let mut child = super::start(command);
    let waited = std::panic::catch_unwind(|| wait_while(&child, "a miracle", || None::<()>));
    let told = waited.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(*told, "it ended without a miracle: \nthe reason\n");
    // What it did before its end is seen.
    assert_eq!(wait_while(&child, "its end", || Some(3)), 3);
    child.wait().unwrap();
}
