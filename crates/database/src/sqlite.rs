//! `sqlite`: the engine within this program.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use etalon_model::ServiceFacts;
use etalon_units::Bytes;
use etalon_work::{Job, Kind, Parameter, RealWork, Values, WorkError};
use rusqlite::types::Value;
use rusqlite::{Connection, InterruptHandle, OpenFlags, OptionalExtension as _};

use crate::DatabaseError;
use crate::parameters::{
    Amounts, CACHE, CLIENTS, COMMITS, INSERTS, RATE, ROWS, SCALE, TRANSACTIONS,
};
use crate::read_back::read_back;
use crate::row_size::RowSize;
use crate::sequence::Sequence;
use crate::session::{Answer, Asks, Session};
use etalon_service::cold::ColdStart;
use etalon_service::{cold, on_stop, told_if_full};

/// SQLite, as it is built in.
pub(crate) struct Sqlite;

static JOURNAL: Parameter = Parameter {
    name: "journal",
    kind: Kind::Choice(&["wal", "delete", "truncate", "persist"]),
    default: "wal",
    help: "how a transaction is made whole: a write-ahead log, or a rollback journal that is deleted, cut or kept (PRAGMA journal_mode)",
};
/// In the order of the numbers that SQLite has for them.
const SYNCHRONOUS_LEVELS: [&str; 4] = ["off", "normal", "full", "extra"];

static SYNCHRONOUS: Parameter = Parameter {
    name: "synchronous",
    kind: Kind::Choice(&SYNCHRONOUS_LEVELS),
    default: "full",
    help: "when a commit waits for the disk (PRAGMA synchronous)",
};
static MEMORY: Parameter = Parameter {
    name: "memory",
    kind: Kind::Size,
    default: "2M",
    help: "SQLite's own cache (PRAGMA cache_size)",
};

static PARAMETERS: [Parameter; 11] = [
    ROWS,
    SCALE,
    INSERTS,
    COMMITS,
    CACHE,
    TRANSACTIONS,
    CLIENTS,
    RATE,
    JOURNAL,
    SYNCHRONOUS,
    MEMORY,
];

impl RealWork for Sqlite {
    fn name(&self) -> &'static str {
        "sqlite"
    }

    fn summary(&self) -> &'static str {
        "SQLite: load, count, insert, transactions, index, queries A to H, vacuum, checkpoint"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let amounts = Amounts::of(job.values(), RowSize::SQLITE, job.values().size(&MEMORY));
        amounts.fit(&job.path("."), (0, 3), Bytes::ZERO)?;
        let mut session = Opened::new(job.path("etalon.db"), job.values())?;
        let _spilled = SpilledFiles::within(&job.path("."))?;
        let stop = job.stop();
        let interrupt = session.interrupter();
        let place = job.path(".");
        let worked = on_stop(stop, interrupt, || {
            Sequence::new(job, &mut session, amounts).carry_out()
        });
        worked.map_err(|error| told_if_full(error, &place, None))
    }
}

/// What sorts and vacuum spill, in a directory of the target for as long as this lives: by default it goes to `/var/tmp`,
/// which is other storage (<https://sqlite.org/tempfiles.html>). SQLite has one such directory for a process.
struct SpilledFiles;

impl SpilledFiles {
    fn within(place: &Path) -> Result<SpilledFiles, DatabaseError> {
        set_spill_directory(&place.display().to_string())?;
        Ok(SpilledFiles)
    }
}

impl Drop for SpilledFiles {
    fn drop(&mut self) {
        // Where it stays, SQLite passes over a directory that is gone.
        let _ = set_spill_directory("");
    }
}

fn set_spill_directory(place: &str) -> Result<(), rusqlite::Error> {
    let any = Connection::open_in_memory()?;
    any.pragma_update(None, "temp_store_directory", place)
}

/// The settings that are recorded.
const PRAGMAS: [&str; 8] = [
    "journal_mode",
    "synchronous",
    "cache_size",
    "page_size",
    "mmap_size",
    "wal_autocheckpoint",
    "locking_mode",
    "fullfsync",
];

/// An open database.
struct Opened {
    path: PathBuf,
    settings: PragmaSettings,
    connection: Option<Connection>,
    /// Ends what the connection that stands is at.
    handle: Handle,
}

/// That of the connection that stands, which a cold start replaces.
type Handle = Arc<Mutex<Option<InterruptHandle>>>;

/// What its pragmas are set to.
#[derive(Debug, Clone)]
struct PragmaSettings {
    journal: String,
    synchronous: String,
    memory: Bytes,
}

impl Opened {
    fn new(path: PathBuf, values: &Values) -> Result<Opened, DatabaseError> {
        let settings = PragmaSettings {
            journal: values.text(&JOURNAL).to_owned(),
            synchronous: values.text(&SYNCHRONOUS).to_owned(),
            memory: values.size(&MEMORY),
        };
        let mut opened = Opened {
            path,
            settings,
            connection: None,
            handle: Handle::default(),
        };
        opened.connection()?;
        Ok(opened)
    }

    fn connection(&mut self) -> Result<&Connection, DatabaseError> {
        if self.connection.is_none() {
            let connection = connect(&self.path, &self.settings)?;
            let mut handle = self.handle.lock().unwrap_or_else(PoisonError::into_inner);
            *handle = Some(connection.get_interrupt_handle());
            self.connection = Some(connection);
        }
        self.connection
            .as_ref()
            .ok_or(DatabaseError::Sqlite(rusqlite::Error::InvalidQuery))
    }
}

/// How long a client waits for the one that writes: SQLite lets one write at a time.
const BUSY_TIMEOUT: Duration = Duration::from_secs(60);

fn connect(path: &Path, settings: &PragmaSettings) -> Result<Connection, DatabaseError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
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
    let number =
        |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let shown = [
        ("synchronous".to_owned(), number("synchronous")?.to_string()),
        ("cache_size".to_owned(), number("cache_size")?.to_string()),
    ];
    let levels = SYNCHRONOUS_LEVELS.iter();
    let level = levels.take_while(|level| **level != settings.synchronous);
    let asked = vec![
        ("synchronous", level.count().to_string()),
        ("cache_size", format!("-{kibibytes}")),
    ];
    read_back("SQLite", &asked, &shown.into())?;
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

    /// A checkpoint that others were in the way of gives a row that begins with a one
    /// (<https://sqlite.org/pragma.html#pragma_wal_checkpoint>); nothing else that tidies up gives rows.
    fn tidy(&mut self, sql: &str) -> Result<(), DatabaseError> {
        match self.query(sql)?.first {
            None | Some(0) => Ok(()),
            Some(_) => Err(DatabaseError::NotDone {
                engine: "SQLite",
                statement: sql.to_owned(),
                why: "another connection was at work on the database".to_owned(),
                advice: "end whatever else has its file open, and measure again",
            }),
        }
    }
}

impl Session for Opened {
    fn make_cold(&mut self) -> Result<ColdStart, WorkError> {
        // Closing writes the log back and lets go of SQLite's own cache.
        if let Some(connection) = self.connection.take() {
            connection
                .close()
                .map_err(|(_, e)| DatabaseError::Sqlite(e))?;
        }
        cold::empty_file(&self.path)
    }

    fn facts(&mut self) -> Result<ServiceFacts, DatabaseError> {
        let connection = self.connection()?;
        let mut settings = std::collections::BTreeMap::new();
        for name in PRAGMAS {
            // One that this build lacks gives no row.
            let value = connection.pragma_query_value(None, name, |row| row.get::<_, Value>(0));
            if let Some(value) = value.optional()? {
                settings.insert(name.to_owned(), text_of(value));
            }
        }
        Ok(ServiceFacts {
            engine: format!("SQLite {}", rusqlite::version()),
            volatile: volatile(&settings),
            settings,
            data: std::fs::metadata(&self.path)
                .ok()
                .map(|file| Bytes(file.len())),
            own_cache: Some(self.settings.memory),
            ..ServiceFacts::default()
        })
    }

    fn another(&self) -> Result<Box<dyn Asks + Send>, DatabaseError> {
        let (path, settings) = (self.path.clone(), self.settings.clone());
        let mut another = Opened {
            path,
            settings,
            connection: None,
            handle: Handle::default(),
        };
        another.connection()?;
        Ok(Box::new(another))
    }

    fn settle(&mut self) -> Result<(), DatabaseError> {
        Ok(())
    }

    fn vacuum(&self) -> &'static [&'static str] {
        &["VACUUM", "ANALYZE"]
    }

    /// Without a write-ahead log each commit has written where it stays.
    fn checkpoint(&self) -> &'static [&'static str] {
        match self.settings.journal.as_str() {
            "wal" => &["PRAGMA wal_checkpoint(TRUNCATE)"],
            _ => &[],
        }
    }

    fn interrupter(&self) -> Box<dyn Fn() + Send> {
        let handle = self.handle.clone();
        Box::new(move || {
            let handle = handle.lock().unwrap_or_else(PoisonError::into_inner);
            handle.iter().for_each(InterruptHandle::interrupt);
        })
    }
}

fn text_of(value: Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => text,
        other => format!("{other:?}"),
    }
}

/// What a power cut could take back, by <https://sqlite.org/pragma.html#pragma_synchronous>.
fn volatile(settings: &std::collections::BTreeMap<String, String>) -> Vec<String> {
    let get = |name: &str| settings.get(name).map_or("", String::as_str);
    let lost = match (get("synchronous"), get("journal_mode")) {
        ("0", _) => "synchronous=off".to_owned(),
        // What takes the journal away makes the commit, and a power cut brings the journal back: nothing waits for a removal
        // but `extra`, and for a cut `normal` does not either.
        ("1", mode @ ("wal" | "delete" | "truncate")) => format!("synchronous=normal with {mode}"),
        ("2", "delete") => "synchronous=full with delete".to_owned(),
        _ => return Vec::new(),
    };
    vec![lost]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::measured::takes;

    #[test]
    fn rows_take_what_is_reckoned_with() {
        let place = tempfile::TempDir::new().unwrap();
        let path = place.path().join("etalon.db");
        let mut opened = Opened::new(path, &Values::default()).unwrap();
        let bytes = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let rows = (20_000, RowSize::SQLITE);
        takes(&mut opened, rows, "ANALYZE", (bytes, bytes)).unwrap();
    }

    #[test]
    fn a_checkpoint_that_a_reader_was_in_the_way_of_was_not_made() {
        let place = tempfile::TempDir::new().unwrap();
        let path = place.path().join("etalon.db");
        let mut opened = Opened::new(path, &Values::default()).unwrap();
        let [checkpoint] = opened.checkpoint() else {
            panic!("a write-ahead log has one");
        };
        opened.execute("CREATE TABLE held (id INTEGER)").unwrap();
        let mut reader = opened.another().unwrap();
        reader.execute("BEGIN").unwrap();
        reader.query("SELECT COUNT(*) FROM held").unwrap();
        opened.execute("INSERT INTO held VALUES (1)").unwrap();
        let connection = opened.connection().unwrap();
        connection.busy_timeout(Duration::ZERO).unwrap();
        let told = opened.tidy(checkpoint).unwrap_err().to_string();
        assert!(
            told.starts_with("SQLite did not carry out 'PRAGMA wal_checkpoint(TRUNCATE)'"),
            "{told}"
        );
        reader.execute("COMMIT").unwrap();
        opened.tidy(checkpoint).unwrap();
    }
}
