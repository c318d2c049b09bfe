//! Private servers: whatever happens to etalon or to them, none is left.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Home, Mount, finish, left_in, root_for, start, wait_while};

/// A server as real work, and the program of its first process.
struct Engine {
    work: &'static str,
    program: &'static str,
    small: &'static [&'static str],
}

const ROWS: &[&str] = &["rows=1000", "inserts=100", "commits=20", "transactions=40"];
const PAGES: &[&str] = &["pages=40", "images=2", "pause=1", "clients=2"];

/// A program that waits for its next transaction does not see that its server is gone.
const SELDOM: &str = "rate=2";

const ENGINES: [Engine; 5] = [
    Engine {
        work: "postgresql",
        program: "postgres",
        small: ROWS,
    },
    Engine {
        work: "mariadb",
        program: "mariadbd",
        small: ROWS,
    },
    Engine {
        work: "web",
        program: "nginx",
        small: PAGES,
    },
    Engine {
        work: "pgbench",
        program: "postgres",
        small: &["scale=1", "transactions=4000", SELDOM],
    },
    Engine {
        work: "sysbench",
        program: "mariadbd",
        small: &["table_size=2000", "transactions=2000", SELDOM],
    },
];

/// A thousand runs, which nobody waits for.
fn work(home: &Home, engine: &Engine, place: &Mount) -> Child {
    let name = place.path().to_str().unwrap();
    let words = ["work", engine.work, name, "--runs", "1000"];
    let small = engine.small.iter().flat_map(|set| ["--set", set]);
    start(home.etalon(words.into_iter().chain(small)))
}

/// Kills, more of them by `ETALON_SERVER_KILLS`.
fn kills() -> u32 {
    let asked = std::env::var("ETALON_SERVER_KILLS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(10)
}

#[test]
fn no_kill_leaves_a_server() {
    if !root_for("no_kill_leaves_a_server") {
        return;
    }
    // The kills of one engine wait for their moments while those of another do.
    of_all_engines(|at, engine| {
        for kill in (at as u32..kills()).step_by(ENGINES.len()) {
            one_kill(engine, kill);
        }
    });
}

/// Does something to every engine at the same time.
fn of_all_engines(of_one: impl Fn(usize, &Engine) + Sync) {
    let of_one = &of_one;
    thread::scope(|scope| {
        for (at, engine) in ENGINES.iter().enumerate() {
            scope.spawn(move || of_one(at, engine));
        }
    });
}

fn one_kill(engine: &Engine, kill: u32) {
    let (home, place) = (Home::new(), Mount::tmpfs(1024));
    let mut child = work(&home, engine, &place);
    let engine = engine.work;
    wait_while(&child, "a process of the server", || first_in(place.path()));
    thread::sleep(moment(kill));
    let made = processes_in(place.path());
    child.kill().unwrap();
    child.wait().unwrap();
    let restored = home.run(["restore"]);
    assert_eq!(restored.code, Some(0), "{engine} {kill}: {restored:?}");
    assert_eq!(processes_in(place.path()), [0; 0], "{engine} {kill}");
    assert_eq!(left_in(place.path()), [""; 0], "{engine} {kill}");
    assert!(unused_segments(&made).is_empty(), "{engine} {kill}");
}

#[test]
fn a_stop_ends_the_server_and_leaves_nothing() {
    if !root_for("a_stop_ends_the_server_and_leaves_nothing") {
        return;
    }
    of_all_engines(|_, engine| {
        let (home, place) = (Home::new(), Mount::tmpfs(1024));
        let child = work(&home, engine, &place);
        let engine = engine.work;
        wait_while(&child, "a process of the server", || first_in(place.path()));
        send(child.id(), Signal::INT);
        let said = finish(child);
        assert_eq!(said.code, Some(130), "{said:?}");
        assert_eq!(processes_in(place.path()), [0; 0], "{engine}");
        assert_eq!(left_in(place.path()), [""; 0], "{engine}");
    });
}

#[test]
fn a_server_that_dies_is_told_by_its_log_and_nothing_is_left() {
    if !root_for("a_server_that_dies_is_told_by_its_log_and_nothing_is_left") {
        return;
    }
    of_all_engines(|_, engine| {
        let (home, place) = (Home::new(), Mount::tmpfs(1024));
        let child = work(&home, engine, &place);
        let server = wait_while(&child, "a server", || {
            first_of(engine.program, place.path())
        });
        let engine = engine.work;
        send(server, Signal::KILL);
        let said = finish(child);
        assert_ne!(said.code, Some(0), "{said:?}");
        assert!(
            said.err.contains("ended with") || said.out.contains("ended with"),
            "{said:?}"
        );
        assert_eq!(processes_in(place.path()), [0; 0], "{engine}");
        assert_eq!(left_in(place.path()), [""; 0], "{engine}");
    });
}

#[test]
fn a_place_that_nobody_may_enter_is_refused_by_its_name() {
    if !root_for("a_place_that_nobody_may_enter_is_refused_by_its_name") {
        return;
    }
    let (home, place) = (Home::new(), Mount::tmpfs(1024));
    let closed = place.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    for engine in ENGINES.map(|engine| engine.work) {
        let said = home.run(["work", engine, closed.to_str().unwrap(), "--runs", "1"]);
        assert_eq!(said.code, Some(1), "{said:?}");
        assert!(
            said.err.contains("/closed'") && said.err.contains("chmod o+x"),
            "{said:?}"
        );
        assert_eq!(left_in(&closed), [""; 0]);
    }
}

#[test]
fn too_little_room_is_said_before_a_server_is_made() {
    let (home, place) = (Home::new(), crate::common::Ground::new());
    let many = [
        "rows=9000000000",
        "rows=9000000000",
        "pages=1000000",
        "scale=100000",
    ];
    for (engine, many) in ENGINES.map(|engine| engine.work).into_iter().zip(many) {
        let words = ["work", engine, place.name(), "--runs", "1", "--set", many];
        // As many images as there may be; databases have none.
        let images = ["--set", "images=1000"];
        let images = images.into_iter().filter(|_| engine == "web");
        let said = home.run(words.into_iter().chain(images));
        assert_eq!(said.code, Some(1), "{said:?}");
        let wanted = match engine {
            "web" => "a site of 1000000 pages with 1000 images each has 1001000000 files",
            _ => "ask for less",
        };
        assert!(said.err.replace('\n', " ").contains(wanted), "{said:?}");
        assert_eq!(left_in(place.path()), [""; 0]);
    }
}

/// Spread over making, starting, loading and asking.
pub(crate) fn moment(kill: u32) -> Duration {
    let hash = kill.wrapping_add(1).wrapping_mul(0x9E37_79B9);
    Duration::from_millis(u64::from(hash >> 8) * 5_000 / (1 << 24))
}

fn first_in(place: &Path) -> Option<u32> {
    processes_in(place).first().copied()
}

/// The process of a program of that name in `place` whose parent has another.
pub(crate) fn first_of(name: &str, place: &Path) -> Option<u32> {
    let is_named = |pid: &u32| {
        let text = fs::read_to_string(format!("/proc/{pid}/comm"));
        text.is_ok_and(|text| text.trim() == name)
    };
    let is_first = |pid: &u32| {
        let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let parent = text.lines().find_map(|line| line.strip_prefix("PPid:"));
        let parent = parent.and_then(|parent| parent.trim().parse().ok());
        parent.is_some_and(|parent| !is_named(&parent))
    };
    let mut named = processes_in(place).into_iter().filter(is_named);
    named.find(is_first)
}

/// Processes that work within `place`, in the order of their numbers.
fn processes_in(place: &Path) -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let works_here = |pid: &u32| {
        let cwd = fs::read_link(format!("/proc/{pid}/cwd"));
        cwd.is_ok_and(|cwd| cwd.starts_with(place))
    };
    let mut found: Vec<u32> = numbers.filter(works_here).collect();
    found.sort_unstable();
    found
}

/// Shared memory that one of these made and nobody uses (proc_sysvipc(5)).
fn unused_segments(makers: &[u32]) -> Vec<String> {
    let table = fs::read_to_string("/proc/sysvipc/shm").unwrap();
    let is_left = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        makers.iter().any(|pid| words[4] == pid.to_string()) && words[6] == "0"
    };
    table
        .lines()
        .skip(1)
        .filter(is_left)
        .map(str::to_owned)
        .collect()
}

fn send(pid: u32, signal: Signal) {
    let pid = Pid::from_raw(pid.try_into().unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}
