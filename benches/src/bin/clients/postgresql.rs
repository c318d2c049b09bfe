//! etalon's transactions and pgbench's on one PostgreSQL server, which forces nothing to the disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use etalon_benches::clients::{ClientRun, PrivateServer, after, as_nobody, run, shared_directory};

use super::{Options, ROWS};

/// Where distributions and the makers have the programs of the server.
const PLACES: [&str; 3] = ["/usr/lib/postgresql", "/usr/pgsql", "/usr/local/pgsql"];

/// What etalon's clients do, in pgbench's words.
const SCRIPT: &str = "\\set id random(1, 10000)
\\set change random(1, 99)
BEGIN;
UPDATE readings SET value = value + :change WHERE id = :id;
SELECT value FROM readings WHERE id = :id;
INSERT INTO history (reading, change_of) VALUES (:id, :change);
COMMIT;
";

pub(crate) fn compare(options: &Options) -> anyhow::Result<()> {
    let server = start(&options.directory)?;
    fill(&server)?;
    let script = server.place().join("script.sql");
    fs::write(&script, SCRIPT)?;
    let url = format!(
        "postgresql://etalon@/postgres?host={}",
        server.place().display()
    );
    options.compare_transactions("postgresql", &url, "pgbench", |rate| {
        pgbench(options, &server, &script, rate)
    })
}

fn start(directory: &Path) -> anyhow::Result<PrivateServer> {
    let place = shared_directory(directory)?;
    let programs = programs()?;
    let mut initdb = as_nobody(programs.join("initdb"), place.path());
    initdb.args([
        "-D",
        "data",
        "-U",
        "etalon",
        "-A",
        "trust",
        "-N",
        "--locale=C",
    ]);
    ensure!(initdb.status()?.success(), "initdb has failed");
    let mut server = as_nobody(programs.join("postgres"), place.path());
    server.args(["-D", "data"]);
    let socket = format!("unix_socket_directories={}", place.path().display());
    for setting in ["listen_addresses=", &socket, "fsync=off", "autovacuum=off"] {
        server.args(["-c", setting]);
    }
    PrivateServer::start(place, server, |place| {
        let asked = psql(place).args(["-c", "SELECT 1"]).output();
        asked.is_ok_and(|asked| asked.status.success())
    })
}

/// The programs of the newest version.
fn programs() -> anyhow::Result<PathBuf> {
    let folders = PLACES.iter().filter_map(|place| fs::read_dir(place).ok());
    let found = folders
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("bin"));
    let found = found.filter(|place| place.join("initdb").is_file());
    found
        .max()
        .context("no PostgreSQL server is installed (on Debian the package postgresql)")
}

fn client(program: &str, place: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg("-h").arg(place).args(["-U", "etalon"]);
    command
}

fn psql(place: &Path) -> Command {
    let mut command = client("psql", place);
    command.args(["-X", "-q", "-w", "-d", "postgres"]);
    command
}

/// etalon's tables, in a schema that is found without its name.
fn fill(server: &PrivateServer) -> anyhow::Result<()> {
    let sql = format!(
        "CREATE TABLE history (reading INTEGER NOT NULL, change_of INTEGER NOT NULL);
         CREATE TABLE readings (id INTEGER PRIMARY KEY, sensor INTEGER NOT NULL, kind INTEGER NOT NULL,
             day INTEGER NOT NULL, value DOUBLE PRECISION NOT NULL, note TEXT NOT NULL);
         INSERT INTO readings SELECT n, n % 1000, n % 10, n % 3650, n % 1000, repeat('0123456789abcdef', 4)
             FROM generate_series(1, {ROWS}) AS n;"
    );
    run(psql(server.place()).args(["-c", &sql])).map(drop)
}

fn pgbench(
    options: &Options,
    server: &PrivateServer,
    script: &Path,
    rate: u64,
) -> anyhow::Result<ClientRun> {
    let mut command = client("pgbench", server.place());
    let each = options.operations.div_ceil(options.clients);
    command.args(["-n", "-f"]).arg(script);
    command.arg(format!("--client={}", options.clients));
    // A thread for each as etalon has: on a busy machine more threads get more of the processors.
    command.arg(format!("--jobs={}", options.clients));
    command.arg(format!("--transactions={each}"));
    if rate > 0 {
        command.arg(format!("--rate={rate}"));
    }
    let ended = run(command.arg("postgres"))?;
    told(&ended.text, ended.processor).with_context(|| ended.text)
}

fn told(text: &str, processor: f64) -> Option<ClientRun> {
    let operations = after(text, "transactions actually processed:")?;
    Some(ClientRun {
        operations,
        seconds: operations / after(text, "tps = ")?,
        latency: 1e3 * after(text, "latency average =")?,
        processor,
    })
}
