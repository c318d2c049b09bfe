//! Copies of programs.

use std::path::Path;
use std::process::Command;

/// Copies a program so that every user may read and start it, as `to`.
///
/// `cp` opens the copy for writing, in its own process: would this one do so, any test that starts a child at the same
/// moment would hand the open file on, and the kernel refuses to start a program that somebody has open for writing
/// (ETXTBSY, execve(2)).
///
/// # Panics
/// Where `cp` or `chmod` fails, with what it said.
pub fn copy_program(from: &Path, to: &Path) {
    for command in [
        Command::new("cp").arg(from).arg(to),
        Command::new("chmod").arg("755").arg(to),
    ] {
        let done = command.output();
        assert!(
            done.as_ref().is_ok_and(|output| output.status.success()),
            "{command:?}: {done:?}"
        );
    }
}

/// This test binary again, for one ignored test of it, whose output is not held back: the process that a test kills.
///
/// # Panics
/// Where the kernel does not tell which program this is.
#[must_use]
pub fn ignored_test(name: &str) -> Command {
    let own = std::env::current_exe();
    let mut command = Command::new(own.unwrap_or_else(|why| panic!("{why}")));
    command.args(["--exact", name, "--nocapture", "--ignored"]);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_starts_while_other_threads_start_children() {
        let place = std::env::temp_dir().join(format!("copied-{}", std::process::id()));
        let start = |program: &Path| Command::new(program).status().unwrap();
        std::thread::scope(|scope| {
            let others = scope.spawn(|| (0..200).all(|_| start(Path::new("true")).success()));
            for _ in 0..20 {
                copy_program(Path::new("/bin/true"), &place);
                assert!(start(&place).success());
                std::fs::remove_file(&place).unwrap();
            }
            assert!(others.join().unwrap());
        });
    }
}
