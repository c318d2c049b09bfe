//! etalon's transactions and sysbench's on one MariaDB server, which forces nothing to the disk.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use etalon_benches::clients::{ClientRun, PrivateServer, after, as_nobody, run, shared_directory};

use super::{Options, ROWS};

/// What etalon's clients do, in sysbench's words.
const SCRIPT: &str = "function thread_init()
  connection = sysbench.sql.driver():connect()
end
function event()
  local id, change = sysbench.rand.uniform(1, 10000), sysbench.rand.uniform(1, 99)
  connection:query('BEGIN')
  connection:query('UPDATE readings SET value = value + ' .. change .. ' WHERE id = ' .. id)
  connection:query('SELECT value FROM readings WHERE id = ' .. id)
  connection:query('INSERT INTO history (reading, change_of) VALUES (' .. id .. ', ' .. change .. ')')
  connection:query('COMMIT')
end
";

pub(crate) fn compare(options: &Options) -> anyhow::Result<()> {
    let server = start(&options.directory)?;
    fill(&server)?;
    let script = server.place().join("script.lua");
    fs::write(&script, SCRIPT)?;
    let url = format!(
        "mariadb://root@/?socket={}/socket",
        server.place().display()
    );
    options.compare_transactions("mariadb", &url, "sysbench", |rate| {
        sysbench(options, &server, &script, rate)
    })
}

fn start(directory: &Path) -> anyhow::Result<PrivateServer> {
    let place = shared_directory(directory)?;
    let data = format!("--datadir={}/data", place.path().display());
    let mut install = as_nobody("mariadb-install-db", place.path());
    install.args([
        "--no-defaults",
        &data,
        "--auth-root-authentication-method=normal",
    ]);
    ensure!(install.status()?.success(), "mariadb-install-db has failed");
    let mut server = as_nobody("/usr/sbin/mariadbd", place.path());
    let socket = format!("--socket={}/socket", place.path().display());
    server.args([
        "--no-defaults",
        &data,
        &socket,
        "--skip-networking",
        "--skip-log-bin",
    ]);
    server.arg("--innodb-flush-log-at-trx-commit=0");
    PrivateServer::start(place, server, |place| {
        let asked = mariadb(place).args(["-e", "SELECT 1"]).output();
        asked.is_ok_and(|asked| asked.status.success())
    })
}

fn mariadb(place: &Path) -> Command {
    let mut command = Command::new("mariadb");
    let socket = format!("--socket={}/socket", place.display());
    command.args(["--no-defaults", &socket, "--user=root"]);
    command
}

/// etalon's tables, in a schema of another name.
fn fill(server: &PrivateServer) -> anyhow::Result<()> {
    let sql = format!(
        "CREATE DATABASE bench; USE bench;
         CREATE TABLE history (reading INTEGER NOT NULL, change_of INTEGER NOT NULL);
         CREATE TABLE readings (id INTEGER PRIMARY KEY, sensor INTEGER NOT NULL, kind INTEGER NOT NULL,
             day INTEGER NOT NULL, value DOUBLE PRECISION NOT NULL, note TEXT NOT NULL);
         INSERT INTO readings SELECT seq, seq % 1000, seq % 10, seq % 3650, seq % 1000,
             REPEAT('0123456789abcdef', 4) FROM seq_1_to_{ROWS};"
    );
    run(mariadb(server.place()).args(["-e", &sql])).map(drop)
}

fn sysbench(
    options: &Options,
    server: &PrivateServer,
    script: &Path,
    rate: u64,
) -> anyhow::Result<ClientRun> {
    let mut command = Command::new("sysbench");
    command
        .arg("--db-driver=mysql")
        .arg("--mysql-user=root")
        .arg("--mysql-db=bench");
    command.arg(format!(
        "--mysql-socket={}/socket",
        server.place().display()
    ));
    command.arg(format!("--threads={}", options.clients));
    command
        .arg(format!("--events={}", options.operations))
        .arg("--time=0");
    if rate > 0 {
        command.arg(format!("--rate={rate}"));
    }
    let ended = run(command.arg(script).arg("run"))?;
    told(&ended.text, ended.processor).with_context(|| ended.text)
}

fn told(text: &str, processor: f64) -> Option<ClientRun> {
    Some(ClientRun {
        operations: after(text, "total number of events:")?,
        seconds: after(text, "total time:")?,
        latency: 1e3 * after(text, "avg:")?,
        processor,
    })
}
