//! Databases whose rows are promised one by one: each row is a transaction, promised when the database has said that
//! it is committed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use etalon_lab::guest::{Archive, GuestError, Libraries, find_program};
use etalon_lab::powercut::{Durability, LostRecord, Promised, RecordState, Records};

/// A database that works in a guest, by its own programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Database {
    Sqlite,
    Postgresql,
    Mariadb,
}

/// The first of what a cluster of PostgreSQL is made of.
const CATALOGUE: &str = "postgres.bki";
/// How much of a record's noise a row holds.
const CONTENT_BYTES: usize = 256;

impl Database {
    /// The word of the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Database::Sqlite => "sqlite",
            Database::Postgresql => "postgresql",
            Database::Mariadb => "mariadb",
        }
    }

    /// As its makers write it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Database::Sqlite => "SQLite",
            Database::Postgresql => "PostgreSQL",
            Database::Mariadb => "MariaDB",
        }
    }

    /// The word of the command line, with its help.
    pub(super) fn possible_value(self) -> PossibleValue {
        PossibleValue::new(self.name()).help(match self {
            Database::Sqlite => "rows of an SQLite database, one transaction each",
            Database::Postgresql => "the same of PostgreSQL",
            Database::Mariadb => "the same of MariaDB (InnoDB)",
        })
    }

    /// The setting on which it depends whether a commit waits for the disk, with its value: by default it does in all
    /// three. Of SQLite it is `synchronous` (sqlite.org/pragma.html), of PostgreSQL `synchronous_commit`
    /// (postgresql.org/docs, Write Ahead Log), of MariaDB `innodb_flush_log_at_trx_commit` (mariadb.com/kb).
    pub(super) fn setting(self, durability: Durability) -> (&'static str, &'static str) {
        let waits = durability != Durability::None;
        match self {
            Database::Sqlite => ("synchronous", if waits { "full" } else { "off" }),
            Database::Postgresql => ("synchronous_commit", if waits { "on" } else { "off" }),
            Database::Mariadb => (
                "innodb_flush_log_at_trx_commit",
                if waits { "1" } else { "0" },
            ),
        }
    }

    /// What a guest's shell does with it, in the words of guest.sh.
    pub(super) fn script(self) -> &'static str {
        match self {
            Database::Sqlite => include_str!("sqlite.sh"),
            Database::Postgresql => include_str!("postgresql.sh"),
            Database::Mariadb => include_str!("mariadb.sh"),
        }
    }

    /// Its programs, their libraries and what they read, each at its own place.
    pub(super) fn pack(self, archive: &mut Archive) -> anyhow::Result<()> {
        let libraries = Libraries::default();
        for program in self.programs()? {
            let place = program.to_string_lossy().into_owned();
            libraries.add(archive, &program, &place)?;
        }
        for directory in self.directories()? {
            libraries.add_tree(archive, &directory)?;
        }
        Ok(())
    }

    fn programs(self) -> Result<Vec<PathBuf>, GuestError> {
        let found = |name: &str| find_program(name, &[]).ok_or_else(|| missing(name));
        match self {
            Database::Sqlite => Ok(vec![found("sqlite3")?]),
            Database::Mariadb => Ok(vec![found("mariadbd")?, found("mariadb")?]),
            Database::Postgresql => {
                let programs = postgresql()?;
                let names = ["postgres", "initdb", "psql"];
                Ok(names.map(|name| programs.join(name)).to_vec())
            }
        }
    }

    /// What they read at their start: texts, character sets, catalogues and what is loaded by name.
    fn directories(self) -> Result<Vec<PathBuf>, GuestError> {
        Ok(match self {
            Database::Sqlite => Vec::new(),
            Database::Mariadb => ["/usr/share/mysql/charsets", "/usr/share/mysql/english"]
                .map(PathBuf::from)
                .to_vec(),
            Database::Postgresql => {
                let programs = postgresql()?;
                let version = programs.parent().unwrap_or(&programs);
                let is_loaded = |name: &&str| version.join("lib").join(name).is_file();
                let loaded = ["plpgsql.so", "dict_snowball.so"].into_iter();
                let loaded = loaded.filter(is_loaded);
                let loaded = loaded.map(|name| version.join("lib").join(name));
                loaded.chain([catalogues_beside(version)?]).collect()
            }
        })
    }

    /// A line for each row: the statement that commits it.
    pub(super) fn statements(seed: u64, rows: u64) -> String {
        let mut text = String::new();
        for number in 0..rows {
            let content = content(seed, number);
            // A String takes every text.
            let _ = writeln!(text, "INSERT INTO kept VALUES ({number}, '{content}');");
        }
        text
    }
}

/// Where the programs of the newest PostgreSQL are.
fn postgresql() -> Result<PathBuf, GuestError> {
    let mut places = etalon_database::postgresql_places().into_iter();
    let found = places.find(|place| place.join("initdb").is_file());
    found.ok_or_else(|| missing("postgres"))
}

/// Where what initdb(1) makes a cluster of is: Debian has it by versions, others beside the programs or at one place.
fn catalogues_beside(version: &Path) -> Result<PathBuf, GuestError> {
    let places = [
        Path::new("/usr/share/postgresql").join(version.file_name().unwrap_or_default()),
        version.join("share/postgresql"),
        version.join("share"),
        PathBuf::from("/usr/share/pgsql"),
        PathBuf::from("/usr/share/postgresql"),
    ];
    let mut there = places
        .into_iter()
        .filter(|place| place.join(CATALOGUE).is_file());
    there.next().ok_or_else(|| missing(CATALOGUE))
}

fn missing(program: &str) -> GuestError {
    GuestError::MissingProgram {
        program: program.to_owned(),
    }
}

/// What a row holds, in hexadecimal digits.
fn content(seed: u64, number: u64) -> String {
    let content = Records::new(seed).content(number);
    let mut text = String::new();
    for byte in content.iter().take(CONTENT_BYTES) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Of these the rows that a database did not give back, a line `NUMBER CONTENT` each, and those that came back changed.
pub(super) fn rows_lost(seed: u64, promised: &[Promised], given: &[u8]) -> Vec<LostRecord> {
    let given = String::from_utf8_lossy(given);
    let rows = given.lines().filter_map(|line| {
        let (number, content) = line.trim().split_once(' ')?;
        Some((number.parse::<u64>().ok()?, content))
    });
    let rows: std::collections::BTreeMap<u64, &str> = rows.collect();
    LostRecord::among(promised, |promised| match rows.get(&promised.number) {
        None => RecordState::Lost,
        Some(found) if *found == content(seed, promised.number) => RecordState::Kept,
        Some(_) => RecordState::Torn,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_is_missing_is_lost_and_one_that_changed_is_torn() {
        let promised: Vec<Promised> = (0..4).map(|number| Promised { number, at_ns: 0 }).collect();
        let [first, third] = [0, 2].map(|number| content(7, number));
        let given = format!("0 {first}\n1 {third}\nFATAL: nothing\n2 {third}\n9 {third}\n");
        let lost = rows_lost(7, &promised, given.as_bytes());
        let told: Vec<(u64, RecordState)> = lost
            .iter()
            .map(|lost| (lost.promised.number, lost.state))
            .collect();
        assert_eq!(told, [(1, RecordState::Torn), (3, RecordState::Lost)]);
        assert_eq!(rows_lost(7, &promised, b"").len(), 4);
        assert_eq!(rows_lost(7, &promised[..1], given.as_bytes()), []);
    }

    #[test]
    fn each_row_is_one_statement_of_its_own_noise() {
        let text = Database::statements(7, 3);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[2].starts_with("INSERT INTO kept VALUES (2, '"));
        assert_eq!(
            lines[2].len(),
            "INSERT INTO kept VALUES (2, '');".len() + 512
        );
        assert_ne!(content(7, 1), content(8, 1));
    }
}
