//! A connection to a server.

use std::collections::BTreeMap;
use std::io;

use etalon_model::ServiceFacts;
use etalon_units::{Bytes, Nanos};

use super::address::Address;
use super::greeting::{answer, greeting, other_proof};
use super::volatile::volatile;
use super::wire::{Packets, WireError, number, text};
use crate::DatabaseError;
use crate::session::{Answer, Asks};
use crate::stream::Stream;

/// COM_QUERY.
const QUERY: u8 = 3;

/// The settings that are recorded.
const SETTINGS: &str = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', \
    'innodb_flush_log_at_trx_commit', 'innodb_flush_method', 'innodb_doublewrite', 'sync_binlog', \
    'log_bin', 'innodb_buffer_pool_size', 'innodb_log_file_size', 'innodb_page_size')";

const COUNTERS: &str = "SHOW GLOBAL STATUS WHERE Variable_name IN \
    ('Innodb_buffer_pool_read_requests', 'Innodb_buffer_pool_reads', \
    'Innodb_buffer_pool_pages_flushed', 'Innodb_row_lock_time')";

/// By the files of the tables: the lengths in `TABLES` are statistics, which stay those of an empty table until some time
/// after rows were loaded. Who lacks the right PROCESS is refused.
const DATA: &str = "SELECT CAST(SUM(FILE_SIZE) AS UNSIGNED) FROM information_schema.INNODB_SYS_TABLESPACES \
    WHERE SUBSTRING_INDEX(NAME, '/', 1) = DATABASE()";

/// One connection.
pub(crate) struct Connection {
    packets: Packets<Stream>,
    number: u32,
}

/// What a statement gave.
enum Given {
    /// So many rows were changed.
    Changed(u64),
    /// Rows of so many columns follow.
    Columns(u64),
}

impl Connection {
    /// Connects as the user of the address, who has that password; an empty one is none.
    pub(super) fn to(address: &Address, password: &[u8]) -> Result<Connection, WireError> {
        let mut packets = Packets::new(Stream::open(&address.place)?);
        let greeting = greeting(&packets.read()?)?;
        packets.write(&answer(&address.user, password, &greeting.challenge))?;
        let mut payload = packets.read()?;
        if payload.first() == Some(&0xfe) {
            packets.write(&other_proof(&payload, password)?)?;
            payload = packets.read()?;
        }
        match payload.first() {
            Some(0) => Ok(Connection {
                packets,
                number: greeting.connection,
            }),
            _ => Err(WireError::Protocol("a question that no server asks")),
        }
    }

    /// Ends what it waits for, from another thread; it is of no use then.
    pub(super) fn breaker(&self) -> io::Result<impl Fn() + Send + use<>> {
        self.packets.stream().breaker()
    }

    /// By what a statement of it is ended over another one.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    fn ask(&mut self, sql: &str) -> Result<Given, WireError> {
        self.packets.command(QUERY, sql)?;
        let first = self.packets.read()?;
        if first[0] == 0 {
            let (changed, _) = number(&first[1..])?;
            return Ok(Given::Changed(changed.unwrap_or_default()));
        }
        let (columns, _) = number(&first)?;
        let columns = columns.ok_or(WireError::Protocol("a wish for a local file"))?;
        for _ in 0..columns {
            self.packets.read()?;
        }
        is_end(&self.packets.read()?)
            .then_some(Given::Columns(columns))
            .ok_or(WireError::Protocol("no end of the columns"))
    }

    /// Calls `each` with every row.
    pub(super) fn rows(
        &mut self,
        sql: &str,
        mut each: impl FnMut(&[Option<&[u8]>]),
    ) -> Result<u64, DatabaseError> {
        let columns = match self.ask(sql)? {
            Given::Changed(rows) => return Ok(rows),
            Given::Columns(columns) => columns,
        };
        let mut count = 0;
        loop {
            let row = self.packets.read()?;
            if is_end(&row) {
                return Ok(count);
            }
            let (mut rest, mut values) = (&row[..], Vec::new());
            for _ in 0..columns {
                let (value, after) = text(rest)?;
                values.push(value);
                rest = after;
            }
            each(&values);
            count += 1;
        }
    }
}

impl Connection {
    /// Its settings and its counters since it stands.
    pub(super) fn facts(&mut self) -> Result<ServiceFacts, DatabaseError> {
        let mut settings = self.pairs(SETTINGS)?;
        let counters = self.pairs(COUNTERS)?;
        let count = |name: &str| {
            let text = counters.get(name);
            text.and_then(|text| text.parse().ok()).unwrap_or(0u64)
        };
        let misses = count("Innodb_buffer_pool_reads");
        let version = settings.remove("version").unwrap_or_default();
        let size = |name: &str| settings.get(name).and_then(|text| text.parse().ok());
        let page: u64 = size("innodb_page_size").unwrap_or_default();
        Ok(ServiceFacts {
            engine: format!("MariaDB {}", version.split('-').next().unwrap_or_default()),
            volatile: volatile(&settings),
            cache_hits: count("Innodb_buffer_pool_read_requests").saturating_sub(misses),
            cache_misses: misses,
            written_back: Bytes(count("Innodb_buffer_pool_pages_flushed") * page),
            lock_wait: Some(Nanos::millis(count("Innodb_row_lock_time"))),
            data: self.data()?,
            own_cache: size("innodb_buffer_pool_size").map(Bytes),
            settings,
            ..ServiceFacts::default()
        })
    }

    /// The tables of the database that it is in, with their indexes.
    fn data(&mut self) -> Result<Option<Bytes>, DatabaseError> {
        match self.query(DATA) {
            Ok(Answer { first, .. }) => Ok(first.and_then(|size| size.try_into().ok()).map(Bytes)),
            Err(error) if error.is_closed() => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// The first two columns of each row.
    fn pairs(&mut self, sql: &str) -> Result<BTreeMap<String, String>, DatabaseError> {
        let mut pairs = BTreeMap::new();
        let text = |value: Option<&Option<&[u8]>>| {
            let bytes = value.copied().flatten().unwrap_or_default();
            String::from_utf8_lossy(bytes).into_owned()
        };
        self.rows(sql, |row| {
            pairs.insert(text(row.first()), text(row.get(1)));
        })?;
        Ok(pairs)
    }
}

impl Asks for Connection {
    fn execute(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        self.rows(sql, |_| ())
    }

    fn query(&mut self, sql: &str) -> Result<Answer, DatabaseError> {
        let mut first = None;
        let mut begun = false;
        let rows = self.rows(sql, |row| {
            if !std::mem::replace(&mut begun, true) {
                first = row.first().copied().flatten().and_then(whole);
            }
        })?;
        Ok(Answer { rows, first })
    }

    /// What fails at a table is told in the rows, in the column of the kind of a message and the next one (MariaDB's
    /// manual, OPTIMIZE TABLE).
    fn tidy(&mut self, sql: &str) -> Result<(), DatabaseError> {
        let mut failed = None;
        self.rows(sql, |row| {
            if let [_, _, Some(kind), Some(text)] = row
                && failed.is_none()
                && tells_failure(kind, text)
            {
                failed = Some(String::from_utf8_lossy(text).into_owned());
            }
        })?;
        failed.map_or(Ok(()), |why| {
            Err(DatabaseError::NotDone {
                engine: "MariaDB",
                statement: sql.to_owned(),
                why,
                advice: "look into the log of the server",
            })
        })
    }
}

fn tells_failure(kind: &[u8], text: &[u8]) -> bool {
    kind.eq_ignore_ascii_case(b"error") || (kind == b"status" && text != b"OK")
}

fn whole(text: &[u8]) -> Option<i64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// EOF: 0xfe in a packet too short for a row that begins so.
fn is_end(payload: &[u8]) -> bool {
    payload.first() == Some(&0xfe) && payload.len() < 9
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mariadb::Mariadb;
    use crate::private::PrivateServer;
    use crate::row_size::RowSize;
    use crate::session::Session as _;
    use crate::tests::measured::takes;
    use crate::tests::trial::acts;

    #[test]
    fn rows_take_in_mariadb_what_is_reckoned_with() {
        acts("rows_take_in_mariadb_what_is_reckoned_with", &|job| {
            let mut server = PrivateServer::<Mariadb>::make(job)?;
            let told = |bytes| {
                let named = "FROM information_schema.tables WHERE table_name = 'readings'";
                format!("SELECT {bytes} {named}")
            };
            let (table, all) = (told("data_length"), told("data_length + index_length"));
            let renew = "ANALYZE TABLE readings";
            // It gives a table room by the mebibyte.
            let rows = (200_000, RowSize::MARIADB);
            takes(&mut server, rows, renew, (&table, &all))?;
            server.close()
        });
    }

    #[test]
    fn rows_count_as_data_as_soon_as_they_are_there() {
        acts("rows_count_as_data_as_soon_as_they_are_there", &|job| {
            let mut server = PrivateServer::<Mariadb>::make(job)?;
            assert_eq!(server.facts()?.data, None);
            server.execute("CREATE TABLE readings (note TEXT)")?;
            let many = "SELECT REPEAT('x', 100) FROM seq_1_to_20000";
            server.execute(&format!("INSERT INTO readings {many}"))?;
            let data = server.facts()?.data;
            assert!(data > Some(Bytes::mib(2)), "{data:?}");
            server.close()
        });
    }

    #[test]
    fn a_table_that_could_not_be_tidied_up_is_an_error() {
        acts("a_table_that_could_not_be_tidied_up_is_an_error", &|job| {
            let mut server = PrivateServer::<Mariadb>::make(job)?;
            let [vacuum] = server.vacuum() else {
                panic!("one statement");
            };
            let told = server.tidy(vacuum).unwrap_err().to_string();
            assert!(
                told.starts_with("MariaDB did not carry out 'OPTIMIZE TABLE readings'")
                    && told.contains("'etalon.readings' doesn't exist"),
                "{told}"
            );
            server.execute("CREATE TABLE readings (id INTEGER PRIMARY KEY)")?;
            server.tidy(vacuum)?;
            server.close()
        });
    }
}
