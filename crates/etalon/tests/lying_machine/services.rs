//! Databases and web servers that measure something else than a disk.

use std::os::unix::fs::PermissionsExt as _;

use crate::lab::{Lab, Mount, Try, ext4};
use crate::table::{Lane, Row, row};

/// Few enough rows for a busy machine.
const SMALL: &str = "--runs 1 --set rows=5000 --set inserts=200 --set commits=60";

pub(crate) const TABLE: &[Row] = &[
    row(
        "SQLite that does not wait for the disk",
        ("commits-not-durable", "warn"),
        |lab| sqlite(lab, "insert, one commit each", "--set synchronous=off"),
        |lab| sqlite(lab, "insert, one commit each", "--set synchronous=full"),
    )
    .beside(Lane::Waiting),
    row(
        "database read cold from memory",
        ("cached-in-server", "invalid"),
        |lab| {
            let memory = lab.memory();
            lab.work(memory.path(), ("sqlite", "count cold"), SMALL)
        },
        |lab| sqlite(lab, "count cold", ""),
    )
    .beside(Lane::Waiting),
    row(
        "PostgreSQL with fsync off",
        ("commits-not-durable", "warn"),
        |lab| server(lab, ("postgresql", COMMITS), "--set fsync=off"),
        |lab| server(lab, ("postgresql", COMMITS), ""),
    )
    .beside(Lane::Waiting),
    row(
        "MariaDB that writes and does not force",
        ("commits-not-durable", "warn"),
        |lab| server(lab, ("mariadb", COMMITS), "--set flush_log_at_trx_commit=2"),
        |lab| server(lab, ("mariadb", COMMITS), ""),
    )
    .beside(Lane::Waiting),
    row(
        "rows that PostgreSQL holds in its own cache",
        ("cached-in-server", "warn"),
        |lab| server(lab, ("postgresql", POINTS), ""),
        |lab| server(lab, ("postgresql", "count cold"), ""),
    )
    .beside(Lane::Waiting),
    row(
        "PostgreSQL at work for its clients all the time",
        ("server-bound", "warn"),
        |lab| urgent(lab, ("pgbench", "TPC-B-like"), BUSY),
        |lab| urgent(lab, ("pgbench", "TPC-B-like"), WAITING),
    ),
    row(
        "log that forces a checkpoint while rows are loaded",
        ("checkpoint-in-run", "warn"),
        |lab| {
            private(
                lab,
                ("postgresql", "load"),
                &format!("{LOADED} {SHORT_LOG}"),
            )
        },
        |lab| private(lab, ("postgresql", "load"), LOADED),
    )
    .beside(Lane::Waiting),
    row(
        "web pages read cold from memory",
        ("cached-in-server", "invalid"),
        |lab| {
            let memory = lab.memory();
            lab.work(memory.path(), ("web", COLD_PAGES), SITE)
        },
        |lab| private(lab, ("web", COLD_PAGES), SITE),
    )
    .beside(Lane::Waiting),
];

const SITE: &str = "--runs 1 --set pages=60 --set images=2 --set pause=0 --set clients=1";
const COLD_PAGES: &str = "one after another, cold";
/// A second of transactions as fast as they are answered, and one of few that come at a rate.
const BUSY: &str = "--runs 1 --set scale=1 --set fsync=off --set transactions=6000";
const WAITING: &str =
    "--runs 1 --set scale=1 --set fsync=off --set transactions=200 --set rate=200";
/// Rows whose log is longer than the short one.
const LOADED: &str = "--runs 1 --set rows=150000 --set inserts=200 --set commits=20";
const SHORT_LOG: &str = "--set max_wal_size=32M";
const COMMITS: &str = "insert, one commit each";
const POINTS: &str = "query A, points";

/// A private server on a filesystem of memory blocks.
fn server(lab: &Lab, name_and_step: (&str, &str), words: &str) -> Try {
    private(lab, name_and_step, &format!("{SMALL} {words}"))
}

/// The same ahead of all ordinary work: on a busy machine no server has a processor all the time.
fn urgent(lab: &Lab, name_and_step: (&str, &str), words: &str) -> Try {
    let mount = open_to_pass();
    lab.work_urgently(mount.path(), name_and_step, words)
}

fn private(lab: &Lab, name_and_step: (&str, &str), words: &str) -> Try {
    let mount = open_to_pass();
    lab.work(mount.path(), name_and_step, words)
}

/// A filesystem of memory blocks that other users may pass into.
fn open_to_pass() -> Mount {
    let mount = ext4(1024, &[], "noatime");
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(mount.path(), open).unwrap();
    mount
}

fn sqlite(lab: &Lab, step: &str, words: &str) -> Try {
    let words = format!("{SMALL} {words}");
    lab.work(lab.plain().path(), ("sqlite", step), &words)
}
