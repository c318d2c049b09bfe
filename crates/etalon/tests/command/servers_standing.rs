//! Servers that stand: what a killed etalon left on them is dropped, or the command that drops it is named.

use std::process::{Child, Command};
use std::thread;

use crate::common::{Ground, Home, Mount, Said, left_in, root_for, start, wait_for, wait_while};
use crate::servers::{first_of, moment};

/// A private server of another etalon, which goes on for hours, as one that stands.
struct Engine {
    work: &'static str,
    /// The work of the other etalon, with little to do at first and much at one a second.
    host: &'static [&'static str],
    program: &'static str,
    /// Its socket in its directory.
    socket: &'static str,
    /// The client's program with its options, which end with the one before a statement.
    client: fn(&str) -> Vec<String>,
    /// Asks for the number of schemas of etalon's.
    count: &'static str,
    drop: &'static str,
    url: fn(&str) -> String,
}

const HOURS: [&str; 4] = ["--set", "transactions=100000", "--set", "rate=1"];

const ENGINES: [Engine; 2] = [
    Engine {
        work: "postgresql",
        host: &["pgbench", "--set", "scale=1"],
        program: "postgres",
        socket: ".s.PGSQL.5432",
        client: |place| words(&["psql", "-XAtqw", "-d", &postgresql(place), "-c"]),
        count: "SELECT count(*) FROM pg_namespace WHERE nspname = 'etalon_work'",
        drop: "DROP SCHEMA etalon_work CASCADE",
        url: postgresql,
    },
    Engine {
        work: "mariadb",
        host: &["sysbench", "--set", "table_size=1000"],
        program: "mariadbd",
        socket: "socket",
        client: |place| {
            let socket = format!("--socket={place}/socket");
            words(&["mariadb", "--no-defaults", &socket, "-uroot", "-N", "-e"])
        },
        count: "SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = 'etalon_work'",
        drop: "DROP SCHEMA etalon_work",
        url: |place| format!("mariadb://root@/?socket={place}/socket"),
    },
];

fn postgresql(place: &str) -> String {
    format!("postgresql://etalon@/postgres?host={place}")
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// A server that stands.
struct Standing<'e> {
    engine: &'e Engine,
    home: Home,
    place: Mount,
    child: Child,
    /// Its directory, by a name that fits into the address of a socket.
    directory: String,
}

impl Standing<'_> {
    fn of(engine: &Engine) -> Standing<'_> {
        let (home, place) = (Home::new(), Mount::tmpfs(1024));
        let [work, rest @ ..] = engine.host else {
            unreachable!()
        };
        let name = place.path().to_str().unwrap();
        let line = ["work", work, name, "--runs", "1"];
        let line = line.iter().chain(rest).chain(&HOURS);
        let child = start(home.etalon(line));
        let directory = wait_while(&child, "a server", || {
            let server = first_of(engine.program, place.path())?;
            let directory = format!("/proc/{server}/cwd");
            let socket = format!("{directory}/{}", engine.socket);
            std::path::Path::new(&socket).exists().then_some(directory)
        });
        let standing = Standing {
            engine,
            home,
            place,
            child,
            directory,
        };
        wait_while(&standing.child, "an answer", || standing.schemas());
        standing
    }

    /// Schemas of etalon's on it; `None` where it does not answer.
    fn schemas(&self) -> Option<u32> {
        self.asked(self.engine.count).trim().parse().ok()
    }

    fn asked(&self, sql: &str) -> String {
        let line = (self.engine.client)(&self.directory);
        let mut client = Command::new(&line[0]);
        let said = client.args(&line[1..]).arg(sql).output().unwrap();
        String::from_utf8(said.stdout).unwrap()
    }

    /// Works on it, and is killed when it has made its schema and gone on for a while.
    fn one_kill(&self, home: &Home, kill: u32) {
        let ground = Ground::new();
        let url = format!("url={}", (self.engine.url)(&self.directory));
        let words = ["work", self.engine.work, ground.name(), "--runs", "1000"];
        let small = [
            "rows=1000",
            "inserts=100",
            "commits=20",
            "transactions=40",
            &url,
        ];
        let small = small.iter().flat_map(|set| ["--set", set]);
        let mut child = start(home.etalon(words.into_iter().chain(small)));
        wait_while(&child, "a schema", || {
            self.schemas().filter(|count| *count > 0)
        });
        thread::sleep(moment(kill) / 10);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Kills until one leaves its schema: between two runs there is none for a moment.
    fn kill_in_a_run(&self, home: &Home, kill: u32) {
        wait_for("a kill within a run", || {
            self.one_kill(home, kill);
            self.schemas().filter(|count| *count > 0)
        });
    }
}

impl Drop for Standing<'_> {
    fn drop(&mut self) {
        // Also where the test has failed: what it holds is unmounted only once the server is gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let restored = self.home.run(["restore"]);
        let left = left_in(self.place.path());
        assert!(
            thread::panicking() || (restored.code == Some(0) && left.is_empty()),
            "{restored:?} {left:?}"
        );
    }
}

#[test]
fn no_kill_leaves_a_schema_on_a_server_that_stands() {
    if !root_for("no_kill_leaves_a_schema_on_a_server_that_stands") {
        return;
    }
    thread::scope(|scope| {
        for engine in &ENGINES {
            scope.spawn(|| kills_on(engine));
        }
    });
}

fn kills_on(engine: &Engine) {
    let (standing, home) = (Standing::of(engine), Home::new());
    for kill in 0..3 {
        standing.one_kill(&home, kill);
        restores(&home);
        assert_eq!(standing.schemas(), Some(0), "LOST {} {kill}", engine.work);
    }
    // Somebody has dropped it and made another of its name, which is not etalon's.
    standing.kill_in_a_run(&home, 3);
    standing.asked(engine.drop);
    standing.asked("CREATE SCHEMA etalon_work");
    restores(&home);
    assert_eq!(standing.schemas(), Some(1), "LOST {}", engine.work);
    standing.asked(engine.drop);
    standing.kill_in_a_run(&home, 4);
    drop(standing);
    is_named(&home.run(["restore"]));
}

/// All that was left is put back, and nothing is left to be.
fn restores(home: &Home) {
    let restored = home.run(["restore"]);
    assert_eq!(restored.code, Some(0), "{restored:?}");
    assert_eq!(home.run(["restore"]).out, "nothing was left behind\n");
}

/// On a server that does not answer nothing can be dropped, which is said with the command that does it.
fn is_named(restored: &Said) {
    assert_eq!(restored.code, Some(1), "{restored:?}");
    let said = restored.out.replace('\n', " ");
    assert!(
        said.contains("could not be put back") && said.contains("etalon_work"),
        "{restored:?}"
    );
}
