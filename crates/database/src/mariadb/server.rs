//! MariaDB as a server of etalon's own.

use std::path::Path;

use etalon_model::ServiceFacts;
use etalon_service::{Home, program};
use etalon_work::{Job, WorkError};
use rustix::process::Signal;

use super::address::Address;
use super::client::Connection;
use super::{BINARY_LOG, BUFFER_POOL, DOUBLEWRITE, FLUSH_LOG, FLUSH_METHOD, Mariadb};
use crate::DatabaseError;
use crate::private::{Installed, PrivateEngine, line};
use crate::read_back::Asked;
use crate::stream::Endpoint;

impl PrivateEngine for Mariadb {
    type Connection = Connection;

    const ENGINE: &'static str = "MariaDB";
    const SHUT_DOWN: Signal = Signal::TERM;
    const KILL: Signal = Signal::KILL;
    const WAITS_FOR_ROOM: bool = true;
    const CREATE: &'static [&'static str] = &["CREATE DATABASE IF NOT EXISTS etalon"];
    const ENTER: &'static [&'static str] = &["USE etalon"];
    const VACUUM: &'static [&'static str] = &["OPTIMIZE TABLE readings"];
    const LOCK_WAITS: Option<&'static str> = None;
    const SESSIONS: Option<&'static str> = None;
    const CHECKPOINT: &'static [&'static str] = &[
        "FLUSH TABLES history, sensors, readings FOR EXPORT",
        "UNLOCK TABLES",
    ];

    fn install(job: &Job<'_>) -> Result<Installed, WorkError> {
        let install = program("mariadb-install-db", [], "mariadb-server")?;
        let program = program("mariadbd", [], "mariadb-server")?;
        let home = Home::make(job, Self::ENGINE)?;
        let data = format!("--datadir={}", home.data().display());
        let temporary = temporary(&home.directory(TEMPORARY)?);
        let words = [
            "--no-defaults",
            &data,
            &temporary,
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            "--skip-name-resolve",
        ];
        home.run(line(&install, words), job.stop())?;
        Ok(Installed {
            words: settings(job, &home),
            asked: asked(job),
            home,
            program,
        })
    }

    /// By its socket, as root, who has no password there.
    fn connect(home: &Home) -> Result<Connection, DatabaseError> {
        let address = Address {
            place: Endpoint::Socket(home.short().join("socket")),
            user: "root".to_owned(),
        };
        Ok(Connection::to(&address, b"")?)
    }

    fn facts(connection: &mut Connection) -> Result<ServiceFacts, DatabaseError> {
        connection.facts()
    }
}

/// What the server shall show. The size of its cache is rounded up to whole pieces, and is not among them.
fn asked(job: &Job<'_>) -> Asked {
    let value = |parameter| job.values().text(parameter).to_owned();
    let mut asked = vec![
        ("innodb_flush_log_at_trx_commit", value(&FLUSH_LOG)),
        ("innodb_flush_method", value(&FLUSH_METHOD)),
        ("innodb_doublewrite", value(&DOUBLEWRITE)),
    ];
    match value(&BINARY_LOG).as_str() {
        "none" => asked.push(("log_bin", "OFF".to_owned())),
        level => asked.extend([
            ("log_bin", "ON".to_owned()),
            ("sync_binlog", level.to_owned()),
        ]),
    }
    asked
}

/// Takes what a query spills. By default that is the machine's own, which is other storage than the target, and where each
/// server that starts removes the temporary tables of all others.
const TEMPORARY: &str = "temporary";

fn temporary(place: &Path) -> String {
    format!("--tmpdir={}", place.display())
}

/// The options of the server; no file of options of the machine is read.
fn settings(job: &Job<'_>, home: &Home) -> Vec<String> {
    let value = |parameter| job.values().text(parameter).to_owned();
    let pool = job.values().size(&BUFFER_POOL).get();
    let mut settings = vec![
        "--no-defaults".to_owned(),
        format!("--datadir={}", home.data().display()),
        temporary(&home.data().join(TEMPORARY)),
        format!("--ignore-db-dirs={TEMPORARY}"),
        "--socket=socket".to_owned(),
        "--skip-networking".to_owned(),
        "--skip-name-resolve".to_owned(),
        format!("--innodb-buffer-pool-size={pool}"),
        "--innodb-buffer-pool-dump-at-shutdown=0".to_owned(),
        "--innodb-buffer-pool-load-at-startup=0".to_owned(),
        format!("--innodb-flush-log-at-trx-commit={}", value(&FLUSH_LOG)),
        format!("--innodb-flush-method={}", value(&FLUSH_METHOD)),
        format!("--innodb-doublewrite={}", value(&DOUBLEWRITE)),
    ];
    match job.values().text(&BINARY_LOG) {
        "none" => settings.push("--skip-log-bin".to_owned()),
        level => settings.extend([
            "--log-bin=changes".to_owned(),
            format!("--sync-binlog={level}"),
        ]),
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::private::PrivateServer;
    use crate::rows::TABLES;
    use crate::session::{Asks as _, Session as _};
    use crate::tests::trial::acts;

    /// One is that of a page that was written and is still listed.
    const CHANGED_PAGES: &str = "SELECT COUNT(*) FROM information_schema.INNODB_BUFFER_PAGE \
        WHERE TABLE_NAME LIKE '`etalon`.%' AND OLDEST_MODIFICATION > 1";

    #[test]
    fn a_checkpoint_writes_the_pages_of_all_tables() {
        acts("a_checkpoint_writes_the_pages_of_all_tables", &|job| {
            let mut server = PrivateServer::<Mariadb>::make(job)?;
            for table in TABLES {
                server.execute(table)?;
            }
            server.execute("INSERT INTO history SELECT seq, seq FROM seq_1_to_20000")?;
            assert!(server.query(CHANGED_PAGES)?.first > Some(10));
            for statement in server.checkpoint() {
                server.tidy(statement)?;
            }
            assert_eq!(server.query(CHANGED_PAGES)?.first, Some(0));
            server.close()
        });
    }
}
