//! What can be set of every database.

use std::path::Path;

use etalon_host::memory;
use etalon_units::Bytes;
use etalon_work::{Kind, Parameter, Values};
use etalon_workload::room::{self, RoomError};

use crate::DatabaseError;
use crate::row_size::RowSize;

/// Times that the data stand at once while a vacuum copies them, and the log beside.
const COPIES: u64 = 4;

pub(crate) const ROWS: Parameter = Parameter {
    name: "rows",
    kind: Kind::Count(1000, 10_000_000_000),
    default: "100000",
    help: "rows that are loaded first; 91 to 126 bytes each, and 16 to 54 in the indexes",
};
pub(crate) const SCALE: Parameter = Parameter {
    name: "scale",
    kind: Kind::Choice(&["rows", "cache", "2x-memory"]),
    default: "rows",
    help: "rows: as many as --set rows says; cache: half of the engine's own cache; 2x-memory: twice the memory of the machine, or of what its control groups allow this process, so that no cache holds them",
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
    /// What each row takes.
    pub(crate) row: RowSize,
}

impl Amounts {
    /// What was set, for an engine with rows of this size and so much cache of its own.
    pub(crate) fn of(values: &Values, row: RowSize, own_cache: Bytes) -> Amounts {
        let rows = match values.text(&SCALE) {
            "cache" => own_cache.get() / 2 / row.indexed,
            // The table alone, so that what reads nothing else finds no more of it in memory.
            "2x-memory" => memory::total().get().saturating_mul(2) / row.table,
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
            row,
        }
    }

    /// All rows that are ever inserted.
    pub(crate) fn all_rows(&self) -> u64 {
        self.rows + self.inserts + self.commits
    }

    /// What they need on the disk at most.
    pub(crate) fn space(&self) -> Bytes {
        Bytes(self.all_rows().saturating_mul(self.row.indexed * COPIES))
    }

    /// Refuses what does not fit below `place`, with so many directories and files and so much for an engine without rows,
    /// and says how many rows would.
    ///
    /// # Errors
    /// [`DatabaseError::Room`], and [`DatabaseError::Keys`] where no space would help.
    pub(crate) fn fit(
        &self,
        place: &Path,
        (directories, files): (u64, u64),
        besides: Bytes,
    ) -> Result<(), DatabaseError> {
        let needed = Bytes(self.space().get().saturating_add(besides.get()));
        let fits = room::check(place, directories, files, needed);
        fits.map_err(|source| self.refused(besides, source))?;
        self.have_keys()
    }

    fn have_keys(&self) -> Result<(), DatabaseError> {
        let (rows, keys) = (self.all_rows(), self.row.keys);
        match rows > keys {
            true => Err(DatabaseError::Keys { rows, keys }),
            false => Ok(()),
        }
    }

    fn refused(&self, besides: Bytes, source: RoomError) -> DatabaseError {
        let RoomError::Space { free, .. } = &source else {
            return DatabaseError::NoRoom(source);
        };
        let rows = free.get().saturating_sub(besides.get()) / (self.row.indexed * COPIES);
        DatabaseError::Room {
            rows: self.rows,
            fitting: rows.saturating_sub(self.all_rows() - self.rows),
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_do_not_fit_are_refused_with_how_many_would() {
        let amounts = Amounts::of(&Values::default(), RowSize::SQLITE, Bytes::ZERO);
        let told = |free| {
            let source = RoomError::Space {
                path: "/mnt".into(),
                needed: Bytes::gib(1),
                free,
            };
            amounts.refused(Bytes::mib(256), source).to_string()
        };
        let some = told(Bytes(
            Bytes::mib(256).get() + 70_200 * RowSize::SQLITE.indexed * COPIES,
        ));
        assert!(
            some.ends_with("50000 rows fit (--set rows=50000)"),
            "{some}"
        );
        let none = told(Bytes::mib(256));
        assert!(none.ends_with("not even 1000 rows fit"), "{none}");
    }

    #[test]
    fn more_rows_than_there_are_keys_are_refused_whatever_the_space() {
        let told = |row| {
            let amounts = Amounts {
                rows: 1 << 31,
                ..Amounts::of(&Values::default(), row, Bytes::ZERO)
            };
            amounts
                .have_keys()
                .map_or_else(|error| error.to_string(), |()| String::new())
        };
        for row in [RowSize::POSTGRESQL, RowSize::MARIADB] {
            assert!(told(row).contains("keys for 2147483647"), "{}", told(row));
        }
        assert!(!told(RowSize::SQLITE).contains("keys"));
    }

    #[test]
    fn a_scale_is_that_of_the_bytes_which_are_read() {
        for row in [RowSize::SQLITE, RowSize::POSTGRESQL, RowSize::MARIADB] {
            let rows = |scale: &str| {
                let given = [("scale".to_owned(), scale.to_owned())];
                let values = Values::parse(&[SCALE], &given).unwrap();
                Amounts::of(&values, row, Bytes::gib(1)).rows
            };
            let cached = rows("cache") * row.indexed;
            assert!(cached.abs_diff(Bytes::mib(512).get()) < row.indexed);
            let twice = rows("2x-memory") * row.table;
            assert!(twice.abs_diff(2 * memory::total().get()) < row.table);
        }
    }

    #[test]
    fn sizes_below_what_a_server_starts_with_are_refused_with_the_least() {
        for (work, name, small, least) in [
            ("postgresql", "shared_buffers", "64K", "128 KiB"),
            ("pgbench", "max_wal_size", "16M", "32 MiB"),
            ("mariadb", "buffer_pool_size", "5M", "6 MiB"),
            ("sysbench", "buffer_pool_size", "1M", "6 MiB"),
        ] {
            let found = crate::WORKS.into_iter().find(|one| one.name() == work);
            let found = found.unwrap();
            let given = [(name.to_owned(), small.to_owned())];
            let values = Values::parse(found.parameters(), &given).unwrap();
            let told = found.check(&values).unwrap_err().to_string();
            assert!(told.contains(small) && told.ends_with(least), "{told}");
            assert!(found.check(&Values::default()).is_ok(), "{work}");
        }
    }
}
