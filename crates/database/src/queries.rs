//! The queries A to H.

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::rows::{DAYS, KINDS, SENSORS};

/// Rows that query A asks for one by one.
const POINTS: usize = 1000;
/// Ranges of query B.
const RANGES: usize = 50;

/// What a query does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueryKind {
    /// It gives few rows.
    Asks,
    /// It gives a row for each of the table.
    Scans,
    /// It changes rows.
    Writes,
}

/// One of the queries: its name, and its statements in their order.
pub(crate) struct Query {
    pub(crate) name: &'static str,
    pub(crate) statements: Vec<String>,
    /// What is done with its rows.
    pub(crate) kind: QueryKind,
}

/// All of them, over `rows` rows.
pub(crate) fn all(rows: u64, seed: u64) -> Vec<Query> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x7175_6572);
    let points = (0..POINTS).map(|_| {
        let id = random.random_range(1..=rows);
        format!("SELECT value FROM readings WHERE id = {id}")
    });
    let points = points.collect();
    let ranges = (0..RANGES).map(|_| {
        let (sensor, kind) = (
            random.random_range(0..SENSORS),
            random.random_range(0..KINDS),
        );
        let day = random.random_range(0..DAYS / 2);
        format!(
            "SELECT day, value FROM readings WHERE sensor = {sensor} AND kind = {kind} \
             AND day BETWEEN {day} AND {} ORDER BY day",
            day + DAYS / 2
        )
    });
    let ranges = ranges.collect();
    vec![
        reads("query A, points", points),
        reads("query B, ranges", ranges),
        read(
            "query C, aggregate",
            "SELECT kind, COUNT(*), AVG(value), MIN(day), MAX(day) FROM readings GROUP BY kind ORDER BY kind",
        ),
        read(
            "query D, join",
            "SELECT s.place, COUNT(*), AVG(r.value) FROM readings r JOIN sensors s ON s.id = r.sensor WHERE r.day < 1825 GROUP BY s.place ORDER BY s.place",
        ),
        Query {
            kind: QueryKind::Scans,
            ..read(
                "query E, sort",
                "SELECT id, note FROM readings ORDER BY note, value",
            )
        },
        write(
            "query F, update",
            "UPDATE readings SET value = value + 1 WHERE kind = 3",
        ),
        write("query G, delete", "DELETE FROM readings WHERE kind = 7"),
        read(
            "query H, full scan",
            "SELECT COUNT(*) FROM readings WHERE note LIKE '%abcd%'",
        ),
    ]
}

fn reads(name: &'static str, statements: Vec<String>) -> Query {
    Query {
        name,
        statements,
        kind: QueryKind::Asks,
    }
}

fn read(name: &'static str, statement: &str) -> Query {
    reads(name, vec![statement.to_owned()])
}

fn write(name: &'static str, statement: &str) -> Query {
    Query {
        kind: QueryKind::Writes,
        ..read(name, statement)
    }
}
