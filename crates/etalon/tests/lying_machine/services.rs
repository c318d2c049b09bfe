//! Databases and web servers that measure something else than a disk.

use std::os::unix::fs::PermissionsExt as _;

use crate::lab::{Lab, ext4};
use crate::table::{Row, row};

/// Few enough rows for a busy machine.
const SMALL: &str = "--runs 1 --set rows=5000 --set inserts=200 --set commits=60";

pub(crate) const TABLE: &[Row] = &[
    row(
        "SQLite that does not wait for the disk",
        ("commits-not-durable", "warn"),
        |lab| sqlite(lab, "insert, one commit each", "--set synchronous=off"),
        |lab| sqlite(lab, "insert, one commit each", "--set synchronous=full"),
    ),
    row(
        "database read cold from memory",
        ("cached-in-server", "invalid"),
        |lab| {
            let memory = lab.memory();
            lab.work(memory.path(), ("sqlite", "count cold"), SMALL)
        },
        |lab| sqlite(lab, "count cold", ""),
    ),
    row(
        "PostgreSQL with fsync off",
        ("commits-not-durable", "warn"),
        |lab| server(lab, ("postgresql", COMMITS), "--set fsync=off"),
        |lab| server(lab, ("postgresql", COMMITS), ""),
    ),
    row(
        "MariaDB that writes and does not force",
        ("commits-not-durable", "warn"),
        |lab| server(lab, ("mariadb", COMMITS), "--set flush_log_at_trx_commit=2"),
        |lab| server(lab, ("mariadb", COMMITS), ""),
    ),
    row(
        "rows that PostgreSQL holds in its own cache",
        ("cached-in-server", "warn"),
        |lab| server(lab, ("postgresql", POINTS), ""),
        |lab| server(lab, ("postgresql", "count cold"), ""),
    ),
];

const COMMITS: &str = "insert, one commit each";
const POINTS: &str = "query A, points";

/// A private server on a filesystem of memory blocks that other users may pass into.
fn server(lab: &Lab, name_and_step: (&str, &str), words: &str) -> crate::lab::Try {
    let mount = ext4(1024, &[], "noatime");
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(mount.path(), open).unwrap();
    let words = format!("{SMALL} {words}");
    lab.work(mount.path(), name_and_step, &words)
}

fn sqlite(lab: &Lab, step: &str, words: &str) -> crate::lab::Try {
    let words = format!("{SMALL} {words}");
    lab.work(lab.plain().path(), ("sqlite", step), &words)
}
