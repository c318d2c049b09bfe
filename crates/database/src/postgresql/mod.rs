//! `postgresql`: a private server of the installed programs.

mod address;
mod client;
mod greeting;
mod refusal;
mod server;
mod standing;
mod wire;

use etalon_units::Bytes;
use etalon_work::{Job, Kind, Parameter, ParameterError, RealWork, Values, WorkError};

use crate::parameters::{
    Amounts, CACHE, CLIENTS, COMMITS, INSERTS, RATE, ROWS, SCALE, TRANSACTIONS,
};
use crate::private::on_private;
use crate::row_size::RowSize;
use crate::sequence::Sequence;
use crate::standing::{idle_beside, on_standing};
pub use refusal::ServerRefusal;
pub use server::places;
use standing::NamedPostgresql;
pub use wire::PostgresqlError;

/// What a new cluster and its log take besides the rows.
const EMPTY_CLUSTER: Bytes = Bytes::mib(256);

/// PostgreSQL, started for each run.
pub(crate) struct Postgresql;

const fn on_off(name: &'static str, default: &'static str, help: &'static str) -> Parameter {
    Parameter {
        name,
        kind: Kind::Choice(&["on", "off"]),
        default,
        help,
    }
}

pub(crate) static FSYNC: Parameter =
    on_off("fsync", "on", "whether anything is forced to the disk");
pub(crate) static SYNCHRONOUS_COMMIT: Parameter = on_off(
    "synchronous_commit",
    "on",
    "whether a commit waits for the disk",
);
pub(crate) static FULL_PAGE_WRITES: Parameter = on_off(
    "full_page_writes",
    "on",
    "whether pages are logged whole after a checkpoint, against torn ones",
);
pub(crate) static WAL_SYNC_METHOD: Parameter = Parameter {
    name: "wal_sync_method",
    kind: Kind::Choice(&["fdatasync", "fsync", "open_datasync", "open_sync"]),
    default: "fdatasync",
    help: "how the log is forced to the disk",
};
pub(crate) static SHARED_BUFFERS: Parameter = Parameter {
    name: "shared_buffers",
    kind: Kind::Size,
    default: "16M",
    help: "PostgreSQL's own cache; at least 128K",
};

pub(crate) static MAX_WAL_SIZE: Parameter = Parameter {
    name: "max_wal_size",
    kind: Kind::Size,
    default: "1G",
    help: "how long the log may grow before PostgreSQL writes its pages back; at least 32M",
};

/// The settings of a server of etalon's own.
static SERVER_SETTINGS: [Parameter; 6] = [
    FSYNC,
    SYNCHRONOUS_COMMIT,
    FULL_PAGE_WRITES,
    WAL_SYNC_METHOD,
    SHARED_BUFFERS,
    MAX_WAL_SIZE,
];

static URL: Parameter = Parameter {
    name: "url",
    kind: Kind::Text,
    default: "",
    help: "a server that stands, as postgresql://USER@HOST/DATABASE: nothing is started or set, and one schema, etalon_work, is made and dropped. A password comes from PGPASSWORD",
};

static PARAMETERS: [Parameter; 15] = [
    URL,
    ROWS,
    SCALE,
    INSERTS,
    COMMITS,
    CACHE,
    TRANSACTIONS,
    CLIENTS,
    RATE,
    FSYNC,
    SYNCHRONOUS_COMMIT,
    FULL_PAGE_WRITES,
    WAL_SYNC_METHOD,
    SHARED_BUFFERS,
    MAX_WAL_SIZE,
];

/// Refuses what the server would not start with: it takes 16 pages and two segments of its log at least.
pub(crate) fn sizes(values: &Values) -> Result<(), ParameterError> {
    values.at_least(&SHARED_BUFFERS, Bytes::kib(128))?;
    values.at_least(&MAX_WAL_SIZE, Bytes::mib(32))
}

impl RealWork for Postgresql {
    fn name(&self) -> &'static str {
        "postgresql"
    }

    fn summary(&self) -> &'static str {
        "PostgreSQL: a private server from the installed programs, through the same steps, and transactions"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn without_effect(&self, values: &Values) -> &'static [Parameter] {
        idle_beside(values, &URL, &SERVER_SETTINGS)
    }

    fn check(&self, values: &Values) -> Result<(), WorkError> {
        sizes(values)?;
        Ok(NamedPostgresql::named(values).map(drop)?)
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let amounts = Amounts::of(
            job.values(),
            RowSize::POSTGRESQL,
            job.values().size(&SHARED_BUFFERS),
        );
        if let Some(server) = NamedPostgresql::named(job.values())? {
            return on_standing(job, amounts, server);
        }
        amounts.fit(&job.path("."), (30, 1000), EMPTY_CLUSTER)?;
        on_private::<Postgresql>(job, |job, server| {
            Sequence::new(job, server, amounts).carry_out()
        })
    }
}
