//! What can be set of every database.

use etalon_host::memory;
use etalon_units::Bytes;
use etalon_work::{Kind, Parameter, Values};

/// What a row takes on the disk, its share of the index included; rounded up from what the engines
/// show (SQLite 118 bytes, PostgreSQL 145, MariaDB 150, and 30 for the index).
const ROW_BYTES: u64 = 200;

/// Times that the data stand at once while a vacuum copies them, and the log beside.
const COPIES: u64 = 4;

pub(crate) const ROWS: Parameter = Parameter {
    name: "rows",
    kind: Kind::Count(1000, 10_000_000_000),
    default: "100000",
    help: "rows that are loaded first; about 200 bytes each",
};
pub(crate) const SCALE: Parameter = Parameter {
    name: "scale",
    kind: Kind::Choice(&["rows", "cache", "2x-memory"]),
    default: "rows",
    help: "rows: as many as --set rows says; cache: half of the engine's own cache; 2x-memory: twice the memory of the machine, so that no cache holds them",
};
pub(crate) const INSERTS: Parameter = Parameter {
    name: "inserts",
    kind: Kind::Count(1, 100_000_000),
    default: "20000",
    help: "rows that are inserted in one transaction",
};
pub(crate) const COMMITS: Parameter = Parameter {
    name: "commits",
    kind: Kind::Count(1, 10_000_000),
    default: "200",
    help: "rows that are inserted with a commit each",
};
pub(crate) const CACHE: Parameter = Parameter {
    name: "cache",
    kind: Kind::Choice(&["warm", "cold"]),
    default: "warm",
    help: "cold: before each of the queries A to H the engine's cache and the page cache of its files are emptied; the first count is cold in any case",
};

pub(crate) const TRANSACTIONS: Parameter = Parameter {
    name: "transactions",
    kind: Kind::Count(1, 100_000_000),
    default: "400",
    help: "transactions of all clients together",
};
pub(crate) const CLIENTS: Parameter = Parameter {
    name: "clients",
    kind: Kind::Count(1, 100),
    default: "4",
    help: "clients that make them at the same time",
};
pub(crate) const RATE: Parameter = Parameter {
    name: "rate",
    kind: Kind::Count(0, 10_000_000),
    default: "0",
    help: "transactions a second that arrive whether or not the server keeps up; latencies then count from the intended moment. 0: each client begins the next when it has ended one",
};

/// How much of everything.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Amounts {
    pub(crate) rows: u64,
    pub(crate) inserts: u64,
    pub(crate) commits: u64,
    pub(crate) cold_queries: bool,
    pub(crate) transactions: u64,
    pub(crate) clients: u32,
    /// Arrivals a second; 0 for a closed loop.
    pub(crate) rate: u64,
}

impl Amounts {
    /// What was set, for an engine with so much cache of its own.
    pub(crate) fn of(values: &Values, own_cache: Bytes) -> Amounts {
        let rows = match values.text(&SCALE) {
            "cache" => own_cache.get() / 2 / ROW_BYTES,
            "2x-memory" => memory::total().get().saturating_mul(2) / ROW_BYTES,
            _ => values.count(&ROWS),
        };
        Amounts {
            rows: rows.max(1000),
            inserts: values.count(&INSERTS),
            commits: values.count(&COMMITS),
            cold_queries: values.text(&CACHE) == "cold",
            transactions: values.count(&TRANSACTIONS),
            clients: values.count(&CLIENTS) as u32,
            rate: values.count(&RATE),
        }
    }

    /// All rows that are ever inserted.
    pub(crate) fn all_rows(&self) -> u64 {
        self.rows + self.inserts + self.commits
    }

    /// What they need on the disk at most.
    pub(crate) fn space(&self) -> Bytes {
        Bytes(self.all_rows().saturating_mul(ROW_BYTES * COPIES))
    }
}
