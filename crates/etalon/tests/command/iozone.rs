//! Groups of worker processes in iozone's less common modes: what crosses to them and comes back.

use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use crate::common::{Ground, Home, left_in, wait_while};

/// Runs a line; `DIR` in it stands for the ground.
fn said(home: &Home, ground: &Ground, line: &str) -> crate::common::Said {
    let line = line.replace("DIR", ground.name());
    home.run(line.split(' '))
}

#[test]
fn lists_queues_contents_and_locks_reach_the_workers() {
    let (home, ground) = (Home::new(), Ground::new());
    let list = home.path().join("list");
    std::fs::write(&list, "# of a run\n0 4096 1\n8192 4096 0\n").unwrap();
    for (line, told) in [
        (
            "iozone -X list -Y list -t 2 -F DIR/a DIR/b --runs 1",
            "telemetry controlled records",
        ),
        (
            "iozone -k 4 -+d -t 2 -s 256 -i 0 -i 1 -i 2 -F DIR/a DIR/b --runs 1",
            "Depth 4",
        ),
        (
            "iozone -+L -+d -t 2 -s 256 -i 0 -i 1 -i 2 -F DIR/a --runs 1",
            "shared file mode",
        ),
        (
            "iozone -+L -W -t 2 -s 64 -i 0 -F DIR/a --runs 1",
            "shared file mode",
        ),
        (
            "iozone -+B -J 1 -t 2 -s 64 -i 0 -i 8 -F DIR/a DIR/b --runs 1",
            "Sequential Mixed workload",
        ),
    ] {
        let said = said(&home, &ground, line);
        assert!(matches!(said.code, Some(0 | 3)), "{line}: {said:?}");
        assert!(said.out.contains(told), "{line}: {said:?}");
        assert!(
            said.out.contains("iozone test complete."),
            "{line}: {said:?}"
        );
        assert_eq!(left_in(ground.path()), [""; 0], "{line}");
    }
}

/// One file is written by both workers, and stays with -w.
#[test]
fn a_shared_file_is_one_file() {
    let (home, ground) = (Home::new(), Ground::new());
    let line = "iozone -+L -w -t 2 -s 256 -i 0 -+n -f DIR/shared --runs 1";
    let said = said(&home, &ground, line);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    assert_eq!(left_in(ground.path()), ["shared.0"]);
}

#[test]
fn each_worker_of_a_group_has_a_log() {
    let (home, ground) = (Home::new(), Ground::new());
    let line = "iozone -+T -t 2 -s 64 -i 0 -i 1 -F DIR/a DIR/b --runs 2";
    let said = said(&home, &ground, line);
    assert!(matches!(said.code, Some(0 | 3)), "{said:?}");
    for worker in 0..2 {
        let log = home.path().join(format!("Child_{worker}.log"));
        let log = std::fs::read_to_string(log).unwrap();
        assert_eq!(log.lines().count(), 8, "{log}");
        assert!(log.starts_with("Write test start:         "), "{log}");
    }
}

/// An update of a package meanwhile must not mix the figures of two programs.
#[test]
fn a_program_that_is_replaced_meanwhile_goes_on_as_it_began() {
    let (home, ground) = (Home::new(), Ground::new());
    let beside = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (program, other) = (beside.path().join("etalon"), beside.path().join("other"));
    std::fs::hard_link(env!("CARGO_BIN_EXE_etalon"), &program).unwrap();
    std::fs::write(&other, "#!/bin/sh\nexit 7\n").unwrap();
    std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o755)).unwrap();
    let line = "iozone -t 2 -s 256 -i 0 -F DIR/a DIR/b --runs 6";
    let line = line.replace("DIR", ground.name());
    let mut command = home.in_home(Command::new(&program), line.split(' '));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_while(&child, "a first worker", || {
        has_child(child.id()).then_some(())
    });
    std::fs::rename(&other, &program).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{output:?}");
    assert!(said.contains("iozone test complete."), "{output:?}");
}

/// Whether a process is the parent of another: the second field behind the name (proc_pid_stat(5)).
fn has_child(parent: u32) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let stats =
        processes.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    let mut parents = stats.filter_map(|stat| {
        let (_, rest) = stat.rsplit_once(')')?;
        rest.split_whitespace().nth(1)?.parse::<u32>().ok()
    });
    parents.any(|of| of == parent)
}

#[test]
fn what_is_refused_says_why() {
    let (home, ground) = (Home::new(), Ground::new());
    for (line, part) in [
        ("iozone -+m hosts", "this program works on one machine"),
        ("iozone -+X", "the figures would be those of no file at all"),
        ("iozone -k 4 -H 4 -f DIR/t", "leave one of them out"),
    ] {
        let said = said(&home, &ground, line);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{said:?}");
        assert!(said.err.contains(part), "{said:?}");
    }
    std::fs::write(home.path().join("bad"), "0 4096 1\n0 4096\n").unwrap();
    let said = said(&home, &ground, "iozone -X bad -f DIR/t");
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{said:?}");
    assert!(said.err.contains("line 2, '0 4096'"), "{said:?}");
}
