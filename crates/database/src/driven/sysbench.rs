//! `sysbench`: its OLTP loads, on a private MariaDB server.

use std::path::Path;

use etalon_model::LatencyHistogram;
use etalon_service::{Clients, program};
use etalon_units::Bytes;
use etalon_work::{Job, Kind, Parameter, RealWork, Values, WorkError};
use etalon_workload::room;

use super::{Amounts, Driven, ProgramFigures, RATE, TRANSACTIONS, after, client, failures};
use super::{nanos, read, unread};
use crate::mariadb::Mariadb;
use crate::mariadb::{BINARY_LOG, BUFFER_POOL, DOUBLEWRITE, FLUSH_LOG, FLUSH_METHOD};
use crate::parameters::CLIENTS;
use crate::private::on_private;
use crate::session::Session;

/// The OLTP loads of sysbench, on a server of etalon's own.
pub(crate) struct Sysbench;

/// What a row takes: 190 bytes in the table and 20 in its index, and half of a page free.
const ROW: u64 = 420;

const TABLES: Parameter = Parameter {
    name: "tables",
    kind: Kind::Count(1, 1000),
    default: "1",
    help: "tables (sysbench --tables)",
};
const TABLE_SIZE: Parameter = Parameter {
    name: "table_size",
    kind: Kind::Count(1000, 1_000_000_000),
    default: "100000",
    help: "rows of each (sysbench --table-size); about 210 bytes each",
};

/// The loads, in their order, and whether they change anything.
const LOADS: [(&str, bool); 3] = [
    ("oltp_read_only", false),
    ("oltp_write_only", true),
    ("oltp_read_write", true),
];

static PARAMETERS: [Parameter; 10] = [
    TABLES,
    TABLE_SIZE,
    TRANSACTIONS,
    CLIENTS,
    RATE,
    FLUSH_LOG,
    FLUSH_METHOD,
    DOUBLEWRITE,
    BINARY_LOG,
    BUFFER_POOL,
];

impl RealWork for Sysbench {
    fn name(&self) -> &'static str {
        "sysbench"
    }

    fn summary(&self) -> &'static str {
        "sysbench on a private MariaDB server: its tables, oltp_read_only, oltp_write_only, oltp_read_write"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &PARAMETERS
    }

    fn check(&self, values: &Values) -> Result<(), WorkError> {
        Ok(crate::mariadb::sizes(values)?)
    }

    fn work(&self, job: &mut Job<'_>) -> Result<(), WorkError> {
        let sysbench = program("sysbench", [], "sysbench")?;
        let values = job.values();
        let rows = values.count(&TABLES) * values.count(&TABLE_SIZE);
        let space = Bytes::mib(320)
            .get()
            .saturating_add(rows.saturating_mul(ROW));
        room::check(
            &job.path("."),
            10,
            400 + 2 * values.count(&TABLES),
            Bytes(space),
        )?;
        let _clients = Clients::of(job)?;
        on_private::<Mariadb>(job, |job, server| steps(&sysbench, job, server))
    }
}

fn steps(sysbench: &Path, job: &mut Job<'_>, server: &mut dyn Session) -> Result<(), WorkError> {
    let mut words = common(job);
    words.extend(["oltp_read_write", "prepare"].map(str::to_owned));
    let program = client(sysbench, words, job, &job.path("prepare.out"));
    job.step("prepare", |step| step.run(&program))?;
    for (name, writes) in LOADS {
        let output = job.path(&format!("{name}.out"));
        let program = client(sysbench, load(job, name), job, &output);
        let driven = Driven {
            name,
            clients: Amounts::of(job.values()).clients,
            writes,
        };
        driven.step(job, server, |step| {
            step.run(&program)?;
            let text = read(&output)?;
            Ok(told(&text).ok_or_else(|| unread("sysbench", &text))?)
        })?;
    }
    Ok(())
}

/// The socket of the server lies beside the directory in which the program works.
fn common(job: &Job<'_>) -> Vec<String> {
    let values = job.values();
    let words = [
        "--db-driver=mysql".to_owned(),
        "--mysql-socket=data/socket".to_owned(),
        "--mysql-user=root".to_owned(),
        "--mysql-db=etalon".to_owned(),
        format!("--tables={}", values.count(&TABLES)),
        format!("--table-size={}", values.count(&TABLE_SIZE)),
        format!("--rand-seed={}", job.seed() & 0x7fff_ffff),
    ];
    words.to_vec()
}

fn load(job: &Job<'_>, name: &str) -> Vec<String> {
    let amounts = Amounts::of(job.values());
    let mut words = common(job);
    words.extend([
        format!("--threads={}", amounts.clients),
        format!("--events={}", amounts.transactions),
        "--time=0".to_owned(),
        "--histogram=on".to_owned(),
    ]);
    if amounts.rate > 0 {
        words.push(format!("--rate={}", amounts.rate));
    }
    words.extend([name, "run"].map(str::to_owned));
    words
}

/// Deadlocks and the like, and lost connections, after both of which a transaction is tried again (sysbench 1.0,
/// drivers/mysql/drv_mysql.c); with any other error sysbench itself fails.
const FAILURES: [(&str, &str); 2] = [
    ("ignored errors:", "ignored error"),
    ("reconnects:", "lost connection"),
];

/// From what sysbench prints.
pub(super) fn told(text: &str) -> Option<ProgramFigures> {
    let seconds: f64 = after(text, "total time:")?;
    Some(ProgramFigures {
        operations: after(text, "total number of events:")?,
        failed: failures(text, &FAILURES),
        duration: nanos(seconds),
        latency: latency(text),
    })
}

/// The lines of its histogram: the end of a bucket in milliseconds, asterisks, and how many are in it. A bucket is 1.8 %
/// wide: 1024 of them from 0.001 ms to 100 s, each by the same factor (sysbench 1.0, sysbench.c).
fn latency(text: &str) -> LatencyHistogram {
    let mut latency = LatencyHistogram::new();
    for (value, rest) in text.lines().filter_map(|line| line.split_once('|')) {
        let milliseconds: Option<f64> = value.trim().parse().ok();
        let count = rest.split_whitespace().next_back();
        let count: Option<u64> = count.and_then(|count| count.parse().ok());
        if let (Some(milliseconds), Some(count)) = (milliseconds, count) {
            latency.record_n(nanos(milliseconds / 1000.0).get(), count);
        }
    }
    latency
}
