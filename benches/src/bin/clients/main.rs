//! Clients of databases and web servers: etalon's own beside pgbench, sysbench and wrk, on the same server.
#![expect(clippy::print_stdout, reason = "the tables are what it is for")]

mod mariadb;
mod postgresql;
mod web;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Parser, ValueEnum};
use etalon_benches::Pair;
use etalon_benches::clients::{ClientRun, Etalon, cost, holds_one};
use signal_hook::consts::{SIGINT, SIGTERM};

/// Which comparison is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Transactions of five statements on PostgreSQL, against pgbench.
    Postgresql,
    /// The same on MariaDB, against sysbench.
    Mariadb,
    /// Pages from nginx, against wrk.
    Web,
}

/// Runs one comparison and prints medians, spreads and ratios.
#[derive(Debug, Parser)]
struct Options {
    /// Which comparison.
    what: What,
    /// Blocks: each client runs once in each, in random order.
    #[arg(long, default_value_t = 12)]
    blocks: usize,
    /// The program under test.
    #[arg(long, default_value = "target/release/etalon")]
    etalon: PathBuf,
    /// Transactions or pages of each run.
    #[arg(long, default_value_t = 20_000)]
    operations: u64,
    /// Clients at the same time.
    #[arg(long, default_value_t = 4)]
    clients: u64,
    /// Transactions a second where they come at a rate.
    #[arg(long, default_value_t = 1000)]
    rate: u64,
    /// Where the servers keep their data, and etalon its figures.
    #[arg(long, default_value = "/dev/shm")]
    directory: PathBuf,
}

/// Rows of the table, few enough for every cache.
const ROWS: u64 = 10_000;

/// The programs of both sides at one load.
struct Sides<'a> {
    title: String,
    peer: &'static str,
    ours: Box<dyn Fn() -> anyhow::Result<ClientRun> + 'a>,
    theirs: Box<dyn Fn() -> anyhow::Result<ClientRun> + 'a>,
}

impl Sides<'_> {
    fn compare(self, blocks: usize) -> anyhow::Result<()> {
        let (ours, theirs) = (self.ours, self.theirs);
        let pair = Pair {
            title: self.title,
            unit: "medians",
            ours: Box::new(move || Ok(ours()?.figures())),
            theirs: Box::new(move || Ok(theirs()?.figures())),
            judge: holds_one,
            prepare: Box::new(|| Ok(())),
        };
        let columns = pair.columns(blocks)?;
        if let Some(line) = cost(&columns, self.peer) {
            println!("{line}");
        }
        Ok(())
    }
}

impl Options {
    fn etalon(&self) -> anyhow::Result<Etalon> {
        Etalon::new(&self.etalon, &self.directory)
    }

    /// A closed loop, then arrivals at a rate.
    fn rates(&self) -> [u64; 2] {
        [0, self.rate]
    }

    fn title(&self, peer: &str, rate: u64) -> String {
        let clients = self.clients;
        match rate {
            0 => format!("{clients} clients in a closed loop, etalon and {peer}"),
            rate => format!("{clients} clients, {rate}/s, etalon and {peer}"),
        }
    }

    /// The transactions of etalon's `work` on the server at `url`, and the same by `peer`, at each rate.
    fn compare_transactions(
        &self,
        work: &str,
        url: &str,
        peer: &'static str,
        theirs: impl Fn(u64) -> anyhow::Result<ClientRun>,
    ) -> anyhow::Result<()> {
        let etalon = self.etalon()?;
        for rate in self.rates() {
            let sets = self.transactions(url, rate);
            let sides = Sides {
                title: self.title(peer, rate),
                peer,
                ours: Box::new(|| etalon.step(work, &sets, "transactions")),
                theirs: Box::new(|| theirs(rate)),
            };
            sides.compare(self.blocks)?;
        }
        Ok(())
    }

    /// What etalon is told of the transactions on the server at `url`; all else is as short as it may be.
    fn transactions(&self, url: &str, rate: u64) -> Vec<String> {
        vec![
            format!("url={url}"),
            format!("rows={ROWS}"),
            "inserts=1".to_owned(),
            "commits=1".to_owned(),
            format!("transactions={}", self.operations),
            format!("clients={}", self.clients),
            format!("rate={rate}"),
        ]
    }
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    // The program under way ends by the same signal; then the server is ended, as after any failure.
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::default())?;
    }
    match options.what {
        What::Postgresql => postgresql::compare(&options),
        What::Mariadb => mariadb::compare(&options),
        What::Web => web::compare(&options),
    }
}
