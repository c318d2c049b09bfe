//! `sqlite`: the engine within this program.

use std::path::{Path, PathBuf};

use etalon_model::ServiceFacts;
use etalon_units::Bytes;
use etalon_work::{Job, Kind, Parameter, RealWork, Values, WorkError, cache};
use etalon_workload::room;
use rusqlite::{Connection, OpenFlags};

use crate::DatabaseError;
use crate::parameters::{Amounts, CACHE, COMMITS, INSERTS, ROWS, SCALE};
use crate::sequence::Sequence;
use crate::session::{Answer, Asks, Session};
use etalon_service::{cold, on_stop};

/// SQLite, as it is built in.
pub(crate) struct Sqlite;

static JOURNAL: Parameter = Parameter {
    name: "journal",
    kind: Kind::Choice(&["wal", "delete", "truncate", "persist"]),
    default: "wal",
    help: "how a transaction is made whole: a write-ahead log, or a rollback journal that is deleted, cut or kept (PRAGMA journal_mode)",
};
static SYNCHRONOUS: Parameter = Parameter {
    name: "synchronous",
    kind: Kind::Choice(&["off", "normal", "full", "extra"]),
    default: "full",
    help: "when a commit waits for the disk (PRAGMA synchronous)",
};
static MEMORY: Parameter = Parameter {
    name: "memory",
    kind: Kind::Size,
    default: "2M",
    help: "SQLite's own cache (PRAGMA cache_size)",
};

static PARAMETERS: [Parameter; 8] = [
    ROWS,
    SCALE,
    INSERTS,
    COMMITS,
    CACHE,
    JOURNAL,
    SYNCHRONOUS,
    MEMORY,
];

impl RealWork for Sqlite {
    fn name(&self) -> &'static str {
        "sqlite"
    }

    fn summary(&self) -> &'static str {
        "SQLite: load, count, insert, index, queries A to H, vacuum, checkpoint"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let amounts = Amounts::of(job.values(), job.values().size(&MEMORY));
        room::check(&job.path("."), 0, 3, amounts.space())?;
        let mut session = Opened::new(job.path("etalon.db"), job.values())?;
        let stop = job.stop();
        let interrupt = session.interrupter();
        on_stop(stop, interrupt, || {
            let mut sequence = Sequence::new(job, &mut session, amounts);
            sequence.fill()?;
            sequence.ask()
        })
    }
}

/// An open database.
struct Opened {
    path: PathBuf,
    settings: Settings,
    connection: Option<Connection>,
}

/// What its pragmas are set to.
#[derive(Debug, Clone)]
struct Settings {
    journal: String,
    synchronous: String,
    memory: Bytes,
}

impl Opened {
    fn new(path: PathBuf, values: &Values) -> Result<Opened, DatabaseError> {
        let settings = Settings {
            journal: values.text(&JOURNAL).to_owned(),
            synchronous: values.text(&SYNCHRONOUS).to_owned(),
            memory: values.size(&MEMORY),
        };
        let connection = Some(connect(&path, &settings)?);
        Ok(Opened {
            path,
            settings,
            connection,
        })
    }

    fn connection(&mut self) -> Result<&Connection, DatabaseError> {
        if self.connection.is_none() {
            self.connection = Some(connect(&self.path, &self.settings)?);
        }
        self.connection
            .as_ref()
            .ok_or(DatabaseError::Sqlite(rusqlite::Error::InvalidQuery))
    }
}

fn connect(path: &Path, settings: &Settings) -> Result<Connection, DatabaseError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let connection = Connection::open_with_flags(path, flags)?;
    let found: String = connection.query_row(
        &format!("PRAGMA journal_mode={}", settings.journal),
        [],
        |row| row.get(0),
    )?;
    if found != settings.journal {
        return Err(DatabaseError::Setting {
            engine: "SQLite",
            name: "journal_mode",
            wanted: settings.journal.clone(),
            found,
            advice: "this filesystem lacks the shared memory of a write-ahead log; use --set journal=delete",
        });
    }
    let kibibytes = settings.memory.get().div_ceil(1024);
    connection.execute_batch(&format!(
        "PRAGMA synchronous={}; PRAGMA cache_size=-{kibibytes}; PRAGMA mmap_size=0;",
        settings.synchronous
    ))?;
    Ok(connection)
}

impl Asks for Opened {
    fn execute(&mut self, sql: &str) -> Result<u64, DatabaseError> {
        Ok(self.connection()?.execute(sql, [])? as u64)
    }

    fn query(&mut self, sql: &str) -> Result<Answer, DatabaseError> {
        let mut statement = self.connection()?.prepare(sql)?;
        let mut rows = statement.query([])?;
        let mut answer = Answer::default();
        while let Some(row) = rows.next()? {
            if answer.rows == 0 && row.as_ref().column_count() > 0 {
                answer.first = row.get(0).ok();
            }
            answer.rows += 1;
        }
        Ok(answer)
    }
}

impl Session for Opened {
    fn make_cold(&mut self) -> Result<Bytes, WorkError> {
        // Closing writes the log back and lets go of SQLite's own cache.
        if let Some(connection) = self.connection.take() {
            connection
                .close()
                .map_err(|(_, e)| DatabaseError::Sqlite(e))?;
        }
        cache::drop_file(&self.path)?;
        Ok(cold::kept(std::slice::from_ref(&self.path)))
    }

    fn facts(&mut self) -> Result<ServiceFacts, DatabaseError> {
        let connection = self.connection()?;
        let one = |pragma: &str| -> Result<String, DatabaseError> {
            Ok(
                connection.query_row(&format!("PRAGMA {pragma}"), [], |row| {
                    row.get::<_, rusqlite::types::Value>(0)
                })?,
            )
            .map(|value| match value {
                rusqlite::types::Value::Integer(number) => number.to_string(),
                rusqlite::types::Value::Text(text) => text,
                other => format!("{other:?}"),
            })
        };
        let names = [
            "journal_mode",
            "synchronous",
            "cache_size",
            "page_size",
            "fullfsync",
        ];
        let mut settings = std::collections::BTreeMap::new();
        for name in names {
            settings.insert(name.to_owned(), one(name)?);
        }
        Ok(ServiceFacts {
            engine: format!("SQLite {}", rusqlite::version()),
            volatile: volatile(&settings),
            settings,
            ..ServiceFacts::default()
        })
    }

    fn another(&self) -> Result<Box<dyn Asks + Send>, DatabaseError> {
        let connection = Some(connect(&self.path, &self.settings)?);
        let (path, settings) = (self.path.clone(), self.settings.clone());
        Ok(Box::new(Opened {
            path,
            settings,
            connection,
        }))
    }

    fn vacuum(&self) -> &'static [&'static str] {
        &["VACUUM", "ANALYZE"]
    }

    fn checkpoint(&self) -> &'static [&'static str] {
        &["PRAGMA wal_checkpoint(TRUNCATE)"]
    }

    fn interrupter(&self) -> Box<dyn Fn() + Send> {
        match &self.connection {
            Some(connection) => {
                let handle = connection.get_interrupt_handle();
                Box::new(move || handle.interrupt())
            }
            None => Box::new(|| ()),
        }
    }
}

/// What a power cut could take back, by <https://sqlite.org/pragma.html#pragma_synchronous>.
fn volatile(settings: &std::collections::BTreeMap<String, String>) -> Vec<String> {
    let is = |name: &str, value: &str| settings.get(name).is_some_and(|found| found == value);
    match (is("synchronous", "0"), is("synchronous", "1")) {
        (true, _) => vec!["synchronous=off".to_owned()],
        (_, true) if is("journal_mode", "wal") => vec!["synchronous=normal with wal".to_owned()],
        _ => Vec::new(),
    }
}
