//! A connection by the socket of the server.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use etalon_model::ServiceFacts;
use etalon_units::Bytes;
use postgres::fallible_iterator::FallibleIterator as _;
use postgres::{Client, Config, NoTls, SimpleQueryMessage};

use crate::DatabaseError;
use crate::session::{Answer, Asks};

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
pub(crate) struct Connection(Client);

/// Whose counters are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// Those of the whole server, which is etalon's own.
    Server,
    /// Those of the database that the connection is to.
    Database,
}

/// Asks how many sessions wait for a lock that another one holds.
pub(super) const WAITING_FOR_LOCKS: &str = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";

/// Asks for the counters: pages found and read, checkpoints and the pages that they and the background writer wrote, and
/// the size of the data (PostgreSQL's manual, The Cumulative Statistics System).
fn counters(of: Counted, version: u32) -> String {
    let checkpoints = match version >= OWN_VIEW {
        true => {
            "SELECT 'c', num_timed + num_requested FROM pg_stat_checkpointer UNION ALL \
             SELECT 'b', c.buffers_written + b.buffers_clean FROM pg_stat_checkpointer c, pg_stat_bgwriter b"
        }
        false => {
            "SELECT 'c', checkpoints_timed + checkpoints_req FROM pg_stat_bgwriter UNION ALL \
             SELECT 'b', buffers_checkpoint + buffers_clean FROM pg_stat_bgwriter"
        }
    };
    let databases = match of {
        Counted::Server => "",
        Counted::Database => "WHERE datname = current_database()",
    };
    format!(
        "SELECT 'hits', sum(blks_hit)::bigint FROM pg_stat_database {databases} UNION ALL \
         SELECT 'misses', sum(blks_read)::bigint FROM pg_stat_database {databases} UNION ALL \
         SELECT 'data', pg_database_size(current_database()) UNION ALL {checkpoints}"
    )
}

impl Connection {
    /// Connects to the server whose socket lies in `directory`.
    pub(super) fn to(directory: &Path) -> Result<Connection, DatabaseError> {
        let mut config = Config::new();
        config
            .host_path(directory)
            .port(5432)
            .user("etalon")
            .dbname("postgres")
            .connect_timeout(Duration::from_secs(10));
        Connection::by(&config)
    }

    /// Connects as `config` says.
    pub(super) fn by(config: &Config) -> Result<Connection, DatabaseError> {
        Ok(Connection(config.connect(NoTls)?))
    }

    /// Ends a statement of this connection from another thread.
    pub(super) fn canceller(&self) -> impl Fn() + Send + 'static {
        let token = self.0.cancel_token();
        // Where nobody is there any more to be asked, nothing is under way.
        move || drop(token.cancel_query(NoTls))
    }

    /// Its settings and the counters.
    pub(super) fn facts(&mut self, of: Counted) -> Result<ServiceFacts, DatabaseError> {
        // Counters are handed over about once a second, unless they are asked for (since 15).
        let _ = self.0.simple_query("SELECT pg_stat_force_next_flush()");
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
            cache_hits: count("hits"),
            cache_misses: count("misses"),
            checkpoints: count("c"),
            written_back: Bytes(count("b") * page),
            data: Some(Bytes(count("data"))),
            own_cache,
            settings,
            ..ServiceFacts::default()
        })
    }

    /// The first two columns of each row.
    fn pairs(&mut self, sql: &str) -> Result<BTreeMap<String, String>, DatabaseError> {
        let mut pairs = BTreeMap::new();
        for message in self.0.simple_query(sql)? {
            if let SimpleQueryMessage::Row(row) = message
                && let (Some(name), Some(value)) = (row.get(0), row.get(1))
            {
                pairs.insert(name.to_owned(), value.to_owned());
            }
        }
        Ok(pairs)
    }
}

impl Asks for Connection {
    fn execute(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        let messages = self.0.simple_query(sql)?;
        let changed = messages.iter().map(|message| match message {
            SimpleQueryMessage::CommandComplete(rows) => *rows,
            _ => 0,
        });
        Ok(changed.sum())
    }

    fn query(&mut self, sql: &str) -> Result<Answer, DatabaseError> {
        let mut answer = Answer::default();
        for message in self.0.simple_query(sql)? {
            if let SimpleQueryMessage::Row(row) = message {
                if answer.rows == 0 {
                    answer.first = row.get(0).and_then(|text| text.parse().ok());
                }
                answer.rows += 1;
            }
        }
        Ok(answer)
    }

    fn scan(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        let nothing: [i32; 0] = [];
        let mut rows = self.0.query_raw(sql, nothing)?;
        let mut count = 0;
        while rows.next()?.is_some() {
            count += 1;
        }
        Ok(count)
    }
}
