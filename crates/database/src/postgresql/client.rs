//! A connection to a server.

use std::collections::BTreeMap;
use std::io;

use etalon_model::ServiceFacts;
use etalon_units::Bytes;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::{DataRowBody, Message};
use postgres_protocol::message::frontend;

use super::address::Login;
use super::greeting::{Key, greet};
use super::wire::{Messages, PostgresqlError};
use crate::DatabaseError;
use crate::session::{Answer, Asks};
use crate::standing::SCHEMA;
use crate::stream::{Endpoint, Stream};

/// The settings that are recorded, in PostgreSQL's words.
const SETTINGS: &str = "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', \
    'synchronous_commit', 'full_page_writes', 'wal_sync_method', 'shared_buffers', 'wal_level', \
    'max_wal_size', 'checkpoint_timeout', 'server_version', 'server_version_num', 'block_size') \
    ORDER BY name";

/// What comes back when it is off, by the manual's chapter on reliability.
const DURABLE: [&str; 3] = ["fsync", "synchronous_commit", "full_page_writes"];

/// From this version on checkpoints are counted in a view of their own.
const OWN_VIEW: u32 = 170_000;

/// One connection.
pub(crate) struct Connection {
    messages: Messages<Stream>,
    place: Endpoint,
    key: Key,
}

/// Whose counters are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// Those of the whole server, which is etalon's own.
    Server,
    /// Those of etalon's tables on a server that others use too.
    Schema,
}

/// Asks how many sessions wait for a lock that another one holds.
pub(super) const WAITING_FOR_LOCKS: &str = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";

/// The same of etalon's own sessions alone: its schema is in a database once, and so is etalon.
pub(super) const OWN_WAITING_FOR_LOCKS: &str = "SELECT count(*) FROM pg_stat_activity \
    WHERE wait_event_type = 'Lock' AND datname = current_database() \
    AND application_name = current_setting('application_name')";

/// Asks how many other clients there are: a session hands its last counters over at its end, before it is struck out
/// there.
pub(super) const SESSIONS: &str = "SELECT count(*) FROM pg_stat_activity \
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

/// The same of etalon's own sessions alone.
pub(super) const OWN_SESSIONS: &str = "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() \
    AND datname = current_database() AND application_name = current_setting('application_name')";

/// Asks for the counters: pages found and read, the size of the data, checkpoints, and of a server of etalon's own the
/// pages that they and the background writer wrote (PostgreSQL's manual, The Cumulative Statistics System).
fn counters(of: Counted, version: u32) -> String {
    let pages = match of {
        Counted::Server => PAGES_OF_SERVER.to_owned(),
        Counted::Schema => pages_of_schema(),
    };
    let (checkpoints, written) = match version >= OWN_VIEW {
        true => (
            "SELECT 'c', num_timed + num_requested FROM pg_stat_checkpointer",
            "SELECT 'b', c.buffers_written + b.buffers_clean FROM pg_stat_checkpointer c, pg_stat_bgwriter b",
        ),
        false => (
            "SELECT 'c', checkpoints_timed + checkpoints_req FROM pg_stat_bgwriter",
            "SELECT 'b', buffers_checkpoint + buffers_clean FROM pg_stat_bgwriter",
        ),
    };
    match of {
        Counted::Server => [&pages, checkpoints, written].join(" UNION ALL "),
        Counted::Schema => [&pages, checkpoints].join(" UNION ALL "),
    }
}

const PAGES_OF_SERVER: &str = "SELECT 'hits', sum(blks_hit)::bigint FROM pg_stat_database UNION ALL \
    SELECT 'misses', sum(blks_read)::bigint FROM pg_stat_database UNION ALL \
    SELECT 'data', pg_database_size(current_database())";

/// The tables, and their indexes where they have some.
fn pages_of_schema() -> String {
    let of = |name, kind| {
        let sums = ["heap", "idx", "toast", "tidx"]
            .map(|part| format!("coalesce(sum({part}_blks_{kind}), 0)"))
            .join(" + ");
        format!(
            "SELECT '{name}', ({sums})::bigint FROM pg_statio_all_tables WHERE schemaname = '{SCHEMA}'"
        )
    };
    let data = format!(
        "SELECT 'data', sum(pg_total_relation_size(oid))::bigint FROM pg_class \
         WHERE relkind = 'r' AND relnamespace = to_regnamespace('{SCHEMA}')"
    );
    [of("hits", "hit"), of("misses", "read"), data].join(" UNION ALL ")
}

impl Connection {
    /// Connects to the first place that answers.
    pub(super) fn to(login: &Login) -> Result<Connection, DatabaseError> {
        let mut failed = io::Error::from(io::ErrorKind::NotFound);
        for place in &login.places {
            match Stream::open(place) {
                Err(error) => failed = error,
                Ok(stream) => return Ok(Connection::over(stream, place, login)?),
            }
        }
        Err(PostgresqlError::Io(failed).into())
    }

    fn over(
        stream: Stream,
        place: &Endpoint,
        login: &Login,
    ) -> Result<Connection, PostgresqlError> {
        let mut messages = Messages::new(stream);
        let key = greet(&mut messages, login)?;
        Ok(Connection {
            messages,
            place: place.clone(),
            key,
        })
    }

    /// Ends a statement of this connection from another thread, by a connection of its own (the manual, Canceling Requests in
    /// Progress), and what it waits for where that cannot be had.
    pub(super) fn canceller(&self) -> impl Fn() + Send + 'static {
        let (place, key) = (self.place.clone(), self.key);
        let breaker = self.messages.stream().breaker().ok();
        move || {
            if cancel(&place, key).is_err() {
                breaker.iter().for_each(|hang_up| hang_up());
            }
        }
    }

    /// Its settings and the counters.
    pub(super) fn facts(&mut self, of: Counted) -> Result<ServiceFacts, DatabaseError> {
        let is_exact = self.hands_over()?;
        let mut settings = self.pairs(SETTINGS)?;
        let version = settings.remove("server_version").unwrap_or_default();
        let number = settings
            .remove("server_version_num")
            .and_then(|text| text.parse().ok());
        let counts = self.pairs(&counters(of, number.unwrap_or(0)))?;
        let count = |name: &str| {
            counts
                .get(name)
                .and_then(|text| text.parse().ok())
                .unwrap_or(0)
        };
        let number_of = |name: &str| settings.get(name).and_then(|text| text.parse::<u64>().ok());
        let page = number_of("block_size").unwrap_or_default();
        let own_cache = number_of("shared_buffers").map(|pages| Bytes(pages * page));
        settings.remove("block_size");
        let off = DURABLE
            .iter()
            .filter(|name| settings.get(**name).is_some_and(|v| v == "off"));
        Ok(ServiceFacts {
            engine: format!(
                "PostgreSQL {}",
                version.split(' ').next().unwrap_or_default()
            ),
            volatile: off.map(|name| format!("{name}=off")).collect(),
            cache_hits: if is_exact { count("hits") } else { 0 },
            cache_misses: if is_exact { count("misses") } else { 0 },
            checkpoints: count("c"),
            written_back: Bytes(count("b") * page),
            data: Some(Bytes(count("data"))),
            own_cache,
            settings,
            ..ServiceFacts::default()
        })
    }

    /// Asks that what this session has counted is seen at once. Before 15 a server cannot: it hands counters over about
    /// twice a second, so that those of one step would be told of the next.
    fn hands_over(&mut self) -> Result<bool, DatabaseError> {
        match self.execute("SELECT pg_stat_force_next_flush()") {
            Ok(_) => Ok(true),
            Err(error) if error.is_closed() => Err(error),
            Err(_) => Ok(false),
        }
    }

    /// The first two columns of each row.
    fn pairs(&mut self, sql: &str) -> Result<BTreeMap<String, String>, DatabaseError> {
        let mut pairs = BTreeMap::new();
        self.messages.ask(sql, |message| {
            if let Message::DataRow(row) = message
                && let (Some(name), Some(value)) = (column(row, 0)?, column(row, 1)?)
            {
                pairs.insert(name.to_owned(), value.to_owned());
            }
            Ok(())
        })?;
        Ok(pairs)
    }
}

impl Asks for Connection {
    fn execute(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        let mut changed = 0;
        self.messages.ask(sql, |message| {
            if let Message::CommandComplete(body) = message {
                changed += rows_of(body.tag()?);
            }
            Ok(())
        })?;
        Ok(changed)
    }

    fn query(&mut self, sql: &str) -> Result<Answer, DatabaseError> {
        let mut answer = Answer::default();
        self.messages.ask(sql, |message| {
            if let Message::DataRow(row) = message {
                if answer.rows == 0 {
                    answer.first = column(row, 0)?.and_then(|text| text.parse().ok());
                }
                answer.rows += 1;
            }
            Ok(())
        })?;
        Ok(answer)
    }
}

impl Drop for Connection {
    /// Takes leave; a server that is gone does not miss it.
    fn drop(&mut self) {
        let _ = self.messages.send(|out| {
            frontend::terminate(out);
            Ok(())
        });
    }
}

/// A column of a row; `None` for NULL, or where there is no such column.
fn column(row: &DataRowBody, at: usize) -> Result<Option<&str>, PostgresqlError> {
    let Some(range) = row.ranges().nth(at)?.flatten() else {
        return Ok(None);
    };
    let text = row.buffer().get(range).map(str::from_utf8);
    text.transpose()
        .map_err(|_| PostgresqlError::Protocol("a text that is not UTF-8"))
}

/// Rows that a statement changed or gave, by the end of what the server calls it: `INSERT 0 5`.
fn rows_of(tag: &str) -> u64 {
    let last = tag.rsplit(' ').next();
    last.and_then(|word| word.parse().ok()).unwrap_or(0)
}

fn cancel(place: &Endpoint, key: Key) -> Result<(), PostgresqlError> {
    let mut messages = Messages::new(Stream::open(place)?);
    messages.send(|out| {
        frontend::cancel_request(key.process, key.secret, out);
        Ok(())
    })?;
    // It closes the connection once it has read that.
    messages.until_closed();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgresql::Postgresql;
    use crate::private::PrivateServer;
    use crate::row_size::RowSize;
    use crate::session::Session as _;
    use crate::tests::measured::takes;
    use crate::tests::trial::acts;

    #[test]
    fn rows_take_in_postgresql_what_is_reckoned_with() {
        acts("rows_take_in_postgresql_what_is_reckoned_with", &|job| {
            let mut server = PrivateServer::<Postgresql>::make(job)?;
            let table = "SELECT pg_relation_size('readings')";
            let all = "SELECT pg_total_relation_size('readings')";
            let rows = (20_000, RowSize::POSTGRESQL);
            takes(&mut server, rows, "ANALYZE", (table, all))?;
            server.close()
        });
    }

    #[test]
    fn what_clients_did_is_counted_once_they_have_gone() {
        let test = "what_clients_did_is_counted_once_they_have_gone";
        acts(test, &|job| {
            let mut server = PrivateServer::<Postgresql>::make(job)?;
            server.execute("CREATE TABLE many AS SELECT generate_series(1, 10000) AS id")?;
            let clients = (0..40).map(|_| server.another());
            let mut clients = clients.collect::<Result<Vec<_>, _>>()?;
            let before = server.facts()?;
            // Only the first one of a session is handed over at once.
            for number in 0..40 * 20 {
                let client = &mut clients[number % 40];
                client.query("SELECT count(*) FROM many")?;
            }
            drop(clients);
            server.settle()?;
            let facts = server.facts()?.since(&before);
            // 45 pages with rows, which each of them looked at.
            let pages = facts.cache_hits + facts.cache_misses;
            assert!(pages >= 40 * 20 * 45, "{pages}");
            server.close()
        });
    }

    #[test]
    fn a_server_that_hands_no_counters_over_tells_no_pages() {
        let test = "a_server_that_hands_no_counters_over_tells_no_pages";
        acts(test, &|job| {
            let mut server = PrivateServer::<Postgresql>::make(job)?;
            server.query("SELECT count(*) FROM pg_class")?;
            assert!(server.facts()?.cache_hits > 0);
            // As before version 15.
            server.execute("ALTER FUNCTION pg_stat_force_next_flush RENAME TO later")?;
            let facts = server.facts()?;
            assert_eq!((facts.cache_hits, facts.cache_misses), (0, 0));
            assert!(facts.data > Some(Bytes::ZERO));
            server.close()
        });
    }

    #[test]
    fn rows_stand_at_the_end_of_what_a_server_calls_a_statement() {
        let of = [
            "INSERT 0 5",
            "UPDATE 3",
            "SELECT 200000",
            "BEGIN",
            "CREATE INDEX",
            "",
        ];
        assert_eq!(of.map(rows_of), [5, 3, 200_000, 0, 0, 0]);
    }
}
