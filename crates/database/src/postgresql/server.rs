//! PostgreSQL as a server of etalon's own.

use std::fs;
use std::path::PathBuf;

use etalon_model::ServiceFacts;
use etalon_service::{Home, program};
use etalon_work::{Job, Parameter, WorkError};
use rustix::process::Signal;

use super::address::Login;
use super::client::{Connection, Counted, SESSIONS, WAITING_FOR_LOCKS};
use super::{
    FSYNC, FULL_PAGE_WRITES, MAX_WAL_SIZE, Postgresql, SHARED_BUFFERS, SYNCHRONOUS_COMMIT,
    WAL_SYNC_METHOD,
};
use crate::DatabaseError;
use crate::private::{Installed, PrivateEngine, line};
use crate::read_back::Asked;

/// Where Debian, Fedora and the makers have the programs.
const PLACES: [&str; 3] = ["/usr/lib/postgresql", "/usr/pgsql", "/usr/local/pgsql"];

/// The options of initdb: whoever gets at the socket is let in, and nothing is forced to the disk meanwhile.
const INITDB: [&str; 10] = [
    "-D",
    ".",
    "-U",
    "etalon",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C",
    "-N",
];

impl PrivateEngine for Postgresql {
    type Connection = Connection;

    const ENGINE: &'static str = "PostgreSQL";
    const SHUT_DOWN: Signal = Signal::INT;
    const KILL: Signal = Signal::QUIT;
    const WAITS_FOR_ROOM: bool = false;
    const CREATE: &'static [&'static str] = &[];
    const ENTER: &'static [&'static str] = &[];
    const VACUUM: &'static [&'static str] = &["VACUUM FULL", "ANALYZE"];
    const CHECKPOINT: &'static [&'static str] = &["CHECKPOINT"];
    const LOCK_WAITS: Option<&'static str> = Some(WAITING_FOR_LOCKS);
    const SESSIONS: Option<&'static str> = Some(SESSIONS);

    fn install(job: &Job<'_>) -> Result<Installed, WorkError> {
        let initdb = program("initdb", places(), "postgresql")?;
        let program = program("postgres", places(), "postgresql")?;
        let home = Home::make(job, Self::ENGINE)?;
        home.run(line(&initdb, INITDB), job.stop())?;
        Ok(Installed {
            home,
            program,
            words: words(job),
            asked: asked(job),
        })
    }

    fn connect(home: &Home) -> Result<Connection, DatabaseError> {
        Connection::to(&Login::private(home.short()))
    }

    fn facts(connection: &mut Connection) -> Result<ServiceFacts, DatabaseError> {
        connection.facts(Counted::Server)
    }
}

/// The folders with the programs of every PostgreSQL that is installed, the newest first.
#[must_use]
pub fn places() -> Vec<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    for entry in PLACES
        .iter()
        .filter_map(|place| fs::read_dir(place).ok())
        .flatten()
        .flatten()
    {
        let version = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        found.push((version.unwrap_or(0), entry.path().join("bin")));
    }
    found.sort();
    found.into_iter().rev().map(|(_, path)| path).collect()
}

/// The data directory, in which the server is started, and the settings.
fn words(job: &Job<'_>) -> Vec<String> {
    let settings = settings(job).into_iter();
    let settings = settings.flat_map(|setting| ["-c".to_owned(), setting]);
    let data = ["-D", "."].map(str::to_owned);
    data.into_iter().chain(settings).collect()
}

/// The settings that are words.
const WORDS: [Parameter; 4] = [FSYNC, SYNCHRONOUS_COMMIT, FULL_PAGE_WRITES, WAL_SYNC_METHOD];

/// Those that are sizes, with the unit in which PostgreSQL shows them, in KiB.
const SIZES: [(Parameter, u64); 2] = [(SHARED_BUFFERS, 8), (MAX_WAL_SIZE, 1024)];

fn kibibytes(job: &Job<'_>, parameter: &Parameter) -> u64 {
    job.values().size(parameter).get().div_ceil(1024)
}

/// What the server shall show of them; a size that is no whole number of its units is rounded by it.
fn asked(job: &Job<'_>) -> Asked {
    let words = WORDS
        .iter()
        .map(|word| (word.name, job.values().text(word).to_owned()));
    let sizes = SIZES.iter().filter_map(|(parameter, unit)| {
        let kibibytes = kibibytes(job, parameter);
        let is_whole = kibibytes.is_multiple_of(*unit);
        is_whole.then(|| (parameter.name, (kibibytes / unit).to_string()))
    });
    words.chain(sizes).collect()
}

/// `NAME=VALUE`, as `postgres -c` takes them.
fn settings(job: &Job<'_>) -> Vec<String> {
    let mut settings: Vec<String> = WORDS
        .iter()
        .map(|parameter| format!("{}={}", parameter.name, job.values().text(parameter)))
        .collect();
    for (parameter, _) in SIZES {
        let kibibytes = kibibytes(job, &parameter);
        settings.push(format!("{}={kibibytes}kB", parameter.name));
    }
    let own = [
        "listen_addresses=",
        "unix_socket_directories=.",
        "dynamic_shared_memory_type=mmap",
        "max_connections=200",
        "logging_collector=off",
        "autovacuum=off",
    ];
    settings.extend(own.map(str::to_owned));
    settings
}
