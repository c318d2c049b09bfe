//! `mariadb`: a private server of the installed programs.

mod address;
mod client;
mod greeting;
mod server;
mod standing;
mod volatile;
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
use standing::NamedMariadb;

pub use wire::WireError;

/// What an empty server and its logs take besides the rows.
const EMPTY: Bytes = Bytes::mib(320);

/// MariaDB, started for each run.
pub(crate) struct Mariadb;

pub(crate) static FLUSH_LOG: Parameter = Parameter {
    name: "flush_log_at_trx_commit",
    kind: Kind::Choice(&["0", "1", "2", "3"]),
    default: "1",
    help: "1: a commit waits until its log is on the disk; 0 and 2: the log is forced once a second (innodb_flush_log_at_trx_commit)",
};
pub(crate) static FLUSH_METHOD: Parameter = Parameter {
    name: "flush_method",
    kind: Kind::Choice(&["O_DIRECT", "fsync", "O_DSYNC", "littlesync", "nosync"]),
    default: "O_DIRECT",
    help: "how InnoDB writes its files (innodb_flush_method)",
};
pub(crate) static DOUBLEWRITE: Parameter = Parameter {
    name: "doublewrite",
    kind: Kind::Choice(&["ON", "OFF"]),
    default: "ON",
    help: "whether pages are written twice, against torn ones (innodb_doublewrite)",
};
pub(crate) static BINARY_LOG: Parameter = Parameter {
    name: "sync_binlog",
    kind: Kind::Choice(&["none", "0", "1"]),
    default: "none",
    help: "none: no binary log; 1: it is forced at each commit; 0: never (sync_binlog)",
};
pub(crate) static BUFFER_POOL: Parameter = Parameter {
    name: "buffer_pool_size",
    kind: Kind::Size,
    default: "16M",
    help: "InnoDB's own cache; at least 6M (innodb_buffer_pool_size)",
};

/// The settings of a server of etalon's own.
static SERVER_SETTINGS: [Parameter; 5] = [
    FLUSH_LOG,
    FLUSH_METHOD,
    DOUBLEWRITE,
    BINARY_LOG,
    BUFFER_POOL,
];

static URL: Parameter = Parameter {
    name: "url",
    kind: Kind::Text,
    default: "",
    help: "a server that stands, as mariadb://USER@HOST or mariadb://USER@/?socket=PATH: nothing is started or set, and one schema, etalon_work, is made and dropped. A password comes from MYSQL_PWD",
};

static PARAMETERS: [Parameter; 14] = [
    URL,
    ROWS,
    SCALE,
    INSERTS,
    COMMITS,
    CACHE,
    TRANSACTIONS,
    CLIENTS,
    RATE,
    FLUSH_LOG,
    FLUSH_METHOD,
    DOUBLEWRITE,
    BINARY_LOG,
    BUFFER_POOL,
];

/// Refuses what the server would die of: it says that 5 MiB are enough, and starts with 6.
pub(crate) fn sizes(values: &Values) -> Result<(), ParameterError> {
    values.at_least(&BUFFER_POOL, Bytes::mib(6))
}

impl RealWork for Mariadb {
    fn name(&self) -> &'static str {
        "mariadb"
    }

    fn summary(&self) -> &'static str {
        "MariaDB: a private server from the installed programs, through the same steps, and transactions"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn without_effect(&self, values: &Values) -> &'static [Parameter] {
        idle_beside(values, &URL, &SERVER_SETTINGS)
    }

    fn check(&self, values: &Values) -> Result<(), WorkError> {
        sizes(values)?;
        Ok(NamedMariadb::named(values).map(drop)?)
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let amounts = Amounts::of(
            job.values(),
            RowSize::MARIADB,
            job.values().size(&BUFFER_POOL),
        );
        if let Some(server) = NamedMariadb::named(job.values())? {
            return on_standing(job, amounts, server);
        }
        amounts.fit(&job.path("."), (10, 400), EMPTY)?;
        on_private::<Mariadb>(job, |job, server| {
            Sequence::new(job, server, amounts).carry_out()
        })
    }
}
